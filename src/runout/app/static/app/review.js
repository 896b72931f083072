// The Review page: paste or open played hands, solve them in the queue, and see them by what was lost.
import { post } from "./api.js";
import { Cards, Hand } from "./cards.js";
import { NONE, amount, known, seat } from "./format.js";
import { cls, html, useEffect, useMemo, useRef, useState } from "./html.js";
import { href, patch } from "./route.js";
import { toast } from "./toast.js";

const GRADES = ["best", "correct", "inaccuracy", "wrong", "blunder"];
const KEPT = "review"; // what was pasted, and which solution is of which hand: both outlive a reload
const ACTIVE = ["running", "queued", "paused"];

function kept() {
  try {
    return JSON.parse(localStorage.getItem(KEPT)) ?? {};
  } catch {
    return {};
  }
}

function keep(changes) {
  try {
    localStorage.setItem(KEPT, JSON.stringify({ ...kept(), ...changes }));
  } catch {
    // too large, or not allowed: it holds until the page is closed
  }
}

const keyOf = (hand) => `${hand.id}/${hand.board.join("")}/${hand.pot_bb}`;
const lostIn = (decisions) =>
  decisions ? decisions.filter(({ rare }) => !rare).reduce((sum, { ev_lost_bb }) => sum + (ev_lost_bb ?? 0), 0) : null;
const worstOf = (decisions) =>
  decisions?.filter(({ rare }) => !rare).reduce((a, b) => ((b.ev_lost_bb ?? 0) > (a?.ev_lost_bb ?? -1) ? b : a), null);

export function Review({ query, jobs }) {
  const [text, setText] = useState(() => kept().text ?? "");
  const [read, setRead] = useState(null);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState(null);
  const [asked, setAsked] = useState(() => kept().asked ?? {}); // job by key of a hand
  const [graded, setGraded] = useState({}); // decisions by key
  const waiting = useRef(new Set());

  const readNow = async (given) => {
    setBusy(true);
    setError(null);
    try {
      setRead(await post("/hands", { text: given }));
      keep({ text: given });
    } catch (problem) {
      setError(problem.message);
    } finally {
      setBusy(false);
    }
  };
  useEffect(() => {
    if (text) readNow(text);
  }, []);
  const opened = async (event) => {
    const [file] = event.currentTarget.files;
    if (!file) return;
    const found = await file.text();
    setText(found);
    readNow(found);
  };
  const solve = async (hand) => {
    try {
      const job = await post("/jobs", { spot: hand.spot, name: `Hand ${hand.number} ${hand.board.join("")}` });
      setAsked((before) => {
        const after = { ...before, [keyOf(hand)]: job.id };
        keep({ asked: after });
        return after;
      });
    } catch (problem) {
      toast(problem.message, "bad");
    }
  };
  const byId = useMemo(() => new Map(jobs.map((job) => [job.id, job])), [jobs]);
  const hands = read?.hands ?? [];
  // A hand whose solve is done is graded as soon as its job says so.
  useEffect(() => {
    for (const hand of hands) {
      const key = keyOf(hand);
      const job = byId.get(asked[key]);
      if (job?.state !== "done" || !job.solution || graded[key] || waiting.current.has(key)) continue;
      waiting.current.add(key);
      post("/hands/grade", { text, hand: hand.number, solution: job.solution }).then(
        (decisions) => setGraded((before) => ({ ...before, [key]: decisions })),
        (problem) => toast(`Hand ${hand.number}: ${problem.message}`, "bad"),
      );
    }
  }, [byId, asked, read]);

  const rows = hands
    .map((hand) => {
      const key = keyOf(hand);
      return { hand, key, job: byId.get(asked[key]), decisions: graded[key], lost: lostIn(graded[key]) };
    })
    .filter(({ hand, decisions }) => shown(query.show, hand, decisions))
    .sort((a, b) => (b.lost ?? -1) - (a.lost ?? -1) || a.hand.number - b.hand.number);
  const total = Object.values(graded).reduce((sum, decisions) => sum + lostIn(decisions), 0);
  const open = rows.find(({ hand }) => String(hand.number) === query.hand) ?? null;
  return html`
    <main class="page review">
      <div class="page-head"><h1>Review</h1></div>
      <section class="panel pad review-in" aria-label="Hands">
        <label class="field">
          Hands of PokerStars, GG, PHH or OHH
          <textarea
            rows="5" spellcheck="false" value=${text} placeholder="PokerStars Hand #… or variant = 'NT' …"
            onInput=${(event) => setText(event.currentTarget.value)}
          ></textarea>
        </label>
        <div class="buttons">
          <button class="primary" disabled=${busy || !text.trim()} onClick=${() => readNow(text)}>Read</button>
          <label class="file">Open a file <input type="file" accept=".txt,.phh,.phhs,.ohh,.jsonl" onChange=${opened} /></label>
        </div>
        ${error && html`<p class="error" role="alert">${error}</p>`}
      </section>
      ${read && html`
        <p role="status" class="muted">
          ${read.found} hands, ${hands.length} read and played again,
          ${" "}${hands.filter(({ spot }) => spot).length} can be graded
          ${Object.keys(graded).length ? ` · ${amount(total)} bb lost in ${Object.keys(graded).length} graded` : ""}
        </p>
        ${read.failures.length > 0 && html`
          <ul class="panel pad failures" aria-label="Hands that cannot be used">
            ${read.failures.map((one) => html`<li key=${one.hand}>hand ${one.hand}, line ${one.line}: ${one.why}</li>`)}
          </ul>
        `}
        ${hands.length > 0 && html`
          <div class="toolbar">
            <span class="segmented" role="group" aria-label="Show">
              ${["all", "can be graded", "mistakes"].map((each) => html`
                <button
                  key=${each} aria-pressed=${(query.show ?? "all") === each}
                  onClick=${() => patch({ show: each === "all" ? undefined : each }, { replace: true })}
                >
                  ${each}
                </button>
              `)}
            </span>
          </div>
          <div class="panel review-list">
            <table class="library">
              <thead>
                <tr>
                  <th scope="col">Hand</th>
                  <th scope="col">Board</th>
                  <th scope="col" class="num wide">Pot, bb</th>
                  <th scope="col" class="num">Lost, bb</th>
                  <th scope="col">Worst</th>
                  <th><span class="sr">Actions</span></th>
                </tr>
              </thead>
              <tbody>${rows.map((row) => html`<${Row} key=${row.key} row=${row} onSolve=${solve} />`)}</tbody>
            </table>
          </div>
        `}
        ${open && html`<${Decisions} row=${open} />`}
      `}
    </main>
  `;
}

function shown(show, hand, decisions) {
  if (show === "can be graded") return Boolean(hand.spot);
  if (show === "mistakes") return GRADES.indexOf(worstOf(decisions)?.grade) > 1;
  return true;
}

function Row({ row, onSolve }) {
  const { hand, job, decisions, lost } = row;
  const worst = worstOf(decisions);
  return html`
    <tr>
      <th scope="row">
        ${decisions ? html`
          <button class="quiet" onClick=${() => patch({ hand: hand.number }, { replace: true })}>Hand ${hand.number}</button>
        ` : `Hand ${hand.number}`}
        <span class="muted id">
          ${hand.players.map(({ name, cards }, i) => html`
            <span key=${i}>${i ? ", " : ""}${name} ${cards.length > 0 && html`<${Hand} name=${cards.join("")} />`}</span>
          `)}
        </span>
      </th>
      <td>${hand.board.length ? html`<${Cards} cards=${hand.board} small />` : NONE}</td>
      <td class="num wide">${amount(hand.pot_bb, 1)}</td>
      <td class="num">${known(lost) ? amount(lost) : NONE}</td>
      <td>${worst ? html`<span class=${cls("grade", worst.grade)}>${worst.grade}</span>` : NONE}</td>
      <td class="row-actions">
        ${decisions ? html`<a class="quiet" href=${href("look", job.solution, { line: worst?.line })}>Look</a>`
        : job ? html`<a class="quiet" href=${href("solve", "", { job: job.id })}>${
          ACTIVE.includes(job.state) ? job.state : job.state === "done" ? "grading…" : job.state
        }</a>`
        : hand.spot ? html`<button onClick=${() => onSolve(hand)} aria-label=${`Grade hand ${hand.number}`}>Grade</button>`
        : html`<span class="muted">${hand.why_not}</span>`}
      </td>
    </tr>
  `;
}

function Decisions({ row }) {
  const { hand, job, decisions } = row;
  if (!decisions) return null;
  return html`
    <section class="panel pad" aria-label=${`Decisions of hand ${hand.number}`}>
      <h2>Hand ${hand.number}</h2>
      <p class="muted">ranges: ${hand.ranges}</p>
      <div class="review-list">
        <table class="library">
          <thead>
            <tr>
              <th scope="col">Street</th><th scope="col">Player</th><th scope="col">Did</th><th scope="col">Best</th>
              <th scope="col" class="num">Lost, bb</th><th scope="col" class="num wide">of the pot</th>
              <th scope="col">Grade</th>
            </tr>
          </thead>
          <tbody>
            ${decisions.map((one) => html`
              <tr key=${one.line}>
                <th scope="row"><a href=${href("look", job.solution, { line: one.line })}>${one.street}</a></th>
                <td>${one.player} <span class="muted">${seat(one.seat)}</span> <${Hand} name=${one.hand} />${one.off_range ? " (off range)" : ""}</td>
                <td>${one.action}</td>
                <td>${one.best}</td>
                <td class="num">${amount(one.ev_lost_bb)}</td>
                <td class="num wide">${known(one.ev_lost_pct) ? `${amount(one.ev_lost_pct, 1)}%` : NONE}</td>
                <td><span class=${cls("grade", one.grade)}>${one.grade}</span>${one.rare ? " (rare)" : ""}</td>
              </tr>
            `)}
          </tbody>
        </table>
      </div>
    </section>
  `;
}
