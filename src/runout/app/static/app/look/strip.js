// Every decision on the way to a node, with what could have been done there; a click goes anywhere.
import { Card, Cards, isCard } from "../cards.js";
import { actionColors } from "../colors.js";
import { NONE, percent, seat, share } from "../format.js";
import { cls, html, useLayoutEffect, useRef } from "../html.js";
import { UnitSwitch, measure } from "../units.js";
import { inAll } from "./actions.js";
import { childLine } from "./node.js";

export function Strip({ node, units, onGo, onStepCard }) {
  const scroller = useRef(null);
  useLayoutEffect(() => {
    const current = scroller.current?.querySelector("[aria-current]");
    if (current)
      scroller.current.scrollLeft = current.offsetLeft + current.offsetWidth - scroller.current.clientWidth + 24;
  }, [node.line]);
  return html`<nav class="strip" aria-label="Line" ref=${scroller}>
    <ol>${node.strip.map(
      (step, i) => html`<li key=${step.line + i}>
      <${Step} step=${step} next=${node.strip[i + 1]} node=${node} units=${units} onGo=${onGo} onStepCard=${onStepCard} />
    </li>`,
    )}</ol>
  </nav>`;
}

const ENDINGS = { flop: "the flop comes" };

function Step({ step, next, node, units, onGo, onStepCard }) {
  const { chips } = measure(node, units === "pot" ? "chips" : units);
  const here = step.line === node.line;
  const title = step.kind === "chance" ? nextStreet(step, node) : step.kind === "terminal" ? "End" : seat(step.player);
  return html`
    <section class=${cls("step", here && "here")} aria-current=${here ? "step" : undefined}>
      <button class="step-head" onClick=${() => onGo(step.line)} title=${step.line || "root"}>
        <b>${title}</b>
        <span class="muted">pot ${chips(step.pot)}</span>
      </button>
      ${step.kind === "decision" && html`<${Actions} step=${step} next=${next} node=${node} units=${units} onGo=${onGo} />`}
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

function Actions({ step, next, node, units, onGo }) {
  const colors = actionColors(step.actions);
  const { name, part } = measure({ ...node, pot: step.pot }, units);
  const total = inAll(step.actions, step.actions.map(({ frequency }) => frequency));
  return html`
    <ul class=${cls(step.actions.length > 5 && "many")}>
      ${step.actions.map((action, a) => {
    const taken = step.taken === action.token;
    const line = taken && next ? next.line : childLine(step.line, action.token);
    return html`
        <li key=${action.token}>
          <button class=${cls("step-action", taken && "taken")} onClick=${() => onGo(line)} aria-pressed=${taken}>
            <i class="swatch" style=${`background:${colors[a]}`}></i>
            <span title=${part(action) && `${part(action)} of the pot`}>${name(action)}</span>
            <span class="num muted">${share(action.frequency)}</span>
          </button>
        </li>
      `;
  })}
    </ul>
    ${total && html`<p class="step-total muted"><span>${total.name}</span> <span class="num">${share(total.share)}</span></p>`}
  `;
}

const nextStreet = (step, node) => {
  const at = node.strip.indexOf(step);
  return node.strip[at + 1]?.street ?? { preflop: "flop", flop: "turn", turn: "river" }[step.street] ?? "deal";
};

function worth({ ev, equity }, says) {
  const parts = [];
  if (ev !== null) parts.push(`EV ${says.ev(ev)}`);
  if (equity !== null) parts.push(`equity ${percent(equity, 1)}`);
  return parts.join(" · ") || NONE;
}

// The facts above the matrix: board, pot, stacks, and what both ranges are worth.
export function Facts({ node, units }) {
  const says = measure(node, units);
  const plainly = measure(node, units === "pot" ? "chips" : units);
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
      <div class="fact"><span>pot</span><b class="num">${plainly.chips(node.pot)}</b></div>
      ${node.to_call > 0 && html`
        <div class="fact"><span>to call</span><b class="num">${says.chips(node.to_call)}</b></div>
      `}
      ${seats.map((each) => html`
        <div class=${cls("fact", "seat", each.player === node.player && "acts")} key=${each.player}>
          <span>
            ${seat(each.player)}
            ${each.stack !== undefined && each.stack !== null ? ` · ${plainly.chips(each.stack)} behind` : ""}
          </span>
          <b class="num">
            ${worth(each, says)}
          </b>
        </div>
      `)}
      ${node.evs && node.ev_from === "start" && html`
        <div class="fact"><span>EVs</span><b>${says.unit}, since the hand began</b></div>
      `}
      ${node.locked && html`<div class="fact"><span>strategy</span><b class="badge">locked</b></div>`}
      <${UnitSwitch} of=${node} />
    </div>
  `;
}
