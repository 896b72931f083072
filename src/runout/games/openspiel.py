"""Any sequential two-player zero-sum game of OpenSpiel as a Runout game (needs the extra `openspiel`)."""

from __future__ import annotations

from typing import Any

from runout.errors import InputError
from runout.games.protocol import CHANCE, TERMINAL

History = tuple[int, ...]


class OpenSpielGame:
    """Wraps a `pyspiel.Game`, or the name of one with its parameters, like "liars_dice(numdice=1)".

    A state is the history of OpenSpiel's action numbers. Keys of information sets are OpenSpiel's strings with the
    player in front, "0: 2pb".
    """

    def __init__(self, game: Any) -> None:
        pyspiel = _pyspiel()
        if isinstance(game, str):
            try:
                game = pyspiel.load_game(game)
            except Exception as error:  # pyspiel raises its own SpielError and, for bad parameters, others
                reason = str(error).strip().splitlines()[0].rstrip(". ") if str(error).strip() else "unknown"
                raise InputError(f"OpenSpiel cannot load {game!r}: {reason}") from None
        kind = game.get_type()
        name = kind.short_name
        if game.num_players() != 2:
            raise InputError(f"OpenSpiel's {name} has {game.num_players()} players: two are needed")
        if kind.dynamics != pyspiel.GameType.Dynamics.SEQUENTIAL:
            raise InputError(f"OpenSpiel's {name} has simultaneous moves: wrap it in turn_based_simultaneous_game(...)")
        if kind.utility not in (pyspiel.GameType.Utility.ZERO_SUM, pyspiel.GameType.Utility.CONSTANT_SUM):
            raise InputError(f"OpenSpiel's {name} is not zero-sum")
        if kind.chance_mode == pyspiel.GameType.ChanceMode.SAMPLED_STOCHASTIC:
            raise InputError(f"OpenSpiel's {name} hides the odds of chance: its outcomes must be explicit")
        if not kind.provides_information_state_string:
            raise InputError(f"OpenSpiel's {name} does not say what a player knows (no information state string)")
        self.game = game
        self.name = f"openspiel:{game}"
        self.ante = 1.0
        self._constant = float(game.utility_sum() or 0.0)
        self._last: tuple[History, Any] = ((), game.new_initial_state())
        if kind.provides_information_state_tensor:  # what networks are shown; others see the letters of the key
            self.features = self._tensor

    def _tensor(self, state: History, player: int) -> list[float]:
        found: list[float] = self._at(state).information_state_tensor(player)
        return found

    def root(self) -> History:
        return ()

    def player(self, state: History) -> int:
        at = self._at(state)
        return TERMINAL if at.is_terminal() else CHANCE if at.is_chance_node() else at.current_player()

    def actions(self, state: History) -> tuple[str, ...]:
        at = self._at(state)
        return tuple(at.action_to_string(at.current_player(), action) for action in at.legal_actions())

    def chance(self, state: History) -> tuple[float, ...]:
        at = self._at(state)
        odds = dict(at.chance_outcomes())
        return tuple(odds[action] for action in at.legal_actions())

    def next(self, state: History, action: str) -> History:
        return (*state, self._at(state).legal_actions()[self.actions(state).index(action)])

    def returns(self, state: History) -> tuple[float, float]:
        first, second = self._at(state).returns()
        return first - self._constant / 2, second - self._constant / 2

    def infoset(self, state: History) -> str:
        at = self._at(state)
        return f"{at.current_player()}: {at.information_state_string()}"

    def describe(self, state: History) -> str:
        return " ".join(self.infoset(state).split())

    def _at(self, state: History) -> Any:
        """OpenSpiel's state; the last one is kept, because a walk asks several things of each."""
        known, at = self._last
        if known == state:
            return at
        if state[: len(known)] == known and len(state) == len(known) + 1:
            at = at.child(state[-1])
        else:
            at = self.game.new_initial_state()
            for action in state:
                at.apply_action(action)
        self._last = (state, at)
        return at


def _pyspiel() -> Any:
    try:
        import pyspiel
    except ImportError:
        raise InputError("OpenSpiel is not installed: pip install 'runout[openspiel]'") from None
    return pyspiel
