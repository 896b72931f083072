// From a line of a trained strategy to the exact solution: its ranges, pot and stack, on the board that is shown.
import * as api from "../api.js";
import { post } from "../api.js";
import { html, useState } from "../html.js";
import { go, href } from "../route.js";
import { flatten } from "../spot/model.js";

const TRAINED = ["blueprint", "mccfr", "neural"];

export const canSolve = (node, summary) =>
  TRAINED.includes(summary?.kind) && node.layout === "matrix" && node.kind === "decision" && node.strip.at(-2)?.kind === "chance";

export function Exact({ id, node }) {
  const [problem, setProblem] = useState(null);
  const [busy, setBusy] = useState(false);
  const take = async (then) => {
    setBusy(true);
    try {
      await then(await api.lineSpot(id, node.line));
    } catch (error) {
      setProblem(error.message);
    } finally {
      setBusy(false);
    }
  };
  const solve = async (spot) => {
    const job = await post("/jobs", { spot, name: `${spot.board.replaceAll(" ", "")} ${node.line}`.slice(0, 60) });
    go(href("solve", "", { job: job.id }));
  };
  return html`
    <p class="exact buttons">
      <button disabled=${busy} onClick=${() => take(solve)}>Solve this spot exactly</button>
      <button class="quiet" disabled=${busy} onClick=${() => take((spot) => go(href("spot", "", flatten(spot))))}>Set up</button>
      ${problem && html`<span class="error" role="alert">${problem}</span>`}
    </p>
  `;
}
