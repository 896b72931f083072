// The Charts page: solved games before the flop by stack. The line, both ranges, and the way on to a flop.
import * as api from "../api.js";
import { get, useAsked, useEvents } from "../api.js";
import { actionColors } from "../colors.js";
import { combos, reached, seat, share } from "../format.js";
import { cls, html, useCallback, useEffect, useMemo, useState } from "../html.js";
import { useKeys } from "../keys.js";
import { ActionList } from "../look/actions.js";
import { cellDisplay, viewsOf } from "../look/display.js";
import { cells as cellsOf, childLine, handsOf, mean } from "../look/node.js";
import { Strip } from "../look/strip.js";
import { Matrix } from "../matrix.js";
import { href, patch } from "../route.js";
import { toast } from "../toast.js";
import { UnitSwitch, nextUnits, useUnits } from "../units.js";
import { FlopPanel } from "./flop.js";
import { NewTree } from "./tree.js";

const USUAL = 100; // bb: the chart that the page opens with

export function Charts({ query }) {
  const [version, setVersion] = useState(0);
  useEvents((event) => event.type === "library" && setVersion((n) => n + 1));
  const classes = useAsked(api.classes, []);
  const found = useAsked(() => get("/charts"), [version]);
  const error = classes.error ?? found.error;
  if (error && !found.data)
    return html`<main class="page narrow"><p class="error" role="alert">${error.message}</p></main>`;
  if (!classes.data || !found.data) return html`<main class="page"><p class="loading">Loading…</p></main>`;
  const shipped = found.data.filter((chart) => chart.shipped);
  const own = found.data.filter((chart) => !chart.shipped);
  const chart =
    found.data.find(({ id }) => id === query.id) ??
    shipped.find(({ stack }) => String(stack) === query.stack) ??
    shipped.find(({ stack }) => stack === USUAL) ??
    found.data[0];
  if (!chart)
    return html`<main class="page narrow"><h1>Charts</h1><p>No charts come with this installation: solve a tree.</p></main>`;
  return html`<${Chart} ...${{ query, chart, shipped, own }} classes=${classes.data} />`;
}

function Chart({ query, chart, shipped, own, classes }) {
  const line = query.line ?? "";
  const named = useAsked(() => api.situations(chart.id), [chart.id]);
  const found = useAsked(() => api.node(chart.id, line), [chart.id, line]);
  const here = named.data?.find((each) => each.line === line);
  const [shape, setShape] = useState(Boolean(query.tree)); // the form of a new tree is open
  useEffect(() => setShape(Boolean(query.tree)), [query.tree]);
  const onGo = useCallback((to) => patch({ line: to, pin: undefined, board: undefined }), []);
  // Another stack: the same situation there, or its start where it has none.
  const choose = async (other) => {
    const there = await api.situations(other.id).catch(() => []);
    const same = there.find(({ name }) => name === here?.name);
    const to = other.shipped ? { stack: other.stack, id: undefined } : { id: other.id, stack: undefined };
    patch({ ...to, line: same?.line || undefined, tree: undefined });
  };
  return html`
    <main class=${cls("chart-page", found.loading && "stale")}>
      <div class="charts-head">
        <h1>Charts</h1>
        <${Stacks} charts=${shipped} chart=${chart} onChoose=${choose} />
        ${own.length > 0 && html`
          <label class="inline">
            <span class="sr">Own trees</span>
            <select
              aria-label="Own trees" value=${chart.shipped ? "" : chart.id}
              onChange=${(event) => choose([...own, ...shipped].find(({ id }) => id === event.currentTarget.value) ?? chart)}
            >
              <option value="" selected=${chart.shipped}>own trees…</option>
              ${own.map(({ id, title }) => html`<option key=${id} value=${id} selected=${id === chart.id}>${title}</option>`)}
            </select>
          </label>
        `}
        <button aria-expanded=${shape} onClick=${() => patch({ tree: shape ? undefined : 1 }, { replace: true })}>
          New tree
        </button>
      </div>
      ${shape && html`<${NewTree} stack=${chart.stack} onClose=${() => patch({ tree: undefined }, { replace: true })} />`}
      <nav class="situations" aria-label="Situations">
        ${["decision", "flop"].map((kind) => html`
          <span key=${kind} class="chips">
            <i class="muted">${kind === "flop" ? "To the flop" : "Decisions"}</i>
            ${(named.data ?? []).filter((each) => each.kind === kind).map((each) => html`
              <button
                key=${each.line} class=${cls("chip", kind)} aria-pressed=${each.line === line} title=${each.line || "root"}
                onClick=${() => onGo(each.line)}
              >
                ${each.name}
              </button>
            `)}
          </span>
        `)}
      </nav>
      ${found.error && !found.loading && html`
        <p class="error" role="alert">
          ${found.error.message} <a href=${href("charts", "", { id: query.id, stack: query.stack })}>To the start</a>
        </p>
      `}
      ${found.data ? html`
        <${ChartNode} ...${{ query, chart, classes, onGo }} node=${found.data} />
      ` : html`<p class="loading">Opening ${chart.title}…</p>`}
    </main>
  `;
}

function Stacks({ charts, chart, onChoose }) {
  if (!charts.length) return null;
  const at = charts.findIndex(({ id }) => id === chart.id);
  return html`
    <div class="stacks">
      <label class="sr" for="stack">Stack</label>
      <input
        id="stack" type="range" min="0" max=${charts.length - 1} step="1" value=${at < 0 ? 0 : at}
        aria-valuetext=${`${chart.stack} big blinds`} onInput=${(event) => onChoose(charts[Number(event.currentTarget.value)])}
      />
      <span class="stack-marks" role="group" aria-label="Stacks in big blinds">
        ${charts.map((each) => html`
          <button
            key=${each.id} aria-pressed=${each.id === chart.id} aria-label=${`${each.stack} bb`}
            onClick=${() => onChoose(each)}
          >
            ${each.stack}
          </button>
        `)}
        <span class="muted">bb</span>
      </span>
    </div>
  `;
}

function ChartNode({ query, chart, node, classes, onGo }) {
  const [hover, setHover] = useState(null);
  const units = useUnits();
  const colors = useMemo(() => actionColors(node.actions), [node]);
  const actor = node.player ?? node.players[1];
  const tables = useMemo(() => Object.fromEntries(node.players.map((each) => [each, handsOf(node, each)])), [node]);
  const table = tables[actor];
  const views = viewsOf(table);
  const usual = table.acts ? views[0].name : "weight";
  const view = views.find(({ name }) => name === query.view)?.name ?? usual;
  const pinned = query.pin ? classes.names.indexOf(query.pin) : -1;
  const marked = hover ?? (pinned >= 0 ? pinned : null);
  const rows = useMemo(() => {
    const out = [];
    for (let i = 0; i < table.n; i++)
      if (marked === null ? table.hands.weight[i] > 0 : table.hands.cell[i] === marked) out.push(i);
    return out;
  }, [table, marked]);
  const chosen = useMemo(() => mean(table, rows, node.pot), [table, rows]);
  const set = (changes) => patch(changes, { replace: true });
  const back = () => node.strip.length > 1 && onGo(node.strip.at(-2).line);
  const keys = { ArrowLeft: back, Backspace: back, Home: () => onGo(""), $: nextUnits, Escape: () => set({ pin: undefined }) };
  node.actions.forEach((action, a) => {
    if (node.kind === "decision" && a < 9) keys[String(a + 1)] = () => onGo(childLine(node.line, action.token));
  });
  for (const { name, key } of views) keys[key] = () => set({ view: name });
  useKeys(keys);
  const flop = node.ending === "flop";
  const pick = (k) => set({ pin: pinned === k ? undefined : classes.names[k] });
  const label = marked === null ? "whole range" : classes.names[marked];
  return html`
    <${Strip} node=${node} units=${units} onGo=${onGo} onStepCard=${() => {}} />
    <div class=${cls("chart-body", flop && "to-flop")}>
      ${[actor, node.players.find((each) => each !== actor)].map((each) => html`
        <${RangeSide}
          key=${each} ...${{ node, classes, colors, units, pinned, view }} player=${each} table=${tables[each]}
          onHover=${setHover} onPick=${pick}
        />
      `)}
      <section class="chart-side">
        <div class="toolbar">
          ${views.length > 1 && html`
            <span class="segmented" role="group" aria-label="View">
              ${views.map(({ name, label: text }) => html`
                <button key=${name} aria-pressed=${view === name} onClick=${() => set({ view: name })}>${text}</button>
              `)}
            </span>
          `}
          <${UnitSwitch} of=${node} />
        </div>
        ${table.acts && html`
          <${ActionList} ...${{ node, table, rows, chosen, label, colors, units, onGo }} partial=${marked !== null} />
        `}
        ${flop && html`<${FlopPanel} chart=${chart} node=${node} query=${query} />`}
        ${!flop && !table.acts && html`<p class="muted">The hand is over here.</p>`}
        ${node.notes.filter((note) => !note.includes("leaf model")).map((note) => html`<p class="note" key=${note}>${note}</p>`)}
        <p class="chart-links">
          <a class="quiet" href=${href("practice", chart.id, { line: node.kind === "decision" ? node.line : undefined })}>Practise</a>
          <a class="quiet" href=${href("look", chart.id, { line: node.line })}>All tables</a>
          <button class="quiet" onClick=${() => copyRange(chart, node)}>Copy ranges</button>
        </p>
        <p class="hint">
          ${chart.title}: ${chart.shipped ? "preflop to river, " : ""}${reached(chart.exploitability, chart.unit)} from equilibrium.
          EVs are big blinds won or lost since the hand began.
        </p>
      </section>
    </div>
  `;
}

function RangeSide({ node, player, table, classes, colors, units, pinned, view, onHover, onPick }) {
  const cells = useMemo(() => cellsOf(table, null, node, classes), [table, node]);
  const shown = table.acts ? view : view === "strategy" ? "weight" : view;
  const display = useMemo(() => cellDisplay(shown, cells, node, colors, true, units), [shown, cells, colors, units]);
  let weight = 0;
  for (let i = 0; i < table.n; i++) weight += (table.hands.weight[i] ?? 0) * (table.hands.combos[i] ?? 1);
  return html`
    <section class="chart-range" aria-label=${`${seat(player)} range`}>
      <header>
        <b>${seat(player)}</b>
        <span class="muted">${table.acts ? "to act" : "range"} · ${share(weight / 1326)} of hands · ${combos(weight)} combos</span>
      </header>
      <${Matrix}
        label=${`${seat(player)}: ${shown} by class`} classes=${classes} cell=${display} pinned=${pinned >= 0 ? pinned : null}
        onHover=${onHover} onPick=${onPick}
      />
    </section>
  `;
}

async function copyRange(chart, node) {
  try {
    const { ranges, positions: [oop, ip] } = await api.lineSpot(chart.id, node.line);
    await navigator.clipboard.writeText(`${oop}: ${ranges.oop}\n${ip}: ${ranges.ip}`);
    toast("Copied both ranges");
  } catch (error) {
    toast(error.message, "bad");
  }
}
