// Numbers as people read them. What is not known (null) is an en dash, never NaN.
export const NONE = "–";
export const known = (x) => x !== null && x !== undefined && Number.isFinite(x);

export const percent = (x, digits = 0) => (known(x) ? `${(100 * x).toFixed(digits)}%` : NONE);

// A share: one digit where it is small enough to matter, nothing rounded to 0% or 100% that is not.
export function share(x) {
  if (!known(x)) return NONE;
  if (x > 0 && x < 0.0005) return "<0.1%";
  if (x < 1 && x > 0.9995) return ">99.9%";
  return `${(100 * x).toFixed(1).replace(/\.0$/, "")}%`;
}

export const digitsFor = (pot) => (pot >= 1000 ? 0 : pot >= 100 ? 1 : pot >= 10 ? 2 : 3);
export const amount = (x, digits = 2) => (known(x) ? x.toFixed(digits).replace(/^-(0(\.0+)?)$/, "$1") : NONE);
export const signed = (x, digits = 2) => (known(x) ? `${x > 0 ? "+" : ""}${amount(x, digits)}` : NONE);
export const plain = (x) => (known(x) ? String(Math.round(x * 100) / 100) : NONE);
export const count = (x) => (known(x) ? Math.round(x).toLocaleString("en-US") : NONE);
// Seats as players write them: OOP, IP, SB; longer names as they are.
export const seat = (name) => (name && name.length <= 3 ? name.toUpperCase() : (name ?? ""));
export const combos = (x) => (known(x) ? String(Math.round(x * 10) / 10) : NONE);

// Three significant digits: 0.00312, 0.31, 12.4, 1,240.
export function figure(x) {
  if (!known(x)) return NONE;
  if (x === 0) return "0";
  if (Math.abs(x) >= 1000) return count(x);
  return String(Number(x.toPrecision(3)));
}

const COMPACT = new Intl.NumberFormat("en-US", { notation: "compact", maximumSignificantDigits: 3 });
// For the ticks of an axis: 0.31, 12, 7.5M.
export const tick = (x) => (Math.abs(x) >= 10000 ? COMPACT.format(x) : figure(x));

export function reached(x, unit) {
  if (!known(x)) return NONE;
  return unit?.startsWith("%") ? `${figure(x)}${unit}` : `${figure(x)} ${unit ?? ""}`.trim();
}

export function duration(seconds) {
  if (!known(seconds)) return NONE;
  if (seconds < 10) return `${seconds.toFixed(1)} s`;
  if (seconds < 90) return `${Math.round(seconds)} s`;
  if (seconds < 5400) return `${Math.floor(seconds / 60)} min ${Math.round(seconds % 60)} s`;
  return `${(seconds / 3600).toFixed(1)} h`;
}

export function memory(mb) {
  if (!known(mb)) return NONE;
  if (mb < 1) return "<1 MB";
  return mb < 1000 ? `${mb < 10 ? mb.toFixed(1) : Math.round(mb)} MB` : `${(mb / 1024).toFixed(mb < 10240 ? 2 : 1)} GB`;
}

// When something was changed: seconds since 1970 or an ISO text.
export function ago(when) {
  if (when === null || when === undefined) return NONE;
  const then = typeof when === "number" ? when * 1000 : Date.parse(when);
  const seconds = (Date.now() - then) / 1000;
  if (!Number.isFinite(seconds)) return NONE;
  if (seconds < 60) return "just now";
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ago`;
  if (seconds < 86400) return `${Math.floor(seconds / 3600)} h ago`;
  return new Date(then).toLocaleDateString();
}
