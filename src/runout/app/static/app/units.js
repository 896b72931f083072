// One switch for amounts on every page: as the game counts (chips or bb), in big blinds, or as shares of the pot.
import { amount, digitsFor, known, plain } from "./format.js";
import { html, useEffect, useState } from "./html.js";

export const UNITS = [
  { name: "chips", label: "chips" },
  { name: "bb", label: "bb" },
  { name: "pot", label: "% pot" },
];
const listeners = new Set();
let chosen = read();
let offered = UNITS; // by the switch that is on the page
let shown = null; // by it

function read() {
  try {
    const kept = localStorage.getItem("units");
    return UNITS.some(({ name }) => name === kept) ? kept : null;
  } catch {
    return null;
  }
}

// Where nobody has chosen: chips, but big blinds where chips are only hundredths or thousandths of them.
const usual = (of) => ([100, 1000].includes(of.big_blind) ? "bb" : "chips");

export function setUnits(name) {
  chosen = name;
  try {
    localStorage.setItem("units", name);
  } catch {
    // the choice then holds until the page is closed
  }
  for (const each of listeners) each(name);
}

export function nextUnits() {
  const at = Math.max(0, offered.findIndex(({ name }) => name === shown));
  setUnits(offered[(at + 1) % offered.length].name);
}

export function useUnits() {
  const [name, setName] = useState(chosen);
  useEffect(() => {
    listeners.add(setName);
    return () => listeners.delete(setName);
  }, []);
  return name;
}

/* How amounts of a node read. `of` is anything with pot, unit and big_blind; `pot` is what shares are of. */
export function measure(of, asked = chosen, pot = of.pot) {
  const units = asked ?? usual(of);
  const blind = of.unit === "bb" ? 1 : (of.big_blind ?? null);
  const shares = units === "pot" && pot > 0;
  const blinds = units === "bb" && blind !== null;
  const by = shares ? 100 / pot : blinds ? 1 / blind : 1;
  const digits = shares ? 1 : digitsFor(pot * by);
  const sign = shares ? "%" : "";
  return {
    unit: shares ? "% of pot" : blinds || of.unit === "bb" ? "bb" : of.unit,
    digits,
    ev: (x, places = digits) => (known(x) ? amount(x * by, places) + sign : amount(x)),
    signed: (x, places = digits) =>
      known(x) ? `${x > 0 ? "+" : ""}${amount(x * by, places)}${sign}` : amount(x),
    chips: (x) => (known(x) ? `${plain(x * by)}${sign}` : plain(x)),
    // "bet 66" as it reads in these units; names without an amount are as they are
    name: (action) => {
      const said = action.name.match(/^(.*?)(\d+(?:\.\d+)?)( bb)?$/);
      if (said && shares && action.size > 0) return `${said[1].replace(/to $/, "")}${plain(Math.round(1000 * action.size) / 10)}%`;
      return said && (shares || blinds) ? `${said[1]}${plain(Number(said[2]) * by)}${sign}` : action.name;
    },
    // "33%": what a bet is of the pot, a raise of the pot after calling, as sizes are written
    part: (action) => (!shares && action.size > 0 ? `${Math.round(100 * action.size)}%` : ""),
  };
}

export function UnitSwitch({ of }) {
  const units = useUnits() ?? usual(of);
  const blinds = of.unit === "bb" || of.big_blind;
  const choices = UNITS.filter(({ name }) => (name === "chips" ? of.unit !== "bb" : name !== "bb" || blinds));
  const on = choices.some(({ name }) => name === units) ? units : choices[0].name;
  offered = choices;
  shown = on;
  return html`
    <span class="segmented" role="group" aria-label="Units">
      ${choices.map(({ name, label }) => html`
        <button key=${name} aria-pressed=${on === name} title="Units ($)" onClick=${() => setUnits(name)}>${label}</button>
      `)}
    </span>
  `;
}
