"""Games of the real OpenSpiel through the adapter, and its own exploitability beside ours."""

from __future__ import annotations

import numpy as np
import pytest

pyspiel = pytest.importorskip("pyspiel")
from open_spiel.python import policy as openspiel_policy  # noqa: E402
from open_spiel.python.algorithms import exploitability as openspiel_exploitability  # noqa: E402

from reference.openspiel import beside  # noqa: E402
from reference.tabular import policy_array  # noqa: E402
from runout import check_game, solve_game  # noqa: E402
from runout.errors import InputError  # noqa: E402
from runout.games.compiled import compile_game  # noqa: E402
from runout.games.kuhn import Kuhn  # noqa: E402
from runout.games.leduc import Leduc  # noqa: E402
from runout.games.openspiel import OpenSpielGame  # noqa: E402
from runout.solvers.game_response import assess  # noqa: E402


def random_policy(name: str, seed: int) -> openspiel_policy.TabularPolicy:
    policy = openspiel_policy.TabularPolicy(pyspiel.load_game(name))
    draws = np.random.default_rng(seed).exponential(size=policy.action_probability_array.shape)
    draws *= policy.legal_actions_mask
    policy.action_probability_array = draws / draws.sum(1, keepdims=True)
    return policy


@pytest.mark.parametrize(("game", "name"), [(Kuhn(), "kuhn_poker"), (Leduc(), "leduc_poker")])
@pytest.mark.parametrize("seed", [0, 1, 2])
def test_exploitability_of_random_policies_equals_openspiels(game: Kuhn, name: str, seed: int) -> None:
    keys: dict[str, str] = {}
    beside(game, pyspiel.load_game(name), keys)
    theirs = random_policy(name, seed)
    compiled = compile_game(game)
    table = {}
    for infoset in compiled.infosets:
        row = theirs.policy_for_key(keys[infoset.key])
        table[infoset.key] = dict(zip(infoset.actions, [p for p in row if p > 0], strict=True))
    found = assess(compiled, policy_array(compiled, table))
    expected = openspiel_exploitability.nash_conv(pyspiel.load_game(name), theirs)
    assert found.nash_conv == pytest.approx(expected, abs=1e-10)
    assert found.exploitability == pytest.approx(expected / 2, abs=1e-10)


@pytest.mark.parametrize(("name", "value"), [("kuhn_poker", -1 / 18), ("liars_dice(numdice=1,dice_sides=3)", None)])
def test_an_openspiel_game_is_solved(name: str, value: float | None) -> None:
    game = OpenSpielGame(name)
    assert check_game(game) == []
    solution = solve_game(game, "pdcfr+", 500)
    theirs = pyspiel.load_game(name)
    policy = openspiel_policy.TabularPolicy(theirs)
    for player, states in enumerate(policy.states_per_player):
        for key in states:
            row = policy.policy_for_key(key)
            legal = [i for i, p in enumerate(row) if p > 0]
            row[:] = 0
            row[legal] = list(solution.policy[f"{player}: {key}"].values())
    expected = openspiel_exploitability.exploitability(theirs, policy)
    assert solution.exploitability == pytest.approx(expected, abs=1e-10)
    assert solution.exploitability < 1e-4
    if value is not None:
        assert solution.value == pytest.approx(value, abs=1e-4)


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("kuhn_poker(players=3)", "has 3 players"),
        ("matrix_rps", "simultaneous moves"),
        ("bargaining", "not zero-sum"),
        ("no_such_game", "OpenSpiel cannot load 'no_such_game'"),
    ],
)
def test_other_games_are_refused_with_the_reason(name: str, reason: str) -> None:
    with pytest.raises(InputError, match=reason):
        OpenSpielGame(name)
