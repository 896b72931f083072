// Every decision on the way to a node, with what could have been done there; a click goes anywhere.
import { Card, Cards, isCard } from "../cards.js";
import { actionColors } from "../colors.js";
import { NONE, amount, percent, share } from "../format.js";
import { cls, html, useLayoutEffect, useRef } from "../html.js";
import { childLine } from "./node.js";

export function Strip({ node, onGo, onStepCard }) {
  const scroller = useRef(null);
  useLayoutEffect(() => {
    const current = scroller.current?.querySelector("[aria-current]");
    if (current)
      scroller.current.scrollLeft = current.offsetLeft + current.offsetWidth - scroller.current.clientWidth + 24;
  }, [node.line]);
  return html`<nav class="strip" aria-label="Line" ref=${scroller}>
    <ol>${node.strip.map(
      (step, i) => html`<li key=${step.line + i}>
      <${Step} step=${step} next=${node.strip[i + 1]} node=${node} onGo=${onGo} onStepCard=${onStepCard} />
    </li>`,
    )}</ol>
  </nav>`;
}

const ENDINGS = { flop: "the flop comes" };

function Step({ step, next, node, onGo, onStepCard }) {
  const here = step.line === node.line;
  const title = step.kind === "chance" ? nextStreet(step, node) : step.kind === "terminal" ? "End" : step.player;
  return html`
    <section class=${cls("step", here && "here")} aria-current=${here ? "step" : undefined}>
      <button class="step-head" onClick=${() => onGo(step.line)} title=${step.line || "root"}>
        <b>${title}</b>
        <span class="muted">pot ${Math.round(step.pot * 100) / 100}</span>
      </button>
      ${step.kind === "decision" && html`<${Actions} step=${step} next=${next} onGo=${onGo} />`}
      ${step.kind === "chance" && html`
        <div class="step-deal">
          ${next && step.cards.length === 1 && html`
            <button class="icon" aria-label="Previous card" onClick=${() => onStepCard(step, -1)}>‹</button>
          `}
          ${step.cards.length ? html`<${Cards} cards=${step.cards} />` : html`<span class="muted">deal below</span>`}
          ${next && step.cards.length === 1 && html`
            <button class="icon" aria-label="Next card" onClick=${() => onStepCard(step, 1)}>›</button>
          `}
        </div>
      `}
      ${step.kind === "terminal" && html`
        <div class="step-deal muted">${ENDINGS[node.ending] ?? node.ending ?? "hand over"}</div>
      `}
    </section>
  `;
}

function Actions({ step, next, onGo }) {
  const colors = actionColors(step.actions);
  return html`
    <ul class=${cls(step.actions.length > 5 && "many")}>
      ${step.actions.map((action, a) => {
    const taken = step.taken === action.token;
    const line = taken && next ? next.line : childLine(step.line, action.token);
    return html`
        <li key=${action.token}>
          <button class=${cls("step-action", taken && "taken")} onClick=${() => onGo(line)} aria-pressed=${taken}>
            <i class="swatch" style=${`background:${colors[a]}`}></i>
            <span>${action.name}</span>
            <span class="num muted">${share(action.frequency)}</span>
          </button>
        </li>
      `;
  })}
    </ul>
  `;
}

const nextStreet = (step, node) => {
  const at = node.strip.indexOf(step);
  return node.strip[at + 1]?.street ?? { preflop: "flop", flop: "turn", turn: "river" }[step.street] ?? "deal";
};

function worth({ ev, equity }, node) {
  const parts = [];
  if (ev !== null) parts.push(`EV ${amount(ev, node.pot >= 100 ? 1 : 2)}`);
  if (equity !== null) parts.push(`equity ${percent(equity, 1)}`);
  return parts.join(" · ") || NONE;
}

// The facts above the matrix: board, pot, stacks, and what both ranges are worth.
export function Facts({ node }) {
  const seats = node.players.map((player, i) => ({
    player,
    stack: node.stacks?.[i],
    ev: node.evs?.[i] ?? null,
    equity: node.equities?.[i] ?? null,
  }));
  return html`
    <div class="facts">
      ${node.board.length > 0 && html`
        <div class="board" aria-label="Board">
          ${node.board.map((card) => html`<${Card} key=${card} card=${card} small=${!isCard(card)} />`)}
        </div>
      `}
      <div class="fact"><span>pot</span><b class="num">${Math.round(node.pot * 100) / 100}</b></div>
      ${node.to_call > 0 && html`
        <div class="fact"><span>to call</span><b class="num">${Math.round(node.to_call * 100) / 100}</b></div>
      `}
      ${seats.map((seat) => html`
        <div class=${cls("fact", "seat", seat.player === node.player && "acts")} key=${seat.player}>
          <span>
            ${seat.player}
            ${seat.stack !== undefined && seat.stack !== null ? ` · ${Math.round(seat.stack * 100) / 100} behind` : ""}
          </span>
          <b class="num">
            ${worth(seat, node)}
          </b>
        </div>
      `)}
      ${node.evs && node.ev_from === "start" && html`
        <div class="fact"><span>EVs</span><b>${node.unit}, since the hand began</b></div>
      `}
      ${node.locked && html`<div class="fact"><span>strategy</span><b class="badge">locked</b></div>`}
    </div>
  `;
}
