// The Library page: every solution, with what was reached, and the solves that are under way.
import { get, idPath, post, remove, solution, useAsked, useEvents } from "./api.js";
import { ago, count, duration, reached } from "./format.js";
import { html, useState } from "./html.js";
import { go, href, patch } from "./route.js";
import { toast } from "./toast.js";
import { flatten } from "./spot/model.js";

export function Library({ query, jobs }) {
  const [version, setVersion] = useState(0);
  useEvents((event) => {
    if (event.type === "library") setVersion((n) => n + 1);
  });
  const { data, error } = useAsked(() => get("/library"), [version]);
  const text = (query.q ?? "").toLowerCase();
  const kinds = [...new Set((data ?? []).map(({ kind }) => kind))].sort();
  const rows = (data ?? [])
    .filter(
      (row) =>
        (!query.kind || row.kind === query.kind) &&
        (!text || `${row.title} ${row.id} ${row.algorithm}`.toLowerCase().includes(text)),
    )
    .sort((a, b) => (a.modified < b.modified ? 1 : -1));
  const open = jobs.filter(({ state }) => ["running", "queued", "paused"].includes(state));
  return html`
    <main class="page">
      <div class="page-head"><h1>Library</h1><a class="primary" href=${href("spot")}>New spot</a></div>
      ${open.length > 0 && html`
        <section class="panel pad" aria-label="Solves under way">
          ${open.map((job) => html`
            <a class="job-line" key=${job.id} href=${href("solve", "", { job: job.id })}>
              <b>${job.title}</b>
              <span class="muted">${job.state}</span>
              <span class="num">${reached(job.exploitability, job.unit)}</span>
            </a>
          `)}
        </section>
      `}
      ${data?.length > 0 && html`
        <div class="toolbar">
          <input
            type="search" placeholder="Search" aria-label="Search solutions" value=${query.q ?? ""}
            onInput=${(event) => patch({ q: event.currentTarget.value }, { replace: true })}
          />
          <span class="segmented" role="group" aria-label="Kind">
            <button aria-pressed=${!query.kind} onClick=${() => patch({ kind: undefined }, { replace: true })}>
              all
            </button>
            ${kinds.map((kind) => html`
              <button
                key=${kind} aria-pressed=${query.kind === kind} onClick=${() => patch({ kind }, { replace: true })}
              >
                ${kind}
              </button>
            `)}
          </span>
        </div>
      `}
      ${error && html`<p class="error" role="alert">${error.message}</p>`}
      ${data && !data.length && html`
        <section class="panel empty-page">
          <h2>No solutions yet</h2>
          <p>Set up a spot and solve it: it is kept here, with what was reached, and opens again at any time.</p>
          <a class="primary" href=${href("spot")}>Set up a spot</a>
        </section>
      `}
      ${data?.length > 0 && !rows.length && html`<p class="empty-note">No solution matches.</p>`}
      ${rows.length > 0 && html`
        <div class="panel">
          <table class="library">
            <thead>
              <tr>
                <th scope="col">Solution</th>
                <th scope="col">Kind</th>
                <th scope="col" class="num">Exploitability</th>
                <th scope="col" class="num wide">Iterations</th>
                <th scope="col" class="num wide">Time</th>
                <th scope="col" class="wide">Changed</th>
                <th><span class="sr">Actions</span></th>
              </tr>
            </thead>
            <tbody>
              ${rows.map((row) => html`<${Row} key=${row.id} row=${row} onGone=${() => setVersion((n) => n + 1)} />`)}
            </tbody>
          </table>
        </div>
      `}
    </main>
  `;
}

function Row({ row, onGone }) {
  const [sure, setSure] = useState(false);
  const [target, setTarget] = useState(null); // of going on; null: not asked for
  const drop = async () => {
    if (!sure) {
      setSure(true);
      setTimeout(() => setSure(false), 3000);
      return;
    }
    try {
      await remove(`/solutions/${idPath(row.id)}`);
      const back = async () => {
        try {
          await post(`/solutions/${idPath(row.id)}/restore`, {});
        } catch (error) {
          toast(error.message, "bad");
        }
      };
      toast(`Deleted ${row.id}`, "", { label: "Undo", run: back });
      onGone();
    } catch (error) {
      toast(error.message, "bad");
    }
  };
  const further = async (event) => {
    event.preventDefault();
    try {
      const job = await post(`/solutions/${idPath(row.id)}/resume`, { target: Number(target) });
      go(href("solve", "", { job: job.id }));
    } catch (error) {
      toast(error.message, "bad");
    }
  };
  const edit = async () => {
    const { settings } = await solution(row.id);
    go(href("spot", "", flatten(settings)));
  };
  return html`
    <tr>
      <th scope="row"><a href=${href("look", row.id)}>${row.title}</a><span class="muted id">${row.id}</span></th>
      <td><span class="badge">${row.kind}</span></td>
      <td class="num">${reached(row.exploitability, row.unit)}</td>
      <td class="num wide">${count(row.iterations)}</td>
      <td class="num wide">${duration(row.seconds)}</td>
      <td class="wide muted">${ago(row.modified)}</td>
      <td class="row-actions">
        ${row.kind !== "tabular" && html`<a class="quiet" href=${href("practice", row.id)}>Practice</a>`}
        ${row.kind === "postflop" && html`<button class="quiet" onClick=${edit}>Edit</button>`}
        ${target !== null ? html`
          <form class="go-on" onSubmit=${further}>
            <input
              class="num" inputmode="decimal" aria-label=${`Target of ${row.id}, % of the pot`} value=${target}
              ref=${(input) => input?.focus()} onInput=${(event) => setTarget(event.currentTarget.value)}
              onKeyDown=${(event) => event.key === "Escape" && setTarget(null)}
            />
            % <button type="submit">Solve</button>
          </form>
        ` : row.kind === "postflop" && !row.job && !row.id.includes("/") && row.exploitability > 0 && html`
          <button
            class="quiet" title="Go on solving to a lower target" aria-label=${`Go on solving ${row.id}`}
            onClick=${() => setTarget(String(Number((row.exploitability / 2).toPrecision(2))))}
          >
            Go on
          </button>
        `}
        ${!row.id.startsWith("open/") && html`
          <button class="quiet" aria-label=${sure ? `Really delete ${row.id}` : `Delete ${row.id}`} onClick=${drop}>
            ${sure ? "Sure?" : "Delete"}
          </button>
        `}
      </td>
    </tr>
  `;
}
