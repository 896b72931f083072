"""The table of kinds: every name in it can be imported, and every solution finds its row."""

from __future__ import annotations

import inspect

import pytest

import runout
from runout.cursors.kinds import KINDS, fetch, kind_of, named
from runout.cursors.network_game_solution import NetworkGameSolution
from runout.errors import InputError


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.names[0])
def test_what_a_row_names_is_there(kind) -> None:  # type: ignore[no-untyped-def]
    assert inspect.isclass(fetch(kind.solution))
    assert inspect.isclass(fetch(kind.explorer))
    assert next(iter(inspect.signature(fetch(kind.load)).parameters)) == "path"
    assert list(inspect.signature(fetch(kind.evaluate)).parameters) == ["solution", "effort"]
    for name in kind.names:
        assert named(name) is kind


def test_every_public_solution_has_a_row() -> None:
    public = {runout.Solution, runout.PreflopSolution, runout.FlopSolution, runout.GameSolution}
    public |= {runout.ExactSolution, runout.PolicySolution}
    assert {fetch(kind.solution) for kind in KINDS} == public | {NetworkGameSolution}


def test_solutions_and_classes_made_from_theirs_find_their_row() -> None:
    class Own(runout.GameSolution):
        pass

    assert kind_of(Own.__new__(Own)).names == ("tabular",)
    with pytest.raises(InputError, match="a dict is no solution"):
        kind_of({})
    assert named("chess") is None
