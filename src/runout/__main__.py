"""`python -m runout`, and what the command `runout` starts: quiet about Ctrl-C while the rest is still being read."""

from __future__ import annotations

import atexit
import gc
import signal


def main() -> None:
    """Run the command line."""
    # Looking for garbage among objects that all stay took a tenth of a short command, and a quarter at its end.
    gc.set_threshold(100_000, 50, 50)
    atexit.register(gc.freeze)
    usual = signal.getsignal(signal.SIGINT)
    if usual is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_DFL)  # ends at once, without a traceback
    from runout.app.cli.main import main as run

    if usual is signal.default_int_handler:
        signal.signal(signal.SIGINT, usual)
    run()


if __name__ == "__main__":
    main()
