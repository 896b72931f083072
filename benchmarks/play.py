"""The bot: seconds a decision by street, what it wins from its own blueprint, what local best response and bets of odd
sizes win from both. Needs blueprints: `python -m benchmarks.play PART RUN ... [--hands N] [--seconds S] [--mode turn]`.

Times are CPU seconds of one thread, so that a busy machine does not count.
"""

from __future__ import annotations

import argparse
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.report import line
from runout.cards.hands import combo, disjoint_combos
from runout.cursors.bots import load_bot
from runout.evaluation.intervals import estimate
from runout.evaluation.lbr import local_best_response
from runout.evaluation.range_match import against_blueprint
from runout.games.betting import ALL_IN, BET, CALL, FLOP, FOLD, RAISE, STREET_NAMES, Action, BettingState, start
from runout.games.deals import draw_deals
from runout.games.holdem_batch import HoldemBatch
from runout.games.lines import POSITIONS
from runout.games.points import BOARD_CARDS
from runout.games.showdowns import run_out_matrix
from runout.games.tree import BettingTree
from runout.kernels.lines import BEST_RESPONSE
from runout.solvers.blueprint_measure import BlueprintMeasure
from runout.solvers.bot import MODES, OVERBET, Bot, BotSettings, next_place, next_state
from runout.solvers.preflop_anew import PreflopAnew
from runout.solvers.subgames import GADGETS, Patience, Subgame, known_rows, opponents_met, resolve, shares_of
from runout.solvers.translation import pseudo_harmonic, translated

ODD_RAISES = (0.6, 0.75, 0.85, 1.2, 1.35, 1.6, 2.0, 3.0)  # times a raise of the tree
RUNS = ("runs/hunl-20bb", "runs/hunl-100bb")


GADGET: dict[str, Any] = {}  # how subgames are entered, where that is not the usual way


def settings(mode: str, seconds: float) -> BotSettings:
    return BotSettings(mode=mode, seconds=seconds, clock=time.process_time, threads=1, **({"tree": "game"} | GADGET))


def bot_of(run: str, mode: str, seconds: float) -> Bot:
    policy = load_bot(run, settings(mode, seconds)).policy
    assert isinstance(policy, Bot)
    return policy


def decisions(run: str, mode: str, seconds: float, hands: int, seed: int) -> None:
    """Hands of the bot against itself: how long decisions take on each street."""
    bot = bot_of(run, mode, seconds)
    rng = np.random.default_rng(seed)
    deals = draw_deals(bot.game, hands, np.array([seed], np.uint64))
    for warm in (True, False):
        bot.seconds.clear()
        for deal in deals[:2] if warm else deals:
            batch = HoldemBatch(bot.game, deal[None])
            while not batch.over.all():
                odds = bot.probabilities(batch)[0]
                batch.act(np.array([rng.choice(len(odds), p=odds / odds.sum())]))
    for street, taken in sorted(bot.seconds.items()):
        median, most = np.percentile(taken, [50, 99])
        line(f"{run}, {mode}, {STREET_NAMES[street]}", f"{median:.3f} s, 99%: {most:.3f} s; {len(taken)} decisions")


def edge(run: str, mode: str, seconds: float, hands: int, seed: int) -> None:
    """What the bot wins from its blueprint, range against range."""
    begun = time.process_time()
    found = against_blueprint(bot_of(run, mode, seconds), hands, seed)
    note = f"{found.hands} hands, {found.subgames} subgames, {time.process_time() - begun:.0f} s"
    line(f"{run}, {mode}, {seconds:g} s: wins from its blueprint", f"{found.wins} mbb/hand; {note}")


def lbr(run: str, mode: str, seconds: float, hands: int, seed: int) -> None:
    """Local best response against the bot and against its blueprint, which answers bets of any size too."""
    for bets in ("none", "pot"):
        for one in ("blueprint", mode):
            begun, bot = time.process_time(), bot_of(run, one, seconds)
            found = local_best_response(bot.game, bot, hands, seed, bets=bets)
            note = f"{hands} deals, {time.process_time() - begun:.0f} s"
            line(f"{run}, {one}: local best response, bets {bets}", f"{found.exploitability} mbb/hand; {note}")


def odd(run: str, mode: str, seconds: float, hands: int, seed: int) -> None:
    """What a bet of a size that the tree does not have wins at most, on the turn and on the river.

    Hands are dealt and played by the blueprint up to the street; there the player to act may bet 0.3, 0.8 or 1.3 pots
    with every hand, and play best ever after. That wins what it is worth more than best play without that bet: exact,
    range against range, in the subgame.
    """
    bot = bot_of(run, mode, seconds)
    other = Bot(bot.policy, BotSettings(mode="blueprint"))
    first = MODES[mode]
    gains: dict[int, list[float]] = {street: [] for street in range(first, 4)}
    rng = np.random.default_rng(seed)
    for deal in draw_deals(bot.game, hands, np.array([seed], np.uint64)):
        state, held = start(bot.game.rules), (combo(*map(int, deal[:2])), combo(*map(int, deal[2:4])))
        found = dict.fromkeys(gains, 0.0)
        while not state.over:
            board = deal[4 : 4 + BOARD_CARDS[state.street]].tolist()
            if state.street >= first and state.acted == 0:
                found[state.street] = odd_gain(bot, state, board, float(rng.choice([0.3, 0.8, 1.3])))
            answer = other.answer(state, board)
            shares = answer.shares[:, held[state.player]]
            state = next_state(state, answer.actions[int(rng.choice(len(shares), p=shares / shares.sum()))])
        for street, gain in found.items():
            gains[street].append(gain * 1000 / bot.game.big_blind)
    for street, won in gains.items():
        mean = f"{estimate(np.array(won))} mbb/hand; {hands} deals, {np.count_nonzero(won)} with a gain"
        line(f"{run}, {mode}: odd bets on the {STREET_NAMES[street]} win at most", mean)


def odd_gain(bot: Bot, state: BettingState, board: list[int], pots: float) -> float:
    """Chips a deal."""
    player, legal = 1 - state.player, state.legal()
    total = min(max(int(pots * state.pot), legal.smallest), legal.largest)
    action = state.verify(Action(BET, total))
    at = bot.followed(player, state, board)
    if action in bot.game.menu(state) or at.place is None:
        return 0.0
    after = Subgame(bot.game, state.play(action), at.board, at.ranges, player)
    effort = Patience(None, bot.settings.seconds, time.process_time(), time.process_time)
    way = GADGETS[bot.settings.gadget]
    solved = resolve(after, at.known, at.place, way, effort, replace(after, state=state))
    better = solved.solver.values(1 - player, BEST_RESPONSE) - solved.alternatives
    own = at.ranges[1 - player] / at.ranges[1 - player].max()
    weights = after.weights()[player]
    deals = float(own @ opponents_met(weights, np.arange(len(own))))
    return float(own[solved.solver.hands(1 - player, 0, 0)] @ np.maximum(better, 0)) / deals


def odd_flop(run: str, mode: str, seconds: float, hands: int, seed: int) -> None:
    """What a bet of a size that the tree does not have wins on the flop, where it is translated.

    Hands are dealt and played by the blueprint up to the flop. There the first to act bets 0.3, 0.8 or 1.3 pots with
    every hand for which that is worth more than its best action of the tree; then both play the blueprint on, in the
    pot that there is. Exact over all hands, turns and rivers. Later subgames of the bot, which win some back, are not
    counted; nor is what a bettor could win by better play later. A bet far above all sizes, for which the bot has a
    game of its own (`overbets`), is answered by that, and what is called is checked down.
    """
    bot = bot_of(run, "blueprint", seconds)
    measure, rng, gains, seen = (
        BlueprintMeasure(bot.policy.what, bot.policy.buckets),
        np.random.default_rng(seed),
        [],
        0,
    )
    for deal in draw_deals(bot.game, hands, np.array([seed], np.uint64)):
        state, gain = start(bot.game.rules), 0.0
        while not state.over:
            board = deal[4 : 4 + BOARD_CARDS[state.street]].tolist()
            if state.street == FLOP:
                gain, seen = flop_gain(bot, measure, state, board, float(rng.choice([0.3, 0.8, 1.3]))), seen + 1
                break
            answer = bot.answer(state, board)
            shares = answer.shares[:, combo(*map(int, deal[2 * state.player : 2 * state.player + 2]))]
            state = next_state(state, answer.actions[int(rng.choice(len(shares), p=shares / shares.sum()))])
        gains.append(gain * 1000 / bot.game.big_blind)
    mean = f"{estimate(np.array(gains))} mbb/hand; {hands} deals, {seen} flops"
    line(f"{run}: odd bets on the flop, translated, win", mean)


def flop_gain(bot: Bot, measure: BlueprintMeasure, state: BettingState, board: list[int], pots: float) -> float:
    """Chips a deal."""
    player, at = state.player, bot.followed(state.player, state, board)
    assert at.place is not None
    after, combos = measure.after_actions(board, player)
    tree = bot.blueprint.tree.streets[1]
    offered = tree.actions(at.place.node)
    legal = state.legal()
    total = min(max(int(pots * state.pot), legal.smallest), legal.largest)
    bet = state.verify(Action(BET, total))
    low, high = (translated(state, bet, state, offered, draw) for draw in (0.0, 1 - 1e-9))
    if bet in offered or low is None or high is None:
        return 0.0
    sizes = [offered[number].amount / state.pot for number in (low, high)]
    odds = pseudo_harmonic(*sizes, total / state.pot)
    met = opponents_met(at.ranges[1 - player], combos)
    first = int(tree.first_edge[at.place.node])
    known = np.max([after[first + number] for number in range(len(offered))], axis=0)
    own = at.ranges[player][combos]
    if total / state.pot > OVERBET * sizes[1]:
        worth = far_bet(bot, state, bet, board, at.ranges[1 - player], combos)
        return float(own @ np.maximum(worth - known, 0)) / float(own @ met)
    worth = np.zeros(len(combos))
    for number, part in ((low, odds), (high, 1 - odds)):
        there = next_place(bot.blueprint.tree, at.place, number)
        assert there is not None
        answers, edges = tree.actions(there.node), int(tree.first_edge[there.node])
        shares = shares_of(known_rows(bot.blueprint, there, board))
        stake, spent = offered[number].amount, state.spent[player]
        for index, action in enumerate(answers):
            here = opponents_met(at.ranges[1 - player] * shares[index], combos)
            value = after[edges + index].astype(np.float64)
            if action.kind != FOLD:  # the share of the pot that it wins in the tree, of the pot that there is
                value = (value + (spent + stake) * here) * (state.pot + 2 * total) / (state.pot + 2 * stake)
                value -= (spent + total) * here
            worth += part * value
    return float(own @ np.maximum(worth - known, 0)) / float(own @ met)


def far_bet(
    bot: Bot, state: BettingState, bet: Action, board: list[int], theirs: np.ndarray, combos: np.ndarray
) -> np.ndarray:
    """float64 [h]: what a bet is worth to each hand that the bot answers by folds and calls, checked down."""
    answer = bot.answer(state.play(bet), board)
    calls = theirs * answer.shares[[action.kind for action in answer.actions].index(CALL)]
    share = disjoint_combos()[np.ix_(combos, combos)] * (run_out_matrix(board, combos, bot.game) + 1) / 2
    called, spent = opponents_met(calls, combos), state.spent[state.player]
    fold = (opponents_met(theirs, combos) - called) * (state.pot - spent)
    return np.asarray(fold + (state.pot + 2 * bet.amount) * (share @ calls[combos]) - (spent + bet.amount) * called)


def odd_preflop(run: str, mode: str, seconds: float, hands: int, seed: int) -> None:
    """What a raise of a size that the tree does not have wins before the flop, where it is solved for.

    At every decision of the blueprint, which both players get to as it plays: with every hand for which the raise is
    worth more than the best action of the tree it is made, and played on best. Exact by class of hands, with called
    pots worth what the charts say.
    """
    bot = bot_of(run, mode, seconds)
    solver, tree = PreflopAnew.of(bot.policy), bot.blueprint.tree
    assert solver is not None
    street, blind, all_won = tree.streets[0], bot.game.big_blind, [0.0, 0.0]
    for node, before in enumerate(tree.lines(0)):
        player, won = int(street.player[node]), {}
        raises = [action.amount / blind for action in street.actions(node) if action.kind in (RAISE, ALL_IN)]
        state = start(bot.game.rules)
        for action in tree_path(tree, node):
            state = next_state(state, action)
        for to in sorted({round(2 * size * one) / 2 for one in raises for size in ODD_RAISES} - set(raises)):
            action = Action(RAISE, round(to * blind))
            if state.can(action) and action.amount < state.legal().largest:
                line_after = solver.line((*state.played, state.verify(action)), blind)
                won[to] = 1000 * solver.after(1 - player, line_after, None).gain
        if won:
            all_won[player] += max(won.values())
            sizes = ", ".join(f"{to:g}: {gain:.1f}" for to, gain in won.items())
            line(f"{run}: {POSITIONS[player]} after {before or 'nothing'} raises to", sizes)
    line(f"{run}: all decisions, the best size of each", f"BB {all_won[0]:.1f}, SB {all_won[1]:.1f} mbb/hand")


def tree_path(tree: BettingTree, node: int) -> list[Action]:
    """The actions that lead to a decision of the first street."""
    street, found = tree.streets[0], []
    while (edge := int(street.parent_edge[node])) >= 0:
        node = street.edge_node(edge)
        found.append(street.actions(node)[edge - int(street.first_edge[node])])
    return found[::-1]


PARTS = {"odd-preflop": odd_preflop, "odd-flop": odd_flop, "decisions": decisions, "edge": edge, "lbr": lbr, "odd": odd}


def run(full: bool) -> None:
    """Of the runs that are there: seconds a decision, and a little of the rest with --full."""
    for one in filter(lambda name: Path(name).exists(), RUNS):
        for mode in ("river", "turn"):
            decisions(one, mode, 0.3, 20, 0)
            if full:
                edge(one, mode, 0.3, 100, 0)
                odd(one, mode, 0.3, 100, 0)
                lbr(one, mode, 0.3, 100, 0)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.play", description=__doc__)
    parser.add_argument("part", choices=PARTS)
    parser.add_argument("runs", nargs="+", metavar="RUN")
    parser.add_argument("--mode", default="river")
    parser.add_argument("--seconds", type=float, default=0.3)
    parser.add_argument("--hands", type=int, default=100)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--gadget")
    parser.add_argument("--tree")
    parser.add_argument("--trust", type=float)
    given = parser.parse_args()
    GADGET.update({name: value for name in ("gadget", "trust", "tree") if (value := getattr(given, name)) is not None})
    for one in given.runs:
        PARTS[given.part](one, given.mode, given.seconds, given.hands, given.seed)


if __name__ == "__main__":
    main()
