// How the betting of this street goes from here on, the most common ways first.
import { lines, useAsked } from "../api.js";
import { plain, share } from "../format.js";
import { html } from "../html.js";

export function Lines({ id, node, onGo }) {
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
            <td class="num">${plain(each.pot)}</td>
            <td>${each.ending}</td>
          </tr>
        `)}
      </tbody>
    </table>
  `;
}
