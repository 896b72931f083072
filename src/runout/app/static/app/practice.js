// The Practice page: play the solution, hand after hand, each decision graded with what it cost.
import { get, post, query as ask, situations, solution, useAsked } from "./api.js";
import { Card, Cards, Hand, isCard } from "./cards.js";
import { actionColors } from "./colors.js";
import { NONE, figure, seat, share } from "./format.js";
import { cls, html, useEffect, useRef, useState } from "./html.js";
import { useKeys } from "./keys.js";
import { go, href, isOpen, patch } from "./route.js";
import { toast } from "./toast.js";
import { UnitSwitch, measure, nextUnits, useUnits } from "./units.js";

const GRADES = ["best", "correct", "inaccuracy", "wrong", "blunder"];

const CLOCKS = ["", "5", "10", "20"]; // seconds a decision
const STREETS = ["preflop", "flop", "turn", "river"];

// What a session asks for, as the address says it.
const drillOf = (query) => ({
  seat: query.seat ?? null,
  line: query.line ?? "",
  streets: query.streets ? query.streets.split(",") : [],
  hands: query.hands ?? "",
  close: query.close === "1",
  single: query.single === "1",
});

export function Practice({ id, query }) {
  const { data: summary } = useAsked(() => solution(id), [id]);
  const [table, setTable] = useState(null);
  const [error, setError] = useState(null);
  const [busy, setBusy] = useState(false);
  const [decided, setDecided] = useState(0); // counts decisions, so that the history is read again
  const [repeating, setRepeating] = useState(null); // mistakes that are still to be repeated
  const asked = useRef(false);
  const units = useUnits();

  const run = async (ask) => {
    if (busy) return;
    setBusy(true);
    setError(null);
    try {
      const next = await ask();
      setTable(next);
      if (isOpen("practice")) patch({ table: next.id }, { replace: true });
    } catch (problem) {
      setError(problem.message);
    } finally {
      setBusy(false);
    }
  };
  const sit = (changes = {}) => post("/practice", { solution: id, seed: null, ...drillOf({ ...query, ...changes }) });
  const start = (changes = {}) => run(() => sit(changes));
  // Asks the table; one that a server which was started again does not know is replaced.
  const atTable = (path, body) =>
    run(() =>
      post(`/practice/${table.id}/${path}`, body).catch(async (problem) => {
        if (problem.status !== 404) throw problem;
        const other = await sit();
        if (path === "again") return post(`/practice/${other.id}/again`, body);
        toast("The server was started again: a new hand is dealt");
        return other;
      }),
    );
  const change = (changes) => {
    patch(changes, { replace: true });
    setRepeating(null);
    start(changes);
  };
  const act = async (token) => {
    await atTable("act", { action: token });
    setDecided((n) => n + 1);
  };
  const repeat = (mistakes) => {
    const [first, ...rest] = mistakes;
    setRepeating(rest);
    atTable("again", { line: first.line, hand: first.hand });
  };
  const seconds = Number(query.clock) || 0; // that a decision may take; 0: as long as you like
  const mine = table?.to_act === "you" ? `${table.id}/${table.history.length}/${table.score.decisions}` : null;
  const left = useClock(seconds, mine, () => {
    toast("Time is up");
    act(table.actions[0].token); // fold, or check
  });
  const next = () => (repeating?.length ? repeat(repeating) : atTable("next"));
  useEffect(() => {
    if (asked.current) return;
    asked.current = true;
    if (query.table) get(`/practice/${query.table}`).then(setTable, () => start());
    else start();
  }, []);
  const keys = { $: nextUnits };
  table?.actions.forEach(({ token }, a) => {
    if (table.to_act === "you") keys[String(a + 1)] = () => act(token);
  });
  if (table?.to_act === "over") {
    keys.Enter = next;
    keys[" "] = next;
  }
  useKeys(keys);
  return html`
    <main class="page practice">
      <div class="page-head">
        <div>
          <h1>Practice</h1>
          <p class="muted">
            ${summary?.title ?? id}${query.line ? ` · from ${query.line}` : ""}
            ${repeating ? ` · repeating mistakes, ${repeating.length} left` : ""}
          </p>
        </div>
        <span class="buttons">
          <${Games} id=${id} query=${query} preflop=${summary?.kind === "preflop"} />
          ${table && html`<${UnitSwitch} of=${table} />`}
        </span>
      </div>
      ${table && html`<${Settings} table=${table} drill=${drillOf(query)} clock=${query.clock} onChange=${change} />`}
      ${error && html`<p class="error" role="alert">${error}</p>`}
      ${table && html`
        <div class="practice-body">
          <section class="felt panel" aria-label="Table">
            <${Felt} table=${table} units=${units} />
            ${left !== null && html`
              <p class="clock" role="timer" aria-label="Time left">
                <i class=${cls(left < seconds / 3 && "late")} style=${`width:${((100 * left) / seconds).toFixed(1)}%`}></i>
                <b class="num">${Math.ceil(left)} s</b>
              </p>
            `}
            ${table.to_act === "you" ? html`
              <div class="choices" role="group" aria-label="Your action">
                ${table.actions.map((action, a) => html`
                  <button
                    key=${action.token} class="choice" style=${`--tone:${colorOf(action, table.actions)}`}
                    disabled=${busy} onClick=${() => act(action.token)}
                  >
                    <kbd>${a + 1}</kbd>
                    ${measure(table, units).name(action)} <small class="muted">${measure(table, units).part(action)}</small>
                  </button>
                `)}
              </div>
            ` : html`
              <div class="choices">
                <p class="result" role="status"><${Ending} table=${table} units=${units} /></p>
                <button class="primary" disabled=${busy} onClick=${next}>
                  ${repeating?.length ? "Next mistake" : "Next hand"} <kbd>Enter</kbd>
                </button>
              </div>
            `}
          </section>
          <aside class="practice-side">
            <${Feedback} table=${table} id=${id} units=${units} />
            <${Score} score=${table.score} table=${table} units=${units} />
          </aside>
        </div>
        <${History} id=${id} table=${table} units=${units} decided=${decided} onRepeat=${repeat} />
      `}
    </main>
  `;
}

// Counts down while it is your turn; `turn` names the decision, null where there is none.
function useClock(seconds, turn, onEnd) {
  const [left, setLeft] = useState(null);
  const end = useRef(onEnd);
  end.current = onEnd;
  useEffect(() => {
    if (!seconds || turn === null) {
      setLeft(null);
      return undefined;
    }
    const until = performance.now() + 1000 * seconds;
    setLeft(seconds);
    const timer = setInterval(() => {
      const rest = (until - performance.now()) / 1000;
      setLeft(Math.max(0, rest));
      if (rest <= 0) {
        clearInterval(timer);
        end.current();
      }
    }, 200);
    return () => clearInterval(timer);
  }, [seconds, turn]);
  return left;
}

// Which game is practised, and, before the flop, from which situation on.
function Games({ id, query, preflop }) {
  const { data: own } = useAsked(() => get("/library"), []);
  const { data: ready } = useAsked(() => get("/ready"), []);
  const { data: charts } = useAsked(() => get("/charts"), []);
  const { data: named } = useAsked(() => (preflop ? situations(id) : Promise.resolve([])), [id, preflop]);
  const groups = [
    ["Library", (own ?? []).filter(({ kind }) => kind !== "tabular").map((row) => [row.id, row.name || row.title])],
    ["Ready", (ready ?? []).map((each) => [each.id, each.name])],
    ["Charts", (charts ?? []).filter(({ shipped }) => shipped).map((each) => [each.id, `preflop ${each.stack} bb`])],
  ];
  const decisions = (named ?? []).filter(({ kind }) => kind === "decision");
  const known = groups.some(([, rows]) => rows.some(([each]) => each === id));
  return html`
    <select aria-label="Game" onChange=${(event) => go(href("practice", event.currentTarget.value))}>
      ${!known && html`<option selected value=${id}>${id}</option>`}
      ${groups.map(([name, rows]) => rows.length > 0 && html`
        <optgroup key=${name} label=${name}>
          ${rows.map(([each, title]) => html`<option key=${each} value=${each} selected=${each === id}>${title}</option>`)}
        </optgroup>
      `)}
    </select>
    ${decisions.length > 0 && html`
      <select
        aria-label="Situation"
        onChange=${(event) => {
    const chosen = decisions.find(({ line }) => line === event.currentTarget.value);
    const asked = chosen.line ? chosen.name.split(" ")[0] : undefined; // whoever acts there
    go(href("practice", id, { ...query, table: undefined, line: chosen.line || undefined, seat: asked }));
  }}
      >
        ${decisions.map(({ line, name }) => html`
          <option key=${line} value=${line} selected=${line === (query.line ?? "")}>${line ? name : "from the start"}</option>
        `)}
      </select>
    `}
  `;
}

function Settings({ table, drill, clock, onChange }) {
  const [hands, setHands] = useState(drill.hands);
  const streets = table.streets.length > 1 ? STREETS.filter((each) => table.streets.includes(each)) : [];
  const turned = (street) => {
    const next = drill.streets.includes(street)
      ? drill.streets.filter((each) => each !== street)
      : [...drill.streets, street];
    onChange({ streets: next.join(",") || undefined });
  };
  return html`
    <div class="toolbar drill" role="group" aria-label="What to practise">
      <span class="segmented" role="group" aria-label="Seat">
        <button aria-pressed=${!drill.seat} onClick=${() => onChange({ seat: undefined })}>any seat</button>
        ${table.seats.map((each) => html`
          <button key=${each} aria-pressed=${drill.seat === each} onClick=${() => onChange({ seat: each })}>${seat(each)}</button>
        `)}
      </span>
      ${streets.length > 1 && html`
        <span class="segmented" role="group" aria-label="Streets">
          <button aria-pressed=${!drill.streets.length} onClick=${() => onChange({ streets: undefined })}>all streets</button>
          ${streets.map((each) => html`
            <button key=${each} aria-pressed=${drill.streets.includes(each)} onClick=${() => turned(each)}>${each}</button>
          `)}
        </span>
      `}
      <span class="segmented" role="group" aria-label="Decisions">
        <button aria-pressed=${!drill.close} onClick=${() => onChange({ close: undefined })}>all decisions</button>
        <button
          aria-pressed=${drill.close} title="Only where the solution mixes" onClick=${() => onChange({ close: "1" })}
        >
          close ones
        </button>
      </span>
      <span class="segmented" role="group" aria-label="Clock">
        ${CLOCKS.map((each) => html`
          <button
            key=${each} aria-pressed=${(clock ?? "") === each} title="Time for a decision; when it is up you fold or check"
            onClick=${() => patch({ clock: each || undefined }, { replace: true })}
          >
            ${each ? `${each} s` : "no clock"}
          </button>
        `)}
      </span>
      <span class="segmented" role="group" aria-label="Length">
        <button aria-pressed=${!drill.single} onClick=${() => onChange({ single: undefined })}>whole hands</button>
        <button aria-pressed=${drill.single} onClick=${() => onChange({ single: "1" })}>one decision</button>
      </span>
      <form
        onSubmit=${(event) => {
    event.preventDefault();
    onChange({ hands: hands.trim() || undefined });
  }}
      >
        <input
          type="search" aria-label="Your hands" placeholder="Your hands: all" value=${hands}
          onInput=${(event) => setHands(event.currentTarget.value)} onChange=${() => onChange({ hands: hands.trim() || undefined })}
        />
      </form>
    </div>
  `;
}

// What was practised before, over all sessions: what it cost by street and kind of hand, and mistakes to repeat.
function History({ id, table, units, decided, onRepeat }) {
  const { data } = useAsked(() => get(`/practice/history?${ask({ solution: id })}`), [id, decided]);
  if (!data?.streets.length) return null;
  const said = (name) => measure(table, units === "pot" ? "chips" : units).name({ name });
  return html`
    <section class="panel pad history" aria-label="History">
      <header class="page-head">
        <h2>All sessions</h2>
        ${data.mistakes.length > 0 && html`
          <button onClick=${() => onRepeat(data.mistakes.slice(0, 20))}>
            Repeat ${Math.min(20, data.mistakes.length)} ${data.mistakes.length === 1 ? "mistake" : "mistakes"}
          </button>
        `}
      </header>
      <div class="history-tables">
        <${Sums} title="By street" rows=${data.streets} />
        <${Sums} title="By hand" rows=${data.hands.slice(0, 8)} />
        <${Sums} title="By line" rows=${data.lines.slice(0, 8)} />
        <${Sums} title="By day" rows=${data.days.slice(-8)} />
        <${Sums} title="By session" rows=${data.sessions.slice(-8).map((each) => ({ ...each, name: each.name.slice(5) }))} />
      </div>
      ${data.mistakes.length > 0 && html`
        <ul class="mistakes" aria-label="Mistakes">
          ${data.mistakes.slice(0, 10).map((each) => html`
            <li key=${each.id}>
              <span class=${`dot ${each.grade}`}></span>
              <${Hand} name=${each.hand} /> <span class="muted">${seat(each.seat)}, ${each.street}</span>
              <a href=${href("look", id, { line: each.line, q: each.hand })}>${each.line || "root"}</a>
              <span>played <b>${said(each.action)}</b>, best <b>${said(each.best)}</b></span>
              <span class="num">${lossText(each)}</span>
              <button class="quiet" onClick=${() => onRepeat([each])}>Again</button>
            </li>
          `)}
        </ul>
      `}
    </section>
  `;
}

const lossText = ({ lost_bb: bb, lost_pot: pot }) =>
  [bb !== null && `${figure(bb)} bb`, pot !== null && `${figure(100 * pot)}% of the pot`].filter(Boolean).join(" · ") || NONE;

function Sums({ title, rows }) {
  return html`
    <table class="groups">
      <caption>${title}</caption>
      <thead>
        <tr>
          <th scope="col"></th>
          <th scope="col">decisions</th>
          <th scope="col">mistakes</th>
          <th scope="col">bb lost</th>
          <th scope="col">% of pot</th>
        </tr>
      </thead>
      <tbody>
        ${rows.map((row) => html`
          <tr key=${row.name}>
            <th scope="row">${row.name || "root"}</th>
            <td class="num">${row.decisions}</td>
            <td class="num">${row.mistakes}</td>
            <td class="num">${figure(row.lost_bb)}</td>
            <td class="num">${row.lost_pot === null ? NONE : figure(100 * row.lost_pot)}</td>
          </tr>
        `)}
      </tbody>
    </table>
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

function Felt({ table, units }) {
  const { chips, name } = measure(table, units === "pot" ? "chips" : units);
  const hand = table.hand.match(/[2-9TJQKA][cdhs]/g);
  const cards = hand && hand.join("") === table.hand ? hand : [table.hand];
  return html`
    <div class="felt-top">
      <span class="muted">pot</span> <b class="num">${chips(table.pot)}</b>
      ${table.stacks && html`
        <span class="muted">behind</span> <b class="num">${table.stacks.map(chips).join(" / ")}</b>
      `}
    </div>
    <div class="felt-board" aria-label="Board">
      ${table.board.length ? html`<${Cards} cards=${table.board} />` : html`<span class="muted">no board yet</span>`}
    </div>
    <ol class="felt-history" aria-label="So far">
      ${table.history.map((each, i) => html`
        <li key=${i} class=${cls(each.who === "you" && "you")}>
          ${isCard(each.action) ? html`<${Card} card=${each.action} small />` : html`
            <span class="muted">${each.who}</span> ${name({ name: each.action })}
          `}
        </li>
      `)}
    </ol>
    <div class="felt-hand">
      <span class="muted">your hand, ${seat(table.seat)}</span>
      <div>${cards.map((card) => html`<${Card} key=${card} card=${card} />`)}</div>
    </div>
  `;
}

function Ending({ table, units }) {
  const { result } = table;
  if (!result || (!result.shown && result.won === null)) return "One decision, and on to the next.";
  const { chips } = measure(table, units === "pot" ? "chips" : units);
  const shown = result.shown ? html`Opponent had <${Hand} name=${result.shown} />. ` : "";
  if (!result.won) return html`${shown}You break even.`;
  return html`${shown}You ${result.won > 0 ? "win" : "lose"} ${chips(Math.abs(result.won))}.`;
}

// What a decision lost: in the units chosen, and as a share of the pot.
function lostText({ ev_lost: lost, pot, unit, big_blind }, units) {
  if (lost === null) return NONE;
  if (!(lost > 0)) return "nothing lost";
  const { ev, unit: named } = measure({ pot, unit, big_blind }, units);
  const part = `${figure((100 * lost) / pot)}% of the pot`;
  return units === "pot" ? `−${part}` : `−${ev(lost)} ${named} · ${part}`;
}

function Feedback({ table, id, units }) {
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
  const { ev, name } = measure({ pot: last.pot, unit: last.unit, big_blind: last.big_blind }, units);
  return html`
    <section class="panel pad feedback" aria-live="polite">
      <header>
        <span class=${`grade ${last.grade}`}>${last.grade}</span>
        <span class="num">
          ${lostText(last, units)}
        </span>
      </header>
      <ul class="mix">
        ${last.mix.map((each, a) => html`
          <li key=${each.token} class=${cls(each.token === last.action && "yours")}>
            <i style=${`width:${(100 * (each.frequency ?? 0)).toFixed(1)}%;background:${colors[a]}`}></i>
            <span>${name(each)}${each.token === last.action ? " (yours)" : ""}</span>
            <b class="num">${share(each.frequency)}</b>
            ${each.ev !== null && each.ev !== undefined && html`
              <span class="num muted">EV ${ev(each.ev)}</span>
            `}
          </li>
        `)}
      </ul>
      <a class="quiet" href=${href("look", id, { line: last.line, q: last.hand })}>Look at this decision</a>
    </section>
  `;
}

function Score({ score, table, units }) {
  const { ev, unit } = measure(table, units === "pot" ? "chips" : units);
  const total = GRADES.reduce((sum, grade) => sum + (score.by_grade?.[grade] ?? 0), 0);
  return html`
    <section class="panel pad score" aria-label="Score">
      <dl class="figures">
        <div><dt>hands</dt><dd class="num">${score.hands}</dd></div>
        <div><dt>decisions</dt><dd class="num">${score.decisions}</dd></div>
        <div>
          <dt>EV lost</dt>
          <dd class="num">
            ${ev(score.ev_lost)} <small class="muted">${score.ev_lost === null ? "" : unit}</small>
          </dd>
        </div>
        <div>
          <dt>a decision</dt>
          <dd class="num">
            ${score.pots_lost === null ? NONE : `${figure((100 * score.pots_lost) / Math.max(1, score.decisions))}% of pot`}
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
