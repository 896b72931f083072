// A range by made hands, draws and equity: its share, its mix, what it is worth. A click filters by it.
import { stacked } from "../colors.js";
import { percent, share } from "../format.js";
import { cls, html, useMemo } from "../html.js";
import { measure } from "../units.js";
import { toggleCategory, turnLabel } from "./filters.js";
import { NO_DRAW, labelFits, mean } from "./node.js";
import { takenActions } from "./table.js";

const BUCKETS = ["75–100%", "50–75%", "25–50%", "0–25%"];

function grouped(table, names, node) {
  const rows = new Map();
  for (let i = 0; i < table.n; i++) {
    if (!(table.measure[i] > 0)) continue;
    for (const name of names(i)) {
      if (!rows.has(name)) rows.set(name, []);
      rows.get(name).push(i);
    }
  }
  let total = 0;
  for (const m of table.measure) total += m;
  return [...rows]
    .map(([name, which]) => ({ name, ...mean(table, which, node.pot) }))
    .map((group) => ({ ...group, part: total > 0 ? group.measure / total : 0 }));
}

const labelsOf = (own) => (labelFits(own, NO_DRAW) ? [...own, NO_DRAW] : own);

export function Breakdown({ table, node, colors, filter, units, onChange }) {
  const { hands, has } = table;
  const groups = useMemo(
    () => ({
      made: has.category
        ? grouped(table, (i) => [hands.categories[i]], node).sort((a, b) => (b.equity ?? 0) - (a.equity ?? 0))
        : [],
      labels: has.labels ? grouped(table, (i) => labelsOf(hands.labels[i]), node).sort((a, b) => b.part - a.part) : [],
      buckets: has.equity
        ? grouped(
            table,
            (i) => (hands.equity[i] === null ? [] : [BUCKETS[3 - Math.min(3, Math.floor(4 * hands.equity[i]))]]),
            node,
          ).sort((a, b) => BUCKETS.indexOf(a.name) - BUCKETS.indexOf(b.name))
        : [],
    }),
    [table, node],
  );
  const show = { node, colors, table, units };
  if (!groups.made.length && !groups.labels.length && !groups.buckets.length)
    return html`<p class="empty-note">Nothing to break down here: no board and no equities.</p>`;
  return html`
    <div class="breakdown">
      <${Groups}
        ...${show} title="Made hands" groups=${groups.made} chosen=${filter.category}
        onPick=${(name) => onChange(toggleCategory(filter, name))}
      />
      <${Groups}
        ...${show} title="Draws, kickers and blockers" hint="a hand can have several; click: with, again: without"
        groups=${groups.labels} chosen=${filter.labels} onPick=${(name) => onChange(turnLabel(filter, name))}
      />
      <${Groups} ...${show} title="Equity" groups=${groups.buckets} chosen=${[]} />
    </div>
  `;
}

function Groups({ title, hint, groups, node, table, colors, units, chosen, onPick }) {
  if (!groups.length) return null;
  const { ev, name } = measure(node, units);
  const actions = table.acts ? takenActions(node) : [];
  const state = (group) =>
    chosen.includes(group.name) ? "with" : chosen.includes(`-${group.name}`) ? "without" : "not filtered by";
  return html`
    <div class="groups-scroll" tabindex="0" role="region" aria-label=${title}>
      <table class="groups">
        <caption>${title} <span class="muted">${hint ?? (onPick ? "click filters" : "")}</span></caption>
        <thead>
          <tr>
            <th scope="col"></th>
            <th scope="col">of range</th>
            ${table.acts && html`<th scope="col" class="mix">mix</th>`}
            ${actions.map((a) => html`<th scope="col" key=${a}>${name(node.actions[a])}</th>`)}
            ${table.has.ev && html`<th scope="col">EV</th>`}
            ${table.has.equity && html`<th scope="col" class="wide">equity</th>`}
          </tr>
        </thead>
        <tbody>
          ${groups.map((group) => html`
            <tr key=${group.name} class=${cls(state(group) === "with" && "chosen", state(group) === "without" && "out")}>
              <th scope="row">
                ${onPick ? html`
                  <button
                    class="link" aria-pressed=${state(group) === "with"} aria-label=${`${group.name}, ${state(group)}`}
                    onClick=${() => onPick(group.name)}
                  >
                    ${group.name}
                  </button>
                ` : group.name}
              </th>
              <td class="num">
                <span class="share-bar"><i style=${`width:${(100 * group.part).toFixed(1)}%`}></i></span>
                <span class="part">${share(group.part)}</span>
              </td>
              ${table.acts && html`
                <td class="mix">
                  <span class="bar" aria-hidden="true" style=${`background-image:${stacked(group.strategy, colors)}`}></span>
                </td>
              `}
              ${actions.map((a) => html`<td class="num" key=${a}>${share(group.strategy[a])}</td>`)}
              ${table.has.ev && html`<td class="num">${ev(group.ev)}</td>`}
              ${table.has.equity && html`<td class="num wide">${percent(group.equity, 1)}</td>`}
            </tr>
          `)}
        </tbody>
      </table>
    </div>
  `;
}
