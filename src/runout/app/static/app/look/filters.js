// Filters of hands: made hands, draws, suits, text. They hold for table, matrix and action list alike.
import { SUITS, SUIT_NAMES, SYMBOLS } from "../cards.js";
import { cls, html } from "../html.js";

const list = (text) => (text ? text.split(",") : []);

// The filter that an address asks for.
export const readFilter = (query) => ({
  category: list(query.cat),
  draw: list(query.draw),
  suit: query.suit ?? "",
  text: query.q ?? "",
});
export const isFiltered = (filter) =>
  Boolean(filter.category.length || filter.draw.length || filter.suit || filter.text);
export const filterText = (filter) =>
  [
    ...filter.category,
    ...filter.draw,
    (filter.suit && [...filter.suit].map((s) => SYMBOLS[s] ?? "").join("")) || filter.suit,
    filter.text,
  ]
    .filter(Boolean)
    .join(" + ");

const toggled = (names, name) =>
  (names.includes(name) ? names.filter((each) => each !== name) : [...names, name]).join(",");

export function Filters({ table, filter, layout, onChange }) {
  const combos = table.hands.names.some((name) => name.length === 4);
  const suit = (name) => onChange({ suit: filter.suit === name ? "" : name });
  return html`
    <div class="filters" role="group" aria-label="Filters">
      <input
        id="hand-filter" type="search" placeholder=${layout === "matrix" ? "Filter: AK, 77, As…" : "Filter"}
        aria-label="Filter hands" value=${filter.text} onInput=${(event) => onChange({ q: event.currentTarget.value })}
      />
      ${combos && html`
        <span class="segmented" role="group" aria-label="Suits">
          ${[...SUITS].map((s) => {
        const on = filter.suit.length <= 2 && filter.suit.includes(s);
        const two = filter.suit.length < 2 ? filter.suit : filter.suit.slice(-1);
        return html`
            <button
              key=${s} class=${cls(`suit-${s}`)} aria-pressed=${on} aria-label=${`with ${SUIT_NAMES[s]}`}
              onClick=${() => onChange({ suit: on ? filter.suit.replace(s, "") : (filter.suit.length > 2 ? "" : two) + s })}
            >
              ${SYMBOLS[s]}
            </button>
          `;
      })}
        </span>
      `}
      ${layout === "matrix" && html`
        <span class="segmented" role="group" aria-label="Shape">
          <button aria-pressed=${filter.suit === "suited"} onClick=${() => suit("suited")}>suited</button>
          <button aria-pressed=${filter.suit === "offsuit"} onClick=${() => suit("offsuit")}>offsuit</button>
        </span>
      `}
      ${isFiltered(filter) && html`
        <button class="quiet" onClick=${() => onChange({ cat: "", draw: "", suit: "", q: "" })}>Clear</button>
      `}
      ${(filter.category.length > 0 || filter.draw.length > 0) && html`
        <span class="chips">
          ${filter.category.map((name) => html`
            <button
              key=${name} class="chip" aria-label=${`Remove filter ${name}`}
              onClick=${() => onChange({ cat: toggled(filter.category, name) })}
            >
              ${name} ×
            </button>
          `)}
          ${filter.draw.map((name) => html`
            <button
              key=${name} class="chip" aria-label=${`Remove filter ${name}`}
              onClick=${() => onChange({ draw: toggled(filter.draw, name) })}
            >
              ${name} ×
            </button>
          `)}
        </span>
      `}
    </div>
  `;
}

export const toggleCategory = (filter, name) => ({ cat: toggled(filter.category, name) });
export const toggleDraw = (filter, name) => ({ draw: toggled(filter.draw, name) });
