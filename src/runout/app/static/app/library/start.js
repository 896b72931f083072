// For the first minute: solutions that come with Runout, the charts, and a short tour.
import { get, useAsked } from "../api.js";
import { html, useState } from "../html.js";
import { href } from "../route.js";
import { startTour } from "../tour.js";

const HIDDEN = "start-hidden";

function hidden() {
  try {
    return localStorage.getItem(HIDDEN) === "1";
  } catch {
    return false;
  }
}

export function Start({ empty }) {
  const [gone, setGone] = useState(hidden);
  const { data } = useAsked(() => get("/ready"), []);
  if (gone && !empty) return null;
  const hide = () => {
    setGone(true);
    try {
      localStorage.setItem(HIDDEN, "1");
    } catch {
      // it is back with the next visit
    }
  };
  return html`
    <section class="panel pad start" aria-label="Start here">
      <header class="page-head">
        <h2>Start here</h2>
        <span class="buttons">
          <button onClick=${startTour}>Take the tour</button>
          ${!empty && html`<button class="quiet" onClick=${hide}>Hide</button>`}
        </span>
      </header>
      <ul>
        ${(data ?? []).map(({ id, name, what }) => html`
          <li key=${id}>
            <a href=${href("look", id)}><b>${name}</b></a>
            <span class="muted">${what}</span>
            <a class="quiet" href=${href("practice", id)}>Practise it</a>
          </li>
        `)}
        <li>
          <a href=${href("charts")}><b>Charts before the flop</b></a>
          <span class="muted">ten depths from 10 to 200 bb, and on to any flop</span>
          <a class="quiet" href=${href("practice", "charts/100bb")}>Practise them</a>
        </li>
      </ul>
    </section>
  `;
}
