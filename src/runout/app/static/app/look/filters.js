// Filters of hands: made hands, kickers, draws, suits, ranges. They hold for table, matrix, action list and locks alike.
import { post } from "../api.js";
import { SUITS, SUIT_NAMES, SYMBOLS, comboNumber } from "../cards.js";
import { cls, html, useEffect, useMemo, useState } from "../html.js";
import { holds, isCardWord } from "./node.js";

const list = (text) => (text ? text.split(",") : []);

// The filter that an address asks for.
export const readFilter = (query) => ({
  category: list(query.cat),
  labels: list(query.label),
  suit: query.suit ?? "",
  text: query.q ?? "",
});
export const isFiltered = (filter) =>
  Boolean(filter.category.length || filter.labels.length || filter.suit || filter.text.trim());
export const filterText = (filter) =>
  [
    filter.category.join(" or "),
    ...filter.labels.map((name) => (name[0] === "-" ? `without ${name.slice(1)}` : name)),
    (filter.suit && [...filter.suit].map((s) => SYMBOLS[s] ?? "").join("")) || filter.suit,
    filter.text,
  ]
    .filter(Boolean)
    .join(" + ");

const WAIT = 200; // ms after the last key before a range is read
/* What was typed, as a test of a hand's name, and what is wrong with it. Cards ("A", "As") are hands that hold them; the
   rest is a range in the usual notation. */
export function useTyped(text, layout, classes) {
  const [read, setRead] = useState({ range: "", test: null, error: null });
  const words = text.split(/[\s,]+/).filter(Boolean);
  const range = layout === "matrix" ? words.filter((word) => !isCardWord(word)).join(",") : "";
  useEffect(() => {
    if (!range) return undefined;
    let current = true;
    const timer = setTimeout(() => {
      post("/ranges/parse", { text: range }).then(
        (found) => current && setRead({ range, test: rangeTest(found, classes), error: null }),
        (error) => current && setRead((before) => ({ ...before, range, error: error.message })),
      );
    }, WAIT);
    return () => {
      current = false;
      clearTimeout(timer);
    };
  }, [range]);
  const inRange = range ? read.test : null;
  const hands = useMemo(() => {
    const cards = layout === "matrix" ? words.filter(isCardWord) : words;
    if (!words.length || (!cards.length && !inRange)) return null;
    return (name) => cards.some((word) => holds(name, word)) || Boolean(inRange?.(name));
  }, [text, layout, inRange]);
  return { hands, error: range && read.range === range ? read.error : null };
}

function rangeTest({ weights, combos }, classes) {
  const own = new Set();
  classes.combos.forEach((names, k) => {
    if (weights[k] > 0) own.add(classes.names[k]);
    names.forEach((name) => combos[comboNumber(name)] > 0 && own.add(name));
  });
  return (name) => own.has(name);
}

const toggled = (names, name) =>
  (names.includes(name) ? names.filter((each) => each !== name) : [...names, name]).join(",");

// A label that is asked for, then asked not to be there, then not asked about.
const turned = (names, name) =>
  (names.includes(name)
    ? names.map((each) => (each === name ? `-${name}` : each))
    : names.includes(`-${name}`)
      ? names.filter((each) => each !== `-${name}`)
      : [...names, name]
  ).join(",");

export function Filters({ table, filter, layout, error, onChange }) {
  const combos = table.hands.names.some((name) => name.length === 4);
  const suit = (name) => onChange({ suit: filter.suit === name ? "" : name });
  return html`
    <div class="filters" role="group" aria-label="Filters">
      <input
        id="hand-filter" type="search" placeholder=${layout === "matrix" ? "Filter: AK, 77+, As…" : "Filter"}
        aria-label="Filter hands" value=${filter.text} aria-invalid=${Boolean(error)} class=${cls(error && "bad")}
        onInput=${(event) => onChange({ q: event.currentTarget.value })}
        onKeyDown=${(event) => {
    if (event.key !== "Escape" && event.key !== "Enter") return;
    event.currentTarget.blur();
    if (event.key === "Escape") onChange({ q: "" });
    event.preventDefault();
  }}
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
        <button class="quiet" onClick=${() => onChange({ cat: "", label: "", suit: "", q: "" })}>Clear</button>
      `}
      ${error && html`<span class="error" role="alert">${error}</span>`}
      ${(filter.category.length > 0 || filter.labels.length > 0) && html`
        <span class="chips">
          ${filter.category.map((name) => html`
            <button
              key=${name} class="chip" aria-label=${`Remove filter ${name}`}
              onClick=${() => onChange({ cat: toggled(filter.category, name) })}
            >
              ${name} ×
            </button>
          `)}
          ${filter.labels.map((name) => html`
            <button
              key=${name} class="chip" aria-label=${`Remove filter ${name}`}
              onClick=${() => onChange({ label: filter.labels.filter((each) => each !== name).join(",") })}
            >
              ${name[0] === "-" ? `without ${name.slice(1)}` : name} ×
            </button>
          `)}
        </span>
      `}
    </div>
  `;
}

export const toggleCategory = (filter, name) => ({ cat: toggled(filter.category, name) });
export const turnLabel = (filter, name) => ({ label: turned(filter.labels, name) });
