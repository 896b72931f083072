// The betting tree at a node: take sizes out, add others, solve again; and one size against the other by EV.
import { get, idPath, node as askNode, post, useAsked } from "../api.js";
import { count, memory, reached, seat, share } from "../format.js";
import { cls, html, useEffect, useState } from "../html.js";
import { go, href } from "../route.js";
import { measure } from "../units.js";
import { childLine } from "./node.js";

const SIZED = new Set(["bet", "raise", "all-in"]);
const USUAL = "33 75 150";

/* Changes live in the address: "+x:33%;-x-b94" adds 33% at the node x and takes b94 out there. */
function readChanges(text) {
  const changes = { add: [], remove: [] };
  for (const part of (text ?? "").split(";").filter(Boolean))
    if (part[0] === "-") changes.remove.push(part.slice(1));
    else changes.add.push({ line: part.slice(1, part.lastIndexOf(":")), size: part.slice(part.lastIndexOf(":") + 1) });
  return changes;
}
const writeChanges = ({ add, remove }) =>
  [...add.map(({ line, size }) => `+${line}:${size}`), ...remove.map((line) => `-${line}`)].join(";");

export function Tree({ id, node, units, query, jobs, onChange }) {
  return html`
    <div class="lock">
      <${Edit} ...${{ id, node, units, query, onChange }} />
      <${Sizes} ...${{ id, node, units, query, jobs, onChange }} />
    </div>
  `;
}

function Edit({ id, node, units, query, onChange }) {
  const [size, setSize] = useState("");
  const [check, setCheck] = useState(null); // {spot, ok, nodes, ...} or {error}
  const [busy, setBusy] = useState(false);
  const { name, part } = measure(node, units);
  const changes = readChanges(query.tree);
  const write = (next) => onChange({ tree: writeChanges(next) || undefined });
  const any = changes.add.length + changes.remove.length > 0;
  useEffect(() => {
    let current = true;
    setCheck(null);
    if (any)
      post(`/solutions/${idPath(id)}/tree`, changes)
        .then(async ({ spot }) => ({ spot, ...(await post("/spots/check", { spot })) }))
        .then(
          (found) => current && setCheck(found.ok ? found : { error: found.errors[0]?.message }),
          (error) => current && setCheck({ error: error.message }),
        );
    return () => {
      current = false;
    };
  }, [id, query.tree]);
  const toggle = (line) =>
    write({
      ...changes,
      remove: changes.remove.includes(line) ? changes.remove.filter((each) => each !== line) : [...changes.remove, line],
    });
  const add = (event) => {
    event.preventDefault();
    if (!size.trim()) return;
    write({ ...changes, add: [...changes.add, { line: node.line, size: size.trim().replaceAll(/[;:]/g, "") }] });
    setSize("");
  };
  const solve = async () => {
    setBusy(true);
    try {
      const job = await post("/jobs", { spot: check.spot, name: `${id.split("/").at(-1)} edited`.slice(0, 60) });
      go(href("solve", "", { job: job.id }));
    } catch (error) {
      setCheck({ error: error.message });
    } finally {
      setBusy(false);
    }
  };
  const sized = node.actions.filter(({ kind }) => SIZED.has(kind));
  return html`
    <fieldset>
      <legend>Sizes of ${seat(node.player)} here</legend>
      <ul class="tree-sizes">
        ${!sized.length && html`<li class="muted">no bets or raises</li>`}
        ${sized.map((action) => {
    const line = childLine(node.line, action.token);
    const gone = changes.remove.includes(line);
    return html`
          <li key=${action.token} class=${cls(gone && "gone")}>
            <span>${name(action)} <small class="muted">${part(action)}</small></span>
            <button class="quiet" onClick=${() => toggle(line)}>${gone ? "Put back" : "Remove"}</button>
          </li>
        `;
  })}
        ${changes.add.map((each, i) => each.line === node.line && html`
          <li key=${i} class="new"><span>+ ${each.size}</span>
            <button class="quiet" onClick=${() => write({ ...changes, add: changes.add.toSpliced(i, 1) })}>Remove</button>
          </li>
        `)}
      </ul>
      <form class="go-on" onSubmit=${add}>
        <input aria-label="Size to add" placeholder="33%  2.5x  100c  a" value=${size} onInput=${(event) => setSize(event.currentTarget.value)} />
        <button disabled=${!size.trim()}>Add</button>
      </form>
    </fieldset>
    ${any && html`
      <ul class="locks" aria-label="Changes of the tree">
        ${changes.add.map(({ line, size: each }, i) => html`
          <li key=${`+${i}`}><span><code>${line || "root"}</code> add <b>${each}</b></span>
            <button class="icon" aria-label=${`Do not add ${each}`} onClick=${() => write({ ...changes, add: changes.add.toSpliced(i, 1) })}>×</button>
          </li>
        `)}
        ${changes.remove.map((line) => html`
          <li key=${`-${line}`}><span>remove <code>${line}</code></span>
            <button class="icon" aria-label=${`Keep ${line}`} onClick=${() => toggle(line)}>×</button>
          </li>
        `)}
      </ul>
    `}
    ${check?.error && html`<p class="error" role="alert">${check.error}</p>`}
    <div class="buttons">
      <button class="primary" disabled=${busy || !check?.spot || !check.fits} onClick=${solve}>
        ${busy ? "Starting…" : "Re-solve with this tree"}
      </button>
      ${check?.spot && html`
        <span class="muted num">
          ${count(check.nodes)} nodes · ${memory(check.spot.solve?.storage === "int16" ? check.memory_int16_mb : check.memory_float_mb)}${check.fits ? "" : ", more than is free"}
        </span>
      `}
    </div>
    <p class="muted">Changes hold on every card, and at as many nodes as you like. The result is a solution of its own.</p>
  `;
}

/* One size against the other: "variants" in the address is "33%:j0123;75%:j4567", sizes and the jobs that solve them. */
function Sizes({ id, node, units, query, jobs, onChange }) {
  const [sizes, setSizes] = useState(USUAL);
  const [error, setError] = useState(null);
  const [busy, setBusy] = useState(false);
  const asked = (query.variants ?? "").split(";").filter(Boolean).map((part) => part.split(":"));
  const solve = async (event) => {
    event.preventDefault();
    setBusy(true);
    setError(null);
    const started = [];
    try {
      const found = await post(`/solutions/${idPath(id)}/sizes`, { line: node.line, sizes });
      for (const { size, spot } of found) {
        const job = await post("/jobs", { spot, name: `${id.split("/").at(-1)} ${node.line} ${size}`.slice(0, 60) });
        started.push(`${size}:${job.id}`);
      }
    } catch (problem) {
      setError(problem.message);
    } finally {
      setBusy(false);
      if (started.length) onChange({ variants: started.join(";") });
    }
  };
  return html`
    <fieldset>
      <legend>Compare sizes</legend>
      <p class="muted">Each size is solved alone: ${seat(node.player)} has that bet here and no other.</p>
      <form class="go-on" onSubmit=${solve}>
        <input aria-label="Sizes to compare" value=${sizes} onInput=${(event) => setSizes(event.currentTarget.value)} />
        <button disabled=${busy || !sizes.trim()}>${busy ? "Starting…" : "Solve each"}</button>
      </form>
      ${error && html`<p class="error" role="alert">${error}</p>`}
      ${asked.length > 0 && html`
        <table class="groups" aria-label="EV by size">
          <thead>
            <tr>
              <th scope="col">size</th>
              <th scope="col">EV ${seat(node.player)}</th>
              <th scope="col">EV ${seat(node.players.find((each) => each !== node.player))}</th>
              <th scope="col">bets</th>
              <th scope="col">exploitability</th>
            </tr>
          </thead>
          <tbody>
            <${Variant} size="this tree" id=${id} node=${node} units=${units} />
            ${asked.map(([size, job]) => html`
              <${Variant} key=${job} size=${size} job=${jobs.find((each) => each.id === job)} node=${node} units=${units} />
            `)}
          </tbody>
        </table>
      `}
    </fieldset>
  `;
}

// A row: what both players get where only this size is bet; while it is being solved, how far that is.
function Variant({ size, id, job, node, units }) {
  const solution = id ?? (job?.state === "done" ? job.solution : null);
  const found = useAsked(() => (solution ? askNode(solution, node.line) : Promise.resolve(null)), [solution, node.line]);
  const summary = useAsked(() => (solution ? get(`/solutions/${idPath(solution)}`) : Promise.resolve(null)), [solution]);
  const { ev } = measure(node, units);
  const there = found.data;
  const me = node.players.indexOf(node.player);
  if (!there)
    return html`
      <tr><th scope="row">${size}</th><td colspan="4" class="muted">${job ? `${job.state} ${reached(job.exploitability, job.unit)}` : found.error?.message ?? "…"}</td></tr>
    `;
  const bets = there.actions.reduce((sum, { kind, frequency }) => sum + (SIZED.has(kind) ? (frequency ?? 0) : 0), 0);
  return html`
    <tr>
      <th scope="row">${id ? size : html`<a href=${href("look", solution, { line: node.line })}>${size}</a>`}</th>
      <td class="num"><b>${ev(there.evs?.[me])}</b></td>
      <td class="num">${ev(there.evs?.[1 - me])}</td>
      <td class="num">${share(bets)}</td>
      <td class="num muted">${reached(summary.data?.exploitability ?? null, summary.data?.unit)}</td>
    </tr>
  `;
}
