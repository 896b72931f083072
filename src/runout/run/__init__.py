"""The one loop that every solver runs in, and what a whole solve is made of."""

from runout.run.loop import Job, Outcome, Stopping, run

__all__ = ["Job", "Outcome", "Stopping", "run"]
