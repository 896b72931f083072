// The Practice page: play the solution, hand after hand, each decision graded with what it cost.
import { get, post, solution, useAsked } from "./api.js";
import { Card, Cards, isCard } from "./cards.js";
import { actionColors } from "./colors.js";
import { NONE, amount, figure, plain, share } from "./format.js";
import { cls, html, useEffect, useRef, useState } from "./html.js";
import { useKeys } from "./keys.js";
import { href, patch } from "./route.js";

const GRADES = ["best", "correct", "inaccuracy", "wrong", "blunder"];

export function Practice({ id, query }) {
  const { data: summary } = useAsked(() => solution(id), [id]);
  const [table, setTable] = useState(null);
  const [error, setError] = useState(null);
  const [busy, setBusy] = useState(false);
  const asked = useRef(false);

  const run = async (ask) => {
    if (busy) return;
    setBusy(true);
    setError(null);
    try {
      const next = await ask();
      setTable(next);
      patch({ table: next.id }, { replace: true });
    } catch (problem) {
      setError(problem.message);
    } finally {
      setBusy(false);
    }
  };
  const start = (seat) =>
    run(() =>
      post("/practice", { solution: id, seat: seat ?? query.seat ?? null, seed: null, line: query.line ?? "" }),
    );
  const act = (token) => run(() => post(`/practice/${table.id}/act`, { action: token }));
  const next = () => run(() => post(`/practice/${table.id}/next`));
  useEffect(() => {
    if (asked.current) return;
    asked.current = true;
    if (query.table) get(`/practice/${query.table}`).then(setTable, () => start());
    else start();
  }, []);
  const keys = {};
  table?.actions.forEach(({ token }, a) => {
    if (table.to_act === "you") keys[String(a + 1)] = () => act(token);
  });
  if (table?.to_act === "over") {
    keys.Enter = next;
    keys[" "] = next;
  }
  useKeys(keys);
  const changeSeat = (seat) => {
    patch({ seat }, { replace: true });
    start(seat);
  };
  return html`
    <main class="page practice">
      <div class="page-head">
        <div>
          <h1>Practice</h1>
          <p class="muted">${summary?.title ?? id}${query.line ? ` · from ${query.line}` : ""}</p>
        </div>
        ${table && html`<${Seats} table=${table} seat=${query.seat} onChange=${changeSeat} />`}
      </div>
      ${error && html`<p class="error" role="alert">${error}</p>`}
      ${table && html`
        <div class="practice-body">
          <section class="felt panel" aria-label="Table">
            <${Felt} table=${table} />
            ${table.to_act === "you" ? html`
              <div class="choices" role="group" aria-label="Your action">
                ${table.actions.map((action, a) => html`
                  <button
                    key=${action.token} class="choice" style=${`--tone:${colorOf(action, table.actions)}`}
                    disabled=${busy} onClick=${() => act(action.token)}
                  >
                    <kbd>${a + 1}</kbd>
                    ${action.name}
                  </button>
                `)}
              </div>
            ` : html`
              <div class="choices">
                <p class="result" role="status">${resultText(table)}</p>
                <button class="primary" disabled=${busy} onClick=${next}>Next hand <kbd>Enter</kbd></button>
              </div>
            `}
          </section>
          <aside class="practice-side">
            <${Feedback} table=${table} id=${id} />
            <${Score} score=${table.score} unit=${table.last?.unit} />
          </aside>
        </div>
      `}
    </main>
  `;
}

function Seats({ table, seat, onChange }) {
  const choices =
    table.seats ??
    (["SB", "BB"].includes(table.seat) ? ["SB", "BB"] : ["oop", "ip"].includes(table.seat) ? ["oop", "ip"] : null);
  if (!choices) return null;
  return html`
    <span class="segmented" role="group" aria-label="Seat">
      <button aria-pressed=${!seat} onClick=${() => onChange(undefined)}>any seat</button>
      ${choices.map((each) => html`
        <button key=${each} aria-pressed=${seat === each} onClick=${() => onChange(each)}>${each}</button>
      `)}
    </span>
  `;
}

const kindOf = ({ name, token }) =>
  /fold/.test(name)
    ? "fold"
    : /check/.test(name)
      ? "check"
      : /call/.test(name)
        ? "call"
        : /all-in/.test(name) || token === "a"
          ? "all-in"
          : "bet";
function colorOf(action, actions) {
  const views = actions.map((each, i) => ({ kind: each.kind ?? kindOf(each), size: each.size ?? 0.4 + 0.4 * i }));
  return actionColors(views)[actions.findIndex(({ token }) => token === action.token)];
}

function Felt({ table }) {
  const hand = table.hand.match(/[2-9TJQKA][cdhs]/g);
  const cards = hand && hand.join("") === table.hand ? hand : [table.hand];
  return html`
    <div class="felt-top">
      <span class="muted">pot</span> <b class="num">${plain(table.pot)}</b>
      ${table.stacks && html`
        <span class="muted">behind</span> <b class="num">${table.stacks.map(plain).join(" / ")}</b>
      `}
    </div>
    <div class="felt-board" aria-label="Board">
      ${table.board.length ? html`<${Cards} cards=${table.board} />` : html`<span class="muted">no board yet</span>`}
    </div>
    <ol class="felt-history" aria-label="So far">
      ${table.history.map((each, i) => html`
        <li key=${i} class=${cls(each.who === "you" && "you")}>
          ${isCard(each.action) ? html`<${Card} card=${each.action} small />` : html`
            <span class="muted">${each.who}</span> ${each.action}
          `}
        </li>
      `)}
    </ol>
    <div class="felt-hand">
      <span class="muted">your hand, ${table.seat}</span>
      <div>${cards.map((card) => html`<${Card} key=${card} card=${card} />`)}</div>
    </div>
  `;
}

function resultText({ result }) {
  if (!result) return "The hand is over.";
  const shown = result.shown ? `Opponent had ${result.shown}. ` : "";
  if (!result.won) return `${shown}You break even.`;
  return `${shown}You ${result.won > 0 ? "win" : "lose"} ${plain(Math.abs(result.won))}.`;
}

function lostText({ ev_lost: lost, unit }) {
  if (lost === null) return NONE;
  return lost > 0 ? `−${figure(lost)} ${unit ?? ""}` : "nothing lost";
}

function Feedback({ table, id }) {
  const { last } = table;
  if (!last)
    return html`
      <section class="panel pad feedback">
        <h2>Your turn</h2>
        <p class="muted">
          Act with the buttons or the number keys. Every decision is compared with the solution's mix.
        </p>
      </section>
    `;
  const colors = actionColors(
    last.mix.map((each, i) => ({ kind: each.kind ?? kindOf(each), size: each.size ?? 0.4 + 0.4 * i })),
  );
  const decision = table.history.findLast?.((each) => each.who === "you");
  return html`
    <section class="panel pad feedback" aria-live="polite">
      <header>
        <span class=${`grade ${last.grade}`}>${last.grade}</span>
        <span class="num">
          ${lostText(last)}
        </span>
      </header>
      <ul class="mix">
        ${last.mix.map((each, a) => html`
          <li key=${each.token} class=${cls(each.token === last.action && "yours")}>
            <i style=${`width:${(100 * (each.frequency ?? 0)).toFixed(1)}%;background:${colors[a]}`}></i>
            <span>${each.name}${each.token === last.action ? " (yours)" : ""}</span>
            <b class="num">${share(each.frequency)}</b>
            ${each.ev !== null && each.ev !== undefined && html`
              <span class="num muted">EV ${amount(each.ev, Math.abs(each.ev) >= 10 ? 1 : 2)}</span>
            `}
          </li>
        `)}
      </ul>
      ${decision?.line !== undefined && html`
        <a class="quiet" href=${href("look", id, { line: decision.line })}>Look at this decision</a>
      `}
    </section>
  `;
}

function Score({ score, unit }) {
  const total = GRADES.reduce((sum, grade) => sum + (score.by_grade?.[grade] ?? 0), 0);
  return html`
    <section class="panel pad score" aria-label="Score">
      <dl class="figures">
        <div><dt>hands</dt><dd class="num">${score.hands}</dd></div>
        <div><dt>decisions</dt><dd class="num">${score.decisions}</dd></div>
        <div>
          <dt>EV lost</dt>
          <dd class="num">
            ${figure(score.ev_lost)} <small class="muted">${score.ev_lost === null ? "" : (unit ?? "")}</small>
          </dd>
        </div>
      </dl>
      <div
        class="grade-bar" role="img"
        aria-label=${GRADES.map((grade) => `${grade} ${score.by_grade?.[grade] ?? 0}`).join(", ")}
      >
        ${total > 0 && GRADES.map((grade) => html`
          <i
            key=${grade} class=${grade} style=${`flex:${score.by_grade?.[grade] ?? 0}`}
            title=${`${grade}: ${score.by_grade?.[grade] ?? 0}`}
          ></i>
        `)}
      </div>
      <ul class="grades">
        ${GRADES.map((grade) => html`
          <li key=${grade}>
            <span class=${`dot ${grade}`}></span>
            ${grade} <b class="num">${score.by_grade?.[grade] ?? 0}</b>
          </li>
        `)}
      </ul>
    </section>
  `;
}
