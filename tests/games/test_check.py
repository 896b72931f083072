"""Every rule that a game can break is named, by check_game and when the game is compiled."""

from __future__ import annotations

import re

import pytest

from reference.random_games import RandomGame
from runout import check_game
from runout.errors import InputError
from runout.games.compiled import compile_game
from runout.games.kuhn import Kuhn, KuhnState
from runout.games.leduc import Leduc


class NotZeroSum(Kuhn):
    def returns(self, state: KuhnState) -> tuple[float, float]:
        return 1.0, 0.5


class NotFinite(Kuhn):
    def returns(self, state: KuhnState) -> tuple[float, float]:
        return float("nan"), 0.0


class LooseChance(Kuhn):
    def chance(self, state: KuhnState) -> tuple[float, ...]:
        return (0.4,) * len(self.actions(state))


class NegativeChance(Kuhn):
    def chance(self, state: KuhnState) -> tuple[float, ...]:
        return (1.5, *(-0.5 / (len(self.actions(state)) - 1),) * (len(self.actions(state)) - 1))


class Forgetful(Kuhn):
    """The first player forgets its card once it has checked."""

    def infoset(self, state: KuhnState) -> str:
        return "? x-b" if state.line == "x-b" else super().infoset(state)


class Shared(Kuhn):
    def infoset(self, state: KuhnState) -> str:
        return state.cards[self.player(state)]


class SeesTheOther(Kuhn):
    """Legal actions give away the other card."""

    def actions(self, state: KuhnState) -> tuple[str, ...]:
        if state.line == "b" and state.cards[0] == "K":
            return ("call",)
        return super().actions(state)


class OneName(Kuhn):
    def actions(self, state: KuhnState) -> tuple[str, ...]:
        return ("bet", "bet") if len(state.cards) == 2 else super().actions(state)


class Stuck(Kuhn):
    def actions(self, state: KuhnState) -> tuple[str, ...]:
        return () if state.line == "x" else super().actions(state)


class ThreePlayers(Kuhn):
    def player(self, state: KuhnState) -> int:
        return 2 if state.line == "x" else super().player(state)


class Crash(Kuhn):
    def next(self, state: KuhnState, action: str) -> KuhnState:
        if state.line == "x-b":
            raise KeyError(action)
        return super().next(state, action)


@pytest.mark.parametrize(
    ("game", "reason"),
    [
        (NotZeroSum(), "the returns 1 and 0.5 do not add up to zero"),
        (NotFinite(), "returns must be two finite numbers"),
        (LooseChance(), "the probabilities of chance add up to 1.2, not 1"),
        (NegativeChance(), "a probability of chance is negative"),
        (Forgetful(), "imperfect recall: player 0 forgets its own past at information set '\\? x-b'"),
        (Shared(), "belongs to both players"),
        (SeesTheOther(), "information set '[JQ] b' allows"),
        (OneName(), "two actions have one name: bet, bet"),
        (Stuck(), "there are no actions, but the game is not over"),
        (ThreePlayers(), "the player is 2: use 0, 1"),
        (Crash(), "the game failed: KeyError"),
    ],
)
def test_a_broken_rule_is_named(game: Kuhn, reason: str) -> None:
    problems = check_game(game)
    assert problems
    assert any(re.search(reason, problem) for problem in problems), problems
    with pytest.raises(InputError, match=r"game 'kuhn': "):
        compile_game(game)


def test_one_mistake_is_reported_once() -> None:
    assert len(check_game(NotZeroSum())) == 1


@pytest.mark.parametrize("game", [Kuhn(), Leduc(), *(RandomGame(seed) for seed in range(20))])
def test_sound_games_pass(game: Kuhn) -> None:
    assert check_game(game) == []


def test_a_game_without_end_is_refused() -> None:
    class Endless(Kuhn):
        def player(self, state: KuhnState) -> int:
            return 0

        def actions(self, state: KuhnState) -> tuple[str, ...]:
            return ("check",)

        def infoset(self, state: KuhnState) -> str:
            return state.line

        def next(self, state: KuhnState, action: str) -> KuhnState:
            return KuhnState("", f"{len(state.line)}")

    assert "more than 100 histories" in check_game(Endless(), max_histories=100)[-1]
