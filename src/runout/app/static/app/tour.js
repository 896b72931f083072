// A short tour: a card in the corner that leads from page to page and says what each is for.
import { html, useEffect, useState } from "./html.js";
import { go, href } from "./route.js";

const STEPS = [
  { to: href("charts", "", { line: "SBr2.5 BBr10" }), title: "Charts", text: "What to do before the flop, from 10 to 200 big blinds. Choose a stack and a situation; point at a hand to see how often it does what, and what each action is worth." },
  { to: href("look", "ready/4-bet-pot-flop"), title: "Look", text: "A solved spot. Click an action or press its number to go on; the strip above leads back. Tabs have every combo, kinds of hands, run-outs; Lock and Tree change the game and solve it again." },
  { to: href("practice", "ready/4-bet-pot-flop"), title: "Practice", text: "You are dealt a hand of the solution and play against it. Every action is graded by the EV that it gives away, and kept, so that you can repeat your mistakes." },
  { to: href("spot"), title: "New spot", text: "Take ranges from the charts with one click, choose a board and sizes, and solve. The bar below says how much memory that takes." },
  { to: href("review"), title: "Review", text: "Paste hands that you played (PokerStars, GG, PHH): they are solved with the sizes that were really bet, and listed by what they lost." },
];

let open = () => {};
export const startTour = () => open();

export function Tour() {
  const [at, setAt] = useState(null);
  useEffect(() => {
    open = () => setAt(0);
  }, []);
  useEffect(() => {
    if (at !== null) go(STEPS[at].to);
  }, [at]);
  if (at === null) return null;
  const { title, text } = STEPS[at];
  const last = at === STEPS.length - 1;
  return html`
    <aside class="tour panel" role="dialog" aria-label="Tour">
      <p><b>${title}</b> <span class="muted num">${at + 1} of ${STEPS.length}</span></p>
      <p>${text}</p>
      <p class="buttons">
        <button class="primary" onClick=${() => setAt(last ? null : at + 1)}>${last ? "Done" : "Next"}</button>
        ${at > 0 && html`<button onClick=${() => setAt(at - 1)}>Back</button>`}
        <button class="quiet" onClick=${() => setAt(null)}>End the tour</button>
      </p>
    </aside>
  `;
}
