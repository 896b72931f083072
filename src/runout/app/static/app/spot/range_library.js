// The range library above the spot: pots of the charts by stack, and pairs of one's own. One click fills both ranges,
// pot and stack.
import * as api from "../api.js";
import { get, put, remove, useAsked } from "../api.js";
import { html, useState } from "../html.js";
import { toast } from "../toast.js";

const USUAL = "100";

export function RangeLibrary({ form, onFill }) {
  const [stack, setStack] = useState(USUAL);
  const [version, setVersion] = useState(0);
  const [name, setName] = useState(null); // of a pair that is being kept; null: none is
  const charts = useAsked(() => get("/charts"), []);
  const own = useAsked(() => get("/setups"), [version]);
  const listed = charts.data ?? [];
  const chart = listed.find((each) => keyOf(each) === stack) ?? listed.find((each) => keyOf(each) === USUAL) ?? listed[0];
  const asked = useAsked(async () => ({ of: chart?.id, pots: chart ? await api.situations(chart.id) : [] }), [chart?.id]);
  const pots = asked.data?.of === chart?.id ? asked.data?.pots ?? [] : []; // never those of the chart before
  const fill = async (line) => {
    try {
      const { board: _, ...spot } = await api.lineSpot(chart.id, line);
      onFill(spot);
      toast("Filled both ranges, pot, stack and sizes");
    } catch (error) {
      toast(error.message, "bad");
    }
  };
  const change = async (work, said) => {
    try {
      await work();
      toast(said);
      setVersion((n) => n + 1);
      setName(null);
    } catch (error) {
      toast(error.message, "bad");
    }
  };
  const path = (each) => `/setups/${encodeURIComponent(each)}`;
  const number = (text) => (text.trim() === "" ? undefined : Number(text));
  const keep = (event) => {
    event.preventDefault();
    const pair = { oop: form.oop, ip: form.ip, pot: number(form.pot), stack: number(form.stack), big_blind: number(form.big_blind), positions: form.positions.trim() || undefined };
    change(() => put(path(name.trim()), pair), `Kept ${name.trim()}`);
  };
  const take = ({ oop, ip, positions, ...rest }) =>
    onFill({ ranges: { oop, ip }, positions: positions?.split(/[\s,]+/), ...rest });
  const limped = ({ name: each }) => Number(each.endsWith("(limped)")); // rarer: they come last
  const open = pots.filter(({ kind }) => kind === "flop").toSorted((a, b) => limped(a) - limped(b));
  return html`
    <section class="range-library" aria-label="Range library">
      <select aria-label="Stack of the charts" value=${chart ? keyOf(chart) : ""} onChange=${(event) => setStack(event.currentTarget.value)}>
        ${listed.map((each) => html`
          <option key=${each.id} value=${keyOf(each)} selected=${each === chart}>${each.shipped ? `${each.stack} bb` : each.title}</option>
        `)}
      </select>
      <span class="chips" role="group" aria-label="Ranges from the charts">
        ${open.map((each) => html`
          <button type="button" key=${each.line} class="chip" title=${each.line} onClick=${() => fill(each.line)}>${each.name}</button>
        `)}
        ${Object.entries(own.data ?? {}).map(([each, pair]) => html`
          <span key=${each} class="chip own">
            <button type="button" class="link" onClick=${() => take(pair)}>${each}</button>
            <button
              type="button" class="icon" aria-label=${`Forget ${each}`}
              onClick=${() => change(() => remove(path(each)), `Forgot ${each}`)}
            >
              ×
            </button>
          </span>
        `)}
      </span>
      ${name === null ? html`
        <button type="button" class="quiet" title="Keep both ranges with pot and stack" onClick=${() => setName("")}>Keep these</button>
      ` : html`
        <form class="go-on" onSubmit=${keep}>
          <input
            aria-label="Name of this pair" placeholder="Name" value=${name} ref=${(input) => input?.focus()}
            onInput=${(event) => setName(event.currentTarget.value)} onKeyDown=${(event) => event.key === "Escape" && setName(null)}
          />
          <button disabled=${!name.trim()}>Keep</button>
        </form>
      `}
    </section>
  `;
}

const keyOf = (chart) => (chart.shipped ? String(chart.stack) : chart.id);
