"""Local best response: a slow twin of its decisions, closed forms, and variance reduction without bias."""

from __future__ import annotations

import numpy as np
import pytest

from reference.holdem_games import deals_of
from reference.holdem_policies import RandomTable
from reference.local_response import action_values, state_after
from runout.cards.cards import cards
from runout.cards.equity import equity
from runout.cards.hands import combo, combo_name
from runout.errors import InputError
from runout.evaluation.lbr import LocalResponse, _model, local_best_response, without_luck
from runout.evaluation.opponents import named_policy
from runout.games.holdem import LimitHoldem, NoLimitHoldem
from runout.games.showdowns import first_shares, shares

FLOP = LimitHoldem(stack_depth=20, num_streets=2).game()
LIMIT = LimitHoldem().game()
NO_LIMIT = NoLimitHoldem(stack_depth=25, bet_sizes=(0.5, 1)).game()


def at(game, policy, deals, seat, slots):
    """A response to whom all deals have been played down one line."""
    response = LocalResponse(
        game, policy, _model(policy, 8, np.random.default_rng(0)), deals, seat, np.random.default_rng(0)
    )
    for slot in slots:
        rows = np.arange(len(deals))
        if response.batch.player[0] != seat:
            for row, found in zip(rows, response._strategies(rows), strict=True):
                response.reach[row] *= found[..., slot]
        response.batch.act(np.full(len(deals), slot))
    assert response.batch.player[0] == seat
    return response


@pytest.mark.parametrize(
    ("game", "seat", "slots"),
    [
        (FLOP, 1, [2, 1, 2]),  # raise, call; bet on the flop
        (FLOP, 0, [1, 2, 1]),
        (LIMIT, 0, [2, 1, 1, 1, 1, 2, 1]),  # the river after a bet on the turn
        (LIMIT, 1, [1, 1, 1, 1, 1]),  # the turn, checked to
        (NO_LIMIT, 0, [2, 1, 2, 1, 1, 1]),  # the river
        (NO_LIMIT, 1, [2, 1, 1, 2, 1, 1, 1, 3]),  # the river, facing the larger bet
    ],
)
@pytest.mark.parametrize("weights", [(1.0,), (1.0, 2.0, 3.0)])
def test_decisions_agree_with_the_slow_twin(game, seat, slots, weights):
    policy = RandomTable(weights, seed=7, sparse=0.2)
    deals = deals_of(game, 2, seed=len(slots))
    values = at(game, policy, deals, seat, slots).action_values(np.arange(2))
    for row, deal in enumerate(deals):
        twin = action_values(state_after(game, deal, slots), slots, policy)
        assert np.flatnonzero(np.isfinite(values[row])).tolist() == sorted(twin)
        for slot, value in twin.items():
            assert values[row, slot] == pytest.approx(value, abs=1e-6)


@pytest.mark.parametrize("board", ["", "Qs Jh 2h", "Qs Jh 2h 7d", "Qs Jh 2h 7d 9c"])
def test_shares_agree_with_the_equity_calculator(board):
    own = cards("Ts 9s")
    open_cards = cards(board) if board else []
    found = shares(own, open_cards, LIMIT)
    for other in ("AhKh", "8d8c", "Th9h", "AcQc"):
        if set(cards(other)) & set(open_cards):
            continue
        assert found[combo(*cards(other))] == pytest.approx(equity("Ts9s", other, board=board).equity[0], abs=1e-12)
    assert found[combo(*cards("Ts Ad"))] == 0


def test_shares_of_flop_holdem_before_the_flop():
    """Both sides of a pair share the pot; suits do not matter; a hand is its mean over every flop."""
    table = first_shares(3)
    aces, kings = combo(*cards("As Ah")), combo(*cards("Kd Kc"))
    assert table[aces, kings] + table[kings, aces] == pytest.approx(1.0)
    assert table[aces, kings] == pytest.approx(table[combo(*cards("Ac Ad")), combo(*cards("Kh Ks"))])
    from itertools import combinations

    left = [c for c in range(52) if c not in {*cards("As Ah Kd Kc")}]
    flops = list(combinations(left, 3))
    some = np.random.default_rng(0).choice(len(flops), 400, replace=False)
    mean = np.mean([shares(cards("As Ah"), flops[i], FLOP)[kings] for i in some])
    assert mean == pytest.approx(table[aces, kings], abs=0.06), combo_name(kings)


@pytest.mark.parametrize("game", [FLOP, LIMIT, NO_LIMIT])
def test_folding_to_every_bet_loses_the_blinds(game):
    """The response raises at once, in either seat."""
    found = local_best_response(game, named_policy("fold"), deals=20)
    assert found.exploitability.mean == pytest.approx(750.0)
    assert found.exploitability.high == pytest.approx(found.exploitability.low)
    assert "lower bound" in found.says


def test_means_over_the_range_have_the_same_expectation_as_hands_shown():
    policy = RandomTable((1.0, 2.0), seed=3)
    rng = np.random.default_rng(5)
    differences = []
    for seat in range(2):
        response = LocalResponse(FLOP, policy, _model(policy, 8, rng), deals_of(FLOP, 1500, seed=seat), seat, rng)
        differences.append(response.play() - response.batch.returns()[:, seat])
    gaps = np.concatenate(differences)
    assert gaps.std() > 0.5  # most hands are shown, with other cards than the mean
    assert abs(gaps.mean()) < 4 * gaps.std() / np.sqrt(len(gaps))


@pytest.mark.parametrize("game", [FLOP, NO_LIMIT], ids=["two streets", "four streets"])
def test_luck_that_is_taken_off_has_no_mean(game):
    policy = RandomTable((1.0,), seed=3)
    rng = np.random.default_rng(5)
    for seat in range(2):
        response = LocalResponse(game, policy, _model(policy, 8, rng), deals_of(game, 400, seed=seat), seat, rng)
        won = response.play()
        for luck in response.luck.T:
            assert luck.std() > 0
            assert abs(luck.mean()) < 4 * luck.std() / np.sqrt(len(luck))
        less = without_luck(won, response.luck)
        assert less.std() < 0.85 * won.std()
        assert abs((less - won).mean()) < 4 * (less - won).std() / np.sqrt(len(won))


def test_what_goes_with_luck_is_found_from_other_deals():
    rng = np.random.default_rng(1)
    luck, won = rng.normal(size=(40, 2)), rng.normal(size=40)
    assert without_luck(np.full(40, 7.0), luck) == pytest.approx(np.full(40, 7.0))
    assert without_luck(5 + luck @ [3.0, -2.0], luck) == pytest.approx(np.full(40, 5.0))
    assert np.array_equal(without_luck(won[:5], luck[:5]), won[:5]), "too few to tell"
    for deal in range(40):
        others = np.arange(40) != deal
        rows = np.column_stack([np.ones(39), luck[others]])
        slopes = np.linalg.lstsq(rows, won[others], rcond=None)[0][1:]
        assert without_luck(won, luck)[deal] == pytest.approx(won[deal] - luck[deal] @ slopes)


def test_a_model_of_some_parts_still_plays_the_whole_policy():
    """Against parts that always fold or always raise, both known and guessed responses take their blinds."""

    class FoldOrCall:
        weights = np.full(12, 1 / 12)

        def probabilities(self, batch, part):
            return named_policy("fold").probabilities(batch, 0)

    found = local_best_response(LIMIT, FoldOrCall(), deals=20, most_parts=3)
    assert found.exploitability.mean == pytest.approx(750.0)
    assert "3 parts modelled" in found.size


def test_the_same_seed_gives_the_same_bound():
    policy = RandomTable((1.0, 2.0), seed=3)
    one = local_best_response(NO_LIMIT, policy, deals=24, seed=9)
    assert local_best_response(NO_LIMIT, policy, deals=24, seed=9) == one
    assert local_best_response(NO_LIMIT, policy, deals=24, seed=10) != one
    assert one.gains[0].mean + one.gains[1].mean == pytest.approx(2 * one.exploitability.mean)


def test_one_deal_is_refused():
    with pytest.raises(InputError, match="2 deals or more"):
        local_best_response(LIMIT, named_policy("call"), deals=1)


def test_a_response_may_be_kept_from_betting_or_bet_the_pot_from_the_turn_on():
    """The folder folds the small blind at once. As big blind it sees the turn, and folds to the first bet there."""
    none, pot = (local_best_response(NO_LIMIT, named_policy("fold"), deals=30, bets=bets) for bets in ("none", "pot"))
    assert pot.exploitability.mean == pytest.approx(750.0)
    assert pot.exploitability.high == pytest.approx(pot.exploitability.low)
    assert none.exploitability.mean < 500  # 500 in one seat, a coin flip in the other
    for bets, game in (("half", NO_LIMIT), ("pot", LIMIT)):
        with pytest.raises(InputError, match="use"):
            local_best_response(game, named_policy("call"), deals=2, bets=bets)
