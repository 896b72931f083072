// A spot as a form and back: the same keys as spot.yaml, flat in the address (ranges.oop=…&betting.flop.bet=…).
export const STREETS = ["flop", "turn", "river"];
const NUMBERS = new Set([
  "pot",
  "stack",
  "big_blind",
  "add_all_in",
  "force_all_in",
  "merge",
  "max_bets",
  "percent",
  "cap",
  "target",
  "iterations",
  "threads",
]);
const NO_DONK = "none"; // typed for no donk bets at all; an empty field is "as the bets"

export function flatten(value, prefix = "", out = {}) {
  for (const [key, each] of Object.entries(value ?? {})) {
    if (each === null || each === undefined) continue;
    if (Array.isArray(each)) {
      if (each.length) out[prefix + key] = JSON.stringify(each);
    } else if (typeof each === "object") flatten(each, `${prefix}${key}.`, out);
    else out[prefix + key] = each === "" ? " " : String(each); // an empty text means something: no bets
  }
  return out;
}

export function unflatten(flat) {
  const out = {};
  for (const [path, text] of Object.entries(flat)) {
    const keys = path.split(".");
    let at = out;
    for (const key of keys.slice(0, -1)) at = at[key] ??= {};
    at[keys.at(-1)] = value(keys.at(-1), text);
  }
  return out;
}

const LISTS = new Set(["locks", "lines", "remove_lines", "positions"]);

function value(key, text) {
  if (LISTS.has(key)) {
    try {
      return JSON.parse(text);
    } catch {
      return [];
    }
  }
  return NUMBERS.has(key) ? number(text) : text.trim();
}

// A number where it is one; else the text, so that the server can say what is wrong with it.
const number = (text) => (String(text).trim() !== "" && Number.isFinite(Number(text)) ? Number(text) : String(text));

const text = (x) => (x === null || x === undefined ? "" : String(x));

// What the fields show for a spot.
export function toForm(spot) {
  const betting = spot.betting ?? {};
  const sizes = {};
  for (const street of STREETS) {
    const both = betting[street] ?? { bet: "50%", raise: "60%" };
    const own = (player, name) => both[player]?.[name] ?? both[name];
    const donk = both.oop?.donk ?? both.donk;
    sizes[street] = {
      oop: { bet: text(own("oop", "bet")), raise: text(own("oop", "raise")), donk: donk === "" ? NO_DONK : text(donk) },
      ip: { bet: text(own("ip", "bet")), raise: text(own("ip", "raise")) },
    };
  }
  return {
    board: text(spot.board),
    pot: text(spot.pot),
    stack: text(spot.stack),
    big_blind: text(spot.big_blind),
    oop: text(spot.ranges?.oop),
    ip: text(spot.ranges?.ip),
    positions: (spot.positions ?? []).join(", "),
    sizes,
    add_all_in: text(betting.add_all_in ?? 0),
    force_all_in: text(betting.force_all_in ?? 0),
    merge: text(betting.merge ?? 0),
    max_bets: text(betting.max_bets ?? (betting.max_raises == null ? null : betting.max_raises + 1)),
    lines: betting.lines ?? [],
    remove_lines: betting.remove_lines ?? [],
    rake: text(spot.rake?.percent ?? 0),
    cap: text(spot.rake?.cap),
    target: text(spot.solve?.target ?? 0.3),
    iterations: text(spot.solve?.iterations ?? 1000),
    storage: spot.solve?.storage ?? "float32",
    algorithm: text(spot.solve?.algorithm ?? "auto"),
    locks: spot.locks ?? [],
  };
}

// What typing into a field changes: a pot with decimals that is smaller than a big blind is counted in big blinds.
export const countedIn = (form, key, value) =>
  key === "pot" && /\.\d/.test(value) && number(value) < number(form.big_blind)
    ? { pot: value, big_blind: "1" }
    : { [key]: value };

// The spot that the fields describe, for the server and for the address.
export function toSpot(form) {
  const betting = {};
  for (const street of STREETS) {
    const { oop, ip } = form.sizes[street];
    const sizes = { bet: oop.bet, raise: oop.raise };
    const differs = {};
    if (ip.bet !== oop.bet) differs.bet = ip.bet;
    if (ip.raise !== oop.raise) differs.raise = ip.raise;
    if (Object.keys(differs).length) sizes.ip = differs;
    if (street !== "flop" && oop.donk.trim()) sizes.oop = { donk: oop.donk.trim() === NO_DONK ? "" : oop.donk };
    betting[street] = sizes;
  }
  for (const key of ["add_all_in", "force_all_in", "merge"]) betting[key] = number(form[key] || "0");
  if (form.max_bets.trim()) betting.max_bets = number(form.max_bets);
  for (const key of ["lines", "remove_lines"]) if (form[key]?.length) betting[key] = form[key];
  const spot = {
    board: form.board,
    pot: number(form.pot),
    stack: number(form.stack),
    ranges: { oop: form.oop, ip: form.ip },
    betting,
    rake: { percent: number(form.rake || "0") },
    solve: {
      target: number(form.target),
      iterations: number(form.iterations),
      storage: form.storage,
      algorithm: form.algorithm || "auto",
    },
  };
  if (form.cap.trim()) spot.rake.cap = number(form.cap);
  if (form.big_blind.trim()) spot.big_blind = number(form.big_blind);
  if (form.positions.trim()) spot.positions = form.positions.split(/[\s,]+/).filter(Boolean);
  if (form.locks.length) spot.locks = form.locks;
  return spot;
}

// A spot with what another one says of ranges, chips and sizes; lines and locks belong to the tree that they were of.
export function withSpot(spot, other) {
  const kept = Object.fromEntries(Object.entries(other).filter(([, each]) => each !== undefined && each !== null));
  const { locks: _, ...rest } = spot;
  for (const key of ["big_blind", "positions"]) if (!(key in kept)) delete rest[key];
  return { ...rest, ...kept, solve: { ...rest.solve, ...kept.solve } };
}

// Where the page starts when the server has no example at hand.
export const BLANK = {
  board: "Qs Jh 2h",
  pot: 180,
  stack: 910,
  ranges: { oop: "88+,A8s+,KTs+,QTs+,JTs,AJo+,KQo", ip: "99-22,AJs-A2s,K9s+,Q9s+,J9s+,T9s,98s,87s,AQo-ATo,KJo+" },
  betting: {},
};
