// Colours of actions and of numbers, those of cursors/colors.py: fold blue, check and call green, bets amber over red to
// violet by size, all-in darkest red.
const FIXED = { fold: "#3b82f6", check: "#22c55e", call: "#22c55e", "all-in": "#7f1d1d" };
const BETS = [
  [251, 191, 36],
  [249, 115, 22],
  [239, 68, 68],
  [192, 38, 211],
  [109, 40, 217],
]; // from the smallest to the largest of a node
const GOOD = [
  [220, 68, 68],
  [240, 180, 60],
  [46, 178, 98],
];

function between(stops, place) {
  const at = Math.min(1, Math.max(0, place)) * (stops.length - 1);
  const low = Math.min(Math.floor(at), stops.length - 2);
  const [a, b] = [stops[low], stops[low + 1]];
  return `rgb(${a.map((x, i) => Math.round(x + (b[i] - x) * (at - low))).join(" ")})`;
}

// One colour for each action of a node; bets rise in their order, as far apart as there is room.
export function actionColors(actions) {
  const bets = actions.filter(({ kind }) => !FIXED[kind]).length;
  const place = (i) => (bets === 1 ? 0.25 : bets === 2 ? i / 2 : i / (bets - 1));
  let next = 0;
  return actions.map(({ kind }) => FIXED[kind] ?? between(BETS, place(next++)));
}

// Red over amber to green for a number between `low` and `high`.
export const scale = (x, low, high) => between(GOOD, high > low ? (x - low) / (high - low) : 0.5);

// Of a difference: green up, red down, strength by size.
export function difference(x, most) {
  const part = most > 0 ? Math.min(1, Math.abs(x) / most) : 0;
  return `rgb(${x >= 0 ? "46 178 98" : "220 68 68"} / ${(0.12 + 0.88 * part).toFixed(3)})`;
}

// A bar in the order of the actions, as everywhere: fold, check or call, then bets from the smallest on.
export function stacked(frequencies, colors) {
  const total = frequencies.reduce((sum, f) => sum + (f ?? 0), 0);
  if (!(total > 0)) return "none";
  let from = 0;
  const stops = [];
  for (let a = 0; a < frequencies.length; a++) {
    const to = from + (100 * (frequencies[a] ?? 0)) / total;
    if (to > from) stops.push(`${colors[a]} ${from.toFixed(2)}% ${to.toFixed(2)}%`);
    from = to;
  }
  return stops.length ? `linear-gradient(90deg, ${stops.join(", ")})` : "none";
}
