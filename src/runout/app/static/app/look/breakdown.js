// A range by made hands, draws and equity: its share, its mix, what it is worth. A click filters by it.
import { stacked } from "../colors.js";
import { amount, digitsFor, percent, share } from "../format.js";
import { cls, html, useMemo } from "../html.js";
import { toggleCategory, toggleDraw } from "./filters.js";
import { mean } from "./node.js";

const BUCKETS = ["75–100%", "50–75%", "25–50%", "0–25%"];

function grouped(table, names, node) {
  const rows = new Map();
  for (let i = 0; i < table.n; i++) {
    if (!(table.measure[i] > 0)) continue;
    const name = names(i);
    if (name === null) continue;
    if (!rows.has(name)) rows.set(name, []);
    rows.get(name).push(i);
  }
  let total = 0;
  for (const m of table.measure) total += m;
  return [...rows]
    .map(([name, which]) => ({ name, ...mean(table, which, node.pot) }))
    .map((group) => ({ ...group, part: total > 0 ? group.measure / total : 0 }));
}

export function Breakdown({ table, node, colors, filter, onChange }) {
  const { hands, has } = table;
  const groups = useMemo(
    () => ({
      made: has.category
        ? grouped(table, (i) => hands.categories[i], node).sort((a, b) => (b.equity ?? 0) - (a.equity ?? 0))
        : [],
      draws: has.draw ? grouped(table, (i) => hands.draws[i] || "no draw", node).sort((a, b) => b.part - a.part) : [],
      buckets: has.equity
        ? grouped(
            table,
            (i) => (hands.equity[i] === null ? null : BUCKETS[3 - Math.min(3, Math.floor(4 * hands.equity[i]))]),
            node,
          ).sort((a, b) => BUCKETS.indexOf(a.name) - BUCKETS.indexOf(b.name))
        : [],
    }),
    [table, node],
  );
  const show = { node, colors, table };
  if (!groups.made.length && !groups.draws.length && !groups.buckets.length)
    return html`<p class="empty-note">Nothing to break down here: no board and no equities.</p>`;
  return html`
    <div class="breakdown">
      <${Groups}
        ...${show} title="Made hands" groups=${groups.made} chosen=${filter.category}
        onPick=${(name) => onChange(toggleCategory(filter, name))}
      />
      <${Groups}
        ...${show} title="Draws" groups=${groups.draws} chosen=${filter.draw}
        onPick=${(name) => onChange(toggleDraw(filter, name))}
      />
      <${Groups} ...${show} title="Equity" groups=${groups.buckets} chosen=${[]} />
    </div>
  `;
}

function Groups({ title, groups, node, table, colors, chosen, onPick }) {
  if (!groups.length) return null;
  const digits = digitsFor(node.pot);
  return html`
    <table class="groups">
      <caption>${title}</caption>
      <thead>
        <tr>
          <th scope="col">${onPick ? "click filters" : ""}</th>
          <th scope="col">of range</th>
          ${table.acts && html`<th scope="col" class="mix">mix</th>`}
          ${table.has.ev && html`<th scope="col">EV</th>`}
          ${table.has.equity && html`<th scope="col">equity</th>`}
        </tr>
      </thead>
      <tbody>
        ${groups.map((group) => html`
          <tr key=${group.name} class=${cls(chosen.includes(group.name) && "chosen")}>
            <th scope="row">
              ${onPick ? html`
                <button class="link" aria-pressed=${chosen.includes(group.name)} onClick=${() => onPick(group.name)}>
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
                <span
                  class="bar" role="img"
                  aria-label=${node.actions.map((action, a) => `${action.name} ${share(group.strategy[a])}`).join(", ")}
                  title=${node.actions
          .map((action, a) => `${action.name} ${share(group.strategy[a])}`)
          .reverse()
          .join(" · ")}
                  style=${`background-image:${stacked(group.strategy, colors)}`}
                ></span>
              </td>
            `}
            ${table.has.ev && html`<td class="num">${amount(group.ev, digits)}</td>`}
            ${table.has.equity && html`<td class="num">${percent(group.equity, 1)}</td>`}
          </tr>
        `)}
      </tbody>
    </table>
  `;
}
