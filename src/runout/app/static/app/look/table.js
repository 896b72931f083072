// The combo table: sorted by any column, only the rows on screen exist.
import { Hand } from "../cards.js";
import { stacked } from "../colors.js";
import { amount, digitsFor, percent, share } from "../format.js";
import { cls, html, useEffect, useMemo, useRef, useState } from "../html.js";

const ROW = 28; // pixels, as in look.css
const SPARE = 8; // rows above and below what is seen

function columnsOf(table, node) {
  const { hands, has, acts } = table;
  const digits = digitsFor(node.pot);
  const columns = [{ key: "hand", label: "Hand", at: (i) => i, text: true }];
  if (acts) {
    columns.push({ key: "mix", label: "Mix", at: (i) => hands.strategy.at(-1)[i], bar: true });
    node.actions
      .map((action, a) => ({
        key: `f.${action.token}`,
        label: action.name,
        at: (i) => hands.strategy[a][i],
        draw: (i) => share(hands.strategy[a][i]),
      }))
      .reverse()
      .forEach((column) => columns.push(column));
  }
  if (has.ev)
    columns.push({ key: "ev", label: "EV", at: (i) => hands.ev[i], draw: (i) => amount(hands.ev[i], digits) });
  if (has.equity)
    columns.push({
      key: "equity",
      label: "Equity",
      at: (i) => hands.equity[i],
      draw: (i) => percent(hands.equity[i], 1),
    });
  if (has.eqr)
    columns.push({ key: "eqr", label: "EQR", at: (i) => hands.eqr[i], draw: (i) => percent(hands.eqr[i]), wide: true });
  columns.push({ key: "weight", label: "Weight", at: (i) => hands.weight[i], draw: (i) => share(hands.weight[i]) });
  if (has.category)
    columns.push({
      key: "category",
      label: "Made",
      at: (i) => hands.categories[i],
      draw: (i) => hands.categories[i],
      text: true,
      wide: true,
    });
  if (has.draw)
    columns.push({
      key: "draw",
      label: "Draw",
      at: (i) => hands.draws[i],
      draw: (i) => hands.draws[i],
      text: true,
      wide: true,
    });
  if (acts && has.actionEvs)
    node.actions
      .map((action, a) => ({
        key: `e.${action.token}`,
        label: `EV ${action.name}`,
        at: (i) => hands.action_evs[a]?.[i] ?? null,
        draw: (i) => amount(hands.action_evs[a]?.[i], digits),
        wide: true,
      }))
      .reverse()
      .forEach((column) => columns.push(column));
  return columns;
}

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
export function ComboTable({ table, node, rows, colors, sort, onSort }) {
  const [top, setTop] = useState(0);
  const [height, setHeight] = useState(560);
  const scroller = useRef(null);
  const columns = useMemo(() => columnsOf(table, node), [table, node]);
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
                key=${column.key} scope="col" class=${cls(column.wide && "wide", (column.text || column.bar) && "text")}
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
                <td key=${column.key} class=${cls(column.wide && "wide", column.text ? "text" : "num")}>
                  ${column.key === "hand" ? html`<${Hand} name=${table.hands.names[i]} />` : column.bar ? html`
                    <span
                      class="bar"
                      style=${`background-image:${stacked(
                        table.hands.strategy.map((row) => row[i]),
                        colors,
                      )}`}
                    ></span>
                  ` : column.draw(i)}
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
