// Cards as text and on screen: four-colour suits, ranks from ace down.
import { cls, html } from "./html.js";

export const RANKS = "AKQJT98765432";
export const SUITS = "shdc";
export const SYMBOLS = { c: "♣", d: "♦", h: "♥", s: "♠" };
export const SUIT_NAMES = { c: "clubs", d: "diamonds", h: "hearts", s: "spades" };
const RANK_NAMES = { A: "ace", K: "king", Q: "queen", J: "jack", T: "ten" };

export const deck = () => [...SUITS].flatMap((suit) => [...RANKS].map((rank) => rank + suit));
export const cardName = (card) =>
  card.length === 2 && SYMBOLS[card[1]] ? `${RANK_NAMES[card[0]] ?? card[0]} of ${SUIT_NAMES[card[1]]}` : card;
export const isCard = (text) => /^[2-9TJQKA][cdhs]$/.test(text);

// A filled card, as on a table; anything that is not a card of 52 (K of Kuhn) is shown as it is.
export function Card({ card, small }) {
  if (!isCard(card)) return html`<span class=${cls("card", "plain", small && "small")}>${card}</span>`;
  return html`
    <span class=${cls("card", card[1], small && "small")} aria-label=${cardName(card)}>
      ${card[0]}
      <i>${SYMBOLS[card[1]]}</i>
    </span>
  `;
}

export const Cards = ({ cards, small }) =>
  html`<span class="cards">${cards.map((card) => html`<${Card} key=${card} card=${card} small=${small} />`)}</span>`;

// A hand in running text: coloured ranks and suits, no frame. Classes and words stay as they are.
export function Hand({ name }) {
  const cards = name.length === 4 ? [name.slice(0, 2), name.slice(2)] : [];
  if (!cards.length || !cards.every(isCard)) return html`<b class="hand">${name}</b>`;
  return html`
    <b class="hand">
      ${cards.map((card) => html`<span class=${`suit-${card[1]}`}>${card[0]}${SYMBOLS[card[1]]}</span>`)}
    </b>
  `;
}

export function randomCards(count, from = deck()) {
  const left = [...from];
  return Array.from({ length: count }, () => left.splice(Math.floor(Math.random() * left.length), 1)[0]);
}

export const splitCards = (text) => text.match(/[2-9TJQKA][cdhs]/g) ?? [];

// The place of a combo among the 1326: by its higher card, then by its lower one.
export function comboNumber(name) {
  const id = (card) => 4 * "23456789TJQKA".indexOf(card[0]) + "cdhs".indexOf(card[1]);
  const [high, low] = [id(name.slice(0, 2)), id(name.slice(2))].sort((a, b) => b - a);
  return (high * (high - 1)) / 2 + low;
}
