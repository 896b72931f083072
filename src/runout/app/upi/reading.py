"""Commands that look at the tree: nodes, strategies, values, frequencies.

Vectors have 1326 numbers in `show_hand_order`.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from runout.app.upi.commands import Answer, chosen, command
from runout.app.upi.engine import Engine
from runout.cards.cards import DECK, card_name, cards_text
from runout.cards.cards import board as parse_board
from runout.cards.categories import DRAWS, KICKERS, MADE, NO_DRAW, categories
from runout.cards.hands import CLASS_NAMES, CLASSES, COMBO_CLASS, COMBOS, combo_name
from runout.cursors.hand_means import cell_means, compatible, mean, pair_weight
from runout.cursors.view import HandsView
from runout.errors import InputError
from runout.explorers.frequencies import line_frequencies, line_frequency
from runout.explorers.holdem_views import equities, free_combos
from runout.formats.pio_nodes import FIRST, ROOT, edge_names, node_name, word
from runout.formats.pio_setup import player_of
from runout.games.points import CHANCE, DECISION, Point

HAND_NAMES = [combo_name(index) for index in range(COMBOS)]
TYPES = ("OOP_DEC", "IP_DEC")
DEALT_TO_PLAYERS = 4  # cards that a pair of hands holds


def text_of(values: np.ndarray) -> str:
    """Numbers with as many digits as they have."""
    return " ".join(map(_short, np.asarray(values, np.float64).tolist()))


def _short(value: float) -> str:
    return f"{value:.0f}" if value in (0.0, 1.0) else repr(value)


def by_combo(hands: HandsView, values: np.ndarray, missing: float) -> np.ndarray:
    """float64 [..., 1326] from values [..., h]."""
    found = np.full((*values.shape[:-1], COMBOS), missing)
    found[..., hands.combo] = values
    return found


@command("show_hand_order")
def show_hand_order(engine: Engine) -> Answer:
    return [" ".join(HAND_NAMES)]


@command("show_preflop_order")
def show_preflop_order(engine: Engine) -> Answer:
    return [" ".join(CLASS_NAMES)]


@command("show_node NODE")
def show_node(engine: Engine, node: str) -> Answer:
    point = engine.point(node)
    return _node_lines(engine, point, node.strip() == ROOT)


@command("show_children NODE")
def show_children(engine: Engine, node: str) -> Answer:
    point, lines = engine.point(node), engine.explorer.lines
    if node.strip() == ROOT:
        children = [point]
    elif point.kind == DECISION:
        children = [lines.play(point, lines.token(point, number)) for number in range(len(point.menu))]
    elif point.kind == CHANCE:
        cards = [card_name(card) for card in lines.deck if card not in point.board]
        children = [lines.deal(point, card) for card in cards]
    else:
        children = []
    found: list[str] = []
    for number, child in enumerate(children):
        found += [*([""] if found else []), f"child {number}:", *_node_lines(engine, child, False)]
    return found


def _node_lines(engine: Engine, point: Point, root: bool) -> list[str]:
    state = point.state
    if root:
        kind, children = "ROOT", 1
    elif point.kind == DECISION:
        kind, children = TYPES[state.player], len(point.menu)
    else:
        kind, children = ("SPLIT_NODE", DECK - len(point.board)) if point.kind == CHANCE else ("END_NODE", 0)
    flags = "flags: ISOMORPHISM_ON" if engine.solution.isomorphism else "flags:"
    spent = f"{state.spent[0]} {state.spent[1]} {state.rules.pot}"
    name = ROOT if root else node_name(point)
    return [name, kind, cards_text(point.board), spent, f"{children} children", flags]


@command("show_effective_stack")
def show_effective_stack(engine: Engine) -> Answer:
    if engine.solving is None and engine.setup.stack is not None:
        return [str(engine.setup.stack)]
    return [str(engine.solution.spot.stack)]


@command("show_range OOP|IP [NODE]", reads=True)
def show_range(engine: Engine, player: str, node: str = FIRST) -> Answer:
    side = player_of(player)
    if engine.solving is None:
        return [text_of(engine.setup.ranges[side].weights)]
    reach, _ = engine.explorer.reach(engine.point(node).line)
    return [text_of(reach[side])]


@command("show_strategy NODE", reads=True)
def show_strategy(engine: Engine, node: str) -> Answer:
    hands = engine.explorer.playing(engine.point(node).line)
    return [text_of(row) for row in by_combo(hands, hands.strategy, 0.0)]


@command("show_strategy_pp NODE", reads=True)
def show_strategy_pp(engine: Engine, node: str) -> Answer:
    point = engine.point(node)
    hands = engine.explorer.playing(point.line)
    head = " ".join(word(action, point.state) for action in point.menu)
    rows = zip(hands.names, hands.strategy.T, strict=True)
    return [f"hand {head}", *(f"{name}: {' '.join(f'{share:.4f}' for share in row)}" for name, row in rows)]


@command("calc_ev OOP|IP NODE", reads=True)
def calc_ev(engine: Engine, player: str, node: str) -> Answer:
    hands = engine.explorer.worth(engine.point(node).line, player_of(player))
    return [text_of(by_combo(hands, hands.ev, np.nan)), text_of(by_combo(hands, hands.met, 0.0))]


@command("calc_ev_pp OOP|IP NODE", reads=True)
def calc_ev_pp(engine: Engine, player: str, node: str) -> Answer:
    hands = engine.explorer.worth(engine.point(node).line, player_of(player))
    return [*_listed(hands, hands.ev), f"EV: {_mean(hands, hands.ev):.6f}"]


@command("calc_eq OOP|IP", reads=True)
def calc_eq(engine: Engine, player: str) -> Answer:
    return [text_of(part) for part in _setup_equities(engine, player_of(player))]


@command("calc_eq_preflop OOP|IP", reads=True)
def calc_eq_preflop(engine: Engine, player: str) -> Answer:
    side = player_of(player)
    reach = np.stack([one.weights for one in engine.setup.ranges])
    met = compatible(reach)
    found = equities(reach, met, np.asarray(reach.any(axis=0)), (), 5)[side]
    weights, combos = reach[side] * met[side], np.ones(COMBOS)
    cells = COMBO_CLASS.astype(np.int64)
    return [text_of(cell_means(part, cells, weights, combos, CLASSES)) for part in (found, met[side])]


def _setup_equities(engine: Engine, side: int) -> tuple[np.ndarray, np.ndarray]:
    """float64 [1326] each: equities and matchups of the ranges and the board that were set."""
    if not engine.setup.board:
        raise InputError("no board: send set_board first")
    board = engine.setup.board
    reach = np.stack([one.weights for one in engine.setup.ranges]) * free_combos(board)
    met = compatible(reach)
    return equities(reach, met, np.asarray(reach.any(axis=0)), board, 5)[side], met[side]


@command("calc_eq_node OOP|IP NODE", reads=True)
def calc_eq_node(engine: Engine, player: str, node: str) -> Answer:
    side, line = player_of(player), engine.point(node).line
    shares, (reach, met) = engine.explorer.equities(line)[side], engine.explorer.reach(line)
    total = float(mean(shares, reach[side] * met[side]))
    return [text_of(shares), text_of(met[side]), _short(total)]


@command("calc_eq_pp OOP|IP [NODE]", reads=True)
def calc_eq_pp(engine: Engine, player: str, node: str = FIRST) -> Answer:
    side, line = player_of(player), engine.point(node).line
    hands, shares = engine.explorer.worth(line, side), engine.explorer.equities(line)[side]
    own = shares[hands.combo]
    return [*_listed(hands, own), f"Equity: {_mean(hands, own):.6f}"]


def _listed(hands: HandsView, values: np.ndarray) -> list[str]:
    rows = zip(hands.names, values.tolist(), hands.met.tolist(), hands.weight.tolist(), strict=True)
    return [f"{name}: {value:.6f} {met:.6f}" for name, value, met, weight in rows if weight > 0]


def _mean(hands: HandsView, values: np.ndarray) -> float:
    return float(mean(values, hands.weight * hands.met))


# Frequencies


@command("calc_global_freq NODE", reads=True)
def calc_global_freq(engine: Engine, node: str) -> Answer:
    point = engine.point(node)
    reach, _ = engine.explorer.reach(point.line)
    chance, known = 1.0, len(engine.solution.spot.cards)
    for count in range(known, len(point.board)):
        chance /= DECK - DEALT_TO_PLAYERS - count
    return [_short(pair_weight(*reach) * chance / engine.solution.game.deals)]


@command("calc_line_freq NODE", reads=True)
def calc_line_freq(engine: Engine, node: str) -> Answer:
    point = engine.point(node)
    return [_short(line_frequency(engine.solution.source, point.wording.join(point.words)))]


@command("show_all_lines")
def show_all_lines(engine: Engine) -> Answer:
    return [FIRST, *(name for names in edge_names(engine.solution.game.tree) for name in names)]


@command("show_all_freqs local|global", reads=True)
def show_all_freqs(engine: Engine, kind: str) -> Answer:
    chosen(kind, "local", "global", what="kind of frequencies")
    solution = engine.solution
    taken, names = line_frequencies(solution.source), edge_names(solution.game.tree)
    by_name = {FIRST: 1.0}
    for street, frequencies in zip(names, taken, strict=True):
        by_name |= dict(zip(street, frequencies.tolist(), strict=True))
    if kind == "local":
        by_name = {name: _share(value, by_name.get(name.rpartition(":")[0], 1.0)) for name, value in by_name.items()}
    return [f"{name} - {_short(value)}" for name, value in by_name.items()]


def _share(part: float, whole: float) -> float:
    return part / whole if whole > 0 else 0.0


@command("node_count")
def node_count(engine: Engine) -> Answer:
    return [str(engine.solution.game.tree.public_nodes)]


# Hands


@command("show_categories ...")
def show_categories(engine: Engine, *words: str) -> Answer:
    board = parse_board(" ".join(words))
    made, labels = categories(board)
    draws = labels[:, len(KICKERS) : len(KICKERS) + len(DRAWS)]
    # The first that fits; the number behind the last one stands for none.
    first, free = np.where(draws.any(axis=1), draws.argmax(axis=1), len(DRAWS)), free_combos(board)
    return [" ".join(map(str, np.where(free, part, -1).tolist())) for part in (made.astype(int), first)]


@command("show_category_names")
def show_category_names(engine: Engine) -> Answer:
    return [_underlined(MADE), _underlined([*DRAWS, NO_DRAW])]


def _underlined(names: Iterable[str]) -> str:
    return " ".join(name.replace(" ", "_") for name in names)
