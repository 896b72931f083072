// Another node, or the same node of another solution, beside the one that is open: matrix, differences, figures.
import { get, node as askNode, useAsked } from "../api.js";
import { actionColors, difference } from "../colors.js";
import { seat, share, signed } from "../format.js";
import { measure as measureOf } from "../units.js";
import { html, useMemo } from "../html.js";
import { Matrix } from "../matrix.js";
import { cellDisplay } from "./display.js";
import { HandList } from "./list.js";
import { cells as cellsOf, handsOf } from "./node.js";

// What can be subtracted: EV, equity and every action that both nodes have.
function measuresOf(a, b, nodeA, nodeB) {
  const found = [];
  const both = (name) => a.has[name] && b.has[name];
  if (a.acts && b.acts)
    nodeA.actions.forEach((action, i) => {
      const j = nodeB.actions.findIndex((other) => other.token === action.token);
      if (j >= 0)
        found.push({
          key: action.token,
          label: action.name,
          of: (cell, which) => (cell.mixed ? cell.strategy[which === "a" ? i : j] : null),
          share: true,
        });
    });
  if (both("ev")) found.push({ key: "ev", label: "EV", of: (cell) => cell.ev });
  if (both("equity")) found.push({ key: "equity", label: "equity", of: (cell) => cell.equity, share: true });
  found.push({ key: "weight", label: "reach", of: (cell) => cell.reach, share: true });
  return found;
}

export function Compare({ id, node, table, cells, classes, view, query, units, onChange }) {
  const other = query.with ?? id;
  const line = query.at ?? node.line;
  const library = useAsked(() => get("/library"), []);
  const { data, error } = useAsked(() => askNode(other, line), [other, line]);
  const tableB = useMemo(() => data && handsOf(data, data.players[node.players.indexOf(table.hands.player)]), [data, table]);
  const cellsB = useMemo(() => tableB && cellsOf(tableB, null, data, classes), [tableB]);
  const same = other === id && line === node.line;
  return html`
    <div class="compare">
      <div class="compare-pick">
        <label class="field">
          <span>Solution</span>
          <select value=${other} onChange=${(event) => onChange({ with: event.currentTarget.value })}>
            <option value=${id} selected=${other === id}>this one</option>
            ${(library.data ?? []).filter((each) => each.id !== id).map((each) => html`
              <option key=${each.id} value=${each.id} selected=${each.id === other}>${each.title} · ${each.id}</option>
            `)}
          </select>
        </label>
        <label class="field">
          <span>Line</span>
          <input value=${line} placeholder="root" onChange=${(event) => onChange({ at: event.currentTarget.value })} />
        </label>
        <button class="quiet" onClick=${() => onChange({ at: undefined, with: undefined })} disabled=${same}>
          Reset
        </button>
      </div>
      ${error && html`<p class="error" role="alert">${error.message}</p>`}
      ${same && html`<p class="note">Choose another solution, or type another line, to see it beside this node.</p>`}
      ${!error && data && tableB && !same && html`
        <${Side} ...${{ node, table, cells, classes, view, query, units, onChange, nodeB: data, tableB, cellsB }} />
      `}
    </div>
  `;
}

function Side({ node, table, cells, classes, view, query, units, onChange, nodeB, tableB, cellsB }) {
  const measures = measuresOf(table, tableB, node, nodeB);
  const measure = measures.find(({ key }) => key === query.diff);
  const rows = useMemo(() => differences(cells, cellsB, measure ?? measures[0]), [cells, cellsB, query.diff]);
  const most = Math.max(1e-9, ...rows.map((row) => Math.abs(row.by)));
  const byCell = new Map(rows.map((row) => [row.k, row.by]));
  const says = measureOf(node, units);
  const text = (by) =>
    (measure ?? measures[0]).share ? `${signed(100 * by, 0)}%` : says.signed(by, Math.max(0, says.digits - 1));
  const colorsB = actionColors(nodeB.actions);
  const shown = tableB.acts || view !== "strategy" ? view : "weight";
  const differenceCell = (k) => {
    if (!byCell.has(k)) return { label: "not in both" };
    const color = difference(byCell.get(k), most);
    return {
      fill: `linear-gradient(${color}, ${color})`,
      value: text(byCell.get(k)),
      label: `difference ${text(byCell.get(k))}`,
    };
  };
  const name = (k) => (node.layout === "matrix" ? classes.names[k] : table.hands.names[table.hands.cell.indexOf(k)]);
  return html`
    <div class="segmented" role="group" aria-label="What is shown">
      <button aria-pressed=${!measure} onClick=${() => onChange({ diff: undefined })}>The other node</button>
      ${measures.map(({ key, label }) => html`
        <button key=${key} aria-pressed=${measure?.key === key} onClick=${() => onChange({ diff: key })}>
          Δ ${label}
        </button>
      `)}
    </div>
    ${node.layout === "matrix" ? html`
      <${Matrix}
        label=${measure ? "Difference" : "The other node"} classes=${classes}
        cell=${measure ? differenceCell : cellDisplay(shown, cellsB, nodeB, colorsB, false, units)}
      />
    ` : html`
      <${HandList}
        table=${tableB} cells=${cellsB} node=${nodeB} colors=${colorsB} onPick=${() => {}} onHover=${() => {}}
      />
    `}
    <table class="groups">
      <caption>This node and the other</caption>
      <thead>
        <tr><th></th><th scope="col">this</th><th scope="col">other</th><th scope="col">difference</th></tr>
      </thead>
      <tbody>
        ${totals(node, nodeB).map(([label, a, b, isShare]) => html`
          <tr key=${label}>
            <th scope="row">${label}</th>
            <td class="num">${isShare ? share(a) : says.ev(a)}</td>
            <td class="num">${isShare ? share(b) : says.ev(b)}</td>
            <td class="num">${isShare ? `${signed(100 * (a - b), 1)}%` : says.signed(a - b)}</td>
          </tr>
        `)}
      </tbody>
    </table>
    <p class="muted">
      Largest differences (${(measure ?? measures[0]).label}, this less the other): ${rows.slice(0, 8).map((row) => html`
        <span class="pair" key=${row.k}><b>${name(row.k)}</b> <span class="num">${text(row.by)}</span></span> 
      `)}
    </p>
  `;
}

function differences(a, b, measure) {
  const rows = [];
  for (const [k, cell] of a) {
    const other = b.get(k);
    if (!other || !(cell.weight > 0 || other.weight > 0)) continue;
    const [x, y] = [measure.of(cell, "a"), measure.of(other, "b")];
    if (x !== null && y !== null) rows.push({ k, by: x - y });
  }
  return rows.sort((p, q) => Math.abs(q.by) - Math.abs(p.by));
}

function totals(node, nodeB) {
  const rows = [];
  for (const action of node.actions) {
    const other = nodeB.actions.find(({ token }) => token === action.token);
    if (other && action.frequency !== null && other.frequency !== null)
      rows.push([action.name, action.frequency, other.frequency, true]);
  }
  node.players.forEach((player, i) => {
    if (node.evs && nodeB.evs) rows.push([`EV ${seat(player)}`, node.evs[i], nodeB.evs[i], false]);
    if (node.equities && nodeB.equities) rows.push([`equity ${seat(player)}`, node.equities[i], nodeB.equities[i], true]);
  });
  return rows.filter(([, a, b]) => a !== null && b !== null);
}
