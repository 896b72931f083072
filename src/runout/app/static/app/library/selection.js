// What is done with several solutions at once, and the file that brings some in.
import { archiveAddress, idPath, post, remove, upload } from "../api.js";
import { memory } from "../format.js";
import { html, useRef, useState } from "../html.js";
import { toast } from "../toast.js";

export function Selection({ rows, folders, onDone }) {
  const [asked, setAsked] = useState(null); // "folder" or "tag": what is being typed
  const [text, setText] = useState("");
  const [sure, setSure] = useState(false);
  const ids = rows.map(({ id }) => id);
  const each = async (work, said) => {
    const failed = [];
    for (const row of rows)
      try {
        await work(row);
      } catch (error) {
        failed.push(error.message);
      }
    if (failed.length) toast(failed[0], "bad");
    if (failed.length < rows.length) toast(said(rows.length - failed.length));
    onDone();
  };
  const submit = async (event) => {
    event.preventDefault();
    try {
      if (asked === "folder") await post("/library/move", { ids, folder: text });
      else await post("/library/tag", { ids, tag: text });
      setAsked(null);
      setText("");
    } catch (error) {
      toast(error.message, "bad");
    }
  };
  const drop = () => {
    if (!sure) {
      setSure(true);
      return;
    }
    each(({ id }) => remove(`/solutions/${idPath(id)}`), (n) => `Deleted ${n}: kept for a day in .deleted`);
  };
  const shrinks = rows.filter((row) => row.kind === "postflop" && row.rivers && !row.id.includes("/"));
  return html`
    <section class="panel selection" aria-label="Chosen solutions">
      <b>${rows.length} chosen</b>
      <span class="muted num">${memory(rows.reduce((sum, row) => sum + row.bytes, 0) / 1e6)}</span>
      ${asked ? html`
        <form class="go-on" onSubmit=${submit}>
          <input
            aria-label=${asked === "folder" ? "Folder for the chosen solutions" : "Tag for the chosen solutions"} value=${text}
            placeholder=${asked === "folder" ? "3-bet pots/100 bb" : "tag"} list="chosen-folders" ref=${(input) => input?.focus()}
            onInput=${(event) => setText(event.currentTarget.value)} onKeyDown=${(event) => event.key === "Escape" && setAsked(null)}
          />
          ${asked === "folder" && html`<datalist id="chosen-folders">${folders.map((one) => html`<option key=${one} value=${one} />`)}</datalist>`}
          <button disabled=${asked === "tag" && !text.trim()}>${asked === "folder" ? "Move" : "Tag"}</button>
        </form>
      ` : html`
        <button class="quiet" onClick=${() => setAsked("folder")}>Move to folder</button>
        <button class="quiet" onClick=${() => setAsked("tag")}>Tag</button>
      `}
      <a class="quiet" href=${archiveAddress(ids)} download>Export in one file</a>
      ${shrinks.length > 0 && html`
        <button class="quiet" onClick=${() => each((row) => shrinks.includes(row) && post(`/solutions/${idPath(row.id)}/shrink`), () => `Left the rivers out of ${shrinks.length}`)}>
          Leave rivers out
        </button>
      `}
      <button class="quiet danger" onClick=${drop} onBlur=${() => setSure(false)}>${sure ? `Really delete ${rows.length}?` : "Delete"}</button>
      <button class="quiet" onClick=${onDone}>Clear</button>
    </section>
  `;
}

export function Import() {
  const box = useRef(null);
  const [busy, setBusy] = useState(false);
  const send = async (file) => {
    if (!file) return;
    setBusy(true);
    try {
      const { ids } = await upload("/import", file);
      toast(`Imported ${ids.join(", ")}`);
    } catch (error) {
      toast(error.message, "bad");
    } finally {
      setBusy(false);
      box.current.value = "";
    }
  };
  return html`
    <button disabled=${busy} onClick=${() => box.current.click()}>${busy ? "Importing…" : "Import"}</button>
    <input
      ref=${box} type="file" accept=".tar,.runout" hidden aria-label="File of solutions to import"
      onChange=${(event) => send(event.currentTarget.files[0])}
    />
  `;
}
