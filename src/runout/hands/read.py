"""Played hands from files and texts, whatever the format: those that can be used, and why others cannot."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from runout.errors import InputError
from runout.hands.ohh import is_ohh, ohh_sections, read_ohh
from runout.hands.phh import is_phh, read_phh, sections
from runout.hands.pokerstars import blocks, is_pokerstars, read_pokerstars
from runout.hands.record import HandError, HandFailure, PlayedHand
from runout.hands.replay import Replay, replay

SUFFIXES = (".phh", ".phhs", ".ohh", ".jsonl", ".txt")
MOST_BYTES = 1 << 30  # of a file

Cut = Callable[[str], Iterator[tuple[int, str]]]
Read = Callable[[str, int], PlayedHand]


@dataclass(frozen=True)
class HandsRead:
    """What was in files of played hands."""

    hands: list[PlayedHand]  # read, and played again without a fault
    replays: list[Replay]  # of each of `hands`
    failures: list[HandFailure]

    @property
    def found(self) -> int:
        """Hands in all."""
        return len(self.hands) + len(self.failures)

    def __iter__(self) -> Iterator[PlayedHand]:
        return iter(self.hands)

    def __len__(self) -> int:
        return len(self.hands)

    def __repr__(self) -> str:
        return f"HandsRead({len(self.hands)} hands, {len(self.failures)} failures)"


def read_hands(paths: str | Path | Iterable[str | Path]) -> HandsRead:
    """Read hands of PokerStars, GG, PHH and OHH from files, and from the files in folders, and play each of them again.

        read = runout.read_hands("hands.txt")
        read.hands[0].seats, read.hands[0].moves
        print(*read.failures, sep="\\n")

    A hand that cannot be read, or that the rules do not allow, is a failure with the number of the hand and the line.
    """
    given = [paths] if isinstance(paths, str | Path) else list(paths)
    found = HandsRead([], [], [])
    for file in files_in(given):
        one = read_hands_text(_text(file), str(file))
        found.hands.extend(one.hands)
        found.replays.extend(one.replays)
        found.failures.extend(one.failures)
    return found


def read_hands_text(text: str, name: str = "") -> HandsRead:
    """The same from a text, as somebody pasted it; `name` is where it comes from."""
    text = text.replace("\r\n", "\n").replace("\r", "\n").removeprefix("\ufeff")
    found = HandsRead([], [], [])
    if not text.strip():
        found.failures.append(HandFailure(1, 1, "there is no hand in it", name))
        return found
    form = _form(text)
    if form is None:
        why = "no hands of PokerStars, GG ('Poker Hand #...'), PHH (variant = 'NT') or OHH ({\"ohh\": ...}) are in it"
        found.failures.append(HandFailure(1, 1, why, name))
        return found
    cut, read = form
    for number, (line, part) in enumerate(cut(text), 1):
        try:
            hand = replace(read(part, line), file=name, number=number)
            again = replay(hand)
        except InputError as error:
            where = error.line if isinstance(error, HandError) else 0
            found.failures.append(HandFailure(number, where or line, str(error), name))
            continue
        found.hands.append(hand)
        found.replays.append(again)
    return found


def files_in(given: Iterable[str | Path]) -> list[Path]:
    """The files that are named, and those of folders that may hold hands."""
    found: list[Path] = []
    for one in map(Path, given):
        if one.is_dir():
            inside = sorted(
                Path(folder) / name
                for folder, _, names in os.walk(one)
                for name in names
                if name.lower().endswith(SUFFIXES) and not name.startswith(".")
            )
            if not inside:
                raise InputError(f"no hands in {one}: files of hands end with {', '.join(SUFFIXES)}")
            found += inside
        elif one.is_file():
            found.append(one)
        else:
            raise InputError(f"no file {one}: name files of hands, or folders of them")
    return found


def _form(text: str) -> tuple[Cut, Read] | None:
    if is_pokerstars(text):
        return blocks, read_pokerstars
    if is_ohh(text):
        return ohh_sections, read_ohh
    return (sections, read_phh) if is_phh(text) else None


def _text(file: Path) -> str:
    """A file as text: UTF-8, UTF-16 with a mark, or Windows' western letters."""
    try:
        if file.stat().st_size > MOST_BYTES:
            raise InputError(f"{file} has more than {MOST_BYTES >> 20:,} MB: cut it")
        data = file.read_bytes()
    except OSError as error:
        raise InputError(f"cannot read {file}: {error.strerror or error}") from None
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return data.decode("utf-16", errors="replace")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("cp1252", errors="replace")
