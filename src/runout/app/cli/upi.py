"""`runout upi`: PioSOLVER's text protocol on standard input and output."""

from __future__ import annotations


def upi_command() -> None:
    """Speak PioSOLVER's Universal Poker Interface on standard input and output, for scripts and viewers."""
    import os
    import sys
    from collections.abc import Callable
    from functools import partial

    from runout.app.upi.session import Session

    read: Callable[[int], bytes]
    try:
        read = partial(os.read, sys.stdin.fileno())
    except OSError:  # no file stands behind it: a program has put something in its place
        read = sys.stdin.buffer.read
    Session(read, sys.stdout).run()
