// The Spot page: everything that defines a postflop solve; the tree's size and memory follow every change.
import * as api from "../api.js";
import { get, post, useAsked } from "../api.js";
import { count, memory, plain, seat } from "../format.js";
import { cls, html, useEffect, useMemo, useRef, useState } from "../html.js";
import { go, href, isOpen, keepSpot } from "../route.js";
import { BoardField, Field, SizesField } from "./fields.js";
import { BLANK, countedIn, flatten, toForm, toSpot, unflatten, withSpot } from "./model.js";
import { RangeEditor } from "./range_editor.js";
import { RangeLibrary } from "./range_library.js";

const PAUSE = 150; // ms between changes of the address: browsers refuse too many
const WAIT = 350; // ms after the last change before the tree is sized again

export function SpotPage({ query }) {
  const classes = useAsked(api.classes, []);
  const examples = useAsked(() => get("/spots").catch(() => []), []);
  if (classes.error)
    return html`<main class="page narrow"><p class="error" role="alert">${classes.error.message}</p></main>`;
  if (!classes.data || examples.loading) return html`<main class="page"><p class="loading">Loading…</p></main>`;
  return html`
    <${SpotForm} query=${query} classes=${classes.data} examples=${(examples.data ?? []).filter(({ spot }) => spot)} />
  `;
}

function SpotForm({ query, classes, examples }) {
  const [form, setForm] = useState(() =>
    toForm(Object.keys(query).length ? unflatten(query) : (examples[0]?.spot ?? BLANK)),
  );
  const [check, setCheck] = useState(null);
  const [brush, setBrush] = useState(100);
  const [problem, setProblem] = useState(null);
  const [mistyped, setMistyped] = useState(null); // a board that does not read: the last good one is not what is meant
  const [busy, setBusy] = useState(false);
  const [rivers, setRivers] = useState(true); // whether they are kept in the file
  const written = useRef(null); // the address that stands for the form
  const wroteAt = useRef(0);
  const spot = useMemo(() => toSpot(form), [form]);
  const positions = spot.positions?.length === 2 ? spot.positions.map(seat) : [];
  const set = (changes) => setForm((before) => ({ ...before, ...changes }));

  useEffect(() => {
    const address = href("spot", "", flatten(spot));
    const write = () => {
      if (!isOpen("spot")) return;
      history.replaceState(null, "", address);
      keepSpot(address);
      wroteAt.current = performance.now();
    };
    written.current = address;
    const wait = wroteAt.current + PAUSE - performance.now();
    if (wait <= 0) write();
    else {
      const timer = setTimeout(write, wait);
      return () => clearTimeout(timer);
    }
    return undefined;
  }, [spot]);
  useEffect(() => {
    // Back, forward or another example: the address changed under the form.
    if (!isOpen("spot")) return;
    if (!Object.keys(query).length && written.current) history.replaceState(null, "", written.current);
    else if (
      Object.keys(query).length &&
      href("spot", "", query) !== written.current &&
      location.hash !== written.current
    )
      setForm(toForm(unflatten(query)));
  }, [query]);
  useEffect(() => {
    // A board that is pasted anywhere but into a field is meant for the board.
    const pasted = async (event) => {
      if (event.target.closest?.("input, textarea, select")) return;
      const found = await post("/cards/parse", { text: event.clipboardData.getData("text") }).catch(() => null);
      if (found?.cards.length >= 3 && found.cards.length <= 5) set({ board: found.cards.join(" ") });
    };
    document.addEventListener("paste", pasted);
    return () => document.removeEventListener("paste", pasted);
  }, []);
  useEffect(() => {
    let current = true;
    const timer = setTimeout(() => {
      post("/spots/check", { spot }).then(
        (found) => current && setCheck(found),
        (error) => current && setCheck({ ok: false, errors: [{ field: error.field, message: error.message }] }),
      );
    }, WAIT);
    setProblem(null);
    return () => {
      current = false;
      clearTimeout(timer);
    };
  }, [spot]);

  const errors = check?.errors ?? [];
  const errorAt = (field) =>
    errors.find((error) => error.field === field)?.message.replace(/^[a-z_]+(\.[a-z_]+)*: /, "") ?? null;
  const placed =
    /^(board|pot|stack|big_blind|positions|ranges\.(oop|ip)|betting\.(flop|turn|river)\..*|betting\.\w+|rake\.\w+|solve\.\w+)$/;
  const elsewhere = errors.filter(({ field }) => !placed.test(field ?? ""));
  const solve = async () => {
    setBusy(true);
    try {
      const job = await post("/jobs", { spot, rivers });
      go(href("solve", "", { job: job.id }));
    } catch (error) {
      setProblem(error.message);
    } finally {
      setBusy(false);
    }
  };
  const field = (key, label, path, more = {}) =>
    html`
      <${Field}
        label=${label} value=${form[key]} error=${errorAt(path)} onInput=${(value) => set(countedIn(form, key, value))} ...${more}
      />
    `;
  return html`
    <main class="page spot">
      <div class="page-head">
        <h1>New spot</h1>
        <${RangeLibrary} form=${form} onFill=${(spot) => setForm((before) => toForm(withSpot(toSpot(before), spot)))} />
        ${examples.length > 1 && html`
          <label class="inline">
            Start from <select onChange=${(event) => setForm(toForm(examples[Number(event.currentTarget.value)].spot))}>
              ${examples.map(({ name }, i) => html`<option key=${name} value=${i}>${name}</option>`)}
            </select>
          </label>
        `}
      </div>
      <div class="spot-body">
        <div class="spot-ranges">
          <${RangeEditor}
            board=${form.board} label="OOP" position=${positions[0]} text=${form.oop} error=${errorAt("ranges.oop")} classes=${classes} brush=${brush}
            onBrush=${setBrush} onText=${(oop) => set({ oop })}
          />
          <${RangeEditor}
            board=${form.board} label="IP" position=${positions[1]} text=${form.ip} error=${errorAt("ranges.ip")} classes=${classes} brush=${brush}
            onBrush=${setBrush} onText=${(ip) => set({ ip })}
          />
          <section class="panel pad" aria-label="Thresholds">
            <h2>Thresholds</h2>
            <div class="fields">
              ${field("add_all_in", "Add all-in", "betting.add_all_in", { unit: "× pot", hint: "where it is at most this" })}
              ${field("force_all_in", "Force all-in", "betting.force_all_in", { unit: "SPR", hint: "after a call, at most this" })}
              ${field("merge", "Merge sizes", "betting.merge", { unit: "0–1", hint: "drop sizes this close" })}
              ${field("max_bets", "Bets and raises a street", "betting.max_bets", { unit: "at most", placeholder: "no cap" })}
            </div>
          </section>
          <section class="panel pad" aria-label="Solving">
            <h2>Solving</h2>
            <div class="fields">
              ${field("target", "Target", "solve.target", { unit: "% of pot" })}
              ${field("iterations", "Iterations", "solve.iterations", { unit: "at most" })}
              <label class="field">
                <span>Storage</span>
                <select value=${form.storage} onChange=${(event) => set({ storage: event.currentTarget.value })}>
                  <option value="float32" selected=${form.storage === "float32"}>float32</option>
                  <option value="int16" selected=${form.storage === "int16"}>int16, half the memory</option>
                </select>
              </label>
              <label class="field">
                <span>Rivers in the file</span>
                <select onChange=${(event) => setRivers(event.currentTarget.value === "keep")}>
                  <option value="keep" selected=${rivers}>keep</option>
                  <option value="drop" selected=${!rivers}>leave out: small</option>
                </select>
              </label>
            </div>
          </section>
        </div>
        <div class="spot-rest">
          <${BoardField}
            board=${form.board} error=${errorAt("board")} onProblem=${setMistyped} onChange=${(board) => set({ board })}
          />
          <section class="panel pad" aria-label="Pot and stacks">
            <h2>Pot and stacks</h2>
            <div class="fields">
              ${field("pot", "Pot", "pot", { inputmode: "decimal" })}
              ${field("stack", "Stack", "stack", { inputmode: "decimal", name: "Stack behind" })}
              ${field("big_blind", "Big blind", "big_blind", { placeholder: "1 bb" })}
              ${field("rake", "Rake", "rake.percent", { unit: "%" })}
              ${field("cap", "Rake cap", "rake.cap", { placeholder: "none" })}
              ${field("positions", "Positions", "positions", { placeholder: "OOP, IP" })}
            </div>
          </section>
          <${SizesField}
            sizes=${form.sizes} positions=${positions} board=${form.board} errorAt=${errorAt} onChange=${(sizes) => set({ sizes })}
          />
          ${form.locks.length > 0 && html`
            <section class="panel pad">
              <h2>Locks</h2>
              <ul class="locks">
                ${form.locks.map((lock, i) => html`
                  <li key=${i}>
                    <code>${lock.line || "root"}</code> <span class="num">
                      ${lock.hands && lock.hands !== "100%" ? `${lock.hands}: ` : ""}
                      ${Object.entries(lock.strategy).map(([token, f]) => `${token} ${Math.round(100 * f)}%`).join(" · ")}
                    </span>
                    <button
                      class="icon" aria-label="Remove lock" onClick=${() => set({ locks: form.locks.toSpliced(i, 1) })}
                    >
                      ×
                    </button>
                  </li>
                `)}
              </ul>
            </section>
          `}
        </div>
      </div>
      <${Footer}
        check=${check} pot=${spot.pot} storage=${form.storage} elsewhere=${elsewhere} problem=${problem ?? mistyped} busy=${busy}
        blocked=${Boolean(mistyped)} onSolve=${solve}
      />
    </main>
  `;
}

// "betting.turn.oop.raise" as "OOP's raises on the turn".
function idleName(field) {
  const [, street, ...rest] = field.split(".");
  const kind = { bet: "bets", raise: "raises", donk: "donk bets" }[rest.at(-1)];
  return `${rest.length > 1 ? `${rest[0].toUpperCase()}'s ` : ""}${kind} on the ${street}`;
}

// "bet 182" of a pot of 550 as "bet 1.82 (33%)", where the pot was typed as 5.5.
const asTyped = (name, pot, typed) =>
  name.replace(/\d+(\.\d+)?$/, (chips) => `${plain((chips * typed) / pot)} (${Math.round((100 * chips) / pot)}%)`);

function Footer({ check, pot, storage, elsewhere, problem, busy, blocked, onSolve }) {
  const smaller = storage !== "int16" && check?.memory_int16_mb <= check?.free_mb ? ", or int16" : "";
  const needs = storage === "int16" ? check?.memory_int16_mb : check?.memory_float_mb;
  const bad = check && !check.ok;
  return html`
    <footer class="spot-foot panel" aria-label="Tree">
      <dl class="figures">
        <div><dt>tree</dt><dd class="num">${check?.ok ? `${count(check.nodes)} nodes` : "–"}</dd></div>
        <div>
          <dt>memory, float32</dt>
          <dd class=${cls("num", storage === "float32" && "strong")}>${check?.ok ? memory(check.memory_float_mb) : "–"}</dd>
        </div>
        <div>
          <dt>int16</dt>
          <dd class=${cls("num", storage === "int16" && "strong")}>${check?.ok ? memory(check.memory_int16_mb) : "–"}</dd>
        </div>
        <div><dt>free</dt><dd class="num">${check?.free_mb > 0 ? memory(check.free_mb) : "–"}</dd></div>
        ${check?.ok && check.actions?.length > 0 && html`
          <div class="wide">
            <dt>first decision</dt>
            <dd>${check.actions.map((name) => asTyped(name, check.canonical.pot, pot)).join(" · ")}</dd>
          </div>
        `}
      </dl>
      <div class="foot-say">
        ${problem && html`<p class="error" role="alert">${problem}</p>`}
        ${elsewhere.map(({ field, message }) => html`
          <p class="error" role="alert" key=${field + message}>${message}</p>
        `)}
        ${check?.ok && check.fits === false && html`
          <p class="error" role="alert">
            Needs ${memory(needs)}, free are ${memory(check.free_mb)}: use fewer sizes or streets${smaller}.
          </p>
        `}
        ${check?.ok && check.idle.length > 0 && html`
          <p class="note">Nobody can ever make: ${check.idle.map(({ field }) => idleName(field)).join(", ")}.</p>
        `}
        ${bad && !elsewhere.length && html`
          <p class="error">
            ${check.errors.length === 1 ? "One field needs" : `${check.errors.length} fields need`} a look: marked above.
          </p>
        `}
      </div>
      <button class="primary big" disabled=${busy || blocked || !check?.ok || check.fits === false} onClick=${onSolve}>
        ${busy ? "Starting…" : "Solve"}
      </button>
    </footer>
  `;
}
