"""The older address of `runout.explorers.node_reports`."""

from runout.cursors.view import extended as extended
from runout.cursors.view import hands_of as hands_of
from runout.cursors.view import realised as realised
from runout.explorers.node_reports import *  # noqa: F403
