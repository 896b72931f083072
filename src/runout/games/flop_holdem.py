"""Flop Hold'em: limit hold'em that ends after the betting on the flop, best five of two plus three cards.

game = FlopHoldem()                                       blinds 1/2, bets of 2, at most 3 bets and raises per street
game = FlopHoldem(ranks=4, suits=2, max_bets=(1, 1))      the lowest four ranks of clubs and diamonds

Seats are those of `betting`: player 0 is the big blind, player 1 the small blind, who is on the button and acts first
before the flop and last after it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from pydantic import Field, model_validator

from runout import config
from runout.config import Settings
from runout.errors import InputError
from runout.games.betting import Rules
from runout.games.holdem import LimitHoldem
from runout.games.holdem_game import HoldemDocument, HoldemGame, renamed, small_deck
from runout.games.lines import in_big_blinds
from runout.games.menus import FIXED, Menu

NAME = "flop-holdem"
FLOP_CARDS = 3
_FEWEST = 4 + FLOP_CARDS  # cards of a deck: two hands and a flop


class FlopSolve(Settings):
    """When to stop and how to compute."""

    target: float = Field(5.0, ge=0, description="stop at this exploitability, in mbb per hand")
    iterations: int = Field(2000, ge=0, description="stop after this many iterations at the latest")
    threads: int = Field(0, ge=0, le=1024, description="threads to use; 0: one for each core")
    storage: Literal["float32", "int16"] = Field(
        "float32", description="how numbers are stored; int16 takes half the memory"
    )
    algorithm: str = Field("auto", description="a variant of CFR that runs on ranges; auto chooses one")


class TwoStreets(HoldemDocument):
    """What games of a preflop tree and one round of betting on the flop have in common."""

    kind: ClassVar[str]
    solve: FlopSolve = Field(FlopSolve.model_validate({}), description="when to stop, and how to compute")

    @property
    def matrices(self) -> int:
        """How many bytes the tables of run-outs take."""
        return 0

    def describe(self) -> str:
        """The rules in a line."""
        raise NotImplementedError

    def accuracy(self) -> str:
        """What stands between this and the game with every flop."""
        return self.game().accuracy(self.solve.threads)

    def mbb(self, chips: float) -> float:
        """Chips as thousandths of a big blind."""
        return self.game().mbb(chips)


class FlopHoldem(TwoStreets):
    """Flop Hold'em: limit hold'em that ends after the betting on the flop. Amounts are in chips; pairs are (before the
    flop, on the flop).

    game = FlopHoldem(ranks=4, suits=2, max_bets=(1, 1))
    """

    kind: ClassVar[str] = NAME

    small_blind: int = Field(1, ge=0, description="chips of the small blind")
    big_blind: int = Field(2, ge=1, description="chips of the big blind")
    bets: tuple[int, int] = Field((2, 2), description="what a bet or raise adds, before the flop and on it")
    max_bets: tuple[int, int] = Field(
        (3, 3), description="most bets and raises on each street; an opening bet counts, a blind does not"
    )
    stack: int | None = Field(
        None,
        ge=1,
        description="chips of each player, blinds included; none: enough for every bet. Nobody may be all-in before "
        "the flop",
    )
    ranks: int = Field(13, ge=1, le=13, description="ranks of the deck, counted from 2 up")
    suits: int = Field(4, ge=1, le=4, description="suits of the deck, the first of c, d, h, s")

    if TYPE_CHECKING:  # what type checkers accept: all that validation can read

        def __init__(
            self,
            *,
            small_blind: int = ...,
            big_blind: int = ...,
            bets: Sequence[int] = ...,
            max_bets: Sequence[int] = ...,
            stack: int | None = ...,
            ranks: int = ...,
            suits: int = ...,
            solve: FlopSolve | Mapping[str, Any] = ...,
        ) -> None: ...

    @model_validator(mode="before")
    @classmethod
    def _as_now(cls, data: Any) -> Any:
        return renamed(data, "max_raises", "max_bets") if isinstance(data, dict) else data

    @classmethod
    def of(cls, data: Mapping[str, Any], overrides: Iterable[str] = ()) -> FlopHoldem:
        """The game with these settings, and 'key=value' overrides."""
        return cls(**config.apply_overrides(data, overrides))

    @classmethod
    def of_limit(cls, limit: LimitHoldem, algorithm: str = "auto") -> FlopHoldem:
        """The same game as limit hold'em with two streets."""
        game = limit.game()
        if limit.num_streets != 2:
            raise InputError(f"{game.name} has {limit.num_streets} streets: Flop Hold'em has 2")
        data: dict[str, Any] = {
            "small_blind": game.rules.blinds[1],
            "big_blind": game.rules.blinds[0],
            "bets": game.rules.fixed_bets,
            "max_bets": limit.caps,
            "ranks": limit.ranks,
            "suits": limit.suits,
            "solve": {"algorithm": algorithm},
        }
        deep = cls(**data)
        return deep if deep.rules().stack <= game.rules.stack else cls(**data, stack=game.rules.stack)

    @model_validator(mode="after")
    def _playable(self) -> FlopHoldem:
        if self.ranks * self.suits < _FEWEST:
            raise InputError(
                f"a deck of {self.ranks} ranks and {self.suits} suits has {self.ranks * self.suits} cards: two hands "
                f"and a flop take {_FEWEST}"
            )
        if self.small_blind > self.big_blind:
            raise InputError(f"small_blind {self.small_blind} is above big_blind {self.big_blind}")
        if min(self.bets) < 1 or min(self.max_bets) < 0:
            raise InputError("bets are at least 1 chip and max_bets at least 0")
        before_flop = self._most(1)
        if self.stack is not None and self.stack <= before_flop:
            raise InputError(
                f"stack = {self.stack}: {before_flop} chips can go in before the flop, and nobody may be all-in there: "
                f"use {before_flop + 1} or more, or none"
            )
        return self

    def _most(self, streets: int) -> int:
        """Chips that a player can put in over the first streets, this many, whatever the stack."""
        return self.big_blind + sum(b * n for b, n in zip(self.bets[:streets], self.max_bets, strict=False))

    @cached_property
    def _game(self) -> HoldemGame:
        stack = self._most(2) + 1 if self.stack is None else self.stack
        return HoldemGame(
            name="Flop Hold'em",
            rules=Rules.limit(stack, (self.big_blind, self.small_blind), self.bets, self.max_bets),
            menu=Menu((FIXED,) * 4),
            wording=in_big_blinds(self.big_blind),
            deck=small_deck(self.ranks, self.suits),
            big_blind=self.big_blind,
            settings=self,
        )

    def describe(self) -> str:
        """The rules in a line."""
        return (
            f"Flop Hold'em: blinds {self.small_blind}/{self.big_blind}, bets {self.bets[0]} and {self.bets[1]}, at "
            f"most {self.max_bets[0]} and {self.max_bets[1]} bets and raises; {self.ranks * self.suits} cards"
        )
