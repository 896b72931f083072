// Keyboard shortcuts, and the overlay that lists them.
import { html, useEffect, useLayoutEffect, useRef } from "./html.js";

const typing = (target) =>
  target.closest?.("input:not([type=range]):not([type=checkbox]), textarea, select, [contenteditable]");

/* `keys`: {key: function}; a key pressed while typing, or with Ctrl, Alt or Meta, is not a shortcut. */
export function useKeys(keys) {
  const latest = useRef(keys);
  latest.current = keys;
  useLayoutEffect(() => {
    const pressed = (event) => {
      if (event.defaultPrevented || event.ctrlKey || event.altKey || event.metaKey) return;
      if (typing(event.target) || document.querySelector("dialog[open]")) return;
      const action = latest.current[event.key] ?? latest.current[event.key.toLowerCase()];
      if (!action) return;
      event.preventDefault();
      action(event);
    };
    window.addEventListener("keydown", pressed);
    return () => window.removeEventListener("keydown", pressed);
  }, []);
}

const HELP = [
  [
    "Everywhere",
    [
      ["?", "this help"],
      ["t", "dark or light"],
      ["g", "library"],
      ["f", "charts before the flop"],
      ["n", "new spot"],
      ["j", "solves"],
    ],
  ],
  [
    "Look",
    [
      ["1 … 9", "take an action"],
      ["← or Backspace", "one step back"],
      ["Home", "to the root"],
      ["[ and ]", "another card at the last deal"],
      ["s e q r w", "strategy, EV, equity, EQR, weight"],
      ["p", "the other player"],
      ["h b o u i m l y", "hands, breakdown, graph, run-outs, lines, compare, lock, tree"],
      ["/", "filter hands"],
      ["c", "copy the line"],
      ["Esc", "unpin and clear filters"],
      ["arrows", "move in the matrix, Enter pins; ← outside it goes back"],
      ["A h", "deal a card: its rank, then its suit"],
      ["$", "units: chips, bb, % of the pot"],
    ],
  ],
  [
    "Play",
    [
      ["1 … 9", "take an action"],
      ["c and a", "check or call, all-in"],
      ["b", "bet or raise to a size"],
      ["Enter or Space", "next hand"],
    ],
  ],
  [
    "Practice",
    [
      ["1 … 9", "take an action"],
      ["Enter or Space", "next hand"],
    ],
  ],
];

export function Help({ open, onClose }) {
  const dialog = useRef(null);
  useEffect(() => {
    if (open && !dialog.current.open) dialog.current.showModal();
    if (!open && dialog.current.open) dialog.current.close();
  }, [open]);
  return html`
    <dialog
      ref=${dialog} class="help" aria-label="Keyboard shortcuts" onClose=${onClose}
      onClick=${(event) => event.target === dialog.current && dialog.current.close()}
    >
      <header>
        <h2>Keyboard</h2>
        <button class="icon" aria-label="Close" onClick=${() => dialog.current.close()}>×</button>
      </header>
      <div class="help-columns">
        ${HELP.map(([title, rows]) => html`
          <section key=${title}>
            <h3>${title}</h3>
            <dl>
              ${rows.map(([key, what]) => html`<div key=${key}><dt><kbd>${key}</kbd></dt><dd>${what}</dd></div>`)}
            </dl>
          </section>
        `)}
      </div>
    </dialog>
  `;
}
