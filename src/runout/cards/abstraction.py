"""Card abstraction: hands that are alike in strength and potential share a bucket."""

from __future__ import annotations

from pydantic import Field

from runout.config import Settings

MOST = 10_000  # buckets of a street


class AbstractionSettings(Settings):
    """Buckets of each street. Before the flop there are the 169 classes."""

    preflop: int = Field(169, ge=1, le=169)
    flop: int = Field(200, ge=1, le=MOST)
    turn: int = Field(200, ge=1, le=MOST)
    river: int = Field(200, ge=1, le=MOST)
