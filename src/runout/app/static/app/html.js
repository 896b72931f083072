// Preact, its hooks and htm under one name each.
import { h, render } from "../vendor/preact.js";
import htm from "../vendor/htm.js";

export { useState, useEffect, useLayoutEffect, useMemo, useRef, useCallback } from "../vendor/hooks.js";
export { render };
export const html = htm.bind(h);

// Joins class names, leaving out what is false.
export const cls = (...names) => names.filter(Boolean).join(" ");
