"""Prints which share of functions has a type on every argument and on the result. mypy's strict mode checks them.

Kernels are counted apart: Numba infers their types when it compiles them.
"""

from __future__ import annotations

import ast
from collections import Counter
from pathlib import Path

SOURCE = Path(__file__).parents[1] / "src" / "runout"
COMPILED = "kernels"


def is_typed(function: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """Whether all arguments but self and cls, and the result, have types."""
    own = function.args
    given = [*own.posonlyargs, *own.args, *own.kwonlyargs, *filter(None, (own.vararg, own.kwarg))]
    return function.returns is not None and all(one.annotation or one.arg in ("self", "cls") for one in given)


def main() -> None:
    functions, typed = Counter[str](), Counter[str]()
    for path in sorted(SOURCE.rglob("*.py")):
        part = COMPILED if path.parent.name == COMPILED else "all but " + COMPILED
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                functions[part] += 1
                typed[part] += is_typed(node)
    for part, count in sorted(functions.items()):
        print(f"{part:<16} {typed[part]:>5} of {count:>5} functions typed, {typed[part] / count:.1%}")


if __name__ == "__main__":
    main()
