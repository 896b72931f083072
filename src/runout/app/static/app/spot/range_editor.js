// A range: painted on the matrix, typed as text, taken from the saved ones or the best x%.
import { get, post, put, query, remove, useAsked } from "../api.js";
import { comboNumber } from "../cards.js";
import { combos, percent } from "../format.js";
import { cls, html, useEffect, useMemo, useRef, useState } from "../html.js";
import { COVERED, Matrix } from "../matrix.js";
import { toast } from "../toast.js";

const WAIT = 180; // ms after the last key before the text is read

export function RangeEditor({ label, position, board, text, error, classes, brush, onBrush, onText }) {
  const [read, setRead] = useState({ weights: new Array(169).fill(0), count: 0, percent: 0, text: "" });
  const [problem, setProblem] = useState(null);
  const [painted, setPainted] = useState(null); // weights while the pointer is down
  const stroke = useRef(null);
  const pending = useRef(null); // the text with strokes that the server has not read yet
  useEffect(() => {
    let current = true;
    const timer = setTimeout(async () => {
      try {
        const found = await post("/ranges/parse", { text });
        if (current) {
          setRead(found);
          setProblem(null);
          if (pending.current === null) setPainted(null);
        }
      } catch (bad) {
        if (current) setProblem(bad.message);
      }
    }, WAIT);
    return () => {
      current = false;
      clearTimeout(timer);
    };
  }, [text]);

  const settle = (found) => {
    pending.current = null;
    setRead(found);
    setPainted(null);
    onText(found.text);
  };
  const replace = (next) => {
    pending.current = null; // whatever was being painted
    onText(next);
  };
  const weights = painted ?? read.weights;
  const touch = (k) => {
    if (stroke.current.classes.has(k)) return;
    stroke.current.classes.add(k);
    setPainted((before) => (before ?? weights).with(k, stroke.current.weight));
  };
  const paint = {
    start: (k) => {
      const weight = brush / 100;
      stroke.current = { weight: Math.abs(weights[k] - weight) < 1e-6 ? 0 : weight, classes: new Set() };
      touch(k);
    },
    over: touch,
    end: () => {
      const { weight, classes: touched } = stroke.current;
      const front = [...touched].map((k) => (weight === 1 ? classes.names[k] : `${classes.names[k]}:${weight}`)).join(",");
      // The first group wins where groups overlap, so what was painted goes in front and single combos elsewhere stay.
      const base = pending.current ?? (problem ? read.text : text);
      const next = base.trim() ? `${front},${base}` : front;
      pending.current = next;
      post("/ranges/parse", { text: next }).then(
        (found) => pending.current === next && settle(found),
        () => (pending.current = null),
      );
    },
  };
  const cell = useMemo(
    () => (k) => {
      const w = weights[k];
      if (!(w > 0)) return { label: "not in the range" };
      const part = w >= 0.9995 ? undefined : percent(w);
      return {
        fill: "linear-gradient(var(--paint), var(--paint))",
        height: Math.max(0.05, w),
        value: part,
        label: `weight ${percent(w)}`,
        ink: w >= COVERED ? "ink-dark" : "",
      };
    },
    [weights],
  );
  const shownError = problem ?? error;
  return html`
    <section class="range-editor panel pad" aria-label=${label}>
      <header class="page-head">
        <h2>${label} <span class="muted">${position}</span></h2>
        <span class="num muted">
          ${combos(read.count)} combos (${Number(read.percent).toFixed(1)}%)${onBoard(read, board, classes)}
        </span>
      </header>
      <${Matrix} label=${`${label} range`} classes=${classes} cell=${cell} paint=${paint} />
      <label class="field">
        <span class="sr">${label} as text</span>
        <textarea
          rows="3" spellcheck=${false} class=${cls(shownError && "bad")} aria-invalid=${Boolean(shownError)}
          value=${text} placeholder="88+,A8s+,KQs:0.5" aria-label=${`${label} range as text`}
          onInput=${(event) => replace(event.currentTarget.value)}
        ></textarea>
      </label>
      ${shownError && html`<p class="error" role="alert">${shownError}</p>`}
      <div class="range-tools">
        <label class="slider">
          <span>Brush</span>
          <input
            type="range" min="5" max="100" step="5" value=${brush} aria-label=${`${label} brush weight`}
            onInput=${(event) => onBrush(Number(event.currentTarget.value))}
          />
          <output class="num">${brush}%</output>
        </label>
        <${Top} label=${label} onText=${replace} percentNow=${read.percent} />
        <div class="range-buttons">
          <${Saved} label=${label} text=${text} onText=${replace} />
          <button type="button" class="quiet" onClick=${() => replace("")}>Clear</button>
        </div>
      </div>
    </section>
  `;
}

// ", 127 on this board": what is left of a range when the cards of the board are gone.
function onBoard({ count, combos: weights }, board, classes) {
  const cards = new Set(board.split(" ").filter(Boolean));
  if (!cards.size || !weights) return "";
  let left = 0;
  for (const names of classes.combos)
    for (const name of names)
      if (!cards.has(name.slice(0, 2)) && !cards.has(name.slice(2))) left += weights[comboNumber(name)] ?? 0;
  return Math.abs(left - count) < 0.05 ? "" : `, ${combos(left)} on this board`;
}

function Top({ label, onText, percentNow }) {
  const [top, setTop] = useState(null);
  const latest = useRef(0);
  const move = async (value) => {
    setTop(value);
    const turn = ++latest.current;
    const found = await get(`/ranges/top?${query({ percent: value })}`).catch(() => null);
    if (found && turn === latest.current) onText(found.text);
  };
  const shown = top ?? Math.round(percentNow);
  return html`
    <label class="slider">
      <span>Top</span>
      <input
        type="range" min="0" max="100" step="1" value=${shown} aria-label=${`${label} top percent`}
        onInput=${(event) => move(Number(event.currentTarget.value))} onPointerUp=${() => setTop(null)}
        onKeyUp=${() => setTop(null)}
      />
      <output class="num">${Math.round(shown)}%</output>
    </label>
  `;
}

function Saved({ label, text, onText }) {
  const [version, setVersion] = useState(0);
  const [name, setName] = useState("");
  const [open, setOpen] = useState(false);
  const { data } = useAsked(() => get("/ranges/saved"), [version]);
  const names = Object.keys(data ?? {}).sort();
  const change = async (work, message) => {
    try {
      await work();
      toast(message);
      setVersion((n) => n + 1);
      setName("");
    } catch (error) {
      toast(error.message, "bad");
    }
  };
  const path = (each) => `/ranges/saved/${encodeURIComponent(each)}`;
  const show = () => {
    setOpen(!open);
    setVersion((n) => n + 1);
  };
  const take = (each) => {
    onText(data[each]);
    setOpen(false);
  };
  const save = (event) => {
    event.preventDefault();
    change(() => put(path(name.trim()), { text }), `Saved ${name.trim()}`);
  };
  return html`
    <div class="saved">
      <button type="button" class="quiet" aria-expanded=${open} onClick=${show}>Saved ranges</button>
      ${open && html`
        <div class="popover" role="dialog" aria-label=${`${label} saved ranges`}>
          ${!names.length && html`<p class="muted">None yet.</p>`}
          <ul>
            ${names.map((each) => html`
              <li key=${each}>
                <button type="button" class="link" onClick=${() => take(each)}>${each}</button>
                <button
                  type="button" class="icon" aria-label=${`Delete ${each}`}
                  onClick=${() => change(() => remove(path(each)), `Deleted ${each}`)}
                >
                  ×
                </button>
              </li>
            `)}
          </ul>
          <form onSubmit=${save}>
            <input
              value=${name} placeholder="Name" aria-label=${`Name to save ${label} as`}
              onInput=${(event) => setName(event.currentTarget.value)}
            />
            <button disabled=${!name.trim() || !text.trim()}>Save</button>
          </form>
        </div>
      `}
    </div>
  `;
}
