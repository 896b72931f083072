// Dealing several cards at once (a flop after preflop play): pick them or type them.
import { useTypedCards } from "../api.js";
import { BoardPicker } from "../board.js";
import { Cards, RANKS, randomCards } from "../cards.js";
import { html, useState } from "../html.js";
import { childLine } from "./node.js";

const MOST_NAMED = 60; // whole flops on screen, where only some were solved

export function DealPicker({ node, onGo }) {
  const [cards, setCards] = useState([]);
  const [text, setText] = useState("");
  const [error, setError] = useState(null);
  const { read, forget } = useTypedCards();
  const named = node.boards.slice(0, MOST_NAMED);
  const typed = (value) => {
    setText(value);
    setError(null);
    forget();
    if (value.trim()) read(value, (found) => setCards(found.slice(0, node.deal_count)), setError);
  };
  const pick = (list) => {
    forget();
    setCards(list);
    setText("");
  };
  const go = (list) => onGo(childLine(node.line, list, true));
  const random = () =>
    node.boards.length
      ? node.boards[Math.floor(Math.random() * node.boards.length)].split(" ")
      : randomCards(node.deal_count, node.deals);
  return html`
    <div class="panel pad deal-picker">
      <h2>Deal ${node.deal_count} cards</h2>
      <label class="field">
        <span>Cards</span>
        <input
          value=${text || cards.join(" ")} placeholder=${node.boards[0] ?? example(node.deals, node.deal_count)}
          onInput=${(event) => typed(event.currentTarget.value)}
        />
      </label>
      ${error && html`<p class="error" role="alert">${error}</p>`}
      <${BoardPicker} cards=${cards} most=${node.deal_count} from=${node.deals} onChange=${pick} />
      <div class="buttons">
        <button class="primary" disabled=${cards.length !== node.deal_count} onClick=${() => go(cards.join(" "))}>
          Deal
        </button>
        <button onClick=${() => pick(random())}>Random</button>
      </div>
      ${named.length > 0 && html`
        <h3>Flops that were solved, up to suits</h3>
        <div class="run-list">
          ${named.map((flop) => html`
            <button key=${flop} class="run" onClick=${() => go(flop)}><${Cards} cards=${flop.split(" ")} small /></button>
          `)}
        </div>
        ${node.boards.length > named.length && html`
          <p class="muted">and ${node.boards.length - named.length} more: type or pick them</p>
        `}
      `}
    </div>
  `;
}

// Cards that can come, one of each of the highest ranks: what the text box takes.
function example(deals, count) {
  const ranks = [...new Set(deals.map((card) => card[0]))].toSorted((a, b) => RANKS.indexOf(a) - RANKS.indexOf(b));
  return ranks
    .slice(0, count)
    .map((rank, i) => deals.filter((card) => card[0] === rank).at(-1 - (i % 2)) ?? "")
    .join(" ");
}
