// What the player to act does with the whole range, or with the hands that are chosen: frequency and EV of each action.
import { combos, seat, share } from "../format.js";
import { cls, html } from "../html.js";
import { measure } from "../units.js";
import { childLine, indifferent } from "./node.js";

const OF_SOME = "EV if these hands always do this, and what that costs";
const OF_ALL = "EV of the hands that do this";
const filledTo = (part, color) => `background:linear-gradient(90deg, ${color} ${(100 * part).toFixed(2)}%, transparent 0)`;
const SIZED = new Set(["bet", "raise", "all-in"]);

// "all bets 40.5%", where there are several sizes to add up.
export function inAll(actions, frequencies) {
  const sized = actions.map((_, a) => a).filter((a) => SIZED.has(actions[a].kind));
  if (sized.length < 2) return null;
  const raises = actions.some(({ kind }) => kind === "fold" || kind === "call");
  return { name: raises ? "all raises" : "all bets", share: sized.reduce((sum, a) => sum + (frequencies[a] ?? 0), 0) };
}

/* `chosen` is the mean over the hands in question, `label` says which they are, `rows` their numbers. */
export function ActionList({ node, table, rows, chosen, label, colors, partial, units, onGo }) {
  if (node.kind !== "decision") return null;
  const { ev, signed, digits, name, part } = measure(node, units);
  const evs = partial ? chosen.actionEvs : node.actions.map((action, a) => action.ev ?? chosen?.actionEvs[a] ?? null);
  const frequencies =
    partial || node.actions.some((action) => action.frequency === null)
      ? (chosen?.strategy ?? [])
      : node.actions.map((action) => action.frequency);
  const best = Math.max(...evs.filter((x) => x !== null));
  const total = inAll(node.actions, frequencies);
  const note = partial ? indifferent(table, rows, node) : null;
  return html`
    <section class="actions" aria-label="Actions">
      <header>
        <span>
          <b>${seat(node.player)}</b> <span class="muted">${label}${chosen ? ` · ${combos(chosen.weight)} combos` : ""}</span>
        </span>
        ${total && html`<span class="total"><span class="muted">${total.name}</span> <b class="num">${share(total.share)}</b></span>`}
      </header>
      <ul class=${cls(node.actions.length > 6 && "many")}>
        ${node.actions.map((action, a) => html`
          <li key=${action.token}>
            <button
              class="action" onClick=${() => onGo(childLine(node.line, action.token))}
              title=${`Key ${a + 1}. ${partial ? OF_SOME : OF_ALL}`}
            >
              <i class="action-bar" style=${filledTo(frequencies[a] ?? 0, colors[a])}></i>
              <span class="action-name">${name(action)} <small class="muted">${part(action)}</small></span>
              <kbd>${a + 1}</kbd>
              <b class="num">${share(frequencies[a])}</b>
              ${table.has.actionEvs && html`
                <span class="num muted action-ev">
                  EV ${ev(evs[a])}
                  ${partial && evs[a] !== null && evs[a] < best - (0.5 * 10 ** -digits * (node.pot || 1)) / 100 ? html`
                    <small>${signed(evs[a] - best)}</small>
                  ` : ""}
                </span>
              `}
            </button>
          </li>
        `)}
      </ul>
      ${table.has.actionEvs && html`
        <p class="said" aria-live="polite">
          ${note ? `indifferent${note.many ? ", each of these hands" : ""}: ${note.many ? "what it mixes is worth the same" : `${note.count === 2 ? "both are" : `all ${note.count} are`} worth ${ev(note.ev)}`}; the frequencies still matter against a good opponent` : ""}
        </p>
      `}
    </section>
  `;
}
