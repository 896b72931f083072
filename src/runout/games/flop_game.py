"""The no-limit flop game: a preflop tree and one round of betting on the flop, after which the board is run out.

game = FlopGame(preflop=Preflop.preset("tiny"), flop={"bet": "50%", "raise": "60%"}, flops=100)

Who calls on the flop gets his equity over all turns and rivers, as who is all-in does. The equity matrix of a flop is
exact, but there is one a flop, 1,176 hands square: by default a weighted set of flops stands for all 1,755 (`flops`; 0
takes all). Its weights reproduce how often each rank, each pattern of suits and each kind of pair flops, so that the
chance of seeing a flop that two hands leave is nearly one; how nearly, `coverage` says. Seats as in `betting`: player 0
is the big blind.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
from pydantic import Field, model_validator

from runout import config
from runout.config import Document
from runout.errors import InputError
from runout.games import tree as trees
from runout.games.betting import FLOP, Action, BettingState, Rules, start
from runout.games.boards import BoardStreet
from runout.games.flop_holdem import FlopHoldem, FlopSolve
from runout.games.flop_set import ALL_FLOPS, FlopSet, flop_set, run_out_bytes
from runout.games.preflop import BIG_BLIND, PRESETS, WORDING, Preflop
from runout.games.spot import Betting, StreetSizes

NAME = "flop-game"
_USUAL = StreetSizes.model_validate({"bet": "50%", "raise": "60%"})
_FEWEST = 25  # flops whose weights can reproduce the frequencies


class FlopGame(Document):
    """The game; amounts before the flop are in big blinds, sizes on the flop as in a spot."""

    kind: ClassVar[str] = NAME

    preflop: Preflop = Preflop.preset("tiny")
    flop: StreetSizes = _USUAL
    add_all_in: float = Field(0.0, ge=0)  # as in a spot's betting
    force_all_in: float = Field(0.0, ge=0)
    merge: float = Field(0.0, ge=0)
    max_raises: int | None = Field(2, ge=0)  # raises on the flop, the first bet not counted; None: no cap
    flops: int = Field(100, ge=0, le=ALL_FLOPS)  # how many stand for all; 0: all
    solve: FlopSolve = FlopSolve.model_validate({})

    @classmethod
    def of(cls, data: Mapping[str, Any], overrides: Iterable[str] = ()) -> FlopGame:
        """The game with these settings, the preset `tiny` and the usual sizes where they are silent, and overrides."""
        usual = {"preflop": {"name": "tiny", **PRESETS["tiny"]}, "flop": _USUAL.model_dump(by_alias=True)}
        return cls(**config.apply_overrides(usual | dict(data), overrides))

    @model_validator(mode="after")
    def _playable(self) -> FlopGame:
        if self.preflop.rake.percent:
            raise InputError("preflop.rake: the flop game has no rake yet; leave it out")
        if 0 < self.flops < _FEWEST:
            raise InputError(f"flops = {self.flops}: too few to stand for all; use {_FEWEST} or more, or 0 for all")
        return self

    @property
    def big_blind(self) -> int:
        """Chips."""
        return BIG_BLIND

    @property
    def matrices(self) -> int:
        """Bytes of run-outs."""
        return run_out_bytes(self.flops or ALL_FLOPS)

    def describe(self) -> str:
        """The rules in a line."""
        sizes = ", ".join(" ".join(words) for words in self.preflop.raise_sizes)
        return (
            f"no-limit flop game: {self.preflop.stack_depth:g} bb, raises to {sizes} before the flop, "
            f"bet {self.flop.bet or 'nothing'}, raise {self.flop.raise_ or 'nothing'} on it, then run out; 52 cards"
        )

    @property
    def weights(self) -> np.ndarray:
        """float64 [2, 1326]: every hand."""
        return np.ones((2, 1326))

    @cached_property
    def _betting(self) -> Betting:
        named = {"add_all_in": self.add_all_in, "force_all_in": self.force_all_in, "merge": self.merge}
        return Betting.model_validate({"flop": self.flop, **named})

    def rules(self) -> Rules:
        before = self.preflop.rules()
        cap = None if self.max_raises is None else self.max_raises + 1
        fields = {"ante": before.ante, "last_street": FLOP, "caps": (self.preflop.max_raises, cap)}
        return Rules.no_limit(before.stack, before.blinds[1], before.blinds[0], **fields)

    def menu(self, state: BettingState) -> list[Action]:
        """What the player to act may do."""
        return self._betting.menu(state) if state.street == FLOP else self.preflop.menu(state)

    def tree(self) -> trees.BettingTree:
        """The betting tree, without cards."""
        return trees.build(start(self.rules()), self.menu, wording=WORDING).with_streets(2)

    def boards(self, isomorphism: bool = True, threads: int = 0) -> list[BoardStreet]:
        """The empty board and the flops, with the run-outs of both."""
        return list(self.flop_set().boards)

    def flop_set(self) -> FlopSet:
        return flop_set(self.flops or ALL_FLOPS, self.solve.threads)

    def accuracy(self) -> str:
        """What stands between this and the game with every flop."""
        low, high = self.flop_set().coverage
        if not self.flops:
            return "exact: all flops"
        return f"{self.flops} flops stand for {ALL_FLOPS:,}: two hands see a flop {low:.1%} to {high:.1%} of the time"

    def rake(self, pot: float) -> float:
        """Chips taken from a pot: none."""
        return 0.0

    def mbb(self, chips: float) -> float:
        """Chips as thousandths of a big blind."""
        return chips / BIG_BLIND * 1000


TwoStreets = FlopHoldem | FlopGame  # games of a preflop tree and a round of betting on the flop
KINDS: dict[str, type[FlopHoldem] | type[FlopGame]] = {FlopHoldem.kind: FlopHoldem, FlopGame.kind: FlopGame}
