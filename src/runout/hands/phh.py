"""Poker hand history (PHH): one hand a `.phh` file, or many tables `[1]`, `[2]`, ... in a `.phhs` file.

Players are in the order of dealing, the button last. Heads-up that is big blind, button, and forced bets are listed the
other way round. `cbr` gives a player's total on the street.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import datetime, time
from typing import Any

from runout.cards.cards import cards as parse_cards
from runout.cards.cards import cards_text
from runout.errors import InputError
from runout.games.betting import BET, CALL, CHECK, FOLD, RAISE, RIVER
from runout.games.points import BOARD_CARDS
from runout.hands.amounts import chips_of, decimals_of
from runout.hands.record import MOST_SEATS, UNKNOWN, HandError, Move, PlayedHand, Seat
from runout.hands.ring import Ring

VARIANT = "NT"
_HEADER = re.compile(r"\s*\[\s*['\"]?[\w-]+['\"]?\s*\]\s*(#.*)?")
_MARK = re.compile(r"^\s*(variant|starting_stacks|actions)\s*=", re.MULTILINE)
_LARGE = 1_000_000  # characters of one hand


def is_phh(text: str) -> bool:
    """Whether a text looks like PHH."""
    return _MARK.search(text) is not None


def sections(text: str) -> Iterator[tuple[int, str]]:
    """The text of each hand with the line it begins in."""
    lines = text.split("\n")
    starts = [number for number, line in enumerate(lines) if line.lstrip().startswith("[") and _HEADER.fullmatch(line)]
    if not starts:
        yield 1, text
        return
    if any(line.strip() and not line.lstrip().startswith("#") for line in lines[: starts[0]]):
        yield 1, "\n".join(lines[: starts[0]])
    for start, end in zip(starts, [*starts[1:], len(lines)], strict=True):
        yield start + 1, "\n".join(["", *lines[start + 1 : end]])


def read_phh(section: str, line: int = 1) -> PlayedHand:
    """The hand in a section; `line` is where it begins. HandError says what is wrong, and where."""
    return _Reading(section, line).hand()


class _Reading:
    """One hand on its way from TOML to a record."""

    def __init__(self, section: str, line: int) -> None:
        if len(section) > _LARGE:
            raise HandError(f"{len(section):,} characters are no hand")
        try:
            self.data: dict[str, Any] = tomllib.loads(section, parse_float=str)
        except (tomllib.TOMLDecodeError, ValueError, RecursionError) as error:
            where = re.search(r"\(at line (\d+)", str(error))
            why = str(error).split(" (at ")[0] or type(error).__name__
            raise HandError(f"not TOML: {why}", line + int(where[1]) - 1 if where else line) from None
        self.section, self.first = section, line

    def hand(self) -> PlayedHand:
        variant = self.data.get("variant")
        if variant != VARIANT:
            raise HandError(
                f"variant {variant!r} is not read: {VARIANT} (no-limit hold'em) is", self.line_of("variant")
            )
        actions = self.data.get("actions")
        if not isinstance(actions, list) or not all(isinstance(one, str) for one in actions):
            raise HandError("actions: use a list of texts", self.line_of("actions"))
        stacks = self.texts("starting_stacks")
        count = len(stacks)
        if not 2 <= count <= MOST_SEATS:
            raise HandError(f"{count} starting_stacks: use 2 to {MOST_SEATS}", self.line_of("starting_stacks"))
        antes, posts = self.texts("antes", count), self.texts("blinds_or_straddles", count)
        if count == 2:
            antes, posts = antes[::-1], posts[::-1]
        raised = re.findall(r"cbr\s+([\d.]+)", " ".join(actions))
        optional = [self.texts(key, count) for key in ("winnings", "finishing_stacks") if key in self.data]
        least = self.data.get("min_bet", 0)
        self.decimals = decimals_of(
            [*stacks, *antes, *posts, *raised, *(one for row in optional for one in row), str(least)]
        )
        seats = self.seats(stacks, antes, posts)
        small, big = self.blinds(posts, least)
        ring = Ring(seats, big)
        moves, board, cards, showed = self.play(ring, actions)
        seats = tuple(
            Seat(one.name, one.stack, one.number, cards[i], one.ante, one.blind, 0, showed[i])
            for i, one in enumerate(seats)
        )
        seats = _with_stacks(seats, ring, moves, board)
        dealt = [i for i in range(count) if self.dealt[i]]
        return PlayedHand(
            id=str(self.data.get("hand", "")),
            seats=seats,
            small_blind=small,
            big_blind=big,
            moves=tuple(moves),
            boards=(tuple(board),),
            collected=self.collected(ring, count),
            decimals=self.decimals,
            currency=str(self.data.get("currency_symbol", "")),
            site=str(self.data.get("venue", "")),
            table=str(self.data.get("table", "")),
            hero=self.hero(dealt, count),
            time=_time(self.data),
            line=self.first,
        )

    def line_of(self, key: str) -> int:
        """The line of the file in which a key stands; that of the hand where it does not."""
        match = re.search(rf"^\s*{key}\s*=", self.section, re.MULTILINE)
        return self.first + (self.section.count("\n", 0, match.end()) if match else 0)

    def texts(self, key: str, count: int | None = None) -> list[str]:
        """A list of numbers, as texts."""
        found = self.data.get(key)
        if not isinstance(found, list) or (count is not None and len(found) != count):
            need = "a list of numbers" if count is None else f"a list of {count} numbers, one a player"
            raise HandError(f"{key} {'is missing' if found is None else 'is wrong'}: give {need}", self.line_of(key))
        if any(isinstance(one, bool) or not isinstance(one, int | str) for one in found):
            raise HandError(f"{key} is wrong: give a list of numbers", self.line_of(key))
        return [str(one) for one in found]

    def chips(self, text: str, key: str) -> int:
        try:
            return chips_of(text, self.decimals)
        except HandError as error:
            raise HandError(f"{key}: {error}", self.line_of(key)) from None

    def seats(self, stacks: list[str], antes: list[str], posts: list[str]) -> tuple[Seat, ...]:
        names, numbers = self.data.get("players"), self.data.get("seats")
        count, found = len(stacks), []
        if not isinstance(names, list) or len({str(one) for one in names}) != count:
            names = [f"p{i + 1}" for i in range(count)]
        if not isinstance(numbers, list) or len(numbers) != count or not all(isinstance(one, int) for one in numbers):
            numbers = list(range(1, count + 1))
        for i in range(count):
            stack = UNKNOWN if stacks[i].lstrip("+") == "inf" else self.chips(stacks[i], "starting_stacks")
            ante = min(self.chips(antes[i], "antes"), stack)
            blind = min(self.chips(posts[i].lstrip("-"), "blinds_or_straddles"), stack - ante)
            found.append(Seat(str(names[i]), stack, numbers[i], (), ante, blind))
        return tuple(found)

    def blinds(self, posts: list[str], least: Any) -> tuple[int, int]:
        """The blinds of the table; a straddle is refused."""
        small, big = (posts[1], posts[0]) if len(posts) == 2 else (posts[0], posts[1])
        pair = [self.chips(one.lstrip("-"), "blinds_or_straddles") for one in (small, big)]
        top = pair[1] or self.chips(str(least), "min_bet")
        if not top:
            raise HandError("no big blind and no min_bet: give one", self.line_of("blinds_or_straddles"))
        for post in posts[2:]:
            if not post.startswith("-") and self.chips(post, "blinds_or_straddles") > top:
                raise HandError("hands with a straddle are not read", self.line_of("blinds_or_straddles"))
        return pair[0], top

    def play(
        self, ring: Ring, actions: Sequence[str]
    ) -> tuple[list[Move], list[int], list[tuple[int, ...]], list[bool]]:
        count = len(ring.seats)
        moves: list[Move] = []
        board: list[int] = []
        cards: list[tuple[int, ...]] = [()] * count
        showed, self.dealt = [False] * count, [False] * count
        for action, line in zip(actions, self._lines(actions), strict=True):
            words = action.partition("#")[0].split()
            if not words:
                continue
            try:
                if words[0] == "d":
                    self.deal(words, ring, board, cards)
                    continue
                seat = _player(words[0], count)
                verb = words[1] if len(words) > 1 else ""
                if verb == "f" and len(words) == 2:
                    moves.append(ring.move(seat, FOLD, 0, line, check=False))
                elif verb == "cc" and len(words) == 2:
                    kind = CALL if ring.bets[seat] < ring.facing else CHECK
                    moves.append(ring.move(seat, kind, ring.call_total(seat), line, check=False))
                elif verb == "cbr" and len(words) == 3:
                    kind, amount = RAISE if ring.facing else BET, chips_of(words[2], self.decimals)
                    moves.append(ring.move(seat, kind, amount, line, check=False))
                elif verb == "sm" and len(words) <= 3:
                    _show(words[2:], seat, cards, showed)
                else:
                    raise HandError(f"unknown action {action!r}: use d dh, d db, pN f, cc, cbr AMOUNT or sm CARDS")
            except InputError as error:
                raise HandError(str(error), line) from None
        return moves, board, cards, showed

    def deal(self, words: list[str], ring: Ring, board: list[int], cards: list[tuple[int, ...]]) -> None:
        if words[1:2] == ["db"] and len(words) == 3:
            board += parse_cards(words[2])
            if len(board) not in BOARD_CARDS[1:]:
                raise HandError(f"the board has {len(board)} cards: it has 3, 4 and 5")
            ring.next_street(BOARD_CARDS.index(len(board)))
        elif words[1:2] == ["dh"] and len(words) == 4:
            seat, held = _player(words[2], len(cards)), _hole(words[3])
            if held:
                cards[seat], self.dealt[seat] = held, True
        else:
            raise HandError(f"unknown deal {' '.join(words)!r}: use d dh pN CARDS or d db CARDS")

    def _lines(self, actions: Sequence[str]) -> list[int]:
        """The line of the file in which each action stands."""
        at = self.line_of("actions")
        lines = self.section.split("\n")
        begin = at - self.first
        if begin < len(lines) and "]" in lines[begin]:
            return [at] * len(actions)
        found = []
        for action in actions:
            while begin + 1 < len(lines) and action not in lines[begin]:
                begin += 1
            found.append(self.first + begin if begin + 1 < len(lines) or action in lines[begin] else at)
        return found

    def hero(self, dealt: list[int], count: int) -> int | None:
        """The seat that the hand was seen from: as told, or the only one whose cards were dealt openly."""
        told = self.data.get("_hero")
        if isinstance(told, int) and not isinstance(told, bool) and 1 <= told <= count:
            return told - 1
        return dealt[0] if len(dealt) == 1 else None

    def collected(self, ring: Ring, count: int) -> tuple[int, ...]:
        """What each player took from the pot, where the hand says so."""
        seat, back = ring.uncalled()
        if "winnings" in self.data:
            won = [self.chips(one, "winnings") for one in self.texts("winnings", count)]
            if not any(won):  # not told
                return ()
            if sum(won) > ring.pot - back and won[seat] >= back:  # some sites count an uncalled bet as won
                won[seat] -= back
            return tuple(won)
        if "finishing_stacks" in self.data:
            left = [self.chips(one, "finishing_stacks") for one in self.texts("finishing_stacks", count)]
            kept = [ring.behind(i) + (back if i == seat else 0) for i in range(count)]
            found = tuple(after - before for after, before in zip(left, kept, strict=True))
            if min(found) < 0:
                raise HandError("a finishing stack is less than what was left", self.line_of("finishing_stacks"))
            return found
        return ()


def _with_stacks(seats: tuple[Seat, ...], ring: Ring, moves: Sequence[Move], board: Sequence[int]) -> tuple[Seat, ...]:
    """Stacks that are not told are known after all where betting ended with a call before the river."""
    if all(seat.known for seat in seats) or not moves or len(board) < BOARD_CARDS[RIVER]:
        return seats
    last = moves[-1]
    if last.kind != CALL or last.street == RIVER:
        return seats
    return tuple(
        seat if seat.known or ring.folded[i] else replace(seat, stack=ring.spent[i]) for i, seat in enumerate(seats)
    )


def _player(word: str, count: int) -> int:
    number = int(word[1:]) if re.fullmatch(r"p\d{1,2}", word) else 0
    if not 1 <= number <= count:
        raise HandError(f"unknown player {word!r}: use p1 to p{count}")
    return number - 1


def _hole(word: str) -> tuple[int, ...]:
    """Two cards, none where they are not known."""
    if "?" in word:
        return ()
    found = tuple(parse_cards(word))
    if len(found) != 2:
        raise HandError(f"{word!r} are {len(found)} hole cards: a hand has 2")
    return found


def _show(words: list[str], seat: int, cards: list[tuple[int, ...]], showed: list[bool]) -> None:
    if not words:
        return
    if words[0] == "-":
        showed[seat] = bool(cards[seat])
    elif held := _hole(words[0]):
        cards[seat], showed[seat] = held, True


def _time(data: dict[str, Any]) -> datetime | None:
    parts = [data.get(key) for key in ("year", "month", "day")]
    if not all(isinstance(one, int) for one in parts):
        return None
    at = data.get("time")
    try:
        day = datetime(*parts)  # type: ignore[arg-type]
    except (ValueError, OverflowError):
        return None
    return datetime.combine(day, at.replace(tzinfo=None)) if isinstance(at, time) else day


# Writing


def phh_text(hand: PlayedHand, header: bool = False) -> str:
    """A hand as PHH; with `header`, as the table of its number in a `.phhs` file."""
    money, first = hand.text, hand.seats[::-1] if hand.players == 2 else hand.seats
    rows = [
        ("variant", f"'{VARIANT}'"),
        ("ante_trimming_status", "false"),
        ("antes", _list(money(seat.ante + seat.dead) for seat in first)),
        ("blinds_or_straddles", _list(_post(hand, i, seat) for i, seat in enumerate(first))),
        ("min_bet", money(hand.big_blind)),
        ("starting_stacks", _list(money(seat.stack) if seat.known else "inf" for seat in hand.seats)),
        ("actions", _list(map(_quoted, _actions(hand)))),
    ]
    if hand.site:
        rows.append(("venue", _quoted(hand.site)))
    if hand.time is not None:
        rows.append(("time", hand.time.strftime("%H:%M:%S")))
        rows += [(key, str(getattr(hand.time, key))) for key in ("day", "month", "year")]
    if hand.id:
        rows.append(("hand", hand.id if re.fullmatch(r"[1-9]\d{0,17}", hand.id) else _quoted(hand.id)))
    rows.append(("seats", _list(str(seat.number) for seat in hand.seats)))
    if hand.table:
        rows.append(("table", _quoted(hand.table)))
    if hand.hero is not None:
        rows.append(("_hero", str(hand.hero + 1)))
    rows.append(("players", _list(_quoted(seat.name) for seat in hand.seats)))
    if any(hand.collected):
        rows.append(("winnings", _list(map(money, hand.collected))))
    if hand.currency:
        rows.append(("currency_symbol", _quoted(hand.currency)))
    body = "".join(f"{key} = {value}\n" for key, value in rows)
    return f"[{hand.number or 1}]\n{body}" if header else body


def phhs_text(hands: Iterable[PlayedHand]) -> Iterator[str]:
    """The text of a `.phhs` file, hand by hand, numbered from 1."""
    for number, hand in enumerate(hands, 1):
        yield ("\n" if number > 1 else "") + phh_text(replace(hand, number=number), header=True)


def _post(hand: PlayedHand, place: int, seat: Seat) -> str:
    text = hand.text(seat.blind)
    return f"-{text}" if hand.players > 2 and place > 1 and seat.blind else text


def _actions(hand: PlayedHand) -> Iterator[str]:
    if len(hand.boards) > 1:
        raise InputError(f"{hand.where}: a hand that was run more than once has no form in PHH")
    everybody = all(seat.cards for seat in hand.seats)
    for i, seat in enumerate(hand.seats):
        seen = everybody or i == hand.hero or not seat.showed  # others were seen when they were turned up
        yield f"d dh p{i + 1} {cards_text(seat.cards, '') if seat.cards and seen else '????'}"
    street = 0
    for move in hand.moves:
        while street < move.street:
            street += 1
            yield _dealt(hand, street)
        words = {FOLD: "f", CHECK: "cc", CALL: "cc"}
        yield f"p{move.seat + 1} {words.get(move.kind) or f'cbr {hand.text(move.amount)}'}"
    folded = {move.seat for move in hand.moves if move.kind == FOLD}
    live = [i for i in range(hand.players) if i not in folded]
    all_in = len(hand.board) > BOARD_CARDS[street]
    shows = [
        f"p{i + 1} sm {cards_text(hand.seats[i].cards, '') if hand.seats[i].showed else ''}".rstrip() for i in live
    ]
    if len(live) > 1 and all_in:  # hands are turned up before the board is dealt out
        yield from shows
    while street < RIVER and len(hand.board) > BOARD_CARDS[street]:
        street += 1
        yield _dealt(hand, street)
    if len(live) > 1 and not all_in:
        yield from shows


def _dealt(hand: PlayedHand, street: int) -> str:
    return f"d db {cards_text(hand.board[BOARD_CARDS[street - 1] : BOARD_CARDS[street]], '')}"


def _list(values: Iterable[str]) -> str:
    return f"[{', '.join(values)}]"


def _quoted(text: str) -> str:
    if "'" not in text and text.isprintable():
        return f"'{text}'"
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return '"' + "".join(c if c.isprintable() else f"\\U{ord(c):08X}" for c in escaped) + '"'
