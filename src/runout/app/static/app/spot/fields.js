// The fields of a spot beside its ranges: board, chips, bet sizes, when to stop.
import { useTypedCards } from "../api.js";
import { BoardPicker } from "../board.js";
import { Card, randomCards, splitCards } from "../cards.js";
import { cls, html, useEffect, useState } from "../html.js";
import { STREETS } from "./model.js";

export function Field({ label, value, onInput, error, hint, unit, type = "text", placeholder, name }) {
  return html`
    <label class=${cls("field", error && "has-error")}>
      <span>${label}${unit ? html` <i class="muted">${unit}</i>` : ""}</span>
      <input
        type=${type} value=${value} placeholder=${placeholder} class=${cls(error && "bad")}
        aria-invalid=${Boolean(error)} aria-label=${name ?? label} inputmode=${unit ? "decimal" : undefined}
        autocomplete="off" spellcheck=${false} onInput=${(event) => onInput(event.currentTarget.value)}
      />
      ${error ? html`<span class="error" role="alert">${error}</span>` : hint && html`
        <span class="hint">${hint}</span>
      `}
    </label>
  `;
}

export function BoardField({ board, error, onProblem, onChange }) {
  const [text, setText] = useState(null); // what is being typed, until it reads as cards
  const [problem, setProblem] = useState(null);
  const cards = splitCards(board);
  useEffect(() => setProblem(null), [board]);
  useEffect(() => onProblem(problem), [problem]);
  const { read, forget } = useTypedCards();
  const typed = (value) => {
    setText(value);
    read(
      value,
      (found) => {
        setProblem(null);
        onChange(found.join(" "));
      },
      setProblem,
    );
  };
  const pick = (next) => {
    forget();
    setText(null);
    onChange(next.join(" "));
  };
  return html`
    <section class="panel pad" aria-label="Board">
      <header class="page-head">
        <h2>Board</h2>
        <span class="cards">${cards.map((card) => html`<${Card} key=${card} card=${card} small />`)}</span>
      </header>
      <${BoardPicker} cards=${cards} onChange=${pick} />
      <div class="board-line">
        <${Field}
          label="" name="Board as text" value=${text ?? cards.join(" ")} placeholder="[Qs Jh 2h]"
          error=${problem ?? error} onInput=${typed}
        />
        <button type="button" onClick=${() => pick(randomCards(3))}>Random flop</button>
        <button type="button" class="quiet" onClick=${() => pick([])}>Clear</button>
      </div>
    </section>
  `;
}

export function SizesField({ sizes, positions, board, errorAt, onChange }) {
  const first = Math.max(0, splitCards(board).length - 3);
  const streets = STREETS.slice(Math.min(2, first));
  const set = (street, player, name, value) =>
    onChange({ ...sizes, [street]: { ...sizes[street], [player]: { ...sizes[street][player], [name]: value } } });
  const copy = (from, to) =>
    onChange(
      Object.fromEntries(
        STREETS.map((street) => [
          street,
          {
            ...sizes[street],
            [to]: { ...sizes[street][to], bet: sizes[street][from].bet, raise: sizes[street][from].raise },
          },
        ]),
      ),
    );
  const input = (street, player, name) => {
    const own = player === "ip" && sizes[street].ip[name] !== sizes[street].oop[name]; // else what both share
    const error = errorAt(`betting.${street}.${player}.${name}`) ?? (own ? null : errorAt(`betting.${street}.${name}`));
    return html`
      <td key=${player + name}>
        <input
          class=${cls(error && "bad")} aria-invalid=${Boolean(error)} title=${error ?? ""}
          aria-label=${`${player} ${street} ${name}`} value=${sizes[street][player][name]}
          placeholder=${name === "donk" ? "as bet" : "none"} spellcheck=${false}
          onInput=${(event) => set(street, player, name, event.currentTarget.value)}
        />
      </td>
    `;
  };
  const errors = streets
    .flatMap((street) =>
      ["bet", "raise", "donk", "oop.bet", "oop.raise", "oop.donk", "ip.bet", "ip.raise"].map(
        (name) => errorAt(`betting.${street}.${name}`) && `${street} ${name.replace(".", " ")}: ${errorAt(`betting.${street}.${name}`)}`,
      ),
    )
    .filter(Boolean);
  return html`
    <section class="panel pad" aria-label="Bet sizes">
      <header class="page-head">
        <h2>Bet sizes</h2>
        <span class="buttons">
          <button type="button" class="quiet" onClick=${() => copy("oop", "ip")}>Copy OOP to IP</button>
          <button type="button" class="quiet" onClick=${() => copy("ip", "oop")}>IP to OOP</button>
        </span>
      </header>
      <table class="sizes">
        <colgroup>
          <col class="street" /><col class="bet" /><col /><col class="donk" /><col class="bet" /><col />
        </colgroup>
        <thead>
          <tr>
            <th></th>
            <th colspan="3" scope="colgroup">OOP ${positions[0]}</th>
            <th colspan="2" scope="colgroup">IP ${positions[1]}</th>
          </tr>
          <tr>
            <th></th>
            <th scope="col">bet</th>
            <th scope="col">raise</th>
            <th scope="col">donk</th>
            <th scope="col">bet</th>
            <th scope="col">raise</th>
          </tr>
        </thead>
        <tbody>
          ${streets.map((street, i) => html`
            <tr key=${street}>
              <th scope="row">${street}</th>
              ${input(street, "oop", "bet")}
              ${input(street, "oop", "raise")}
              ${i > 0 ? input(street, "oop", "donk") : html`<td class="none">–</td>`}
              ${input(street, "ip", "bet")}
              ${input(street, "ip", "raise")}
            </tr>
          `)}
        </tbody>
      </table>
      ${errors.map((error) => html`<p class="error" role="alert" key=${error}>${error}</p>`)}
      <p class="hint">
        <code>33 75</code> % of the pot · <code>2.5x</code> the bet faced · <code>100c</code> chips · <code>e</code> geometric · <code>a</code> all-in. Donk: empty is as bet, <code>none</code> none.
      </p>
    </section>
  `;
}
