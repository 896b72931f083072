"""A client of Slumbot's API: a bot plays hands of 200 big blinds at https://slumbot.com, or at a server like it.

What the server says of a hand is replayed by the rules: an action that is not possible, cards that change or winnings
that are not what the hand comes to end the session with a `WireError`; hands that were over before are in the log.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.parse import urlsplit
from urllib.request import Request, urlopen

import numpy as np

from runout.cards.cards import card
from runout.cards.evaluator import strength
from runout.errors import InputError
from runout.formats.wire import read_betting, write_action, write_cards
from runout.games.betting import CLOSED, NOBODY, BettingState, Rules
from runout.games.points import BOARD_CARDS
from runout.run.acpc import HandLog, WireError, WireResult
from runout.run.sitting import Sitting

URL = "https://slumbot.com/slumbot/api"
RULES = Rules.no_limit(20000, 50, 100)
SECONDS = 60.0
_MOST_ANSWER = 1 << 20


class SlumbotClient:
    """Plays hands against a Slumbot server."""

    def __init__(
        self,
        sitting: Sitting,
        url: str = URL,
        log: Path | None = None,
        seed: int | None = None,
        login: tuple[str, str] | None = None,
    ) -> None:
        if urlsplit(url).scheme not in ("http", "https"):
            raise InputError(f"{url!r} is no address: use {URL} or another one that begins with http")
        self.sitting, self.url, self._login = sitting, url.rstrip("/"), login
        self._rng = np.random.default_rng(seed)
        self._log = HandLog(log, f"runout against {url}", ("Runout", "Slumbot"))
        self._token = ""

    def run(self, hands: int, on_hand: Callable[[int, int], None] | None = None) -> WireResult:
        """Play this many hands; a WireError where the server says what cannot be."""
        if hands < 1:
            raise InputError(f"hands = {hands}: use 1 or more")
        try:
            if self._login is not None:
                self._ask("login", {"username": self._login[0], "password": self._login[1]})
            for hand in range(hands):
                self._hand(hand)
                if on_hand is not None:
                    on_hand(hand + 1, hands)
        except WireError as error:
            raise WireError(f"{error}; {self._log.kept()}") from None
        return self._log.finish()

    def _hand(self, hand: int) -> None:
        said = self._ask("new_hand", {"token": self._token} if self._token else {})
        own, hole = self._seat(said, hand)
        before: tuple[Any, ...] = ()
        while True:
            state, board = self._read(said, hand)
            if self._seat(said, hand) != (own, hole):
                raise WireError(f"the server changed our seat or cards in hand {hand}")
            if state.played[: len(before)] != before:
                raise WireError(f"the server took back actions in hand {hand}: {said.get('action')!r}")
            if "winnings" in said and said["winnings"] is not None:
                self._ended(hand, said, state, own, hole, board)
                return
            if state.over:
                raise WireError(f"hand {hand} is over and the server does not say what was won")
            if state.player != own:
                raise WireError(f"the server asks for an action in hand {hand} and it is not our turn")
            action, _ = self.sitting.decide(state, board, hole, self._rng)
            before = (*state.played, action)
            said = self._ask("act", {"token": self._token, "incr": write_action(state, action, slumbot=True)})

    def _seat(self, said: dict[str, Any], hand: int) -> tuple[int, list[int]]:
        own = said.get("client_pos")
        if own not in (0, 1):
            raise WireError(f"client_pos is {own!r} in hand {hand}: 0 or 1 is expected")
        hole = self._cards(said, "hole_cards", hand)
        if len(hole) != 2:
            raise WireError(f"{len(hole)} hole cards in hand {hand}: two are expected")
        return int(own), hole

    def _read(self, said: dict[str, Any], hand: int) -> tuple[BettingState, list[int]]:
        try:
            state = read_betting(str(said.get("action", "")), RULES, slumbot=True)
        except InputError as error:
            raise WireError(f"the server sent betting that cannot be in hand {hand}: {error}") from None
        board = self._cards(said, "board", hand)
        shown = 5 if state.status == CLOSED else BOARD_CARDS[state.street]
        if len(board) != shown and not (state.over and len(board) <= shown):
            raise WireError(f"{len(board)} board cards after {said.get('action')!r} in hand {hand}: there are {shown}")
        return state, board

    def _ended(
        self, hand: int, said: dict[str, Any], state: BettingState, own: int, hole: list[int], board: list[int]
    ) -> None:
        if not state.over:
            raise WireError(f"the server ends hand {hand} after {said.get('action')!r}, where somebody is to act")
        theirs = self._cards(said, "bot_hole_cards", hand)
        holes = (hole, theirs) if own == 0 else (theirs, hole)
        winner = NOBODY
        if state.status == CLOSED:
            if len(theirs) != 2 or len(board) != 5:
                raise WireError(f"hand {hand} is shown down and cards are missing")
            first, second = (strength([*one, *board]) for one in holes)
            winner = NOBODY if first == second else int(second > first)
        values = state.returns(winner)
        if abs(float(said["winnings"]) - values[own]) > 0.5:
            raise WireError(f"the server says {said['winnings']} was won in hand {hand}: it comes to {values[own]:g}")
        self._log.add(state, write_cards(state, holes, board), values, (0, 1) if own == 0 else (1, 0))

    def _cards(self, said: dict[str, Any], key: str, hand: int) -> list[int]:
        try:
            return [card(str(word)) for word in said.get(key) or ()]
        except InputError as error:
            raise WireError(f"{key} of hand {hand}: {error}") from None

    def _ask(self, what: str, body: dict[str, Any]) -> dict[str, Any]:
        headers = {"Content-Type": "application/json", "User-Agent": "runout"}
        asked = Request(f"{self.url}/{what}", json.dumps(body).encode(), headers)
        try:
            with urlopen(asked, timeout=SECONDS) as answer:
                said = json.loads(answer.read(_MOST_ANSWER))
        except HTTPError as error:
            raise WireError(f"{self.url} answered {what} with status {error.code}") from None
        except (URLError, OSError) as error:
            raise WireError(f"{self.url} cannot be reached: {getattr(error, 'reason', error)}") from None
        except ValueError:
            raise WireError(f"{self.url} answered {what} with something that is no JSON") from None
        if not isinstance(said, dict) or said.get("error_msg"):
            why = said.get("error_msg") if isinstance(said, dict) else said
            raise WireError(f"{self.url} refused {what}: {str(why)[:200]}")
        self._token = str(said.get("token") or self._token)
        return said
