// The Reports page: a spot on many flops. All flops by any figure, a table with filters, averages; fills while it runs.
import { get, idPath, useAsked } from "./api.js";
import { Cards } from "./cards.js";
import { amount, count, known, percent } from "./format.js";
import { html, useEffect, useMemo, useState } from "./html.js";
import { go, href, patch } from "./route.js";
import { flatten } from "./spot/model.js";

const EVERY = 3000; // ms between looks at a report that goes on
const MOST = 300; // rows of the table
const TEXTURES = ["suits", "pairing", "connectedness", "height"];
const PLAIN = new Set(["flop", "weight", "pairs", "case", "solution", "top", "iterations", "seconds", ...TEXTURES]);
const SHARES = /_(equity|eqr)$/;
const EVS = /_ev$/;

const weightOf = (row) => row.weight * row.pairs;
const label = (name) =>
  name.replace(/^(oop|ip)_/, (seat) => `${seat.slice(0, -1).toUpperCase()} `).replace("eqr", "EQR").replace(/\bev$/, "EV")
    .replace("exploitability_pct", "exploitability");
const shown = (name, x) =>
  name === "exploitability_pct" ? (known(x) ? `${x.toFixed(2)}%` : "–") : EVS.test(name) ? amount(x) : percent(x, 1);

function average(rows, name) {
  let sum = 0;
  let total = 0;
  for (const row of rows)
    if (known(row[name])) {
      sum += weightOf(row) * row[name];
      total += weightOf(row);
    }
  return total > 0 ? sum / total : null;
}

export function Report({ id, query }) {
  const [turn, setTurn] = useState(0);
  const { data: reports, error } = useAsked(() => get("/reports"), [turn]);
  const report = reports?.find((each) => each.id === id) ?? (id ? null : reports?.[0]);
  useEffect(() => {
    if (!reports?.some(({ running }) => running)) return undefined;
    const timer = setTimeout(() => setTurn((n) => n + 1), EVERY);
    return () => clearTimeout(timer);
  }, [reports]);
  return html`
    <main class="page">
      <div class="page-head"><h1>Reports</h1></div>
      ${error && html`<p class="error" role="alert">${error.message}</p>`}
      ${reports && !reports.length && html`
        <section class="panel empty-page">
          <h2>No reports</h2>
          <p>
            Start one in a terminal: <code>runout report SPOT.yaml -o LIBRARY/reports/NAME</code>. Its flops show up here
            as they are solved.
          </p>
        </section>
      `}
      ${id && reports && !report && html`<p class="error" role="alert">There is no report ${id}.</p>`}
      ${reports?.length > 1 && html`
        <div class="chips" aria-label="All reports">
          ${reports.map((each) => html`
            <a
              class="chip" key=${each.id} href=${href("report", each.id)}
              aria-current=${each.id === report?.id ? "true" : undefined}
            >
              ${each.title}
            </a>
          `)}
        </div>
      `}
      ${report && html`<${Flops} key=${report.id} report=${report} turn=${turn} query=${query} />`}
    </main>
  `;
}

function Flops({ report, turn, query }) {
  const { data, error } = useAsked(() => get(`/reports/${idPath(report.id)}/table`), [report.id, turn]);
  const rows = data?.rows ?? [];
  const keys = data?.keys ?? [];
  const figures = useMemo(() => {
    const names = [...new Set(rows.flatMap((row) => Object.keys(row)))];
    return names.filter((name) => !PLAIN.has(name) && !keys.includes(name) && rows.some((row) => known(row[name])));
  }, [rows]);
  const figure = figures.includes(query.by) ? query.by : "oop_ev";
  const filters = [...TEXTURES, ...keys].filter((name) => query[name]);
  const kept = rows.filter((row) => filters.every((name) => String(row[name]) === query[name]));
  const sign = query.up ? 1 : -1;
  const sorted = [...kept].sort((a, b) => sign * ((a[figure] ?? -Infinity) - (b[figure] ?? -Infinity)));
  const columns = figures.filter((name) => name !== "exploitability_pct");
  const open = (row) =>
    row.solution
      ? href("look", row.solution)
      : href("spot", "", flatten({ ...data.settings, ...plainCase(row, keys), board: row.flop }));
  return html`
    <section class="panel pad" aria-label=${report.title}>
      <header class="page-head">
        <div>
          <h2>${report.title}</h2>
          <p class="muted">
            ${count(report.done)} of ${count(report.total)} flops (${report.set})
            ${report.running ? " · running" : ""}${report.failed ? ` · ${report.failed} failed` : ""}
          </p>
        </div>
        <label>
          Figure${" "}
          <select value=${figure} onChange=${(event) => patch({ by: event.currentTarget.value }, { replace: true })}>
            ${figures.map((name) => html`<option key=${name} value=${name}>${label(name)}</option>`)}
          </select>
        </label>
      </header>
      ${error && html`<p class="error" role="alert">${error.message}</p>`}
      <progress class="report-progress" max=${report.total} value=${report.done} aria-label="Flops solved"></progress>
      <div class="toolbar">
        ${[...TEXTURES, ...keys].map((name) => html`
          <${Filter} key=${name} name=${name} rows=${rows} value=${query[name] ?? ""} />
        `)}
      </div>
      ${data && !rows.length && html`<p class="empty-note">No flop is solved yet.</p>`}
      ${rows.length > 0 && html`
        <${Strip} rows=${sorted} figure=${figure} open=${open} />
        <p class="report-means" aria-label="Averages">
          <span>Average of <b>${count(kept.length)}</b> flops:</span>
          ${columns.map((name) => html`
            <span key=${name}>${label(name)} <b class="num">${shown(name, average(kept, name))}</b></span>
          `)}
        </p>
        <div class="report-table">
          <table>
            <thead>
              <tr>
                <th scope="col">Flop</th>
                <th scope="col" class="num">Weight</th>
                ${columns.map((name) => html`
                  <th
                    key=${name} scope="col" class="num"
                    aria-sort=${name === figure ? (query.up ? "ascending" : "descending") : undefined}
                  >
                    <button
                      class="quiet"
                      onClick=${() => patch({ by: name, up: name === figure && !query.up ? 1 : "" }, { replace: true })}
                    >
                      ${label(name)}
                    </button>
                  </th>
                `)}
              </tr>
            </thead>
            <tbody>
              ${sorted.slice(0, MOST).map((row) => html`
                <tr key=${`${row.flop} ${row.case}`}>
                  <th scope="row">
                    <a href=${open(row)} title=${row.solution ? "Look at it" : "Solve it deeper"}>
                      <${Cards} cards=${row.flop.split(" ")} small />
                    </a>
                    ${keys.length > 0 && html`
                      <span class="muted"> ${keys.map((key) => `${key} ${row[key]}`).join(", ")}</span>
                    `}
                  </th>
                  <td class="num">${percent(row.weight, 2)}</td>
                  ${columns.map((name) => html`<td key=${name} class="num">${shown(name, row[name])}</td>`)}
                </tr>
              `)}
            </tbody>
          </table>
        </div>
        ${sorted.length > MOST && html`<p class="muted">and ${count(sorted.length - MOST)} more</p>`}
      `}
    </section>
  `;
}

// Settings of a grid as a spot has them: only those at the top, such as stack; others are opened as the spot has them.
const plainCase = (row, keys) =>
  Object.fromEntries(keys.filter((key) => ["pot", "stack"].includes(key)).map((key) => [key, row[key]]));

function Filter({ name, rows, value }) {
  const choices = [...new Set(rows.map((row) => String(row[name])))].sort();
  if (choices.length < 2 && !value) return "";
  return html`
    <label>
      <span class="sr">${name}</span>
      <select
        aria-label=${name} value=${value}
        onChange=${(event) => patch({ [name]: event.currentTarget.value }, { replace: true })}
      >
        <option value="">${name}: all</option>
        ${choices.map((each) => html`<option key=${each} value=${each}>${each}</option>`)}
      </select>
    </label>
  `;
}

const WIDE = 1000;
const HIGH = 170;

// Every flop a bar as high as its figure, as wide as it comes often; the highest first.
function Strip({ rows, figure, open }) {
  const values = rows.map((row) => row[figure]).filter(known);
  if (!values.length) return "";
  const share = !EVS.test(figure) && figure !== "exploitability_pct" && !SHARES.test(figure);
  const low = share ? 0 : Math.min(...values);
  const high = share ? 1 : Math.max(...values);
  const total = rows.reduce((sum, row) => sum + weightOf(row), 0);
  const scale = (x) => 6 + ((HIGH - 12) * (x - low)) / (high - low || 1);
  let at = 0;
  return html`
    <figure class="report-strip">
      <figcaption class="muted">
        ${label(figure)} of every flop, ${shown(figure, Math.max(...values))} to ${shown(figure, Math.min(...values))};
        bars are as wide as flops come often
      </figcaption>
      <svg viewBox=${`0 0 ${WIDE} ${HIGH}`} preserveAspectRatio="none" role="img" aria-label=${`${label(figure)} of every flop`}>
        ${rows.filter((row) => known(row[figure])).map((row) => {
          const width = (WIDE * weightOf(row)) / total;
          const left = at;
          at += width;
          const height = scale(row[figure]);
          return html`
            <rect
              key=${`${row.flop} ${row.case}`} class=${`flop-bar ${row.suits}`} x=${left} y=${HIGH - height}
              width=${Math.max(0.4, width - 0.3)} height=${height} onClick=${() => go(open(row))}
            >
              <title>${`${row.flop}: ${shown(figure, row[figure])}`}</title>
            </rect>
          `;
        })}
      </svg>
      <p class="report-key muted">
        <span class="rainbow">rainbow</span> <span class="two-tone">two-tone</span> <span class="monotone">monotone</span>
      </p>
    </figure>
  `;
}
