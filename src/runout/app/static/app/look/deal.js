// Dealing several cards at once (a flop after preflop play): pick them or type them.
import { post } from "../api.js";
import { BoardPicker } from "../board.js";
import { randomCards } from "../cards.js";
import { html, useState } from "../html.js";
import { childLine } from "./node.js";

export function DealPicker({ node, onGo }) {
  const [cards, setCards] = useState([]);
  const [text, setText] = useState("");
  const [error, setError] = useState(null);
  const named = node.deals.filter((deal) => deal.length > 2).slice(0, 60); // whole flops, where only some are held
  const typed = async (value) => {
    setText(value);
    setError(null);
    if (!value.trim()) return;
    try {
      setCards((await post("/cards/parse", { text: value })).cards.slice(0, node.deal_count));
    } catch (problem) {
      setError(problem.message);
    }
  };
  const pick = (list) => {
    setCards(list);
    setText("");
  };
  const go = (list) => onGo(childLine(node.line, list, true));
  if (named.length)
    return html`
      <div class="panel pad">
        <h2>Deal</h2>
        <div class="run-list">
          ${named.map((flop) => html`<button key=${flop} class="run" onClick=${() => go(flop)}>${flop}</button>`)}
        </div>
      </div>
    `;
  return html`
    <div class="panel pad deal-picker">
      <h2>Deal ${node.deal_count} cards</h2>
      <label class="field">
        <span>Cards</span>
        <input
          value=${text || cards.join(" ")} placeholder="Qs Jh 2h" onInput=${(event) => typed(event.currentTarget.value)}
        />
      </label>
      ${error && html`<p class="error" role="alert">${error}</p>`}
      <${BoardPicker} cards=${cards} most=${node.deal_count} onChange=${pick} />
      <div class="buttons">
        <button class="primary" disabled=${cards.length !== node.deal_count} onClick=${() => go(cards.join(" "))}>
          Deal
        </button>
        <button onClick=${() => pick(randomCards(node.deal_count))}>Random</button>
      </div>
    </div>
  `;
}
