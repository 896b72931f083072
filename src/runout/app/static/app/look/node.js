// Arithmetic over a node as the server sends it: sums over classes, filters, addresses. Poker rules are the server's.
export const filled = (values) => Boolean(values?.length) && values.some((x) => x !== null);

// The table of one player at a node: which columns are known and how much each hand counts in means.
export function handsOf(node, player) {
  const hands = node.hands.find((each) => each.player === player) ?? node.hands[0];
  if (!hands) return null;
  const n = hands.names.length;
  const measure = new Float64Array(n);
  for (let i = 0; i < n; i++)
    measure[i] = (hands.weight[i] ?? 0) * (hands.combos[i] ?? 1) * (filled(hands.met) ? (hands.met[i] ?? 0) : 1);
  return {
    hands,
    n,
    measure,
    acts: hands.strategy.length > 0 && hands.player === node.player,
    has: {
      ev: filled(hands.ev),
      equity: filled(hands.equity),
      eqr: filled(hands.eqr),
      actionEvs: hands.action_evs.some(filled),
      category: hands.categories.some(Boolean),
      labels: hands.labels.some((each) => each.length),
    },
  };
}

// Means over some rows: {measure, weight, combos, strategy [actions], actionEvs [actions], ev, equity, eqr}.
export function mean(table, rows, pot) {
  const { hands, measure } = table;
  const actions = hands.strategy.length;
  const out = {
    measure: 0,
    weight: 0,
    rows: 0,
    strategy: new Array(actions).fill(0),
    actionEvs: new Array(actions).fill(null),
    ev: null,
    equity: null,
    eqr: null,
  };
  const sums = { ev: new Sum(), equity: new Sum(), actions: Array.from({ length: actions }, () => new Sum()) };
  let mixed = 0;
  for (const i of rows) {
    const m = measure[i];
    out.weight += (hands.weight[i] ?? 0) * (hands.combos[i] ?? 1);
    out.rows += 1;
    if (!(m > 0)) continue;
    out.measure += m;
    if (actions && hands.strategy[0][i] !== null) {
      mixed += m;
      for (let a = 0; a < actions; a++) out.strategy[a] += m * hands.strategy[a][i];
    }
    for (let a = 0; a < actions; a++) sums.actions[a].add(hands.action_evs[a]?.[i], m);
    sums.ev.add(hands.ev[i], m);
    sums.equity.add(hands.equity[i], m);
  }
  if (mixed > 0) for (let a = 0; a < actions; a++) out.strategy[a] /= mixed;
  out.mixed = mixed > 0;
  out.actionEvs = sums.actions.map((sum) => sum.mean());
  out.ev = sums.ev.mean();
  out.equity = sums.equity.mean();
  if (out.ev !== null && out.equity > 0 && pot > 0 && filled(hands.eqr)) out.eqr = out.ev / (out.equity * pot);
  return out;
}

class Sum {
  total = 0;
  weight = 0;
  add(x, weight) {
    if (x === null || x === undefined) return;
    this.total += x * weight;
    this.weight += weight;
  }
  mean() {
    return this.weight > 0 ? this.total / this.weight : null;
  }
}

// Rows of each cell, by class number or place in the list.
function rowsByCell(table, keep) {
  const found = new Map();
  for (let i = 0; i < table.n; i++) {
    if (keep && !keep[i]) continue;
    const k = table.hands.cell[i];
    if (!found.has(k)) found.set(k, []);
    found.get(k).push(i);
  }
  return found;
}

// By cell: means, and `reach`, the share of the class's combos that is here.
export function cells(table, keep, node, classes) {
  const board = new Set(node.board);
  const out = new Map();
  for (const [k, rows] of rowsByCell(table, keep)) {
    const cell = mean(table, rows, node.pot);
    let possible = 0;
    if (node.layout === "matrix")
      possible = classes.combos[k].filter(
        (combo) => !board.has(combo.slice(0, 2)) && !board.has(combo.slice(2)),
      ).length;
    else for (const i of rows) possible += table.hands.combos[i] ?? 1;
    cell.reach = possible > 0 ? Math.min(1, cell.weight / possible) : 0;
    out.set(k, cell);
  }
  return out;
}

export const NO_DRAW = "no draw";
const NONE_OF_THEM = / (kicker|blocker)$/;
export const labelFits = (own, label) =>
  label === NO_DRAW ? own.every((each) => NONE_OF_THEM.test(each)) : own.includes(label);

// Labels without those that others say already: a nut flush draw is a flush draw, a combo draw is its parts.
export const worthSaying = (own) =>
  own.filter((each) => each !== "combo draw" && (each !== "flush draw" || !own.includes("nut flush draw")));

/* Rows that pass the filters: {category: [..], labels: ["flush draw", "-gutshot"], suit: "hs", hands}; null where there
   is no filter. A hand has one category, so any of those given will do; of labels it has all, and none of those with a
   minus. `hands` says of a name whether what was typed means it. */
export function filterRows(table, filter) {
  const { category, labels, suit, hands: typed } = filter;
  if (!category.length && !labels.length && !suit && !typed) return null;
  const { hands, n } = table;
  const keep = new Uint8Array(n);
  for (let i = 0; i < n; i++) {
    if (category.length && !category.includes(hands.categories[i])) continue;
    const own = hands.labels[i] ?? [];
    if (!labels.every((each) => (each[0] === "-" ? !labelFits(own, each.slice(1)) : labelFits(own, each)))) continue;
    if (suit && !suitFits(hands.names[i], suit)) continue;
    if (typed && !typed(hands.names[i])) continue;
    keep[i] = 1;
  }
  return keep;
}

const MIXED = 0.05; // an action that a hand takes less often is not part of its mix
// Where each of these hands mixes actions that are worth the same within the accuracy reached: {ev, count, many}.
export function indifferent(table, rows, node) {
  const { hands } = table;
  const live = rows.filter((i) => hands.weight[i] > 0);
  if (node.accuracy === null || node.accuracy === undefined || !live.length || !table.acts) return null;
  let found = null;
  for (const i of live) {
    const taken = hands.strategy.map((_, a) => a).filter((a) => hands.strategy[a][i] >= MIXED);
    const evs = taken.map((a) => hands.action_evs[a]?.[i] ?? null);
    if (taken.length < 2 || evs.includes(null) || Math.max(...evs) - Math.min(...evs) > node.accuracy) return null;
    found = { ev: evs.reduce((sum, x) => sum + x, 0) / evs.length, count: taken.length, many: live.length > 1 };
  }
  return found;
}

// "h": a heart in the hand; "suited" and "offsuit" by shape.
function suitFits(name, suit) {
  if (suit === "suited" || suit === "offsuit") {
    const suited = name.length === 4 ? name[1] === name[3] : name.endsWith("s");
    const pair = name[0] === name[name.length === 4 ? 2 : 1];
    return suit === "suited" ? suited : !suited && !pair;
  }
  return [...suit].every((s) => name.length === 4 && (name[1] === s || name[3] === s));
}

// "A" and "As" are cards that a hand holds; everything else is a range, which the server reads.
export const isCardWord = (word) => /^([2-9tjqka]|[2-9tjqka][cdhs])$/i.test(word);
export const holds = (name, word) => name.toLowerCase().includes(word.toLowerCase());

// The address one step on: tokens of a street are joined by "-" (by a space before the flop), streets by "|cards|".
export function childLine(line, step, dealt = false) {
  if (line === "") return dealt ? `|${step}` : step;
  if (dealt) return `${line}|${step}`;
  const parts = line.split("|");
  if (parts.length % 2 === 0) return parts.at(-1) === "" ? line + step : `${line}|${step}`;
  if (parts.at(-1) === "") return line + step;
  return /^(SB|BB)/.test(step) ? `${line} ${step}` : `${line}-${step}`;
}

// The same line with other cards at one of its deals.
export function withCards(line, chanceLine, cards) {
  const rest = line.slice(chanceLine.length + 1);
  const end = rest.indexOf("|");
  return `${chanceLine}|${cards}${end < 0 ? "" : rest.slice(end)}`;
}
