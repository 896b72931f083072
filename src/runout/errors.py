"""Exceptions. A message names the bad part and what would be accepted, in one line: it is all that a user sees."""

from __future__ import annotations


class RunoutError(Exception):
    """Anything that Runout reports to its user; the command line prints it as one line and exits with status 2."""


class InputError(RunoutError, ValueError):
    """Something that the user gave (a card, a range, a setting, a file's contents) cannot be used."""


class SolutionError(RunoutError):
    """A solution directory is missing, damaged, of another kind or of a newer format."""


class MemoryRefused(RunoutError):
    """The job does not fit in this machine's memory; the message names the largest part and what to cut."""


class TrainingError(RunoutError):
    """Training went wrong by itself (a loss that is no number); checkpoints written before are good."""


class ShardLost(RunoutError):
    """A process or machine that held a part of a game has gone; what it held can be loaded again from its files."""
