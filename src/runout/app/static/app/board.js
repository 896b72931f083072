// The 4x13 card picker.
import { RANKS, SUITS, SYMBOLS, cardName } from "./cards.js";
import { cls, html } from "./html.js";

// `from`: the cards that can be picked, where that is not every one.
export function BoardPicker({ cards, most = 5, from, onChange }) {
  const toggle = (card) =>
    onChange(
      cards.includes(card) ? cards.filter((each) => each !== card) : cards.length < most ? [...cards, card] : cards,
    );
  return html`
    <div class="deck" role="group" aria-label="Cards">
      ${[...SUITS].map((suit) =>
    [...RANKS].map((rank) => {
      const on = cards.includes(rank + suit);
      return html`
        <button
          key=${rank + suit} type="button" class=${cls("deck-card", `suit-${suit}`, on && suit, on && "on")}
          aria-pressed=${on} aria-label=${cardName(rank + suit)} disabled=${!on && (cards.length >= most || (from && !from.includes(rank + suit)))}
          onClick=${() => toggle(rank + suit)}
        >
          ${rank}
          <i>${SYMBOLS[suit]}</i>
        </button>
      `;
    }),
  )}
    </div>
  `;
}
