// The Look page: one node of a solution. Its whole state is the address; one request fetches a node.
import * as api from "../api.js";
import { useAsked } from "../api.js";
import { actionColors } from "../colors.js";
import { combos, reached, seat, share } from "../format.js";
import { cls, html, useCallback, useEffect, useMemo, useRef, useState } from "../html.js";
import { useKeys } from "../keys.js";
import { Matrix } from "../matrix.js";
import { href, patch } from "../route.js";
import { toast } from "../toast.js";
import { UnitSwitch, nextUnits, useUnits } from "../units.js";
import { ActionList } from "./actions.js";
import { Breakdown } from "./breakdown.js";
import { Compare } from "./compare.js";
import { DealPicker } from "./deal.js";
import { VIEWS, cellDisplay, viewsOf } from "./display.js";
import { Filters, filterText, isFiltered, readFilter, useTyped } from "./filters.js";
import { Graph } from "./graph.js";
import { HandList } from "./list.js";
import { Lines } from "./lines.js";
import { Lock, readLocks, withLocks } from "./lock.js";
import { cells as cellsOf, childLine, filterRows, handsOf, mean, withCards } from "./node.js";
import { Exact, canSolve } from "./exact.js";
import { Runouts, chanceStep } from "./runouts.js";
import { Facts, Strip } from "./strip.js";
import { ComboTable } from "./table.js";
import { Tree } from "./tree.js";

const TABS = [
  { name: "hands", label: "Hands", key: "h" },
  { name: "breakdown", label: "Breakdown", key: "b" },
  { name: "graph", label: "Graph", key: "o" },
  { name: "runouts", label: "Run-outs", key: "u" },
  { name: "lines", label: "Lines", key: "i" },
  { name: "compare", label: "Compare", key: "m" },
  { name: "lock", label: "Lock", key: "l" },
  { name: "tree", label: "Tree", key: "y" },
];

export function Look({ id, query, jobs }) {
  const line = query.line ?? "";
  const classes = useAsked(api.classes, []);
  const summary = useAsked(() => api.solution(id), [id]);
  const found = useAsked(() => api.node(id, line), [id, line]);
  useEffect(() => {
    document.title = `${line || "root"} · ${summary.data?.title ?? id} · Runout`;
  }, [line, summary.data]);
  useEffect(() => {
    try {
      localStorage.setItem("solution", id);
    } catch {
      // only a convenience: which solution Practice and Look open by default
    }
  }, [id]);
  const away = found.error?.status === 0; // the server is not there: asked again until it is
  if (found.error && !away && !found.loading)
    return html`
      <main class="page narrow">
        <h1>Cannot show this node</h1>
        <p class="error" role="alert">${found.error.message}</p>
        <p><a href=${href("look", id)}>Go to the root</a> or <a href=${href("library")}>to the library</a>.</p>
      </main>
    `;
  if (classes.error)
    return html`<main class="page narrow"><p class="error" role="alert">${classes.error.message}</p></main>`;
  if (!found.data || !classes.data || !(summary.data || summary.error)) // all at once, so that nothing moves later
    return html`
      <main class="page"><p class="loading" role="status">${away ? found.error.message : `Opening ${id}…`}</p></main>
    `;
  return html`
    <${Node}
      id=${id} query=${query} jobs=${jobs} node=${found.data} classes=${classes.data} summary=${summary.data} stale=${found.loading}
    />
  `;
}

function Node({ id, query, jobs, node, classes, summary, stale }) {
  const [hover, setHover] = useState(null);
  const player = node.players.includes(query.player) ? query.player : (node.player ?? node.hands[0]?.player);
  const units = useUnits();
  const locking = query.tab === "lock" && summary?.kind === "postflop" && node.kind === "decision";
  const own = locking ? readLocks(query.locks)[node.line] : undefined;
  const table = useMemo(() => withLocks(handsOf(node, player), own, node, classes), [node, player, locking, query.locks]);
  const filter = readFilter(query);
  const { hands: typed, error: mistyped } = useTyped(filter.text, node.layout, classes);
  const keep = useMemo(
    () => table && filterRows(table, { ...filter, hands: typed }),
    [table, query.cat, query.label, query.suit, typed],
  );
  const cells = useMemo(() => (table ? cellsOf(table, keep, node, classes) : new Map()), [table, keep, classes]);
  const colors = useMemo(() => actionColors(node.actions), [node]);
  const views = table ? viewsOf(table) : [];
  const view = views.find(({ name }) => name === query.view)?.name ?? views[0]?.name ?? "weight";
  const nameOf = (k) => (node.layout === "matrix" ? classes.names[k] : table.hands.names[table.hands.cell.indexOf(k)]);
  const pinned = useMemo(
    () => (query.pin && table ? ([...new Set(table.hands.cell)].find((k) => nameOf(k) === query.pin) ?? null) : null),
    [query.pin, table],
  );
  const marked = hover ?? pinned;
  const rows = useMemo(() => {
    if (!table) return [];
    const out = [];
    for (let i = 0; i < table.n; i++)
      if ((!keep || keep[i]) && (marked === null ? table.hands.weight[i] > 0 : table.hands.cell[i] === marked))
        out.push(i);
    return out;
  }, [table, keep, marked]);
  const chosen = useMemo(() => (table ? mean(table, rows, node.pot) : null), [table, rows]);
  const partial = marked !== null || isFiltered(filter) || Boolean(own);

  const onGo = useCallback((to) => patch({ line: to, player: undefined, at: undefined }), []);
  const set = useCallback((changes) => patch(changes, { replace: true }), []);
  const pick = useCallback((k) => set({ pin: query.pin === nameOf(k) ? undefined : nameOf(k) }), [query.pin, table]);
  const stepCard = (step, by) => {
    api.node(id, step.line).then((at) => {
      const next = at.deals[(at.deals.indexOf(step.cards[0]) + by + at.deals.length) % at.deals.length];
      onGo(withCards(node.line, step.line, next));
    });
  };
  // Turns that a network valued are solved one by one, when they are looked at: no list of all of them.
  const flop = String(summary?.settings?.board ?? "").split(" ").length === 3;
  const turnsOnSight = flop && summary.settings.solve?.leaf === "network" && node.street !== "river";
  const tabs = TABS.filter(({ name }) =>
    name === "runouts"
      ? chanceStep(node) && node.deal_count <= 1 && chanceStep(node).cards.length <= 1 && !turnsOnSight
      : name === "lock" || name === "tree"
        ? summary?.kind === "postflop" && node.kind === "decision"
        : name === "lines"
          ? node.kind === "decision"
          : name === "graph"
            ? table?.has.equity
            : name === "breakdown"
              ? table?.has.category || table?.has.equity
              : true,
  );
  const wanted = query.tab ?? (node.kind === "chance" ? "runouts" : "hands");
  const tab = tabs.find(({ name }) => name === wanted)?.name ?? "hands";
  useLookKeys({ node, set, onGo, stepCard, views, tabs, player });

  const label = marked !== null ? nameOf(marked) : isFiltered(filter) ? filterText(filter) : "whole range";
  const display = useMemo(
    () => cellDisplay(view, cells, node, colors, query.scale === "abs", units),
    [view, cells, colors, query.scale, units],
  );
  return html`
    <main class=${cls("look", stale && "stale")}>
      <div class="look-top">
        <${Strip} node=${node} units=${units} onGo=${onGo} onStepCard=${stepCard} />
        <${Title} id=${id} node=${node} summary=${summary} onGo=${onGo} />
      </div>
      <${Facts} node=${node} units=${units} />
      <div class="look-body">
        <section class="look-left">
          <div class="toolbar">
            <span class="segmented" role="group" aria-label="View">
              ${views.map(({ name, label: text }) => html`
                <button key=${name} aria-pressed=${view === name} onClick=${() => set({ view: name })}>${text}</button>
              `)}
            </span>
            ${node.hands.length > 1 && html`
              <span class="segmented" role="group" aria-label="Player">
                ${node.players.map((each) => html`
                  <button key=${each} aria-pressed=${player === each} onClick=${() => set({ player: each })}>
                    ${seat(each)}
                  </button>
                `)}
              </span>
            `}
            ${node.layout === "matrix" && html`
              <button
                class="quiet" aria-pressed=${query.scale === "abs"}
                title="Height of the cells: of the most common class, or of all combos"
                onClick=${() => set({ scale: query.scale === "abs" ? undefined : "abs" })}
              >
                Height: ${query.scale === "abs" ? "of all combos" : "relative"}
              </button>
            `}
          </div>
          ${!table ? html`<p class="empty-note">No hands are known here.</p>` : node.layout === "matrix" ? html`
            <${Matrix}
              label=${`${seat(player)}: ${view} by class`} classes=${classes} cell=${display} pinned=${pinned}
              onHover=${setHover} onPick=${pick}
            />
          ` : html`
            <${HandList}
              table=${table} cells=${cells} node=${node} colors=${colors} pinned=${pinned} units=${units}
              onPick=${pick} onHover=${setHover}
            />
          `}
          ${table && !(chosen?.weight > 0) && marked === null && !isFiltered(filter) && html`
            <p class="note">No hand of ${seat(player)} comes here.</p>
          `}
          ${node.notes.map((note) => html`<p class="note" key=${note}>${note}</p>`)}
          ${!table?.acts && node.kind === "decision" && html`
            <p class="muted waits">
              ${seat(player)} waits; ${seat(node.player)} is to act. <button
                class="link" onClick=${() => set({ player: undefined })}
              >
                Show ${seat(node.player)}
              </button>
            </p>
          `}
        </section>
        <section class="look-right">
          ${table?.acts && html`
            <${ActionList}
              ...${{ node, table, rows, chosen, label, colors, partial, units, onGo }}
            />
          `}
          ${canSolve(node, summary) && html`<${Exact} key=${node.line} id=${id} node=${node} />`}
          ${node.kind === "chance" && node.deal_count > 1 ? html`<${DealPicker} node=${node} onGo=${onGo} />` : null}
          <div class="toolbar">
            <div class="tabs" role="tablist" aria-label="Details">
              ${tabs.map(({ name, label: text }) => html`
                <button key=${name} role="tab" aria-selected=${tab === name} onClick=${() => set({ tab: name })}>
                  ${text}
                </button>
              `)}
            </div>
          </div>
          <div class="tab-body" role="tabpanel" aria-label=${TABS.find(({ name }) => name === tab).label}>
            ${tab === "hands" && table && html`
              <${Filters} table=${table} filter=${filter} layout=${node.layout} error=${mistyped} onChange=${set} />
              <p class="table-head">
                <span>
                  <b>${label}</b> <span class="muted">
                    ${chosenText(rows, chosen)}
                  </span>
                </span>
                <a class="quiet" href=${api.csvAddress(id, node.line, player)} download>CSV</a>
              </p>
              <${ComboTable}
                table=${table} node=${node} rows=${rows} colors=${colors} units=${units} sort=${query.sort ?? "hand"}
                onSort=${(sort) => set({ sort: sort === "hand" ? undefined : sort })}
              />
            `}
            ${tab === "breakdown" && table && html`
              <${Breakdown} ...${{ table, node, colors, filter, units }} onChange=${set} />
            `}
            ${tab === "graph" && html`<${Graph} id=${id} node=${node} />`}
            ${tab === "runouts" && html`
              <${Runouts} id=${id} node=${node} by=${query.by} units=${units} onBy=${(by) => set({ by })} onGo=${onGo} />
            `}
            ${tab === "lines" && html`<${Lines} id=${id} node=${node} units=${units} onGo=${onGo} />`}
            ${tab === "compare" && table && html`
              <${Compare} ...${{ id, node, table, cells, classes, view, query, units }} onChange=${set} />
            `}
            ${tab === "tree" && html`<${Tree} key=${node.line} ...${{ id, node, units, query, jobs }} onChange=${set} />`}
            ${tab === "lock" && html`
              <${Lock}
                ...${{ id, node, colors, units, query }} pinnedName=${query.pin}
                picked=${isFiltered(filter) && keep ? { label, names: table.hands.names.filter((_, i) => keep[i]) } : null}
                mixOf=${(a) => chosen?.strategy[a] ?? node.actions[a].frequency ?? 1 / node.actions.length}
                onChange=${set}
              />
            `}
          </div>
        </section>
      </div>
    </main>
  `;
}

function chosenText(rows, { weight, equity }) {
  const parts = [`${rows.length} hands`, `${combos(weight)} combos`];
  if (equity !== null) parts.push(`equity ${share(equity)}`);
  return parts.join(" · ");
}

function reachedText({ algorithm, iterations, exploitability, unit }) {
  const parts = [algorithm, `${iterations} iterations`];
  if (exploitability !== null) parts.push(`exploitability ${reached(exploitability, unit)}`);
  return parts.join(", ");
}

function Title({ id, node, summary, onGo }) {
  const copy = () => copyLine(node.line);
  return html`
    <div class="look-title">
      <h1 title=${id}>${summary?.title ?? id}</h1>
      <p class="muted">
        ${summary && reachedText(summary)}
      </p>
      <p class="line-address">
        <input
          aria-label="Line" title="The address of this node: paste another and press Enter" value=${node.line}
          placeholder="root" size=${Math.max(5, node.line.length)} spellcheck=${false}
          onChange=${(event) => onGo(event.currentTarget.value.trim())}
        />
        <button class="quiet" onClick=${copy} title="Copy the line (c)">Copy line</button>
        ${summary?.kind !== "tabular" && html`
          <a class="quiet" href=${href("practice", id, { line: node.line })}>Practice</a>
        `}
      </p>
    </div>
  `;
}

async function copyLine(line) {
  try {
    await navigator.clipboard.writeText(line);
    toast(`Copied: ${line || "the root, an empty line"}`);
  } catch {
    toast("The browser does not let pages copy here: the line is in the address bar");
  }
}

function useLookKeys({ node, set, onGo, stepCard, views, tabs, player }) {
  const back = () => node.strip.length > 1 && onGo(node.strip.at(-2).line);
  const card = (by) => {
    const step = node.strip.findLast((each) => each.kind === "chance" && each.cards.length === 1);
    if (step && node.kind !== "chance") stepCard(step, by);
  };
  const keys = {
    ArrowLeft: back,
    Backspace: back,
    Home: () => onGo(""),
    "[": () => card(-1),
    "]": () => card(1),
    p: () => node.hands.length > 1 && set({ player: node.players.find((each) => each !== player) }),
    c: () => copyLine(node.line),
    "/": () => {
      set({ tab: "hands" });
      requestAnimationFrame(() => document.getElementById("hand-filter")?.focus());
    },
    Escape: () => set({ pin: undefined, cat: undefined, label: undefined, suit: undefined, q: undefined }),
    $: nextUnits,
    ArrowUp: toMatrix,
    ArrowDown: toMatrix,
    ArrowRight: toMatrix,
  };
  for (const { name, key } of VIEWS)
    if (views.some((each) => each.name === name)) keys[key] = () => set({ view: name });
  for (const { name, key } of TABS) if (tabs.some((each) => each.name === name)) keys[key] = () => set({ tab: name });
  node.actions.forEach((action, a) => {
    if (node.kind === "decision" && a < 9) keys[String(a + 1)] = () => onGo(childLine(node.line, action.token));
  });
  // At a deal cards are typed: a rank, then a suit.
  const rank = useRef("");
  if (node.kind === "chance" && node.deal_count === 1) {
    for (const each of "23456789tjqka")
      if (node.deals.some((dealt) => dealt[0].toLowerCase() === each)) keys[each] = () => (rank.current = each);
    for (const suit of "cdhs") {
      const before = keys[suit];
      keys[suit] = () => {
        const dealt = node.deals.find((one) => one.toLowerCase() === rank.current + suit);
        rank.current = "";
        if (dealt) onGo(childLine(node.line, dealt, true));
        else before?.();
      };
    }
  }
  useKeys(keys);
}

// The one cell of the matrix that Tab would reach.
function toMatrix() {
  document.querySelector('.look-left .matrix [tabindex="0"]')?.focus();
}
