"""`runout acpc`: a dealer and a client of the ACPC protocol; `runout slumbot`: hands against Slumbot."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    from runout.run.acpc import WireResult
    from runout.run.sitting import Sitting

acpc_app = typer.Typer(help="Matches over the ACPC protocol 2.0.0: a dealer, and a client that plays a bot.")
RUNS = typer.Option(None, "--run", help="A blueprint, or a folder of them; may be given more than once.")
SECONDS = typer.Option(1.0, "--seconds", help="Seconds that the bot may think about a decision.")
MODE = typer.Option("turn", "--mode", help="From where on subgames are solved: river, turn, flop, or blueprint: never.")
SAFE = typer.Option(
    False, "--safe", help="Play for the worst case: to nobody loses more than its blueprint, but wins a little less."
)


@acpc_app.command("deal")
def deal_command(
    hands: int = typer.Option(1000, "-n", "--hands", help="Hands of the match."),
    stack: int = typer.Option(20000, "--stack", help="Chips of each player; blinds are 50 and 100."),
    seed: int = typer.Option(0, "--seed", min=0, help="Seed of the deals."),
    names: str = typer.Option("Alice,Bob", "--names", help="Names of the players."),
    host: str = typer.Option("127.0.0.1", "--host", help="Address to listen on."),
    ports: str = typer.Option("0,0", "--ports", help="Ports of the players; 0: any that is free."),
    seconds: float = typer.Option(600.0, "--timeout", help="Seconds that a player may take to connect or act."),
    output: Path | None = typer.Option(None, "-o", "--output", help="File for the hands, written as they end."),
) -> None:
    """Deal a match to two programs: prints a port for each, then waits for them."""
    from runout.errors import InputError
    from runout.games.betting import Rules
    from runout.run.acpc import Dealer

    both, own = names.split(","), ports.split(",")
    if len(both) != 2 or not all(both) or any(set(name) & set(":|") for name in both):
        raise InputError(f"--names {names!r}: use two names with a comma between them")
    if len(own) != 2 or not all(port.isdecimal() and int(port) < 65536 for port in own):
        raise InputError(f"--ports {ports!r}: use two numbers with a comma between them")
    rules = Rules.no_limit(stack, 50, 100)
    dealer = Dealer(rules, hands, seed, (both[0], both[1]), output, host, (int(own[0]), int(own[1])), seconds)
    print(*dealer.ports, flush=True)
    _told(dealer.run(), (both[0], both[1]))


@acpc_app.command("play")
def play_command(
    host: str = typer.Argument(help="Address of the dealer."),
    port: int = typer.Argument(help="Its port for this player.", min=1, max=65535),
    runs: list[Path] = RUNS,
    stack: int = typer.Option(20000, "--stack", help="Chips of each player; blinds are 50 and 100."),
    seconds: float = SECONDS,
    mode: str = MODE,
    safe: bool = SAFE,
    seed: int | None = typer.Option(None, "--seed", min=0, help="Seed of what the bot draws."),
    output: Path | None = typer.Option(None, "-o", "--output", help="File for the hands, written as they end."),
) -> None:
    """Play a bot at an ACPC dealer until it closes."""
    from runout.games.betting import Rules
    from runout.run.acpc import AcpcClient

    client = AcpcClient(sitting(runs, seconds, mode, safe), Rules.no_limit(stack, 50, 100), output, seed)
    _told(client.run(host, port), ("Runout", "opponent"))


def slumbot_command(
    hands: int = typer.Option(100, "-n", "--hands", help="Hands to play; an even number gives both seats alike."),
    runs: list[Path] = RUNS,
    seconds: float = SECONDS,
    mode: str = MODE,
    safe: bool = SAFE,
    url: str = typer.Option("https://slumbot.com/slumbot/api", "--url", help="Address of the API."),
    user: str | None = typer.Option(None, "--user", help="User name; the password is read from SLUMBOT_PASSWORD."),
    seed: int | None = typer.Option(None, "--seed", min=0, help="Seed of what the bot draws."),
    output: Path | None = typer.Option(None, "-o", "--output", help="File for the hands, written as they end."),
) -> None:
    """Play a bot against Slumbot, 200 big blinds, over its API."""
    import os

    from runout.run.slumbot import SlumbotClient

    login = None if user is None else (user, os.environ.get("SLUMBOT_PASSWORD", ""))
    client = SlumbotClient(sitting(runs, seconds, mode, safe), url, output, seed, login)
    _told(client.run(hands), ("Runout", "Slumbot"))


def sitting(runs: list[Path] | None, seconds: float, mode: str, safe: bool) -> Sitting:
    """Bots of the blueprints in folders, and of those that come with Runout."""
    from dataclasses import replace

    from runout.run.depths import find_blueprints
    from runout.run.sitting import Sitting
    from runout.solvers.bot import BotSettings

    settings = BotSettings(seconds=seconds, mode=mode)
    return Sitting(find_blueprints(runs or ()), replace(settings, trust=0.0) if safe else settings)


def _told(result: WireResult, names: tuple[str, str]) -> None:
    each = result.won[0] / max(result.hands, 1) * 10  # a big blind is 100 chips
    print(f"{result.hands:,} hands: {names[0]} {result.won[0]:+g} chips, {each:+.1f} mbb/hand")
    if result.log is not None:
        print(f"hands are in {result.log}")
