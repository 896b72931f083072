"""`runout web`: the explorer in a browser."""

from __future__ import annotations

from pathlib import Path

import typer


def web_command(
    bundles: list[Path] | None = typer.Argument(
        None, metavar="[BUNDLE ...]", help="Solutions and reports to open beside the library."
    ),
    host: str = typer.Option(
        "127.0.0.1", "--host", help="Address to listen on; others than this machine need a token."
    ),
    port: int = typer.Option(8470, "--port", "-p", min=0, max=65535, help="0 takes any that is free."),
    library: Path | None = typer.Option(
        None, "--library", help="Folder of solutions; $RUNOUT_LIBRARY or ~/.local/share/runout/library without one."
    ),
    public: str | None = typer.Option(
        None, "--public", help="Name that a proxy on this machine serves it under, as in solver.example.org."
    ),
    connections: int = typer.Option(
        1500, "--connections", min=1, help="Connections at most, as far as the limit of open files allows."
    ),
    memory: int = typer.Option(
        2,
        "--memory",
        min=1,
        max=100_000,
        help="GB of solutions that stay open, those looked at last; half of what is free at most.",
    ),
    open_: bool | None = typer.Option(None, "--open/--no-open", help="Open a browser; by default from a terminal."),
) -> None:
    """Set up, solve, look at and practise spots in a browser."""
    import os
    import secrets
    import sys
    import webbrowser

    from runout.app.library_folder import default_folder
    from runout.app.web.security import LOCAL, WILDCARDS, Access
    from runout.app.web.server import listen, serve
    from runout.app.web.state import State
    from runout.errors import InputError

    state = State(library or default_folder(), bundles or (), memory * 10**9)
    token = None
    if host not in LOCAL or public:
        token = os.environ.get("RUNOUT_TOKEN") or secrets.token_urlsafe(24)
        if len(token) < 16:
            raise InputError("RUNOUT_TOKEN is short enough to be guessed: give 16 characters or more")
    socket = listen(host, port)
    name = "127.0.0.1" if host in WILDCARDS else host
    address = f"http://{f'[{name}]' if ':' in name else name}:{socket.getsockname()[1]}/"
    if public:
        address = f"https://{public}/"
    if token is not None:
        address += f"?token={token}"
    elif len(state.library.opened) == 1:
        address += f"#/look/{next(iter(state.library.opened))}"
    elif len(state.library.opened_reports) == 1 and not state.library.opened:
        address += f"#/report/{next(iter(state.library.opened_reports))}"
    print(f"Runout is at {address}", flush=True)
    print(f"library {state.library.folder}; Ctrl-C ends, solves continue with the next start", flush=True)
    if sys.stdout.isatty() if open_ is None else open_:
        webbrowser.open(address)
    serve(state, Access(host, token, public and public.lower()), socket, connections)
