"""What a saved solution is, from its two small files alone: enough to list a folder of them."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

from runout.config import read_yaml
from runout.cursors.kinds import named, reached_in
from runout.cursors.view import Summary
from runout.errors import RunoutError
from runout.solutions.format import Bundle, read_meta
from runout.solutions.reached import Reached


def read_summary(path: Path) -> Summary:
    """What a solution directory says of itself, as explorers say it, without its curve."""
    meta, config = read_meta(path), read_yaml(path / "config.yaml")
    bundle = Bundle(meta["kind"], config, meta["reached"], {})
    kind, title, reached = named(bundle.kind), bundle.kind, Reached()
    with suppress(RunoutError, ValueError, TypeError):  # settings that this Runout does not know
        title = title if kind is None else kind.title(bundle.kind, config)
    with suppress(RunoutError, ValueError, TypeError, KeyError):
        reached = reached_in(bundle)
    return Summary(title=title, kind=bundle.kind, settings=config, **reached.values())
