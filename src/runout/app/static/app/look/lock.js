// Node locking: give the whole range, a class, or whatever the filters leave a mix, at one node or several, see it in the
// matrix, and solve the rest again.
import { idPath, post } from "../api.js";
import { percent, seat } from "../format.js";
import { html, useState } from "../html.js";
import { href } from "../route.js";
import { toast } from "../toast.js";
import { measure } from "../units.js";

const ALL = "*";

/* Locks live in the address: "x-b94>AKs~c:0.5~f:0.5;>*~x:1". What comes before ">" is the line; hands with a name of their
   own are "top pair=AhQd,AsQd". Read as {line: {hands: mix}}. */
export function readLocks(text) {
  const locks = {};
  for (const part of (text ?? "").split(";").filter(Boolean)) {
    const [line, rest] = part.split(/>(.*)/s);
    const [hands, ...pairs] = (rest ?? "").split("~");
    if (!hands || !pairs.length) continue;
    locks[line] ??= {};
    locks[line][hands] = Object.fromEntries(
      pairs.map((pair) => [pair.slice(0, pair.lastIndexOf(":")), Number(pair.slice(pair.lastIndexOf(":") + 1))]),
    );
  }
  return locks;
}

const writeLocks = (locks) =>
  Object.entries(locks)
    .flatMap(([line, own]) =>
      Object.entries(own).map(([hands, mix]) =>
        [`${line}>${hands}`, ...Object.entries(mix).map(([token, f]) => `${token}:${Number(f.toFixed(4))}`)].join("~"),
      ),
    )
    .join(";");

const named = (hands) => (hands === ALL ? "whole range" : hands.split("=")[0]);
const listed = (hands) => (hands.split("=")[1] ?? hands).split(",");

// What the locks of a node make of its strategy: the table with the mixes that are given, later ones over earlier ones.
export function withLocks(table, own, node, classes) {
  if (!own || !table?.acts) return table;
  const strategy = table.hands.strategy.map((row) => row.slice());
  const order = Object.keys(own).toSorted((a, b) => (a === ALL ? -1 : b === ALL ? 1 : 0));
  for (const hands of order) {
    const wanted = new Set(listed(hands));
    for (let i = 0; i < table.n; i++) {
      const name = table.hands.names[i];
      if (hands !== ALL && !wanted.has(name) && !wanted.has(classes.names[table.hands.cell[i]])) continue;
      node.actions.forEach((action, a) => {
        strategy[a][i] = own[hands][action.token] ?? 0;
      });
    }
  }
  return { ...table, hands: { ...table.hands, strategy } };
}

// One slider moved: the others keep their proportions and all add up to 1.
function moved(mix, token, value) {
  const rest = Object.keys(mix).filter((each) => each !== token);
  const sum = rest.reduce((total, each) => total + mix[each], 0);
  const next = { [token]: value };
  for (const each of rest) next[each] = sum > 0 ? ((1 - value) * mix[each]) / sum : (1 - value) / rest.length;
  return Object.fromEntries(Object.keys(mix).map((each) => [each, next[each]]));
}

// Four decimals that add up to exactly 1, whatever the rounding did.
function exact(mix) {
  const pairs = Object.entries(mix).map(([token, f]) => [token, Math.round(f * 1e4) / 1e4]);
  const off = 1 - pairs.reduce((total, [, f]) => total + f, 0);
  const largest = pairs.reduce((best, pair) => (pair[1] > best[1] ? pair : best));
  largest[1] = Math.max(0, Math.round((largest[1] + off) * 1e4) / 1e4);
  return Object.fromEntries(pairs);
}

// What the server takes: a mix for each hand.
const byHand = (own) => {
  const found = {};
  for (const [hands, mix] of Object.entries(own)) for (const hand of listed(hands)) found[hand] = mix;
  return found;
};

/* `picked`: {label, names} of the hands that filters leave, null without filters. */
export function Lock({ id, node, colors, pinnedName, picked, mixOf, units, query, onChange }) {
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState(null);
  const { name } = measure(node, units);
  const locks = readLocks(query.locks);
  const own = locks[node.line] ?? {};
  const target = pinnedName ?? (picked ? `${picked.label.replace(/[=~;>,]/g, " ")}=${picked.names.join(",")}` : ALL);
  const title = pinnedName ?? (picked ? `${picked.label}: ${picked.names.length} hands` : "Whole range");
  const mix = own[target] ?? Object.fromEntries(node.actions.map((action, a) => [action.token, mixOf(a)]));
  const write = (next) => onChange({ locks: writeLocks(next) });
  const set = (next) => write({ ...locks, [node.line]: { ...own, [target]: exact(next) } });
  const drop = (line, hands) => {
    const left = Object.fromEntries(Object.entries(locks[line]).filter(([each]) => each !== hands));
    write({ ...locks, [line]: left });
  };
  const all = Object.entries(locks).flatMap(([line, each]) => Object.entries(each).map(([hands, m]) => [line, hands, m]));
  const said = (line, token) =>
    (line === node.line && node.actions.find((action) => action.token === token)?.name) || token;
  const solve = async () => {
    setBusy(true);
    setError(null);
    try {
      const [[line, strategy], ...more] = Object.entries(locks).filter(([, each]) => Object.keys(each).length);
      const job = await post(`/solutions/${idPath(id)}/lock`, {
        line,
        strategy: byHand(strategy),
        more: more.map(([at, each]) => ({ line: at, strategy: byHand(each) })),
      });
      toast(html`Re-solving with ${all.length === 1 ? "a lock" : "locks"}`);
      location.hash = href("solve", "", { job: job.id });
    } catch (problem) {
      setError(problem.message);
    } finally {
      setBusy(false);
    }
  };
  return html`
    <div class="lock">
      <p>
        Give <b>${seat(node.player)}</b> a strategy here and solve the rest against it. Sliders set ${
    pinnedName
      ? html`the class <b>${pinnedName}</b>`
      : picked
        ? "the hands that your filters leave"
        : "the whole range; click a class, or filter by kind or combo, to set those alone"
  }. The matrix shows what comes of it.
      </p>
      <fieldset>
        <legend>${title}</legend>
        ${node.actions.map((action, a) => html`
          <label class="slider" key=${action.token}>
            <i class="swatch" style=${`background:${colors[a]}`}></i>
            <span>${name(action)}</span>
            <input
              type="range" min="0" max="100" step="1" value=${Math.round(100 * (mix[action.token] ?? 0))}
              aria-label=${`${title} ${action.name}`}
              onInput=${(event) => set(moved(mix, action.token, Number(event.currentTarget.value) / 100))}
            />
            <output class="num">${percent(mix[action.token] ?? 0)}</output>
            <button type="button" class="quiet" onClick=${() => set(moved(mix, action.token, 1))}>all</button>
          </label>
        `)}
      </fieldset>
      ${all.length > 0 && html`
        <ul class="locks" aria-label="Locks">
          ${all.map(([line, hands, each]) => html`
            <li key=${`${line}>${hands}`}>
              <span>
                <code>${line || "root"}</code> <b>${named(hands)}</b> <span class="num muted">
                  ${Object.entries(each).map(([token, f]) => `${said(line, token)} ${percent(f)}`).join(" · ")}
                </span>
              </span>
              <button class="icon" aria-label=${`Remove the lock of ${named(hands)}`} onClick=${() => drop(line, hands)}>
                ×
              </button>
            </li>
          `)}
        </ul>
      `}
      ${error && html`<p class="error" role="alert">${error}</p>`}
      <button class="primary" disabled=${busy || !all.length} onClick=${solve}>
        ${busy ? "Starting…" : all.length > 1 ? `Re-solve with ${all.length} locks` : "Re-solve with this lock"}
      </button>
      <p class="muted">
        Go to other nodes to lock them too: locks stay until they are removed. The result is a solution of its own.
      </p>
    </div>
  `;
}
