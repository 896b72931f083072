// A called pot of a chart: choose a flop, and solve it at once or set it up, with the ranges, pot and stack of the line.
import * as api from "../api.js";
import { post, useAsked, useTypedCards } from "../api.js";
import { BoardPicker } from "../board.js";
import { randomCards, splitCards } from "../cards.js";
import { html, useEffect, useRef, useState } from "../html.js";
import { go, href, isOpen, patch } from "../route.js";
import { flatten } from "../spot/model.js";

export function FlopPanel({ chart, node, query }) {
  const [text, setText] = useState(query.board ?? "");
  const [problem, setProblem] = useState(null);
  const [busy, setBusy] = useState(false);
  const box = useRef(null);
  const { read, forget } = useTypedCards();
  useEffect(() => box.current?.focus({ preventScroll: true }), [node.line]);
  const cards = splitCards(query.board ?? "");
  const board = cards.length >= 3 ? cards.join(" ") : undefined; // sizes are chosen by what the tree takes on it
  const found = useAsked(() => api.lineSpot(chart.id, node.line, board), [chart.id, node.line, board]);
  const typed = (value) => {
    setText(value);
    read(
      value,
      (found) => {
        setProblem(null);
        if (isOpen("charts")) patch({ board: found.join(" ") }, { replace: true });
      },
      setProblem,
    );
  };
  const pick = (next) => {
    forget();
    setText(next.join(" "));
    setProblem(null);
    patch({ board: next.join(" ") }, { replace: true });
  };
  const spot = found.data && { ...found.data, board: cards.join(" ") };
  const whole = cards.length >= 3 && cards.length <= 5 && !problem;
  const solve = async (event) => {
    event.preventDefault();
    if (!whole || !spot) return;
    setBusy(true);
    try {
      const job = await post("/jobs", { spot, name: `${spot.board.replaceAll(" ", "")} ${chart.stack} bb ${node.line}`.slice(0, 60) });
      go(href("solve", "", { job: job.id }));
    } catch (error) {
      setProblem(error.message);
    } finally {
      setBusy(false);
    }
  };
  const sizes = spot?.betting;
  return html`
    <form class="flop-panel panel pad" aria-label="To the flop" onSubmit=${solve}>
      <header class="page-head">
        <h2>To the flop</h2>
        <span class="muted num">pot ${node.pot} · ${Math.min(...(node.stacks ?? [0]))} behind, bb</span>
      </header>
      <label class="field">
        <span class="sr">Flop</span>
        <input
          ref=${box} aria-label="Flop" value=${text} placeholder="QsJh2h" autocomplete="off" spellcheck=${false}
          onInput=${(event) => typed(event.currentTarget.value)}
        />
      </label>
      <${BoardPicker} cards=${cards} onChange=${pick} />
      ${problem && html`<p class="error" role="alert">${problem}</p>`}
      ${found.error && html`<p class="error" role="alert">${found.error.message}</p>`}
      ${sizes && html`
        <p class="hint">
          Bets ${sizes.flop.bet}% on the flop, ${sizes.turn.bet}% on the turn, ${sizes.river.bet}% on the river; at most ${sizes.max_bets} a street. Set up to change them.
        </p>
      `}
      <div class="buttons">
        <button class="primary" disabled=${!whole || !spot || busy}>${busy ? "Starting…" : "Solve"}</button>
        <button
          type="button" disabled=${!spot}
          onClick=${() => go(href("spot", "", flatten({ ...spot, board: whole ? spot.board : found.data.board })))}
        >
          Set up
        </button>
        <button type="button" class="quiet" onClick=${() => pick(randomCards(3))}>Random flop</button>
      </div>
    </form>
  `;
}
