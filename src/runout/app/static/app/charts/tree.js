// A game before the flop of one's own: stack, sizes by raise, ante and rake; solved here, pots valued by the charts.
import { post } from "../api.js";
import { html, useEffect, useMemo, useState } from "../html.js";
import { go, href } from "../route.js";
import { Field } from "../spot/fields.js";

const WAIT = 300; // ms after the last change before the tree is counted
const RAISES = ["open", "3-bet", "4-bet", "5-bet"];
const usual = (stack) => (stack <= 25 ? ["2", "2.5x", "a", ""] : ["2.5", "4x", "2.3x", "a"]);
const number = (text) => (text.trim() !== "" && Number.isFinite(Number(text)) ? Number(text) : text);

export function NewTree({ stack, onClose }) {
  const [form, setForm] = useState(() => ({
    name: "own", stack: String(stack), raises: usual(stack), limps: true, allIn: stack <= 25, ante: "0", rake: "0", cap: "",
    target: "0.1",
  }));
  const [check, setCheck] = useState(null);
  const [problem, setProblem] = useState(null);
  const set = (changes) => setForm((before) => ({ ...before, ...changes }));
  const game = useMemo(() => {
    const sizes = form.raises.map((text) => text.split(/[\s,]+/).filter(Boolean));
    while (sizes.length > 1 && !sizes.at(-1).length) sizes.pop();
    return {
      name: form.name.trim() || "own",
      stack_depth: number(form.stack),
      raise_sizes: sizes,
      limps: form.limps,
      all_in: form.allIn,
      ante: number(form.ante),
      rake: { percent: number(form.rake), ...(form.cap.trim() ? { cap: number(form.cap) } : {}) },
      leaf: "solved",
      solve: { target: number(form.target) },
    };
  }, [form]);
  useEffect(() => {
    let current = true;
    const timer = setTimeout(() => {
      post("/preflop/check", { game }).then(
        (found) => current && setCheck(found),
        (error) => current && setCheck({ ok: false, errors: [{ field: error.field, message: error.message }] }),
      );
    }, WAIT);
    setProblem(null);
    return () => {
      current = false;
      clearTimeout(timer);
    };
  }, [game]);
  const errors = check?.errors ?? [];
  const errorAt = (field) =>
    errors.find((error) => error.field === field)?.message.replace(/^[a-z_]+(\.[a-z_]+)*(: | = )/, "") ?? null;
  const placed = ["stack_depth", "raise_sizes", "ante", "rake.percent", "rake.cap", "solve.target"];
  const solve = async (event) => {
    event.preventDefault();
    try {
      const job = await post("/preflop/solve", { game });
      go(href("solve", "", { job: job.id }));
    } catch (error) {
      setProblem(error.message);
    }
  };
  return html`
    <form class="panel pad new-tree" aria-label="New tree" onSubmit=${solve}>
      <header class="page-head">
        <h2>New tree</h2>
        <button type="button" class="icon" aria-label="Close" onClick=${onClose}>×</button>
      </header>
      <div class="fields">
        <${Field} label="Name" value=${form.name} onInput=${(name) => set({ name })} />
        <${Field} label="Stack" unit="bb" value=${form.stack} error=${errorAt("stack_depth")} onInput=${(value) => set({ stack: value })} />
        ${RAISES.map((name, i) => html`
          <${Field}
            key=${name} label=${name} value=${form.raises[i]} placeholder=${i ? "as before" : "2.5"}
            onInput=${(value) => set({ raises: form.raises.with(i, value) })}
          />
        `)}
        <${Field} label="Ante" unit="bb" value=${form.ante} error=${errorAt("ante")} onInput=${(ante) => set({ ante })} />
        <${Field} label="Rake" unit="%" value=${form.rake} error=${errorAt("rake.percent")} onInput=${(rake) => set({ rake })} />
        <${Field} label="Rake cap" unit="bb" value=${form.cap} placeholder="none" error=${errorAt("rake.cap")} onInput=${(cap) => set({ cap })} />
        <${Field} label="Target" unit="mbb/hand" value=${form.target} error=${errorAt("solve.target")} onInput=${(target) => set({ target })} />
        <label class="inline"><input type="checkbox" checked=${form.limps} onChange=${() => set({ limps: !form.limps })} /> Limps</label>
        <label class="inline">
          <input type="checkbox" checked=${form.allIn} onChange=${() => set({ allIn: !form.allIn })} /> All-in anywhere
        </label>
      </div>
      <p class="hint">
        Sizes: <code>2.5</code> big blinds · <code>3x</code> the last raise · <code>50%</code> of the pot · <code>a</code> all-in; several with spaces. Called pots are worth what they are in the charts (leaf <code>solved</code>).
      </p>
      ${errorAt("raise_sizes") && html`<p class="error" role="alert">${errorAt("raise_sizes")}</p>`}
      ${errors.filter(({ field }) => !placed.includes(field)).map(({ message }) => html`<p class="error" role="alert" key=${message}>${message}</p>`)}
      ${problem && html`<p class="error" role="alert">${problem}</p>`}
      ${check?.unused?.length > 0 && html`<p class="note">Nobody can ever raise to ${check.unused.join(", ")} in this game.</p>`}
      <div class="buttons">
        <button class="primary" disabled=${!check?.ok}>Solve</button>
        ${check?.ok && html`<span class="muted num">${check.nodes} decisions; first: ${check.first.join(" · ")}</span>`}
      </div>
    </form>
  `;
}
