"""`runout deals`: make pools of deals and look at them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

if TYPE_CHECKING:
    from runout.games.deals import DealPool

_READ = ("game_type", "game", "deals")
_TRAINING = ("training", "network", "sgd", "memory", "checkpoint", "abstraction")  # of a training config, not read

deals_app = typer.Typer(help="Make and inspect pools of deals.", no_args_is_help=True, rich_markup_mode=None)


@deals_app.command("make")
def make_command(
    output: Path = typer.Option(..., "-o", "--output", help="Directory to write the pool to."),
    config: Path | None = typer.Option(None, "-c", "--config", help="YAML with game_type, game and deals."),
    game_type: str | None = typer.Option(None, "--game", help="no_limit_holdem (default) or limit_holdem."),
    count: int | None = typer.Option(None, "--count", help="Deals in the pool."),
    min_per_class: int | None = typer.Option(None, "--min-per-class", help="Deals of every final hand class at least."),
    max_rejections: int | None = typer.Option(None, "--max-rejections", help="Deals thrown away at most."),
    seed: int | None = typer.Option(None, "--seed", help="Seed; the same one gives the same pool."),
    overrides: list[str] = typer.Option(
        [], "--set", metavar="KEY=VALUE", help="game.stack_depth=20, deals.count=1000."
    ),
    force: bool = typer.Option(False, "--force", help="Replace a pool of another game, or a solution."),
    as_json: bool = typer.Option(False, "--json", help="Print one JSON object."),
) -> None:
    """Draw a pool of deals for a game and save it."""
    import time

    from runout.config import apply_overrides, read_yaml, validated
    from runout.errors import InputError
    from runout.games.deals import DealSettings, make_pool
    from runout.games.holdem import settings_of
    from runout.run.holding import require_replaceable
    from runout.solutions.deals import KIND, pool_config, write_pool
    from runout.solutions.format import check_replaceable
    from runout.solutions.output import Output

    data = apply_overrides(read_yaml(config) if config else {}, overrides)
    unknown = next((key for key in data if key not in _READ + _TRAINING), None)
    if unknown is not None:
        raise InputError(f"unknown key {unknown!r}: use {', '.join(_READ)}")
    named = {"count": count, "min_per_class": min_per_class, "max_rejections": max_rejections, "seed": seed}
    wanted = {**_section(data, "deals"), **{key: value for key, value in named.items() if value is not None}}
    game = settings_of(game_type or str(data.get("game_type", "no_limit_holdem")), _section(data, "game"))
    settings = validated(DealSettings, wanted, "deals")
    with Output(output, force) as held:
        check_replaceable(held.place)
        same = {name: value for name, value in pool_config(game, settings).items() if name != "deals"}
        require_replaceable(held, KIND, lambda config: same.items() <= config.items())
        started = time.perf_counter()
        pool = make_pool(game, settings)
        seconds = time.perf_counter() - started
        write_pool(held, pool)
    _report(pool, as_json, {"output": str(output), "seconds": round(seconds, 4)})


@deals_app.command("show")
def show_command(
    path: Path = typer.Argument(help="A pool that `runout deals make` wrote."),
    as_json: bool = typer.Option(False, "--json", help="Print one JSON object."),
) -> None:
    """How many deals of each class a pool holds, beside their odds."""
    from runout.solutions.deals import read_pool

    _report(read_pool(path), as_json, {})


def _section(data: dict[str, Any], name: str) -> dict[str, Any]:
    from runout.errors import InputError

    section = data.get(name) or {}
    if not isinstance(section, dict):
        raise InputError(f"{name} = {section!r}: this is a group of settings, 'key: value' lines below it")
    return section


def _report(pool: DealPool, as_json: bool, more: dict[str, Any]) -> None:
    rows = pool.histogram()
    if as_json:
        import json

        classes = {row.name: {"deals": row.deals, "odds": row.odds, "ratio": row.ratio} for row in rows}
        record = {"game": pool.game.game().name, "deals": len(pool), "rejections": pool.rejections, "classes": classes}
        print(json.dumps({**record, "missing": pool.missing(), **more}))
        return
    kind = f"stratified, {pool.rejections:,} thrown away" if pool.settings.min_per_class else "uniform"
    print(f"{len(pool):,} deals of {pool.game.game().name} ({kind}, seed {pool.settings.seed})")
    print(f"{'better final hand':<18} {'deals':>9} {'of pool':>9} {'of all':>9} {'ratio':>8}")
    for row in rows:
        share = row.deals / len(pool)
        print(f"{row.name:<18} {row.deals:>9,} {share:>9.3%} {row.odds:>9.3%} {row.ratio:>8.4f}")
    if pool.missing():
        print(f"no deals of: {', '.join(pool.missing())}")
    if more:
        print(f"wrote {more['output']}; drawn in {more['seconds']:.3f} s")
