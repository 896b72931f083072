"""The older address of `runout.explorers`."""

from runout.explorers import open_explorer as open_explorer
