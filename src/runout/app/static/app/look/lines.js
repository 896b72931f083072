// How the betting of this street goes from here on, the most common ways first.
import { lines, useAsked } from "../api.js";
import { share } from "../format.js";
import { measure } from "../units.js";
import { html } from "../html.js";

export function Lines({ id, node, units, onGo }) {
  const { chips } = measure(node, units === "pot" ? "chips" : units);
  const { data, error } = useAsked(() => lines(id, node.line), [id, node.line]);
  if (error) return html`<p class="empty-note">${error.message}</p>`;
  if (!data) return html`<p class="empty-note">Loading…</p>`;
  return html`
    <table class="groups">
      <caption>Most common lines of this street, from here on</caption>
      <thead>
        <tr>
          <th scope="col">line</th>
          <th scope="col">how often</th>
          <th scope="col">pot</th>
          <th scope="col">ends in</th>
        </tr>
      </thead>
      <tbody>
        ${data.map((each) => html`
          <tr key=${each.line}>
            <th scope="row">
              <button class="link" title=${each.line} onClick=${() => onGo(each.line)}>
                ${each.actions.join(" · ")}
              </button>
            </th>
            <td class="num">
              <span class="share-bar"><i style=${`width:${(100 * (each.share ?? 0)).toFixed(1)}%`}></i></span>
              <span class="part">${share(each.share)}</span>
            </td>
            <td class="num">${chips(each.pot)}</td>
            <td>${each.ending}</td>
          </tr>
        `)}
      </tbody>
    </table>
  `;
}
