// The 13x13 grid of classes: a grid for screen readers, arrow keys move, pointer events are told by class number.
import { cls, html, useEffect, useRef, useState } from "./html.js";

const STEPS = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };

/* `cell(k)` gives {fill, height, text, value, label, dim}; `paint` turns dragging on: {start(k), over(k), end()}. */
export function Matrix({ label, classes, cell, pinned, onHover, onPick, paint }) {
  const [focus, setFocus] = useState(0); // place in reading order of the one cell that Tab reaches
  const grid = useRef(null);
  const painting = useRef(false);
  const order = classes.matrix.flat();

  const at = (event) => {
    const found = event.target.closest?.("[data-k]");
    return found ? Number(found.dataset.k) : null;
  };
  const keydown = (event) => {
    const step = STEPS[event.key];
    if (step && !event.altKey && !event.ctrlKey && !event.metaKey) {
      const [row, column] = [Math.floor(focus / 13) + step[0], (focus % 13) + step[1]];
      if (row < 0 || column < 0 || row > 12 || column > 12) return;
      setFocus(13 * row + column);
      grid.current.querySelector(`[data-k="${order[13 * row + column]}"]`).focus();
      onHover?.(order[13 * row + column]);
    } else if (event.key === "Enter" || event.key === " ") {
      if (paint) {
        paint.start(order[focus]);
        paint.end();
      } else onPick?.(order[focus]);
    } else return;
    event.preventDefault();
    event.stopPropagation();
  };
  useEffect(() => {
    if (!paint) return undefined;
    const end = () => {
      if (painting.current) paint.end();
      painting.current = false;
    };
    window.addEventListener("pointerup", end);
    window.addEventListener("pointercancel", end);
    return () => {
      window.removeEventListener("pointerup", end);
      window.removeEventListener("pointercancel", end);
    };
  });
  const pointerdown = (event) => {
    const k = at(event);
    if (k === null || event.button) return;
    setFocus(order.indexOf(k));
    if (!paint) return;
    event.target.releasePointerCapture?.(event.pointerId);
    painting.current = true;
    paint.start(k);
  };
  const pointermove = (event) => {
    if (!painting.current) return;
    const found = document.elementFromPoint(event.clientX, event.clientY)?.closest?.("[data-k]");
    if (found && grid.current.contains(found)) paint.over(Number(found.dataset.k));
  };

  return html`
    <div
      ref=${grid} class=${cls("matrix", paint && "paintable")} role="grid" aria-label=${label} aria-rowcount="13"
      aria-colcount="13" onKeyDown=${keydown} onPointerDown=${pointerdown} onPointerMove=${paint && pointermove}
      onPointerOver=${onHover && ((event) => event.pointerType !== "touch" && onHover(at(event)))}
      onPointerLeave=${onHover && (() => onHover(null))}
      onClick=${onPick && ((event) => at(event) !== null && onPick(at(event)))}
    >
      ${classes.matrix.map((row, r) => html`
        <div role="row" class="matrix-row" key=${r}>
          ${row.map((k, c) => html`
            <${Cell}
              key=${k} k=${k} name=${classes.names[k]} tab=${focus === 13 * r + c} pinned=${pinned === k} ...${cell(k)}
            />
          `)}
        </div>
      `)}
    </div>
  `;
}

function Cell({ k, name, tab, pinned, fill, height = 1, value, label, dim, ink }) {
  const style = fill && height > 0 ? `background-image:${fill};background-size:100% ${(100 * height).toFixed(1)}%` : "";
  return html`
    <div
      role="gridcell" class=${cls("cell", !fill && "empty", dim && "dim", pinned && "pinned", ink)} data-k=${k}
      tabindex=${tab ? 0 : -1} aria-label=${label ? `${name}: ${label}` : name} aria-selected=${pinned} style=${style}
    >
      <span class="cell-name">${name}</span>
      ${value !== undefined && value !== null && html`<span class="cell-value">${value}</span>`}
    </div>
  `;
}

export const COVERED = 0.88; // height from which the fill lies under the name

// Whether dark or light text is read better over the left of a filled cell.
export function inkOver(colors, frequencies, height) {
  if (height < COVERED) return "";
  let left = 0.7;
  let light = 0;
  for (let a = 0; a < frequencies.length && left > 0; a++) {
    const part = Math.min(left, frequencies[a] ?? 0);
    light += part * luminance(colors[a]);
    left -= part;
  }
  return light / (0.7 - left || 1) > 0.2 ? "ink-dark" : "ink-light";
}

const known = new Map();
function luminance(color) {
  if (!known.has(color)) {
    const parts = color.startsWith("#")
      ? color.match(/\w\w/g).map((x) => parseInt(x, 16))
      : color.match(/\d+/g).map(Number);
    const [r, g, b] = parts.map((x) => (x / 255 <= 0.04045 ? x / 255 / 12.92 : ((x / 255 + 0.055) / 1.055) ** 2.4));
    known.set(color, 0.2126 * r + 0.7152 * g + 0.0722 * b);
  }
  return known.get(color);
}
