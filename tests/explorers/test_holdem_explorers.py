"""Views of hands that are dealt from the start: Flop Hold'em, flop games and trained policies."""

from __future__ import annotations

import numpy as np
import pytest

import runout
from reference.web import RIVER
from runout.cards.cards import cards
from runout.cards.evaluator import strength
from runout.cards.hands import COMBO_CARDS, disjoint_combos
from runout.cursors.cursor import Node
from runout.cursors.hand_means import compatible
from runout.cursors.policy_solution import PolicySolution
from runout.cursors.view import CHANCE, DECISION, NodeView, hands_of
from runout.errors import InputError
from runout.evaluation.opponents import named_policy
from runout.explorers import open_explorer
from runout.explorers.holdem_views import equities
from runout.explorers.node_reports import compare
from runout.explorers.practice import Practice
from runout.games.flop_holdem import FlopHoldem
from runout.games.holdem import LimitHoldem, NoLimitHoldem
from runout.games.holdem_batch import HoldemBatch
from runout.games.holdem_game import CALL_SLOT, HoldemGame
from runout.games.spot import Spot
from runout.run.postflop import solve
from runout.solutions.reached import Reached


@pytest.fixture(scope="module")
def small() -> runout.FlopSolution:
    settings = FlopHoldem.of({"ranks": 5, "suits": 3, "max_raises": (2, 2), "solve": {"target": 20}})
    return runout.solve_flop_holdem(settings)


LINES = [
    "",
    "SBr2",
    "SBr2 BBr3",
    "SBc",
    "SBr2 BBc",
    "SBr2 BBc|4d 3h 2d",
    "SBr2 BBc|4d 3h 2d|x",
    "SBc BBx|6c 6d 2c|x-b1",
]


@pytest.mark.parametrize("line", [*LINES, "SBf", "SBr2 BBf", "SBr2 BBc|4d 3h 2d|x-b1-c", "SBr2 BBc|4d 3h 2d|b1-f"])
def test_nothing_is_won_in_all(small: runout.FlopSolution, line: str) -> None:
    view = open_explorer(small).at(line)
    assert view.line == line
    assert sum(view.evs or (np.nan,)) == pytest.approx(0, abs=1e-5)
    assert sum(view.equities or (np.nan,)) == pytest.approx(1)


def test_the_start_is_worth_what_the_solution_says(small: runout.FlopSolution) -> None:
    value = small.assess().values[1] / small.settings.big_blind
    assert open_explorer(small).at("").evs == pytest.approx((-value, value), abs=1e-6)
    assert open_explorer(small).at("SBf").evs == pytest.approx((0.5, -0.5), abs=1e-5)


@pytest.mark.parametrize("line", ["", "SBr2", "SBc"])
def test_decisions_before_the_flop_are_the_cursors(small: runout.FlopSolution, line: str) -> None:
    view, node = open_explorer(small).at(line), small.at(line)
    assert [action.frequency for action in view.actions] == pytest.approx(node.frequencies)
    assert view.player == node.player


def test_an_action_is_worth_what_comes_after_it(small: runout.FlopSolution) -> None:
    explorer = open_explorer(small)
    before, after = explorer.at("SBr2 BBc|4d 3h 2d|x"), explorer.at("SBr2 BBc|4d 3h 2d|x-b1")
    bet = [action.token for action in before.actions].index("b1")
    assert after.evs is not None
    assert before.actions[bet].ev == pytest.approx(after.evs[1], abs=1e-5)
    np.testing.assert_allclose(before.hands[1].action_evs[bet], after.hands[1].ev, atol=1e-5)


def test_flops_that_differ_by_suits_are_played_alike(small: runout.FlopSolution) -> None:
    explorer = open_explorer(small)
    one, other = explorer.at("SBr2 BBc|4c 3d 2c|x"), explorer.at("SBr2 BBc|4d 3h 2d|x")  # c to d, d to h, h to c
    rename = str.maketrans("cdh", "dhc")
    rows = {frozenset((name[:2], name[2:])): row for row, name in enumerate(other.hands[1].names)}
    for row, name in enumerate(one.hands[1].names):
        there = rows[frozenset((name[:2].translate(rename), name[2:].translate(rename)))]
        np.testing.assert_allclose(one.hands[1].strategy[:, row], other.hands[1].strategy[:, there], atol=1e-6)
        np.testing.assert_allclose(one.hands[1].ev[row], other.hands[1].ev[there], atol=1e-5)


def test_flops_of_another_deck_are_refused(small: runout.FlopSolution) -> None:
    explorer = open_explorer(small)
    assert explorer.at("SBr2 BBc").deal_count == 3
    assert len(explorer.at("SBr2 BBc").deals) == 15
    for line, why in {
        "SBr2 BBc|As 3h 2d": "not in this game's deck",
        "SBr2 BBc|3h 2d": "3 cards come",
        "SBr2|4d 3h 2d": "betting is not over",
        "BBr2": "out of turn",
        "SBr9": "cannot raise to 9 bb, the only raise is 2 bb: use 2",
    }.items():
        with pytest.raises(InputError, match=why):
            explorer.at(line)


@pytest.mark.parametrize("board", ["Qs Jh 2h", "Qs Jh 2h 9c 9d"])
def test_showdown_equities_agree_with_pairs_of_hands_compared_one_by_one(board: str) -> None:
    shown, rng = tuple(cards(board)), np.random.default_rng(3)
    reach = rng.random((2, 1326)) * (rng.random((2, 1326)) < 0.05) * ~np.isin(COMBO_CARDS, shown).any(axis=1)
    found = equities(reach, compatible(reach), np.ones(1326, bool), shown, len(shown))
    assert found is not None
    apart = disjoint_combos()
    power = {int(c): strength([*shown, *COMBO_CARDS[c].tolist()]) for c in np.flatnonzero(reach.any(axis=0))}
    for combo in np.flatnonzero(reach[0])[::7]:
        met = [c for c in np.flatnonzero(reach[1]) if apart[combo, c]]
        won = sum(reach[1, c] * ((power[combo] > power[c]) + 0.5 * (power[combo] == power[c])) for c in met)
        assert found[0, combo] == pytest.approx(won / reach[1, met].sum())


def policy_of(game: HoldemGame, policy: object) -> PolicySolution:
    return PolicySolution(game, {"solver": "test"}, policy, Reached())


def test_a_uniform_policy_does_everything_alike() -> None:
    game = NoLimitHoldem(stack_depth=25).game()
    explorer = open_explorer(policy_of(game, named_policy("uniform")))
    for line in ("", "SBr2 BBc|Qs Jh 2h|x", "SBr2 BBc|Qs Jh 2h|x-x|Ah|b2-c|Kd"):
        view = explorer.at(line)
        assert view.kind == DECISION
        assert [action.frequency for action in view.actions] == pytest.approx(
            [1 / len(view.actions)] * len(view.actions)
        )
        assert view.evs is None
        assert view.equities == pytest.approx((0.5, 0.5))
        assert len(view.hands[0].names) == len({*view.hands[0].names}) == _left(view)
    reach = explorer.at("SBr2 BBc|Qs Jh 2h").hands
    assert reach[0].weight == pytest.approx(0.2)  # BB called, one of five
    assert reach[1].weight == pytest.approx(0.2)


def _left(view: NodeView) -> int:
    free = 52 - len(view.board)
    return free * (free - 1) // 2


def test_the_chips_of_a_policy_are_those_of_the_game() -> None:
    explorer = open_explorer(policy_of(NoLimitHoldem(stack_depth=25).game(), named_policy("uniform")))
    view = explorer.at("SBr2 BBr6")
    assert (view.pot, view.to_call, view.stacks) == (8, 4, (19, 23))
    assert [action.name for action in view.actions][:2] == ["fold", "call"]
    assert explorer.at("SBr2 BBa SBc").ending == "run-out"
    assert explorer.at("SBc BBx").kind == CHANCE


class Two:
    """A part that always checks or calls, drawn three times in four, and one that is uniform."""

    weights = np.array([0.75, 0.25])

    def probabilities(self, batch: HoldemBatch, part: int) -> np.ndarray:
        if part == 1:
            return named_policy("uniform").probabilities(batch, 0)
        return np.eye(batch.rules.slots)[np.full(len(batch), CALL_SLOT)]


def test_parts_of_a_mixture_weigh_by_their_own_reach() -> None:
    explorer = open_explorer(policy_of(LimitHoldem(stack_depth=20).game(), Two()))
    root = explorer.at("")
    assert [action.frequency for action in root.actions] == pytest.approx([0.25 / 3, 0.75 + 0.25 / 3, 0.25 / 3])
    raised = explorer.at("SBr2")
    assert raised.hands[1].weight == pytest.approx(0.25 / 3)  # SB raised, so that he is the uniform part
    again = explorer.at("SBr2 BBr3")
    assert [action.frequency for action in again.actions] == pytest.approx([1 / 3] * 3)
    limped = explorer.at("SBc BBx|Qs Jh 2h|x")  # SB limped: 0.75 of calling parts, 0.25 / 3 of uniform ones
    uniform = (0.25 / 3) / (0.75 + 0.25 / 3)
    assert [action.frequency for action in limped.actions] == pytest.approx([1 - uniform / 2, uniform / 2])


def test_a_hand_that_begins_on_a_flop_has_tokens_alone() -> None:
    explorer = open_explorer(policy_of(NoLimitHoldem(stack_depth=25, board="Qs Jh 2h").game(), named_policy("uniform")))
    view = explorer.at("x-b1-c|Ah|x")
    assert (view.line, view.pot, view.street) == ("x-b1-c|Ah|x", 4, "turn")
    assert view.board == ("Qs", "Jh", "2h", "Ah")


def test_a_small_deck_has_its_own_hands_and_cards() -> None:
    explorer = open_explorer(policy_of(LimitHoldem(ranks=5, suits=3, stack_depth=20).game(), named_policy("uniform")))
    root, flop = explorer.at(""), explorer.at("SBc BBx|6c 5d 2h")
    assert (len(root.hands[0].names), len(flop.hands[0].names)) == (15 * 14 // 2, 12 * 11 // 2)
    assert set(explorer.at("SBc BBx").deals) == {rank + suit for rank in "23456" for suit in "cdh"}
    for view in (root, flop, explorer.at("SBc BBx|6c 5d 2h|x-x|3c|x-x|3d")):
        assert view.equities == pytest.approx((0.5, 0.5))
    sixes = flop.hands[0].names.index("6h6d")
    assert flop.hands[0].equity[sixes] > 0.8


def test_positions_are_the_names_of_the_players() -> None:
    explorer = open_explorer(solve(Spot(**RIVER, positions=["BB", "BTN"])))
    root = explorer.at("")
    assert (root.players, root.player) == (("BB", "BTN"), "BB")
    assert explorer.at("x-b50").player == "BB"
    assert [hands.player for hands in root.hands] == ["BB", "BTN"]
    assert hands_of(root, "ip") is hands_of(root, "btn") is root.hands[1]
    plain = open_explorer(solve(Spot(**RIVER))).at("")
    assert plain.evs == pytest.approx(root.evs)
    found = compare(plain, root)  # whatever the players are called
    assert found.player == "oop"
    assert found.actions
    assert np.nanmax(np.abs(found.ev)) < 1e-6
    node = Node(explorer, "")
    assert node.ev("QcQd", "oop") == node.ev("QcQd", "BB") == node.ev("QcQd")
    assert Node(explorer, "x-x").players == ("BB", "BTN")
    assert Practice(explorer, seat="ip").seat == "BTN"
