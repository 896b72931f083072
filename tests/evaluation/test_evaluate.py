"""Every kind of solution is evaluated in its own unit, and says what its figure means."""

from __future__ import annotations

import pytest

import runout
from reference.holdem_policies import RandomTable
from runout.cursors.policy_solution import PolicySolution
from runout.errors import InputError
from runout.evaluation.evaluate import evaluate
from runout.evaluation.losses import loss_summary, summarise
from runout.evaluation.opponents import named_policy
from runout.games.holdem import LimitHoldem
from runout.solutions.reached import Reached

SMALL = LimitHoldem(stack_depth=20, num_streets=2, ranks=4, suits=3, max_raises=(1, 1)).game()
LIMIT = LimitHoldem().game()


def trained(game, policy) -> PolicySolution:
    return PolicySolution(game, {}, policy, Reached(1))


def test_small_games_are_exact():
    solution = runout.solve_game("leduc", iterations=50)
    found = runout.evaluate(solution)
    assert found.unit == "mA/g"
    assert found.method == "exact"
    assert found.exploitability == pytest.approx(solution.exploitability * 1000)
    assert found.summed == pytest.approx(solution.nash_conv * 1000)
    assert sum(found.per_player.values()) == pytest.approx(found.summed)
    assert min(found.per_player.values()) >= 0
    assert found.interval == (found.exploitability, found.exploitability)


def test_flop_holdem_is_exact():
    settings = runout.FlopHoldem(ranks=4, suits=2, max_raises=(1, 1), solve={"iterations": 20, "target": 0})
    solution = runout.solve_flop_holdem(settings)
    found = evaluate(solution)
    assert (found.unit, found.method) == ("mbb/hand", "exact")
    assert found.exploitability == pytest.approx(settings.mbb(solution.exploitability), rel=1e-3)
    assert set(found.per_player) == {"BB", "SB"}


def test_preflop_is_exact():
    solution = runout.solve_preflop(runout.Preflop(stack_depth=8, raise_sizes=[["a"]], limps=False), iterations=40)
    found = evaluate(solution)
    assert found.exploitability == pytest.approx(solution.exploitability)
    assert "called pots" in found.says


def test_postflop_is_exact():
    spot = runout.Spot(
        board="Qs Jh 2h 7d 3c", pot=100, stack=100, ranges={"oop": "AA,QQ,T9s", "ip": "KK,AQs"},
        betting={"river": {"bet": "50%"}},
    )  # fmt: skip
    solution = runout.solve(spot, iterations=50, target=0)
    found = evaluate(solution)
    assert found.unit == "% of the pot"
    assert found.exploitability == pytest.approx(solution.exploitability, abs=1e-3)


def test_trained_strategies_are_exact_where_that_is_quick():
    found = evaluate(trained(SMALL, RandomTable(seed=1)))
    assert (found.method, found.unit) == ("exact", "mbb/hand")
    assert found.summed == pytest.approx(2 * found.exploitability)
    assert found.summed == pytest.approx(sum(found.per_player.values()))


def test_large_games_get_bounds_that_say_so():
    found = evaluate(trained(LIMIT, named_policy("fold")), hands=8)
    assert found.method == "local best response"
    assert found.exploitability == pytest.approx(750.0)
    assert "lower bound" in found.says
    record = found.to_dict()
    assert {"exploitability", "unit", "method", "interval", "per_player", "summed", "says"} <= set(record)


def test_sampled_boards_come_beside_the_lower_bound():
    found = evaluate(trained(SMALL, RandomTable(seed=1)), eval_deals=6, hands=40)
    assert found.method == "local best response"
    assert [other.method for other in found.also] == ["best response on sampled boards"]
    assert found.also[0].interval[0] < found.also[0].exploitability < found.also[0].interval[1]
    alone = evaluate(trained(SMALL, RandomTable(seed=1)), method="sampled", eval_deals=6)
    assert alone.exploitability == found.also[0].exploitability


def test_methods_that_do_not_fit_are_refused():
    with pytest.raises(InputError, match="unknown method 'best'"):
        evaluate(trained(SMALL, RandomTable()), method="best")
    with pytest.raises(InputError, match="exactly"):
        evaluate(runout.solve_game("kuhn", iterations=1), method="lbr")


def test_losses_are_summarised(tmp_path):
    falling = summarise([(t, 10.0 / t) for t in range(1, 41)])
    assert (falling.first, falling.last, falling.trend) == (10.0, 0.25, "falling")
    assert summarise([(t, 1.0) for t in range(8)]).trend == "flat"
    assert summarise([(t, float(t)) for t in range(1, 9)]).trend == "rising"
    assert summarise([(5, 2.0)]).trend == "flat"
    assert loss_summary(tmp_path) is None
    run = tmp_path / "checkpoint_2"
    run.mkdir()
    rows = [
        '{"iteration": 1, "loss": 3.0}',
        '{"iteration": 2, "loss": null}',
        '{"iteration": 3, "loss": 1.5}',
        '{"itera',
    ]
    (tmp_path / "metrics.jsonl").write_text("\n".join(rows))
    found = loss_summary(run)
    assert found is not None
    assert (found.first, found.last, found.iterations) == (3.0, 1.5, (1, 3))
    assert "falling" in str(found)
