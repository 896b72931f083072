// Colours of actions and of numbers: fold blue, check and call green, bets amber to red to violet by size, all-in
// darkest red.
const FIXED = { fold: "#3b82f6", check: "#22c55e", call: "#22c55e", "all-in": "#991b1b" };
const BETS = [
  [0.0, [245, 158, 11]],
  [0.35, [249, 115, 22]],
  [0.65, [239, 68, 68]],
  [0.85, [192, 38, 211]],
  [1.0, [124, 58, 237]],
];
const GAP = 0.25; // between the colours of two sizes at one node
const GOOD = [
  [0.0, [220, 68, 68]],
  [0.5, [240, 180, 60]],
  [1.0, [46, 178, 98]],
];

function between(stops, at) {
  const t = Math.min(1, Math.max(0, at));
  const next = Math.max(
    1,
    stops.findIndex(([stop]) => stop >= t),
  );
  const [[from, a], [to, b]] = [stops[next - 1], stops[next]];
  const mix = (t - from) / (to - from);
  return `rgb(${a.map((x, i) => Math.round(x + (b[i] - x) * mix)).join(" ")})`;
}

const place = (size) => 1 - 1 / (1 + 1.6 * Math.max(0, size - 0.25)); // of a bet of this share of the pot, 0 to 1

// One colour for each action of a node; sizes that are close together are told apart.
export function actionColors(actions) {
  const bets = actions.filter(({ kind }) => !FIXED[kind]);
  const places = bets.map(({ size }) => place(size));
  const gap = Math.min(GAP, 0.9 / Math.max(1, bets.length - 1));
  for (let i = 1; i < places.length; i++) places[i] = Math.max(places[i], places[i - 1] + gap);
  const last = places.length - 1;
  if (last > 0)
    places[last] = Math.min(places[last], Math.max(place(bets[last].size), Math.min(1, 0.65 + 0.05 * places.length)));
  for (let i = last - 1; i >= 0; i--) places[i] = Math.min(places[i], places[i + 1] - gap);
  let next = 0;
  return actions.map(({ kind }) => FIXED[kind] ?? between(BETS, places[next++]));
}

// Red over amber to green for a number between `low` and `high`.
export const scale = (x, low, high) => between(GOOD, high > low ? (x - low) / (high - low) : 0.5);

// Of a difference: green up, red down, strength by size.
export function difference(x, most) {
  const part = most > 0 ? Math.min(1, Math.abs(x) / most) : 0;
  return `rgb(${x >= 0 ? "46 178 98" : "220 68 68"} / ${(0.12 + 0.88 * part).toFixed(3)})`;
}

// A bar from the largest bet on the left to the fold on the right.
export function stacked(frequencies, colors) {
  const total = frequencies.reduce((sum, f) => sum + (f ?? 0), 0);
  if (!(total > 0)) return "none";
  let from = 0;
  const stops = [];
  for (let a = frequencies.length - 1; a >= 0; a--) {
    const to = from + (100 * (frequencies[a] ?? 0)) / total;
    if (to > from) stops.push(`${colors[a]} ${from.toFixed(2)}% ${to.toFixed(2)}%`);
    from = to;
  }
  return stops.length ? `linear-gradient(90deg, ${stops.join(", ")})` : "none";
}
