// A solution of the library: what it is, and below it, when asked for, everything that can be done with it.
import { archiveAddress, idPath, post, put, remove, solution } from "../api.js";
import { ago, count, duration, memory, reached } from "../format.js";
import { html, useState } from "../html.js";
import { go, href } from "../route.js";
import { flatten } from "../spot/model.js";
import { toast } from "../toast.js";

export function Row({ row, folders, chosen, onChoose, onGone }) {
  const [open, setOpen] = useState(false);
  const edit = async () => {
    const { settings } = await solution(row.id);
    go(href("spot", "", flatten(settings)));
  };
  return html`
    <tr>
      <td class="pick"><input type="checkbox" aria-label=${`Choose ${row.id}`} checked=${chosen} onChange=${onChoose} /></td>
      <th scope="row">
        <a href=${href("look", row.id)}>${row.name || row.title}</a>
        <span class="muted id">${row.name ? `${row.title} · ` : ""}${row.id}${row.rivers ? "" : " · without rivers"}</span>
        ${row.details && html`<span class="muted id">${row.details}</span>`}
        ${row.notes && html`<span class="muted id">${row.notes}</span>`}
        ${(row.tags.length > 0 || row.folder) && html`
          <span class="tags">
            ${row.folder && html`<i class="badge folder">${row.folder}</i>`}
            ${row.tags.map((tag) => html`<i class="badge" key=${tag}>${tag}</i>`)}
          </span>
        `}
      </th>
      <td><span class="badge">${row.kind}</span></td>
      <td class="num">${reached(row.exploitability, row.unit)}</td>
      <td class="num wide">${count(row.iterations)}</td>
      <td class="num wide">${duration(row.seconds)}</td>
      <td class="num wide">${memory(row.bytes / 1e6)}</td>
      <td class="wide muted">${ago(row.modified)}</td>
      <td class="row-actions">
        ${row.kind !== "tabular" && html`<a class="quiet" href=${href("practice", row.id)}>Practice</a>`}
        ${row.kind === "postflop" && html`<button class="quiet" onClick=${edit}>Edit</button>`}
        <button class="quiet" aria-expanded=${open} aria-label=${`More about ${row.id}`} onClick=${() => setOpen(!open)}>
          ${open ? "Close" : "More"}
        </button>
      </td>
    </tr>
    ${open && html`
      <tr class="row-more">
        <td colspan="9"><${Details} row=${row} folders=${folders} onDone=${() => setOpen(false)} onGone=${onGone} /></td>
      </tr>
    `}
  `;
}

function Details({ row, folders, onDone, onGone }) {
  const [sure, setSure] = useState(null); // what was pressed once
  const attempt = async (work) => {
    try {
      await work();
      return true;
    } catch (error) {
      toast(error.message, "bad");
      return false;
    }
  };
  const twice = (what, work) => async () => {
    if (sure === what) {
      setSure(null);
      await attempt(work);
    } else setSure(what);
  };
  const unsure = () => setSure(null); // whoever leaves the button
  const drop = twice("delete", async () => {
    await remove(`/solutions/${idPath(row.id)}`);
    const back = () => attempt(() => post(`/solutions/${idPath(row.id)}/restore`, {}));
    toast(`Deleted ${row.id}`, "", { label: "Undo", run: back });
    onGone();
  });
  const shrink = twice("shrink", async () => {
    await post(`/solutions/${idPath(row.id)}/shrink`);
    toast("The rivers are left out: they are solved again when you look at them");
    onGone();
  });
  const own = !row.id.includes("/");
  return html`
    <div class="details" aria-label=${`About ${row.id}`} role="group">
      <${NotesForm} row=${row} folders=${folders} attempt=${attempt} onDone=${onDone} />
      <div class="buttons">
        ${row.kind === "postflop" && own && !row.job && row.rivers && row.exploitability > 0 && html`<${GoOn} row=${row} attempt=${attempt} />`}
        <a class="quiet" href=${archiveAddress([row.id])} download aria-label=${`Export ${row.id}`}>Export</a>
        ${row.kind === "postflop" && own && !row.job && row.rivers && html`
          <button class="quiet" title="Many times smaller; rivers are solved again when they are looked at" onClick=${shrink} onBlur=${unsure}>
            ${sure === "shrink" ? "Sure? It cannot be gone on with then" : "Leave rivers out"}
          </button>
        `}
        ${!row.id.startsWith("open/") && html`
          <button
            class="quiet danger" aria-label=${sure === "delete" ? `Really delete ${row.id}` : `Delete ${row.id}`} onClick=${drop} onBlur=${unsure}
          >
            ${sure === "delete" ? "Sure?" : "Delete"}
          </button>
        `}
      </div>
    </div>
  `;
}

function GoOn({ row, attempt }) {
  const [target, setTarget] = useState(() => String(Number((row.exploitability / 2).toPrecision(2))));
  const further = (event) => {
    event.preventDefault();
    attempt(async () => {
      const job = await post(`/solutions/${idPath(row.id)}/resume`, { target: Number(target) });
      go(href("solve", "", { job: job.id }));
    });
  };
  return html`
    <form class="go-on" onSubmit=${further}>
      <span>Go on to</span>
      <input
        class="num" inputmode="decimal" aria-label=${`Target of ${row.id}, % of the pot`} value=${target}
        onInput=${(event) => setTarget(event.currentTarget.value)}
      />
      <span>% of the pot</span>
      <button type="submit" aria-label=${`Go on solving ${row.id}`}>Solve</button>
    </form>
  `;
}

function NotesForm({ row, folders, attempt, onDone }) {
  const [form, setForm] = useState({ name: row.name, notes: row.notes, folder: row.folder, tags: row.tags.join(", ") });
  const save = async (event) => {
    event.preventDefault();
    const tags = form.tags.split(",").map((tag) => tag.trim()).filter(Boolean);
    if (await attempt(() => put(`/solutions/${idPath(row.id)}/notes`, { ...form, tags }))) onDone();
  };
  const field = (key, label, more = {}) => html`
    <label class="field">
      <span>${label}</span>
      <input
        value=${form[key]} aria-label=${`${label} of ${row.id}`} ...${more}
        onInput=${(event) => setForm({ ...form, [key]: event.currentTarget.value })}
        onKeyDown=${(event) => event.key === "Escape" && onDone()}
      />
    </label>
  `;
  return html`
    <form class="notes-form" onSubmit=${save}>
      ${field("name", "Name")}
      ${field("folder", "Folder", { list: "folders", placeholder: "3-bet pots/100 bb" })}
      ${field("tags", "Tags")}
      ${field("notes", "Notes")}
      <datalist id="folders">${folders.map((each) => html`<option key=${each} value=${each} />`)}</datalist>
      <button>Save</button>
    </form>
  `;
}
