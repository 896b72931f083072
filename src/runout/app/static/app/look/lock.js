// Node locking: give a class, or the whole range, a mix with sliders, and solve the rest again.
import { idPath, post } from "../api.js";
import { percent } from "../format.js";
import { html, useState } from "../html.js";
import { href } from "../route.js";
import { toast } from "../toast.js";

// Locks live in the address: "AKs~x:0.5~b94:0.5;*~x:1".
function readLocks(text) {
  const locks = {};
  for (const part of (text ?? "").split(";").filter(Boolean)) {
    const [hand, ...pairs] = part.split("~");
    locks[hand] = Object.fromEntries(
      pairs.map((pair) => [pair.slice(0, pair.lastIndexOf(":")), Number(pair.slice(pair.lastIndexOf(":") + 1))]),
    );
  }
  return locks;
}

const writeLocks = (locks) =>
  Object.entries(locks)
    .map(([hand, mix]) =>
      [hand, ...Object.entries(mix).map(([token, f]) => `${token}:${Number(f.toFixed(4))}`)].join("~"),
    )
    .join(";");

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

export function Lock({ id, kind, node, colors, pinnedName, mixOf, query, onChange }) {
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState(null);
  if (kind !== "postflop") return html`<p class="empty-note">Locks work on postflop solutions.</p>`;
  if (node.kind !== "decision") return html`<p class="empty-note">Go to a decision to lock its strategy.</p>`;
  const locks = readLocks(query.locks);
  const target = pinnedName ?? "*";
  const mix = locks[target] ?? Object.fromEntries(node.actions.map((action, a) => [action.token, mixOf(a)]));
  const set = (next) => onChange({ locks: writeLocks({ ...locks, [target]: exact(next) }) });
  const drop = (hand) =>
    onChange({ locks: writeLocks(Object.fromEntries(Object.entries(locks).filter(([each]) => each !== hand))) });
  const solve = async () => {
    setBusy(true);
    setError(null);
    try {
      const job = await post(`/solutions/${idPath(id)}/lock`, { line: node.line, strategy: locks });
      toast(
        html`
          Re-solving with ${Object.keys(locks).length === 1 ? "a lock" : "locks"}: <a href=${href("solve", "", { job: job.id })}>
            watch it
          </a>
        `,
      );
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
        Give <b>${node.player}</b> a strategy at this node and solve the rest against it. ${pinnedName ? html`
          Sliders set <b>${pinnedName}</b>; unpin it to set the whole range.
        ` : "Sliders set the whole range; click a class in the matrix to set that class alone."}
      </p>
      <fieldset>
        <legend>${pinnedName ?? "Whole range"}</legend>
        ${node.actions.map((action, a) => html`
          <label class="slider" key=${action.token}>
            <i class="swatch" style=${`background:${colors[a]}`}></i>
            <span>${action.name}</span>
            <input
              type="range" min="0" max="100" step="1" value=${Math.round(100 * mix[action.token])}
              aria-label=${`${pinnedName ?? "Whole range"} ${action.name}`}
              onInput=${(event) => set(moved(mix, action.token, Number(event.currentTarget.value) / 100))}
            />
            <output class="num">${percent(mix[action.token])}</output>
            <button type="button" class="quiet" onClick=${() => set(moved(mix, action.token, 1))}>all</button>
          </label>
        `) .reverse()}
      </fieldset>
      ${Object.keys(locks).length > 0 && html`
        <ul class="locks" aria-label="Locks">
          ${Object.entries(locks).map(([hand, each]) => html`
            <li key=${hand}>
              <b>${hand === "*" ? "whole range" : hand}</b>
              <span class="num">
                ${node.actions.map((action) => `${action.name} ${percent(each[action.token] ?? 0)}`).reverse().join(" · ")}
              </span>
              <button
                class="icon" aria-label=${`Remove the lock of ${hand === "*" ? "the whole range" : hand}`}
                onClick=${() => drop(hand)}
              >
                ×
              </button>
            </li>
          `)}
        </ul>
      `}
      ${error && html`<p class="error" role="alert">${error}</p>`}
      <button class="primary" disabled=${busy || !Object.keys(locks).length} onClick=${solve}>
        ${busy ? "Starting…" : "Re-solve with these locks"}
      </button>
      <p class="muted">The result is saved as a solution of its own; this one stays.</p>
    </div>
  `;
}
