// The combo table: sorted by any column, only the rows on screen exist.
import { Hand } from "../cards.js";
import { stacked } from "../colors.js";
import { percent, share } from "../format.js";
import { cls, html, useEffect, useMemo, useRef, useState } from "../html.js";
import { measure } from "../units.js";
import { worthSaying } from "./node.js";

const ROW = 36; // pixels, as in look.css
const SPARE = 8; // rows above and below what is seen

const NEVER = 0.0005; // of the range: actions that are taken less often have no column

// Actions of the player to act that somebody takes; all of them where nobody takes any.
export function takenActions(node) {
  const taken = node.actions.map((_, a) => a).filter((a) => !(node.actions[a].frequency < NEVER));
  return taken.length ? taken : node.actions.map((_, a) => a);
}

function columnsOf(table, node, units) {
  const { hands, has, acts } = table;
  const { ev, name } = measure(node, units);
  const columns = [{ key: "hand", label: "Hand", at: (i) => i, text: true }];
  if (acts) {
    columns.push({ key: "mix", label: "Mix", at: (i) => hands.strategy.at(-1)[i], bar: true });
    for (const a of takenActions(node))
      columns.push({
        key: `f.${node.actions[a].token}`,
        label: name(node.actions[a]),
        at: (i) => hands.strategy[a][i],
        draw: (i) => share(hands.strategy[a][i]),
        under: has.actionEvs ? (i) => ev(hands.action_evs[a]?.[i] ?? null) : null,
      });
  }
  if (has.ev) columns.push({ key: "ev", label: "EV", at: (i) => hands.ev[i], draw: (i) => ev(hands.ev[i]) });
  if (has.equity)
    columns.push({
      key: "equity",
      label: "Equity",
      at: (i) => hands.equity[i],
      draw: (i) => percent(hands.equity[i], 1),
    });
  if (has.eqr)
    columns.push({ key: "eqr", label: "EQR", at: (i) => hands.eqr[i], draw: (i) => percent(hands.eqr[i]), wide: true });
  columns.push({
    key: "weight",
    label: "Weight",
    at: (i) => hands.weight[i],
    draw: (i) => share(hands.weight[i]),
    wide: true,
  });
  if (has.category)
    columns.push({ key: "category", label: "What it is", at: (i) => kinds(hands, i), draw: (i) => kinds(hands, i), text: true, last: true });
  return columns;
}

const kinds = (hands, i) => [hands.categories[i], ...worthSaying(hands.labels[i] ?? [])].join(", ");

function sorted(rows, column, descending) {
  if (!column || column.key === "hand") return descending ? rows.toReversed() : rows;
  const sign = descending ? -1 : 1;
  return rows.toSorted((i, j) => {
    const [a, b] = [column.at(i), column.at(j)];
    if (a === b) return i - j;
    if (a === null || a === undefined) return 1;
    if (b === null || b === undefined) return -1;
    return a < b ? -sign : sign;
  });
}

/* `rows`: numbers of the hands to show; `sort`: "ev" or "-ev", kept by the page in its address. */
export function ComboTable({ table, node, rows, colors, sort, units, onSort }) {
  const [top, setTop] = useState(0);
  const [height, setHeight] = useState(560);
  const scroller = useRef(null);
  const columns = useMemo(() => columnsOf(table, node, units), [table, node, units]);
  const descending = sort.startsWith("-");
  const key = sort.replace(/^-/, "");
  const order = useMemo(
    () =>
      sorted(
        rows,
        columns.find((column) => column.key === key),
        descending,
      ),
    [rows, columns, key, descending],
  );

  useEffect(() => {
    const sizes = new ResizeObserver(() => setHeight(scroller.current?.clientHeight ?? 560));
    sizes.observe(scroller.current);
    return () => sizes.disconnect();
  }, []);
  useEffect(() => {
    scroller.current.scrollTop = 0;
    setTop(0);
  }, [order]);

  const first = Math.max(0, Math.floor(top / ROW) - SPARE);
  const last = Math.min(order.length, Math.ceil((top + height) / ROW) + SPARE);
  const click = (column) =>
    onSort(
      key === column.key && descending
        ? column.key
        : key === column.key || column.text
          ? key === column.key
            ? `-${column.key}`
            : column.key
          : `-${column.key}`,
    );
  return html`
    <div
      class="table-scroll" ref=${scroller} onScroll=${(event) => setTop(event.currentTarget.scrollTop)} tabindex="0"
      aria-label="Hands, scrolls"
    >
      <table class="combos" aria-rowcount=${order.length + 1}>
        <thead>
          <tr>
            ${columns.map((column) => html`
              <th
                key=${column.key} scope="col" class=${cls(column.wide && "wide", (column.text || column.bar) && "text", column.last && "last")}
                aria-sort=${key === column.key ? (descending ? "descending" : "ascending") : "none"}
              >
                <button onClick=${() => click(column)}>
                  ${column.label}
                  <span aria-hidden="true">${key === column.key ? (descending ? " ↓" : " ↑") : ""}</span>
                </button>
              </th>
            `)}
          </tr>
        </thead>
        <tbody>
          ${first > 0 && html`<tr key="above" style=${`height:${first * ROW}px`} aria-hidden="true"></tr>`}
          ${order.slice(first, last).map((i, n) => html`
            <tr key=${i} aria-rowindex=${first + n + 2} class=${cls(!(table.hands.weight[i] > 0) && "absent")}>
              ${columns.map((column) => html`
                <td
                  key=${column.key} class=${cls(column.wide && "wide", column.text ? "text" : "num", column.last && "last")}
                  title=${column.last ? column.draw(i) : undefined}
                >
                  ${column.key === "hand" ? html`<${Hand} name=${table.hands.names[i]} />` : column.bar ? html`
                    <span
                      class="bar"
                      style=${`background-image:${stacked(
                        table.hands.strategy.map((row) => row[i]),
                        colors,
                      )}`}
                    ></span>
                  ` : column.last ? html`<span class="two">${column.draw(i)}</span>` : column.draw(i)}
                  ${column.under && html`<small>${column.under(i)}</small>`}
                </td>
              `)}
            </tr>
          `)}
          ${last < order.length && html`
            <tr key="below" style=${`height:${(order.length - last) * ROW}px`} aria-hidden="true"></tr>
          `}
        </tbody>
      </table>
      ${order.length === 0 && html`<p class="empty-note">No hands here with these filters.</p>`}
    </div>
  `;
}
