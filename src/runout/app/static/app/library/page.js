// The Library page: every solution, with what was reached, in folders; several at once; and the solves under way.
import { get, useAsked, useEvents } from "../api.js";
import { reached } from "../format.js";
import { html, useState } from "../html.js";
import { href, patch } from "../route.js";
import { Import, Selection } from "./selection.js";
import { Row } from "./row.js";
import { Start } from "./start.js";

const within = (row, folder) => !folder || row.folder === folder || row.folder.startsWith(`${folder}/`);

export function Library({ query, jobs }) {
  const [version, setVersion] = useState(0);
  const [chosen, setChosen] = useState(() => new Set());
  useEvents((event) => {
    if (event.type === "library") setVersion((n) => n + 1);
  });
  const { data, error } = useAsked(() => get("/library"), [version]);
  const all = data ?? [];
  const text = (query.q ?? "").toLowerCase();
  const kinds = [...new Set(all.map(({ kind }) => kind))].sort();
  const tags = [...new Set(all.flatMap((row) => row.tags))].sort();
  const rows = all
    .filter(
      (row) =>
        (!query.kind || row.kind === query.kind) &&
        (!query.tag || row.tags.includes(query.tag)) &&
        within(row, query.folder) &&
        (!text ||
          [row.name, row.title, row.id, row.algorithm, row.notes, row.folder, ...row.tags].join(" ").toLowerCase().includes(text)),
    )
    .sort((a, b) => (a.modified < b.modified ? 1 : -1));
  const open = jobs.filter(({ state }) => ["running", "queued", "paused"].includes(state));
  const picked = rows.filter(({ id }) => chosen.has(id));
  const toggle = (id) => setChosen((before) => new Set(before.has(id) ? [...before].filter((each) => each !== id) : [...before, id]));
  const whole = rows.length > 0 && picked.length === rows.length;
  return html`
    <main class="page">
      <div class="page-head">
        <h1>Library</h1>
        <span class="buttons"><${Import} /><a class="primary" href=${href("spot")}>New spot</a></span>
      </div>
      <${Start} empty=${data?.length === 0} />
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
      ${all.length > 0 && html`
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
          ${tags.length > 0 && html`
            <span class="chips" role="group" aria-label="Tags">
              ${tags.map((tag) => html`
                <button
                  key=${tag} class="chip" aria-pressed=${query.tag === tag}
                  onClick=${() => patch({ tag: query.tag === tag ? undefined : tag }, { replace: true })}
                >
                  ${tag}
                </button>
              `)}
            </span>
          `}
        </div>
        <${Folders} rows=${all} folder=${query.folder ?? ""} />
      `}
      ${error && html`<p class="error" role="alert">${error.message}</p>`}
      ${all.length > 0 && !rows.length && html`<p class="empty-note">No solution matches.</p>`}
      ${picked.length > 0 && html`
        <${Selection} rows=${picked} folders=${foldersOf(all)} onDone=${() => setChosen(new Set())} />
      `}
      ${rows.length > 0 && html`
        <div class="panel">
          <table class="library">
            <thead>
              <tr>
                <th class="pick">
                  <input
                    type="checkbox" aria-label="Choose all" checked=${whole}
                    onChange=${() => setChosen(new Set(whole ? [] : rows.map(({ id }) => id)))}
                  />
                </th>
                <th scope="col">Solution</th>
                <th scope="col">Kind</th>
                <th scope="col" class="num">Exploitability</th>
                <th scope="col" class="num wide">Iterations</th>
                <th scope="col" class="num wide">Time</th>
                <th scope="col" class="num wide">Size</th>
                <th scope="col" class="wide">Changed</th>
                <th><span class="sr">Actions</span></th>
              </tr>
            </thead>
            <tbody>
              ${rows.map((row) => html`
                <${Row}
                  key=${row.id} row=${row} folders=${foldersOf(all)} chosen=${chosen.has(row.id)}
                  onChoose=${() => toggle(row.id)} onGone=${() => setVersion((n) => n + 1)}
                />
              `)}
            </tbody>
          </table>
        </div>
      `}
    </main>
  `;
}

// Every folder and the ones that it is in.
function foldersOf(rows) {
  const found = new Set();
  for (const { folder } of rows)
    folder.split("/").filter(Boolean).forEach((_, i, parts) => found.add(parts.slice(0, i + 1).join("/")));
  return [...found].sort();
}

// Where one is, and the folders in there.
function Folders({ rows, folder }) {
  const all = foldersOf(rows);
  if (!all.length) return null;
  const parts = folder.split("/").filter(Boolean);
  const path = parts.map((_, i) => parts.slice(0, i + 1).join("/"));
  const inside = all.filter((each) => each.split("/").length === parts.length + 1 && within({ folder: each }, folder));
  const to = (each) => patch({ folder: each || undefined }, { replace: true });
  const count = (each) => rows.filter((row) => within(row, each)).length;
  return html`
    <nav class="folders" aria-label="Folders">
      ${["", ...path].map((each, i) => html`
        <button key=${each} class="chip" aria-pressed=${each === folder} onClick=${() => to(each)}>
          ${i ? parts[i - 1] : "all folders"} <span class="muted num">${count(each)}</span>
        </button>
        ${i < path.length ? html`<span class="muted" aria-hidden="true">›</span>` : ""}
      `)}
      ${inside.length > 0 && html`<span class="muted" aria-hidden="true">›</span>`}
      ${inside.map((each) => html`
        <button key=${each} class="chip folder" onClick=${() => to(each)}>
          ${each.split("/").at(-1)} <span class="muted num">${count(each)}</span>
        </button>
      `)}
    </nav>
  `;
}
