"""Where `explorers` and `node_reports` were in 0.1.0: kept so that programs written for it still run."""

import warnings

warnings.warn(
    "runout.analysis is now runout.cursors, runout.explorers and runout.evaluation", DeprecationWarning, stacklevel=2
)
