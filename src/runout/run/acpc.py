"""ACPC 2.0.0 over TCP: a dealer for two programs, and a client that plays a bot.

Every hand that is over is written to the log at once, `STATE:hand:betting:cards:values:names`, so that whatever goes
wrong later (an illegal action, a player that is gone, a dealer that says what cannot be) loses none of them: it ends
the match with a `WireError` that names the fault.
"""

from __future__ import annotations

import socket
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from runout.cards.evaluator import strength
from runout.errors import InputError
from runout.formats.wire import (
    VERSION,
    WireState,
    read_acpc,
    read_betting,
    write_acpc,
    write_action,
    write_betting,
    write_cards,
)
from runout.games.betting import CLOSED, NOBODY, BettingState, Rules, start
from runout.run.sitting import Sitting

NAMES = ("Alice", "Bob")
ACT_SECONDS = 600.0
LONGEST_SECONDS = 1_000_000.0  # of a timeout
LONGEST = 4096  # characters of a message


class WireError(InputError):
    """Whoever is at the other end did what cannot be; what was played before is kept."""


@dataclass(frozen=True)
class WireResult:
    """What a match came to."""

    hands: int
    won: tuple[float, float]  # chips, by player
    log: Path | None


class HandLog:
    """Hands that are over, one a line, written as they end."""

    def __init__(self, path: Path | None, title: str, names: tuple[str, str]) -> None:
        self.path, self.names, self.hands, self.won = path, names, 0, [0.0, 0.0]
        if path is not None:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(f"# {title}\n", encoding="utf-8")

    def add(self, state: BettingState, cards: str, values: tuple[float, float], seats: tuple[int, int]) -> None:
        """seats: which player sits at each position; values by position."""
        self.hands += 1
        for position in range(2):
            self.won[seats[position]] += values[position]
        told = "|".join(f"{value:g}" for value in values)
        names = "|".join(self.names[player] for player in seats)
        self._write(f"STATE:{self.hands - 1}:{write_betting(state)}:{cards}:{told}:{names}")

    def finish(self) -> WireResult:
        self._write(f"SCORE:{'|'.join(f'{won:g}' for won in self.won)}:{'|'.join(self.names)}")
        return self.result()

    def result(self) -> WireResult:
        return WireResult(self.hands, (self.won[0], self.won[1]), self.path)

    def kept(self) -> str:
        """What is said of the hands when a match ends early."""
        where = f" in {self.path}" if self.path is not None else ""
        return f"{self.hands} hand{'s' * (self.hands != 1)} that were over before are kept{where}"

    def _write(self, line: str) -> None:
        if self.path is not None:
            with self.path.open("a", encoding="utf-8") as file:
                file.write(line + "\n")


class WireLines:
    """A connection that is read by lines."""

    def __init__(self, at: socket.socket, who: str, seconds: float = ACT_SECONDS) -> None:
        at.settimeout(seconds)
        at.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)  # short lines, each waited for
        self._at, self.who, self._rest = at, who, b""

    def read(self) -> str | None:
        """The next line; None where the other end closed."""
        while b"\n" not in self._rest:
            try:
                more = self._at.recv(4096)
            except TimeoutError:
                raise WireError(f"{self.who} said nothing for too long") from None
            except OSError as error:
                raise WireError(f"{self.who} is gone: {error.strerror or error}") from None
            if not more:
                return None
            self._rest += more
            if len(self._rest) > LONGEST and b"\n" not in self._rest:
                raise WireError(f"{self.who} sent a line of more than {LONGEST} characters")
        line, _, self._rest = self._rest.partition(b"\n")
        return line.decode("ascii", "replace").rstrip("\r")

    def write(self, line: str) -> None:
        try:
            self._at.sendall(line.encode() + b"\r\n")
        except OSError as error:
            raise WireError(f"{self.who} is gone: {error.strerror or error}") from None


class Dealer:
    """Deals a match to two programs that connect to its ports."""

    def __init__(
        self,
        rules: Rules,
        hands: int,
        seed: int = 0,
        names: tuple[str, str] = NAMES,
        log: Path | None = None,
        host: str = "127.0.0.1",
        ports: tuple[int, int] = (0, 0),
        seconds: float = ACT_SECONDS,
    ) -> None:
        if hands < 1:
            raise InputError(f"hands = {hands}: use 1 or more")
        if not 0 < seconds <= LONGEST_SECONDS:
            raise InputError(f"seconds = {seconds}: use more than 0, at most {LONGEST_SECONDS:,}")
        self.rules, self.hands, self.seed, self.names, self.seconds = rules, hands, seed, names, seconds
        self._log = HandLog(log, f"runout {hands} hands, seed {seed}, stack {rules.stack}", names)
        self._sockets = []
        for port in ports:
            try:
                self._sockets.append(socket.create_server((host, port)))
            except OSError as error:
                raise InputError(f"cannot listen on {host}:{port}: {error.strerror or error}") from None
            self._sockets[-1].settimeout(seconds)
        self.ports = tuple(int(one.getsockname()[1]) for one in self._sockets)

    def run(self, on_hand: Callable[[int, int], None] | None = None) -> WireResult:
        """Wait for both players and deal; a WireError where one of them breaks the rules or is gone."""
        try:
            with ExitStack() as open_ones:
                players = [self._met(player, open_ones) for player in range(2)]
                for hand in range(self.hands):
                    self._deal(hand, players)
                    if on_hand is not None:
                        on_hand(hand + 1, self.hands)
        except WireError as error:
            raise WireError(f"{error}; {self._log.kept()}") from None
        finally:
            for one in self._sockets:
                one.close()
        return self._log.finish()

    def _met(self, player: int, open_ones: ExitStack) -> WireLines:
        name = self.names[player]
        try:
            connection, _ = self._sockets[player].accept()
        except TimeoutError:
            raise WireError(f"{name} did not connect to port {self.ports[player]}") from None
        open_ones.enter_context(connection)
        lines = WireLines(connection, name, self.seconds)
        said = lines.read()
        if said is None or not said.startswith("VERSION:2."):
            raise WireError(f"{name} said {said!r} where {VERSION} is expected")
        return lines

    def _deal(self, hand: int, players: list[WireLines]) -> None:
        rng = np.random.default_rng([self.seed, hand])
        cards = [int(c) for c in rng.permutation(52)[:9]]
        holes, board = (cards[:2], cards[2:4]), cards[4:]
        seats = (hand % 2, 1 - hand % 2)  # the player at each position
        state = start(self.rules)
        while True:
            shown = state.status == CLOSED
            for position in range(2):
                seen = [hole if shown or at == position else () for at, hole in enumerate(holes)]
                players[seats[position]].write(write_acpc(position, hand, state, seen, board))
            if state.over:
                break
            state = self._answered(players[seats[state.player]], hand, state, holes, board)
        values = state.returns(_winner(holes, board) if shown else NOBODY)
        self._log.add(state, write_cards(state, holes, board), values, seats)

    def _answered(
        self, player: WireLines, hand: int, state: BettingState, holes: tuple[list[int], list[int]], board: list[int]
    ) -> BettingState:
        seen = [hole if at == state.player else () for at, hole in enumerate(holes)]
        asked = write_acpc(state.player, hand, state, seen, board)
        while True:
            line = player.read()
            if line is None:
                raise WireError(f"{player.who} left in the middle of hand {hand}")
            if line and line[0] not in "#;":
                break
        before, _, word = line.rpartition(":")
        if before != asked:
            raise WireError(f"{player.who} answered {line[:80]!r} in hand {hand} where {asked}:ACTION is expected")
        try:
            there = read_betting(write_betting(state) + word, self.rules)
            if len(there.played) != len(state.played) + 1:
                raise InputError(f"{word!r} is not one action")
        except InputError as error:
            raise WireError(f"{player.who} made an illegal action in hand {hand}: {error}") from None
        return there


def _winner(holes: tuple[list[int], list[int]], board: list[int]) -> int:
    first, second = (strength([*hole, *board]) for hole in holes)
    return NOBODY if first == second else int(second > first)


class AcpcClient:
    """Plays a bot at a dealer."""

    def __init__(
        self, sitting: Sitting, rules: Rules, log: Path | None = None, seed: int | None = None, name: str = "Runout"
    ) -> None:
        self.sitting, self.rules = sitting, rules
        self._rng = np.random.default_rng(seed)
        self._log = HandLog(log, "runout as a client", (name, "opponent"))

    def run(self, host: str, port: int, on_hand: Callable[[int, int], None] | None = None) -> WireResult:
        """Play until the dealer closes; a WireError where it says what cannot be."""
        try:
            connection = socket.create_connection((host, port), timeout=30)
        except OSError as error:
            raise InputError(f"cannot connect to {host}:{port}: {error.strerror or error}") from None
        with connection:
            try:
                self._play(WireLines(connection, f"the dealer at {host}:{port}"), on_hand)
            except WireError as error:
                raise WireError(f"{error}; {self._log.kept()}") from None
        return self._log.finish()

    def _play(self, lines: WireLines, on_hand: Callable[[int, int], None] | None) -> None:
        lines.write(VERSION)
        before: WireState | None = None
        while (line := lines.read()) is not None:
            if not line or line[0] in "#;":
                continue
            try:
                seen = read_acpc(line, self.rules)
                self._follows(before, seen)
            except InputError as error:
                raise WireError(f"{lines.who} sent what cannot be: {error}") from None
            before, state = seen, seen.state
            if state.over:
                self._ended(seen)
                if on_hand is not None:
                    on_hand(self._log.hands, self._log.hands)
            elif state.player == seen.position:
                action, _ = self.sitting.decide(state, seen.board, seen.holes[seen.position], self._rng)
                lines.write(f"{line}:{write_action(state, action)}")
        if before is not None and not before.state.over:
            raise WireError(f"{lines.who} closed in the middle of hand {before.hand}")

    def _follows(self, before: WireState | None, seen: WireState) -> None:
        """Refuse a message that takes back what was said before."""
        if len(seen.holes[seen.position]) != 2:
            raise InputError("our own cards are not shown")
        if before is None or before.hand != seen.hand:
            if before is not None and not before.state.over:
                raise InputError(f"hand {seen.hand} begins and hand {before.hand} is not over")
            return
        own = before.position
        count = len(before.state.played)
        if seen.position != own or seen.holes[own] != before.holes[own]:
            raise InputError(f"seat or cards of hand {seen.hand} are others than before")
        if seen.state.played[:count] != before.state.played or len(seen.state.played) > count + 1:
            raise InputError(f"the betting of hand {seen.hand} is another one than before")
        if seen.board[: len(before.board)] != before.board:
            raise InputError(f"the board of hand {seen.hand} is another one than before")

    def _ended(self, seen: WireState) -> None:
        state, own = seen.state, seen.position
        winner = NOBODY
        if state.status == CLOSED:
            if any(len(hole) != 2 for hole in seen.holes):
                raise WireError(f"hand {seen.hand} is shown down and hands are missing")
            winner = _winner((list(seen.holes[0]), list(seen.holes[1])), list(seen.board))
        seats = (0, 1) if own == 0 else (1, 0)
        self._log.add(state, write_cards(state, seen.holes, seen.board), state.returns(winner), seats)
