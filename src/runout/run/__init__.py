"""The one loop that every solver runs in, and what a whole solve is made of."""

from runout.run.loop import Outcome, Stopping, run

__all__ = ["Outcome", "Stopping", "run"]
