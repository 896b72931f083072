// Hands one after the other, for games without a matrix.
import { stacked } from "../colors.js";
import { share } from "../format.js";
import { measure } from "../units.js";
import { cls, html } from "../html.js";
import { Hand } from "../cards.js";

function mixText(cell, node) {
  if (!cell.mixed) return `reach ${share(cell.reach)}`;
  const parts = node.actions.map((action, a) => cell.strategy[a] > 0.0005 && `${action.name} ${share(cell.strategy[a])}`);
  return parts.filter(Boolean).join(" · ");
}

export function HandList({ table, cells, node, colors, pinned, units, onPick, onHover }) {
  const { ev } = measure(node, units);
  const places = [...cells.keys()].sort((a, b) => a - b);
  return html`
    <ul class="hand-list" aria-label="Hands" onPointerLeave=${() => onHover(null)}>
      ${places.map((k) => {
    const cell = cells.get(k);
    const i = table.hands.cell.indexOf(k);
    const mix = node.actions.map((action, a) => `${action.name} ${share(cell.strategy[a])}`).join(", ");
    return html`
        <li key=${k}>
          <button
            class=${cls("hand-row", pinned === k && "pinned")} aria-pressed=${pinned === k} onClick=${() => onPick(k)}
            onPointerEnter=${() => onHover(k)}
          >
            <${Hand} name=${table.hands.names[i]} />
            <span
              class="bar" role="img" aria-label=${cell.mixed ? mix : "waits"}
              style=${cell.mixed ? `background-image:${stacked(cell.strategy, colors)};opacity:${Math.max(0.25, cell.reach)}` : ""}
            ></span>
            <span class="num">
              ${mixText(cell, node)}
            </span>
            ${cell.ev !== null && html`<span class="num muted">EV ${ev(cell.ev, 3)}</span>`}
          </button>
        </li>
      `;
  })}
    </ul>
  `;
}
