// The Play page: a table, heads-up at any depth against the bot, every decision graded after the hand.
import { get, post, useAsked } from "./api.js";
import { Card, Cards } from "./cards.js";
import { actionColors } from "./colors.js";
import { figure } from "./format.js";
import { cls, html, useEffect, useRef, useState } from "./html.js";
import { useKeys } from "./keys.js";
import { isOpen, patch } from "./route.js";

const STACKS = [10, 20, 40, 100, 200];
const bb = (value) => `${figure(value)} bb`;
const signed = (value) => `${value > 0 ? "+" : value < 0 ? "−" : ""}${figure(Math.abs(value))}`;

export function Play({ query }) {
  const { data: places } = useAsked(() => get("/play"), []);
  const [table, setTable] = useState(null);
  const [error, setError] = useState(null);
  const [busy, setBusy] = useState(false);
  const asked = useRef(false);
  const size = useRef(null);

  const run = async (ask) => {
    if (busy) return;
    setBusy(true);
    setError(null);
    try {
      const next = await ask();
      setTable(next);
      if (isOpen("play")) patch({ table: next.id }, { replace: true });
    } catch (problem) {
      setError(problem.message);
    } finally {
      setBusy(false);
    }
  };
  const sit = (stack, keep) => {
    patch({ stack: String(stack), keep: keep ? "1" : undefined }, { replace: true });
    run(() => post("/play", { stack, keep }));
  };
  const act = (action) => run(() => post(`/play/${table.id}/act`, { action }));
  const next = () => run(() => post(`/play/${table.id}/next`));
  useEffect(() => {
    if (asked.current || !query.table) return;
    asked.current = true;
    get(`/play/${query.table}`).then(setTable, () => {});
  }, []);
  useEffect(() => {
    if (!table?.grading) return;
    post(`/play/${table.id}/grade`).then(({ id, graded, graded_hand, grading, score }) => {
      setTable((now) => now?.id !== id ? now : {
        ...now, graded, graded_hand, grading, score: score.hands < now.score.hands ? now.score : score,
      });
    }, (problem) => setError(problem.message));
  }, [table?.id, table?.grading, table?.score.hands]);

  const keys = {};
  if (table?.to_act === "you") {
    table.choices.forEach(({ token }, i) => {
      keys[String(i + 1)] = () => act(token);
    });
    keys.c = keys.x = () => act("c");
    keys.a = () => act("a");
    keys.b = () => size.current?.focus();
  } else if (table) keys.Enter = keys[" "] = next;
  useKeys(keys);

  return html`
    <main class="page practice">
      <div class="page-head">
        <div>
          <h1>Play</h1>
          <p class="muted">
            ${table
              ? `Hand ${table.number}, ${bb(table.stack)} each. The bot plays its blueprint of ${bb(table.blueprint)}.`
              : "Heads-up no-limit hold'em against the bot; every decision of yours is graded after the hand."}
          </p>
        </div>
      </div>
      <${Depth} table=${table} query=${query} places=${places} busy=${busy} onSit=${sit} />
      ${error && html`<p class="error" role="alert">${error}</p>`}
      ${table && html`
        <div class="practice-body">
          <section class="felt panel" aria-label="Table">
            <${Seat} name="Runout" button=${table.seat === "BB"} cards=${table.shown} behind=${table.behind[1]} bet=${table.bets[1]} />
            <div class="felt-middle">
              <div class="felt-board" aria-label="Board">
                ${table.board.length ? html`<${Cards} cards=${table.board} />` : html`<span class="muted">no board yet</span>`}
              </div>
              <div class="felt-top"><span class="muted">pot</span> <b class="num">${bb(table.pot)}</b></div>
            </div>
            <${Seat} name="You" button=${table.seat === "SB"} cards=${table.hand} behind=${table.behind[0]} bet=${table.bets[0]} own />
            <ol class="felt-history" aria-label="So far">
              ${table.history.map((each, i) => html`
                <li key=${i} class=${cls(each.who === "you" && "you")}>
                  ${each.who === "cards" ? html`<${Cards} cards=${each.text.split(" ")} small />` : html`
                    <span class="muted">${each.who}</span> ${each.text}
                  `}
                </li>
              `)}
            </ol>
            ${table.to_act === "you"
              ? html`<${Actions} table=${table} busy=${busy} onAct=${act} size=${size} />`
              : html`
                <div class="choices">
                  <p class="result" role="status">${table.result}</p>
                  <button class="primary" disabled=${busy} onClick=${next}>Next hand <kbd>Enter</kbd></button>
                </div>
              `}
          </section>
          <aside class="practice-side">
            <${Decisions} table=${table} />
            <${Score} score=${table.score} saved=${table.saved} />
          </aside>
        </div>
      `}
    </main>
  `;
}

function Depth({ table, query, places, busy, onSit }) {
  const [stack, setStack] = useState(query.stack ?? "100");
  const [keep, setKeep] = useState(query.keep === "1");
  const stacks = places?.stacks ?? [];
  return html`
    <form
      class="toolbar sit" aria-label="Table to sit down at"
      onSubmit=${(event) => {
    event.preventDefault();
    onSit(Number(stack), keep);
  }}
    >
      <label>
        Big blinds
        <input
          type="number" min="2" max="1000" step="any" required list="stacks" value=${stack}
          onInput=${(event) => setStack(event.currentTarget.value)}
        />
        <datalist id="stacks">${STACKS.map((each) => html`<option key=${each} value=${each}></option>`)}</datalist>
      </label>
      <label>
        <input type="checkbox" checked=${keep} onChange=${(event) => setKeep(event.currentTarget.checked)} />
        carry stacks on
      </label>
      <button class=${table ? "" : "primary"} disabled=${busy}>${table ? "New table" : "Sit down"}</button>
      <span class="muted">
        ${places && (stacks.length ? `blueprints of ${stacks.map((each) => figure(each)).join(", ")} bb` : "no blueprints here: train one, or open one with runout web RUN")}
      </span>
    </form>
  `;
}

function Seat({ name, button, cards, behind, bet, own }) {
  const hand = html`
    <div aria-label=${`${name === "You" ? "Your" : "Runout's"} cards`} role="group">
      ${cards.length
        ? cards.map((card) => html`<${Card} key=${card} card=${card} />`)
        : [0, 1].map((i) => html`<span key=${i} class="card back" role="img" aria-label="a card face down"></span>`)}
    </div>
  `;
  const stake = html`<span class=${cls("stake num", bet > 0 && "in")}>${bet > 0 ? bb(bet) : ""}</span>`;
  return html`
    <div class="seat">
      ${own && stake} ${own && hand}
      <span>
        ${button && html`<span class="dealer" title="Button">D</span>`} <b>${name}</b> <span class="num muted">${bb(behind)}</span>
      </span>
      ${!own && hand} ${!own && stake}
    </div>
  `;
}

function Actions({ table, busy, onAct, size }) {
  const [total, setTotal] = useState("");
  useEffect(() => setTotal(""), [table.history.length]);
  const colors = actionColors(table.choices.map(({ kind, amount }) => ({ kind, size: amount / Math.max(table.pot, 1) })));
  return html`
    <div class="choices" role="group" aria-label="Your action">
      ${table.choices.map((each, i) => html`
        <button key=${each.token} class="choice" style=${`--tone:${colors[i]}`} disabled=${busy} onClick=${() => onAct(each.token)}>
          <kbd>${i + 1}</kbd> ${each.name}
        </button>
      `)}
    </div>
    ${table.largest > 0 && html`
      <form
        class="size-form"
        onSubmit=${(event) => {
    event.preventDefault();
    if (!total) return;
    size.current.blur(); // so that keys are heard again
    onAct(total);
  }}
      >
        <label>
          Another size, in big blinds
          <input
            ref=${size} type="number" step="any" min=${table.smallest} max=${table.largest} value=${total}
            placeholder=${`${figure(table.smallest)}–${figure(table.largest)}`} onInput=${(event) => setTotal(event.currentTarget.value)}
          />
        </label>
        <button disabled=${busy || !total}>${table.bets[0] || table.bets[1] ? "Raise" : "Bet"}</button>
      </form>
    `}
  `;
}

const HOW = {
  chart: "Preflop: by the chart.",
  blueprint: "Flop: both play the blueprint from there on, over every turn and river.",
  solved: "Turn and river: solved exactly with the ranges that got there.",
};

function Decisions({ table }) {
  const { graded, graded_hand: hand, grading } = table;
  const turn = table.to_act !== "over" && html`
    <section class="panel pad">
      <h2>Your turn</h2>
      <p class="muted">Act with the buttons or the number keys; grades come when the hand is over.</p>
    </section>
  `;
  if (!hand && !grading) return turn;
  return html`
    ${turn}
    <section class="panel pad" aria-label="Your decisions">
      <h2>Your decisions${hand > 0 && ` in hand ${hand}`}</h2>
      ${grading && html`<p class="muted" role="status">The last hand is being graded…</p>`}
      ${graded.length ? html`
        <table class="decisions">
          <thead>
            <tr><th scope="col">street</th><th scope="col">played</th><th scope="col">best</th><th scope="col" class="num">bb lost</th></tr>
          </thead>
          <tbody>
            ${graded.map((each, i) => html`
              <tr key=${i}>
                <td class="muted">${each.street}</td>
                <td>${each.action}</td>
                <td>${each.exact ? "" : "≈ "}${each.best}</td>
                <td class="num"><span class=${`dot ${each.grade}`} title=${each.grade}></span> ${each.lost_bb.toFixed(2)}</td>
              </tr>
            `)}
          </tbody>
        </table>
        <p class="muted">
          ${[...new Set(graded.map((each) => HOW[each.how]))].join(" ")}
          ${graded.some((each) => !each.exact) && " ≈: the nearest size or stack that is known."}
        </p>
      ` : hand > 0 && html`<p class="muted">Nothing of yours could be graded.</p>`}
    </section>
  `;
}

function Score({ score, saved }) {
  const spread = (mean, interval) =>
    mean === null ? "–" : `${signed(mean)}${interval ? ` ± ${figure((interval[1] - interval[0]) / 2)}` : ""}`;
  return html`
    <section class="panel pad score" aria-label="Score">
      <dl class="figures">
        <div><dt>hands</dt><dd class="num">${score.hands}</dd></div>
        <div><dt>won</dt><dd class="num">${signed(score.won_bb)} bb</dd></div>
        <div><dt>raw, bb/100</dt><dd class="num">${spread(score.raw, score.raw_interval)}</dd></div>
        <div><dt>without luck (AIVAT)</dt><dd class="num">${spread(score.adjusted, score.adjusted_interval)}</dd></div>
        <div><dt>lost by decisions</dt><dd class="num">${figure(score.lost_bb)} bb</dd></div>
      </dl>
      ${score.hands > 0 && saved && html`<p class="muted">Hands are saved in the library: .played/${saved}</p>`}
    </section>
  `;
}
