// What a cell of the matrix shows in each view: strategy, EV, equity, EQR or weight.
import { scale, stacked } from "../colors.js";
import { percent, share } from "../format.js";
import { COVERED, inkOver } from "../matrix.js";
import { measure } from "../units.js";

export const VIEWS = [
  { name: "strategy", label: "Strategy", key: "s" },
  { name: "ev", label: "EV", key: "e" },
  { name: "equity", label: "Equity", key: "q" },
  { name: "eqr", label: "EQR", key: "r" },
  { name: "weight", label: "Weight", key: "w" },
];

// Views that a table has numbers for.
export function viewsOf(table) {
  const open = { strategy: table.acts, ev: table.has.ev, equity: table.has.equity, eqr: table.has.eqr, weight: true };
  return VIEWS.filter(({ name }) => open[name]);
}

// A function from class number to what Matrix draws.
export function cellDisplay(view, cells, node, colors, absolute, units) {
  const all = [...cells.values()].filter((cell) => cell.weight > 0);
  const most = absolute ? 1 : Math.max(1e-9, ...all.map((cell) => cell.reach));
  const { ev, digits, name } = measure(node, units);
  const [low, high] = range(view, all, node);
  return (k) => {
    const cell = cells.get(k);
    if (!cell || !(cell.weight > 0)) return { label: "not in the range" };
    const height = Math.max(0.06, Math.min(1, cell.reach / most));
    if (view === "strategy") {
      if (!cell.mixed)
        return { fill: "linear-gradient(var(--weight), var(--weight))", height, label: `reach ${share(cell.reach)}` };
      const mix = node.actions
        .map((action, a) => `${name(action)} ${share(cell.strategy[a])}`)
        .join(", ");
      return { fill: stacked(cell.strategy, colors), height, ink: inkOver(colors, cell.strategy, height), label: mix };
    }
    if (view === "weight")
      return {
        fill: "linear-gradient(var(--weight), var(--weight))",
        height: Math.max(0.02, Math.min(1, cell.reach / most)),
        value: percent(cell.reach),
        label: `reach ${share(cell.reach)}`,
        ink: cell.reach / most >= COVERED ? "ink-dark" : "",
      };
    const x = cell[view];
    if (x === null) return { label: "not known" };
    const text = view === "equity" ? percent(x) : view === "eqr" ? percent(x) : ev(x, Math.max(0, digits - 1)).replace("%", "");
    const color = scale(x, low, high);
    return {
      fill: `linear-gradient(${color}, ${color})`,
      height,
      value: text,
      label: `${view} ${text}`,
      ink: height >= COVERED ? "ink-dark" : "",
    };
  };
}

function range(view, all, node) {
  if (view === "equity") return [0, 1];
  if (view === "eqr") return [0.4, 1.6];
  const values = all.map((cell) => cell.ev).filter((x) => x !== null);
  if (!values.length) return [0, 1];
  if (node.ev_from === "start") return [Math.min(...values), Math.max(...values)];
  return [Math.min(0, ...values), Math.max(node.pot, ...values)];
}
