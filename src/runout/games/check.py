"""Play a game through and report every rule that it breaks.

Every history is visited once. Each kind of fault is reported at the first place where it shows, so that a single
mistake in a game does not give a thousand lines.
"""

from __future__ import annotations

from math import isfinite
from typing import Any

from runout.errors import InputError
from runout.games.protocol import CHANCE, TERMINAL, AnyGame

MAX_HISTORIES = 5_000_000
TOLERANCE = 1e-9


def check_game(game: AnyGame, max_histories: int = MAX_HISTORIES) -> list[str]:
    """Check the rules of a game of your own: one sentence for each mistake, an empty list if it can be solved."""
    checker = _Checker(game)
    try:
        stack: list[tuple[Any, tuple[str, ...], tuple[_Recall, _Recall]]] = [(game.root(), (), ((), ()))]
    except Exception as error:  # a user's game may fail in any way; the report is the point
        return [f"root() failed: {error!r}"]
    visited = 0
    while stack:
        state, line, recall = stack.pop()
        visited += 1
        if visited > max_histories:
            checker.report("size", f"the game has more than {max_histories} histories: too large for tabular solvers")
            break
        try:
            stack.extend(checker.visit(state, line, recall))
        except Exception as error:
            checker.report("failure", f"{_at(line)} the game failed: {error!r}")
    return list(checker.found.values())


def require_valid(game: AnyGame) -> None:
    """Raise an InputError with the first broken rule."""
    problems = check_game(game)
    if problems:
        more = f" (and {len(problems) - 1} more: see runout.check_game)" if len(problems) > 1 else ""
        raise InputError(f"game {getattr(game, 'name', '?')!r}: {problems[0]}{more}")


_Recall = tuple[tuple[str, str], ...]  # what a player remembers: (information set, action) in order


class _Checker:
    def __init__(self, game: AnyGame) -> None:
        self.game = game
        self.found: dict[str, str] = {}  # fault -> sentence
        self.seen: dict[str, tuple[int, tuple[str, ...], _Recall]] = {}  # infoset -> player, actions, recall

    def report(self, fault: str, sentence: str) -> None:
        self.found.setdefault(fault, sentence)

    def visit(self, state: Any, line: tuple[str, ...], recall: tuple[_Recall, _Recall]) -> list[Any]:
        """Check one state; what follows it, to be visited next."""
        player = self.game.player(state)
        if player == TERMINAL:
            self._returns(state, line)
            return []
        if player not in (CHANCE, 0, 1):
            self.report("player", f"{_at(line)} the player is {player!r}: use 0, 1, CHANCE (-1) or TERMINAL (-2)")
            return []
        actions = tuple(self.game.actions(state))
        if not self._actions(actions, line):
            return []
        if player == CHANCE:
            self._chance(state, actions, line)
        else:
            key = self.game.infoset(state)
            self._infoset(key, player, actions, recall[player], line)
        following = []
        for action in actions:
            before = hash(state)
            after = self.game.next(state, action)
            if hash(state) != before:
                self.report("mutable", f"{_at(line)} next() changed the state it was given: return a new one")
            remembered = recall
            if player != CHANCE:
                mine = (*recall[player], (key, action))
                remembered = (mine, recall[1]) if player == 0 else (recall[0], mine)
            following.append((after, (*line, action), remembered))
        return following

    def _actions(self, actions: tuple[str, ...], line: tuple[str, ...]) -> bool:
        if not actions:
            self.report("none", f"{_at(line)} there are no actions, but the game is not over")
        elif len(set(actions)) != len(actions):
            self.report("names", f"{_at(line)} two actions have one name: {', '.join(map(str, actions))}")
        elif not all(isinstance(action, str) for action in actions):
            self.report("names", f"{_at(line)} actions must be names (str), not {actions!r}")
        else:
            return True
        return False

    def _chance(self, state: Any, actions: tuple[str, ...], line: tuple[str, ...]) -> None:
        odds = tuple(self.game.chance(state))
        if len(odds) != len(actions):
            self.report("odds", f"{_at(line)} chance has {len(actions)} outcomes but {len(odds)} probabilities")
        elif not all(isfinite(p) and p >= 0 for p in odds):
            self.report("odds", f"{_at(line)} a probability of chance is negative or not a number: {odds}")
        elif abs(sum(odds) - 1) > TOLERANCE:
            self.report("odds", f"{_at(line)} the probabilities of chance add up to {sum(odds):.10g}, not 1")

    def _returns(self, state: Any, line: tuple[str, ...]) -> None:
        won = tuple(self.game.returns(state))
        if len(won) != 2 or not all(isfinite(chips) for chips in won):
            self.report("returns", f"{_at(line)} returns must be two finite numbers, not {won}")
        elif abs(won[0] + won[1]) > TOLERANCE * max(1.0, abs(won[0])):
            self.report("zero-sum", f"{_at(line)} the returns {won[0]:g} and {won[1]:g} do not add up to zero")

    def _infoset(self, key: str, player: int, actions: tuple[str, ...], recall: _Recall, line: tuple[str, ...]) -> None:
        known = self.seen.setdefault(key, (player, actions, recall))
        if known[0] != player:
            self.report("owner", f"information set {key!r} belongs to both players (second time {_at(line)})")
        elif known[1] != actions:
            self.report("legal", f"information set {key!r} allows {list(known[1])} once, {list(actions)} {_at(line)}")
        elif known[2] != recall:
            self.report(
                "recall",
                f"imperfect recall: player {player} forgets its own past at information set {key!r} {_at(line)}",
            )


def _at(line: tuple[str, ...]) -> str:
    return f"after {' '.join(map(str, line))}" if line else "at the root"
