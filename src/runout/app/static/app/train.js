// The Runs page: training runs, their curves, and their checkpoints to open.
import { get, idPath, useAsked } from "./api.js";
import { Chart } from "./chart.js";
import { count, reached, tick } from "./format.js";
import { html, useEffect, useMemo, useState } from "./html.js";
import { href } from "./route.js";

const EVERY = 3000; // ms between looks at a run that goes on
const MOST = 8; // charts of single columns
const CHARTS = [
  { title: "Exploitability", fits: /exploitab|nash|lbr/i, log: true },
  { title: "Loss", fits: /loss/i, log: true },
  { title: "Seconds", fits: /.seconds$/i },
  { title: "A second", fits: /per_second$/i },
];

export function Train({ id }) {
  const [turn, setTurn] = useState(0);
  const { data: runs, error } = useAsked(() => get("/runs"), [turn]);
  const run = runs?.find((each) => each.id === id) ?? (id ? null : runs?.[0]);
  useEffect(() => {
    if (!runs?.some(({ running }) => running)) return undefined;
    const timer = setTimeout(() => setTurn((n) => n + 1), EVERY);
    return () => clearTimeout(timer);
  }, [runs]);
  return html`
    <main class="page">
      <div class="page-head"><h1>Training runs</h1></div>
      ${error && html`<p class="error" role="alert">${error.message}</p>`}
      ${runs && !runs.length && html`
        <section class="panel empty-page">
          <h2>No training runs</h2>
          <p>
            Start one in a terminal with its output in the library folder: <code>
              runout train -c CONFIG.yaml -o LIBRARY/runs/NAME
            </code>. Its curves and checkpoints then show up here.
          </p>
        </section>
      `}
      ${id && runs && !run && html`<p class="error" role="alert">There is no run ${id}.</p>`}
      ${runs?.length > 0 && html`
        <div class="solve-body">
          <ul class="panel queue" aria-label="Runs">
            ${runs.map((each) => html`
              <li key=${each.id}>
                <a
                  class=${`queue-row ${each.id === run?.id ? "on" : ""}`} href=${href("train", each.id)}
                  aria-current=${each.id === run?.id ? "true" : undefined}
                >
                  <b>${each.title}</b>
                  <span class=${`state ${each.running ? "running" : "done"}`}>
                    ${each.running ? "running" : "at rest"}
                  </span>
                  <span class="num muted">${reached(each.exploitability, each.unit)}</span>
                </a>
              </li>
            `)}
          </ul>
          ${run && html`<${Run} key=${run.id} run=${run} turn=${turn} />`}
        </div>
      `}
    </main>
  `;
}

function Run({ run, turn }) {
  const { data, error } = useAsked(() => get(`/runs/${idPath(run.id)}/metrics`), [run.id, turn]);
  const charts = useMemo(() => chartsOf(data?.rows ?? []), [data]);
  return html`
    <section class="panel pad job" aria-label=${run.title}>
      <header class="page-head">
        <div>
          <h2>${run.title}</h2>
          <p class="muted">
            ${run.solver} · ${count(run.iterations)} iterations · ${reached(run.exploitability, run.unit)}
          </p>
        </div>
      </header>
      ${run.checkpoints.length > 0 && html`
        <div class="chips" aria-label="Checkpoints">
          ${run.checkpoints.map((each) => html`
            <a class="chip" key=${each.id} href=${href("look", each.id)}>checkpoint ${count(each.iteration)}</a>
          `)}
        </div>
      `}
      ${error && html`<p class="error" role="alert">${error.message}</p>`}
      ${data && !charts.length && html`<p class="empty-note">No measurements yet.</p>`}
      <div class="charts">
        ${charts.map((chart) => html`
          <figure key=${chart.title}>
            <figcaption>${chart.title}</figcaption>
            <${Chart}
              label=${`${chart.title} over iterations`} height=${220} data=${chart.data} series=${chart.series}
              x=${{ label: "iteration", format: (t) => String(Math.round(t)) }}
              y=${{ label: chart.unit ?? "", log: chart.log, format: tick }}
            />
          </figure>
        `)}
      </div>
    </section>
  `;
}

// Numeric columns of the metrics, put together by what they measure; what fits nowhere has a chart of its own.
function chartsOf(rows) {
  if (rows.length < 1) return [];
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))].filter(
    (name) =>
      name !== "iteration" &&
      !/unit|seed|^time$|stamp/i.test(name) &&
      rows.some((row) => typeof row[name] === "number"),
  );
  const xs = rows.map((row, i) => row.iteration ?? i + 1);
  const column = (name) => rows.map((row) => (typeof row[name] === "number" ? row[name] : null));
  const left = new Set(names);
  const charts = [];
  for (const { title, fits, log } of CHARTS) {
    const taken = [...left].filter((name) => fits.test(name)).slice(0, 4);
    taken.forEach((name) => left.delete(name));
    if (!taken.length) continue;
    const columns = taken.map(column);
    charts.push({
      title,
      log: log && columns.every((values) => values.every((x) => x === null || x > 0)),
      data: [xs, ...columns],
      series: taken.map((name, i) => ({
        label: name.replaceAll("_", " "),
        color: `--line-${i + 1}`,
        points: rows.length < 40,
      })),
    });
  }
  const first = (name) => (/^samples|buffer|reservoir/.test(name) ? 0 : 1);
  for (const name of [...left].sort((a, b) => first(a) - first(b)).slice(0, MOST))
    charts.push({
      title: name.replaceAll("_", " "),
      data: [xs, column(name)],
      series: [{ label: name.replaceAll("_", " "), color: "--line-1", points: rows.length < 40 }],
    });
  return charts;
}
