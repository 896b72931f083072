// Every card that can come: a 4x13 grid coloured by EV, equity or how often an action is taken; a click deals it.
import { runouts, useAsked } from "../api.js";
import { Card, Cards, RANKS, SUITS, SYMBOLS, cardName, isCard } from "../cards.js";
import { scale } from "../colors.js";
import { percent, seat, share } from "../format.js";
import { cls, html, useState } from "../html.js";
import { measure as measureOf } from "../units.js";
import { childLine, withCards } from "./node.js";

// The deal to report on: this node, or the last one on the way to it.
export const chanceStep = (node) =>
  (node.kind === "chance" ? node.strip.at(-1) : node.strip.findLast((step) => step.kind === "chance")) ?? null;

function measures(rows, players) {
  const found = [];
  players.forEach((player, i) => {
    if (rows.some((row) => row.evs))
      found.push({ key: `ev.${i}`, label: `EV ${seat(player)}`, of: (row) => row.evs?.[i] ?? null, ev: true });
  });
  players.forEach((player, i) => {
    if (rows.some((row) => row.equities))
      found.push({ key: `eq.${i}`, label: `Equity ${seat(player)}`, of: (row) => row.equities?.[i] ?? null });
  });
  const actions = new Map(); // by name without the size: sizes depend on the card only where stacks are short
  for (const row of rows) (row.actions ?? []).forEach((name) => actions.set(name, true));
  const actor = rows.find((row) => row.player)?.player;
  for (const name of actions.keys())
    found.push({
      key: `f.${name}`,
      label: `${seat(actor)} ${name}`,
      of: (row) => row.frequencies?.[row.actions.indexOf(name)] ?? null,
    });
  return found;
}

export function Runouts({ id, node, by, units, onBy, onGo }) {
  const step = chanceStep(node);
  const { data, error } = useAsked(() => runouts(id, step.line), [id, step.line]);
  const [hover, setHover] = useState(null);
  if (error) return html`<p class="empty-note">${error.message}</p>`;
  if (!data) return html`<p class="empty-note">Loading…</p>`;
  const choices = measures(data, node.players);
  const measure = choices.find(({ key }) => key === by) ?? choices[0];
  const rows = new Map(data.map((row) => [row.card, row]));
  const values = measure ? data.map(measure.of).filter((x) => x !== null) : [];
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const says = measureOf(node, units);
  const text = (x) => (measure?.ev ? says.ev(x, Math.max(0, says.digits - 1)) : percent(x));
  const dealt = node.kind === "chance" ? null : step.cards[0];
  const deal = (card) => onGo(dealt ? withCards(node.line, step.line, card) : childLine(step.line, card, true));
  const cards = data.every((row) => isCard(row.card)) ? null : data.map((row) => row.card);
  const cell = (card) => {
    const row = rows.get(card);
    if (!row)
      return html`<span key=${card} class="run none" aria-hidden="true">${isCard(card) ? card[0] : card}</span>`;
    const x = measure?.of(row) ?? null;
    return html`
      <button
        key=${card} class=${cls("run", dealt === card && "dealt")}
        style=${x !== null ? `background:${scale(x, low, high)}` : ""} onClick=${() => deal(card)}
        onPointerEnter=${() => setHover(card)} onFocus=${() => setHover(card)}
        aria-label=${`${cardName(card)}${x !== null ? `, ${measure.label} ${text(x)}` : ""}`}
      >
        <b>${isCard(card) ? html`${card[0]}<i>${SYMBOLS[card[1]]}</i>` : card}</b>
        <span class="num">${x !== null ? text(x) : ""}</span>
      </button>
    `;
  };
  const shown = rows.get(hover) ?? rows.get(dealt);
  const ranked = values.length
    ? data.filter((row) => measure.of(row) !== null).toSorted((a, b) => measure.of(b) - measure.of(a))
    : [];
  return html`
    <div class="runouts">
      <label class="inline">
        Colour by <select value=${measure?.key} onChange=${(event) => onBy(event.currentTarget.value)}>
          ${choices.map(({ key, label }) => html`
            <option key=${key} value=${key} selected=${key === measure?.key}>${label}</option>
          `)}
        </select>
      </label>
      ${cards ? html`<div class="run-list">${cards.map(cell)}</div>` : html`
        <div class="run-grid" onPointerLeave=${() => setHover(null)}>
          ${[...SUITS].map((suit) => [...RANKS].map((rank) => cell(rank + suit)))}
        </div>
      `}
      <p class="legend-scale">
        <span class="num">${values.length ? text(low) : ""}</span>
        <i></i>
        <span class="num">${values.length ? text(high) : ""}</span>
      </p>
      ${shown ? html`
        <dl class="run-detail">
          <div><dt>card</dt><dd><${Card} card=${shown.card} small /></dd></div>
          ${choices.map(({ key, label, of, ev }) => html`
            <div key=${key}>
              <dt>${label}</dt>
              <dd class="num">${ev ? says.ev(of(shown)) : share(of(shown))}</dd>
            </div>
          `)}
        </dl>
      ` : ranked.length > 5 && html`
        <p class="muted">
          Best ${measure.label}: <${Cards} cards=${ranked.slice(0, 5).map(({ card }) => card)} small />${" "}
          · worst: <${Cards} cards=${ranked.slice(-5).map(({ card }) => card)} small />
        </p>
      `}
    </div>
  `;
}
