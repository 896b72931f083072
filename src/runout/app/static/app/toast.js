// Short messages in the corner; they leave by themselves. One stays as long as the server is away.
import { AWAY, useAway } from "./api.js";
import { html, useEffect, useState } from "./html.js";

let show = () => {};
// `action`: {label, run}, a button that takes back what the message says.
export const toast = (message, tone = "", action = null) => show(message, tone, action);

export function Toasts() {
  const [items, setItems] = useState([]);
  const away = useAway();
  useEffect(() => {
    show = (message, tone, action) => {
      const drop = () => setItems((before) => before.filter((each) => each !== item));
      const item = { message, tone, action, drop, key: performance.now() };
      setItems((before) => [...before.slice(-2), item]);
      setTimeout(drop, action ? 15000 : 5000);
    };
  }, []);
  return html`
    <div class="toasts" role="status" aria-live="polite">
      ${away && html`<div class="toast bad">${AWAY[0].toUpperCase() + AWAY.slice(1)}</div>`}
      ${items.map(
        ({ message, tone, action, drop, key }) => html`
          <div key=${key} class=${`toast ${tone}`}>
            ${message}
            ${action &&
            html`<button class="quiet" onClick=${() => { drop(); action.run(); }}>${action.label}</button>`}
          </div>
        `,
      )}
    </div>
  `;
}
