"""Every kind of solution in one table. A new kind is one row here and one explorer.

What a row names is imported when it is first used, so that listing a folder, or a command that needs one kind, does not
pay for the others.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any

from runout.errors import InputError
from runout.solutions.format import Bundle
from runout.solutions.reached import MBB, MILLIANTES, Reached, Unit

Config = dict[str, Any]  # of config.yaml
_TWO_STREETS = "games.flop_game:TWO_STREET_GAMES"


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind of solution; texts are 'module:name' under `runout`; later layers are named, never imported."""

    names: tuple[str, ...]  # in meta.json
    solution: str  # its class
    load: str  # function of a path
    explorer: str  # class, made from a solution
    evaluate: str  # function of a solution and an `evaluation.Effort`
    title: Callable[[str, Config], str]  # in a few words, from its name and settings alone
    chips: Callable[[str, Config], Unit | None] = lambda name, config: None  # of files of 0.1.0 that count chips
    examples: Mapping[str, tuple[str, ...]] = field(default_factory=dict)  # by name: a command that makes a small one


def _two_streets_title(name: str, config: Config) -> str:
    return str(fetch(_TWO_STREETS)[name](**config).describe().split(";")[0])


def _two_streets_chips(name: str, config: Config) -> Unit | None:
    return Unit(MBB, fetch(_TWO_STREETS)[name](**config).mbb(1))


def _small_game_chips(name: str, config: Config) -> Unit | None:
    from runout.games.catalog import GAMES, load_game

    game = str(config.get("game"))
    return Unit(MILLIANTES, 1000 / load_game(game).ante) if game in GAMES else None  # others would have to be loaded


def _policy_title(name: str, config: Config) -> str:
    from runout.games.holdem import settings_of

    return settings_of(str(config.get("game_type")), config.get("game") or {}).game().name


KINDS = (
    Kind(
        ("postflop",),
        solution="cursors.spot_solution:SpotSolution",
        load="cursors.spot_solution:load_postflop",
        explorer="explorers.ranges:RangeExplorer",
        evaluate="evaluation.evaluate:evaluate_postflop",
        title=lambda name, config: (
            f"{str(config.get('board', '')).replace(' ', '')}, pot {config.get('pot')}, stack {config.get('stack')}"
            f"{', later streets by a network' if (config.get('solve') or {}).get('leaf') == 'network' else ''}"
        ),
    ),
    Kind(
        ("preflop",),
        solution="cursors.preflop_solution:PreflopSolution",
        load="cursors.preflop_solution:load_preflop",
        explorer="explorers.preflop:PreflopExplorer",
        evaluate="evaluation.evaluate:evaluate_preflop",
        title=lambda name, config: f"{config.get('name', name)}, {float(config.get('stack_depth', 'nan')):g} bb",
    ),
    Kind(
        ("tabular",),
        solution="cursors.game_solution:GameSolution",
        load="cursors.game_solution:load_tabular",
        explorer="explorers.small_games:GameExplorer",
        evaluate="evaluation.evaluate:evaluate_game",
        title=lambda name, config: str(config.get("game")),
        chips=_small_game_chips,
    ),
    Kind(
        ("game-networks",),
        solution="cursors.network_game_solution:NetworkGameSolution",
        load="cursors.network_game_solution:load_network_game",
        explorer="explorers.small_games:GameExplorer",
        evaluate="evaluation.evaluate:evaluate_game",
        title=lambda name, config: str(config.get("game_type") or config.get("game")),
        examples={"game-networks": ("train", "-c", "configs/train/kuhn.yaml", "-n", "2")},
    ),
    Kind(
        ("flop-holdem", "flop-game"),
        solution="cursors.flop_solution:FlopSolution",
        load="cursors.flop_solution:load_flop_holdem",
        explorer="explorers.ranges:RangeExplorer",
        evaluate="evaluation.evaluate:evaluate_flop",
        title=_two_streets_title,
        chips=_two_streets_chips,
    ),
    Kind(
        ("exact",),
        solution="cursors.exact_solution:ExactSolution",
        load="cursors.exact_solution:load_exact",
        explorer="explorers.ranges:RangeExplorer",
        evaluate="evaluation.evaluate:evaluate_exact",
        title=_policy_title,
        examples={"exact": (*("train", "-c", "configs/train/exact-small.yaml", "-n", "1"),)},
    ),
    Kind(
        ("mccfr", "neural", "blueprint"),
        solution="cursors.policy_solution:PolicySolution",
        load="cursors.policy_solution:load_policy_solution",
        explorer="explorers.policy:PolicyExplorer",
        evaluate="evaluation.evaluate:evaluate_policy",
        title=_policy_title,
        examples={
            "blueprint": (
                *("train", "-c", "configs/train/flop-holdem.yaml", "--solver", "blueprint", "-n", "1"),
                *("--set", "game.ranks=5", "--set", "game.suits=2"),
            )
        },
    ),
)

_BY_NAME = {name: kind for kind in KINDS for name in kind.names}
_BY_CLASS = {kind.solution: kind for kind in KINDS}
_PACKAGE = __name__.partition(".")[0]


def named(name: str) -> Kind | None:
    """The kind that a file says it is; None where this Runout does not know it."""
    return _BY_NAME.get(name)


def kind_of(solution: Any) -> Kind:
    """The kind of a solution in memory."""
    for one in type(solution).__mro__:
        found = _BY_CLASS.get(f"{one.__module__.removeprefix(_PACKAGE + '.')}:{one.__qualname__}")
        if found is not None:
            return found
    raise InputError(f"a {type(solution).__name__} is no solution: give one, or a directory that holds one")


def fetch(text: str) -> Any:
    """What 'module:name' in a row stands for."""
    module, _, name = text.partition(":")
    return getattr(import_module(f"{_PACKAGE}.{module}"), name)


def reached_in(bundle: Bundle) -> Reached:
    """What a file of any kind reached."""
    kind = named(bundle.kind)
    return Reached.of(bundle, kind.chips(bundle.kind, bundle.config) if kind is not None else None)
