// What the player to act does with the whole range, or with the hands that are chosen: frequency and EV of each action.
import { amount, combos, digitsFor, share, signed } from "../format.js";
import { html } from "../html.js";
import { childLine } from "./node.js";

const OF_SOME = "EV if these hands always do this, and what that costs";
const OF_ALL = "EV of the hands that do this";
const filledTo = (part, color) => `background:linear-gradient(90deg, ${color} ${(100 * part).toFixed(2)}%, transparent 0)`;

/* `chosen` is the mean over the hands in question, `label` says which they are. */
export function ActionList({ node, chosen, label, colors, partial, onGo }) {
  if (node.kind !== "decision") return null;
  const digits = digitsFor(node.pot);
  const evs = partial ? chosen.actionEvs : node.actions.map((action, a) => action.ev ?? chosen?.actionEvs[a] ?? null);
  const frequencies =
    partial || node.actions.some((action) => action.frequency === null)
      ? (chosen?.strategy ?? [])
      : node.actions.map((action) => action.frequency);
  const best = Math.max(...evs.filter((ev) => ev !== null));
  return html`
    <section class="actions" aria-label="Actions">
      <header>
        <b>${node.player}</b> <span class="muted">${label}${chosen ? ` · ${combos(chosen.weight)} combos` : ""}</span>
      </header>
      <ul>
        ${node.actions.map((action, a) => html`
          <li key=${action.token}>
            <button
              class="action" onClick=${() => onGo(childLine(node.line, action.token))}
              title=${`Key ${a + 1}. ${partial ? OF_SOME : OF_ALL}`}
            >
              <i
                class="action-bar"
                style=${filledTo(frequencies[a] ?? 0, colors[a])}
              ></i>
              <span class="action-name">${action.name}</span>
              <kbd>${a + 1}</kbd>
              <b class="num">${share(frequencies[a])}</b>
              ${evs[a] !== null && evs[a] !== undefined && html`
                <span class="num muted action-ev">
                  EV ${amount(evs[a], digits)}
                  ${partial && evs[a] < best - 0.5 * 10 ** -digits ? html`
                    <small>${signed(evs[a] - best, digits)}</small>
                  ` : ""}
                </span>
              `}
            </button>
          </li>
        `)}
      </ul>
      ${partial && chosen && html`<${Indifference} node=${node} chosen=${chosen} digits=${digits} />`}
    </section>
  `;
}

// Mixed strategies look odd until one sees that the mixed actions are worth the same.
function Indifference({ node, chosen, digits }) {
  const mixed = node.actions.map((_, a) => a).filter((a) => chosen.strategy[a] > 0.02 && chosen.actionEvs[a] !== null);
  if (mixed.length < 2) return null;
  const evs = mixed.map((a) => chosen.actionEvs[a]);
  const spread = Math.max(...evs) - Math.min(...evs);
  if (spread > 0.01 * node.pot) return null;
  const names = mixed.map((a) => node.actions[a].name);
  return html`
    <p class="note">
      ${names.slice(0, -1).join(", ")} and ${names.at(-1)} are worth the same here (within ${amount(spread, Math.max(1, digits))}): any mix is fine for these hands, the frequencies keep the opponent honest.
    </p>
  `;
}
