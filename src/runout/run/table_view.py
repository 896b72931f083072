"""What is seen of a table: records that the terminal and the browser show. Amounts are big blinds."""

from __future__ import annotations

from dataclasses import dataclass

CHART, BLUEPRINT, SOLVED = "chart", "blueprint", "solved"
HOW = {  # where the values of a grade come from
    CHART: "preflop: the chart",
    BLUEPRINT: "flop: both play the blueprint on, every turn and river",
    SOLVED: "turn and river: solved exactly, with the ranges that got there",
}


@dataclass(frozen=True, slots=True)
class TableChoice:
    """Something that you may do."""

    token: str  # what `act` takes
    name: str
    kind: str  # fold, check, call, bet, raise, all-in
    amount: float  # bb in all on this street after it


@dataclass(frozen=True, slots=True)
class TableMove:
    """Something that was done, or cards that came."""

    who: str  # you, bot or cards
    text: str
    street: str


@dataclass(frozen=True, slots=True)
class TableGrade:
    """A decision of yours, graded."""

    street: str
    board: tuple[str, ...]
    action: str
    best: str
    lost_bb: float
    grade: str
    exact: bool  # False: your bet or your stack is not the one that is graded, only the nearest
    how: str  # where the values come from: of HOW


@dataclass(frozen=True, slots=True)
class TableScore:
    """What the hands so far come to."""

    hands: int
    won_bb: float
    raw: float | None  # bb per 100 hands
    raw_interval: tuple[float, float] | None  # 95%
    adjusted: float | None  # the same without the luck of the cards
    adjusted_interval: tuple[float, float] | None
    decisions: int
    lost_bb: float  # by your decisions in all
    grades: dict[str, int]


@dataclass(frozen=True, slots=True)
class TableView:
    """What you see."""

    number: int  # of the hand
    seat: str  # yours: BB or SB
    stack: float  # bb that both play for in this hand
    blueprint: float  # bb of the blueprint that the bot plays
    street: str
    board: tuple[str, ...]
    hand: tuple[str, str]
    shown: tuple[str, ...]  # the bot's hand, once it is shown
    pot: float  # bb, bets of this street included
    bets: tuple[float, float]  # bb on this street, yours and the bot's
    behind: tuple[float, float]  # bb left, yours and the bot's
    to_act: str  # you, bot or over
    choices: tuple[TableChoice, ...]
    smallest: float  # bb of a bet or raise in all; 0 where there is none
    largest: float
    history: tuple[TableMove, ...]
    result: str  # in words, once the hand is over
    won_bb: float
    graded: tuple[TableGrade, ...]  # your decisions in the hand that was graded last
    graded_hand: int  # its number; 0 before there is one
    grading: bool  # whether hands that are over are not graded yet
    score: TableScore
    thought: str  # how the bot came to its last action
    bankroll: tuple[float, float]  # bb of both before this hand
