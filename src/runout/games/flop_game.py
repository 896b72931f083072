"""The no-limit flop game: a preflop tree and one round of betting on the flop, after which the board is run out.

game = FlopGame(preflop=Preflop.preset("tiny"), flop={"bet": "50%", "raise": "60%"}, flops=100)

A player who calls on the flop gets the equity of the hand over all turns and rivers, as after an all-in. The equity
matrix of a flop is exact, but there is one for each flop, 1,176 hands square: by default a weighted set of flops stands
for all 1,755 (`flops`; 0 takes all). Its weights reproduce how often each rank, each pattern of suits and each kind of
pair flops, so that the chance of seeing a flop that two hands leave is nearly one; how nearly, `coverage` says. Seats
as in `betting`: player 0 is the big blind.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar

from pydantic import Field, model_validator

from runout import config
from runout.errors import InputError
from runout.games.betting import FLOP, Rules, start
from runout.games.flop_holdem import FlopHoldem, FlopSolve, TwoStreets
from runout.games.flop_set import ALL_FLOPS, run_out_bytes
from runout.games.holdem_game import HoldemGame, raises_to_bets, renamed
from runout.games.menus import NO_BETS, LineList, Menu
from runout.games.preflop import BIG_BLIND, PRESETS, WORDING, Preflop
from runout.games.sizes import Thresholds
from runout.games.spot import USUAL_SIZES, StreetSizes

NAME = "flop-game"
_FEWEST = 25  # flops whose weights can reproduce the frequencies


class FlopGame(TwoStreets):
    """The no-limit flop game: a preflop tree and one round of betting on the flop, then the board is run out. Amounts
    before the flop are in big blinds, sizes on the flop as in a spot.

    game = FlopGame(preflop=Preflop.preset("tiny"), flop={"bet": "50%", "raise": "60%"}, flops=100)
    """

    kind: ClassVar[str] = NAME

    preflop: Preflop = Field(Preflop.preset("tiny"), description="the game before the flop; its rake has to be 0")
    flop: StreetSizes = Field(USUAL_SIZES, description="sizes on the flop: bet, raise, donk, oop, ip")
    add_all_in: float = Field(
        0.0, ge=0, description="add an all-in where it is at most this many times the pot; 0: off"
    )
    force_all_in: float = Field(
        0.0, ge=0, description="turn a bet into all-in where stack / pot after a call would be at most this; 0: off"
    )
    merge: float = Field(
        0.0, ge=0, description="drop a size Y below a larger X where (1 + X/pot) / (1 + Y/pot) < 1 + merge; 0: off"
    )
    max_bets: int | None = Field(3, ge=0, description="most bets and raises on the flop; none: no limit")
    lines: LineList = Field(
        (), description="lines whose bets and raises are added to the tree, on top of the sizes: 'SBr2.5 BBc|?|x-b2'"
    )
    remove_lines: LineList = Field(
        (), description="lines whose last bet or raise, and everything below it, is taken out of the tree"
    )
    flops: int = Field(100, ge=0, le=ALL_FLOPS, description="how many flops stand for all 1,755; 0: all of them")

    if TYPE_CHECKING:  # what type checkers accept: all that validation can read

        def __init__(
            self,
            *,
            preflop: Preflop | Mapping[str, Any] = ...,
            flop: StreetSizes | Mapping[str, Any] = ...,
            add_all_in: float = ...,
            force_all_in: float = ...,
            merge: float = ...,
            max_bets: int | None = ...,
            lines: str | Sequence[str] = ...,
            remove_lines: str | Sequence[str] = ...,
            flops: int = ...,
            solve: FlopSolve | Mapping[str, Any] = ...,
        ) -> None: ...

    @model_validator(mode="before")
    @classmethod
    def _as_now(cls, data: Any) -> Any:
        return renamed(data, "max_raises", "max_bets", raises_to_bets) if isinstance(data, dict) else data

    @classmethod
    def of(cls, data: Mapping[str, Any], overrides: Iterable[str] = ()) -> FlopGame:
        """The game with these settings and 'key=value' overrides. What is not given is as in the preset `tiny`, with
        the usual sizes."""
        usual = {"preflop": {"name": "tiny", **PRESETS["tiny"]}, "flop": USUAL_SIZES.model_dump(by_alias=True)}
        return cls(**config.apply_overrides(usual | dict(data), overrides))

    @model_validator(mode="after")
    def _playable(self) -> FlopGame:
        if self.preflop.rake.percent:
            raise InputError(
                "preflop.rake: a flop game is solved without rake, which would also come from bets on the flop: leave "
                "it out; `runout preflop` takes rake with the other leaf models"
            )
        if 0 < self.flops < _FEWEST:
            raise InputError(f"flops = {self.flops}: too few to stand for all; use {_FEWEST} or more, or 0 for all")
        self.game()  # lines that cannot be played are refused
        return self

    @property
    def big_blind(self) -> int:
        """Chips of the big blind."""
        return BIG_BLIND

    @property
    def matrices(self) -> int:
        """How many bytes the tables of run-outs take."""
        return run_out_bytes(self.flops or ALL_FLOPS)

    def describe(self) -> str:
        """The rules in a line."""
        sizes = ", ".join(" ".join(words) for words in self.preflop.raise_sizes)
        return (
            f"no-limit flop game: {self.preflop.stack_depth:g} bb, raises to {sizes} before the flop, "
            f"bet {self.flop.bet or 'nothing'}, raise {self.flop.raise_ or 'nothing'} on it, then run out; 52 cards"
        )

    @cached_property
    def _game(self) -> HoldemGame:
        before = self.preflop.rules()
        caps = (self.preflop.max_bets, self.max_bets)
        rules = Rules.no_limit(
            before.stack, before.blinds[1], before.blinds[0], ante=before.ante, last_street=FLOP, caps=caps
        )
        thresholds = Thresholds(self.add_all_in, self.force_all_in, self.merge)
        menu = Menu((self.preflop.street_menu(), self.flop.menu(thresholds), NO_BETS, NO_BETS))
        lines, removed = (*self.preflop.lines, *self.lines), (*self.preflop.remove_lines, *self.remove_lines)
        return HoldemGame(
            name=f"no-limit flop game, {self.preflop.stack_depth:g} bb",
            rules=rules,
            menu=menu.with_lines(start(rules), WORDING, lines, removed),
            wording=WORDING,
            shown=5,
            flops=self.flops,
            big_blind=BIG_BLIND,
            settings=self,
        )


# by the names that commands and files know them by
TWO_STREET_GAMES: dict[str, type[FlopHoldem] | type[FlopGame]] = {game.kind: game for game in (FlopHoldem, FlopGame)}
