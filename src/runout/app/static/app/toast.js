// Short messages in the corner; they leave by themselves.
import { html, useEffect, useState } from "./html.js";

let show = () => {};
export const toast = (message, tone = "") => show(message, tone);

export function Toasts() {
  const [items, setItems] = useState([]);
  useEffect(() => {
    show = (message, tone) => {
      const item = { message, tone, key: performance.now() };
      setItems((before) => [...before.slice(-2), item]);
      setTimeout(() => setItems((before) => before.filter((each) => each !== item)), 5000);
    };
  }, []);
  return html`
    <div class="toasts" role="status" aria-live="polite">
      ${items.map(({ message, tone, key }) => html`<div key=${key} class=${`toast ${tone}`}>${message}</div>`)}
    </div>
  `;
}
