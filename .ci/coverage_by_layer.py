"""Prints which share of each layer's lines the last `pytest --cov` ran. The layers are those of tests/test_layers.py.

Kernels are left out of the total: Numba compiles them, so Python never runs their lines and coverage cannot see them.
They are tested against slow twins instead (tests/reference).
"""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path

from coverage import Coverage

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "tests"))
from test_layers import LAYERS, SOURCE  # noqa: E402

COMPILED = "kernels"


def main() -> None:
    data = Coverage(data_file=str(ROOT / ".coverage"))
    data.load()
    lines, missed = Counter[str](), Counter[str]()
    for path in sorted(SOURCE.rglob("*.py")):
        layer = path.relative_to(SOURCE).with_suffix("").parts[0]
        _, statements, _, not_run, _ = data.analysis2(str(path))
        lines[layer] += len(statements)
        missed[layer] += len(not_run)
    print(f"{'layer':<15} {'lines':>6} {'not run':>8} {'run':>6}")
    for layer in [name for level in LAYERS for name in sorted(level)]:
        if layer == COMPILED:
            print(f"{layer:<15} {lines[layer]:>6} {'-':>8} {'-':>6}  compiled: cannot be seen")
        else:
            print(f"{layer:<15} {lines[layer]:>6} {missed[layer]:>8} {_share(lines[layer], missed[layer]):>6}")
    seen, left = lines.total() - lines[COMPILED], missed.total() - missed[COMPILED]
    print(f"{'all but ' + COMPILED:<15} {seen:>6} {left:>8} {_share(seen, left):>6}")


def _share(lines: int, missed: int) -> str:
    return f"{100 * (lines - missed) / lines:.1f}%" if lines else "-"


if __name__ == "__main__":
    main()
