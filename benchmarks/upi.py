"""Questions of a viewer over UPI on a tree that was loaded: CPU time of each, the first time and again.

A viewer can stand 50 ms. The tree is saved and loaded as a client would; answers are made, but not sent anywhere.
"""

from __future__ import annotations

import io
import tempfile
import time
from pathlib import Path

import numpy as np

from benchmarks.report import line
from runout.app.upi.channel import Channel
from runout.app.upi.engine import Engine
from runout.app.upi.session import answer_line
from runout.games.spot import Spot
from runout.run.postflop import solve

SPOTS = Path(__file__).parent.parent / "configs" / "spots"
CARDS = (("8h", "5h"), ("9s", "6s"), ("Ad", "Td"), ("Kc", "7c"), ("3c", "3d"), ("4d", "4c"))
NODES = {"first street": "r:0:c", "next street": "r:0:c:c:{0}:c", "street after": "r:0:c:c:{0}:c:c:{1}:c"}
QUESTIONS = ("show_strategy {}", "calc_ev OOP {}", "calc_ev IP {}", "calc_eq_node OOP {}", "show_children {}")


def run(full: bool) -> None:
    """The turn; with `full`, the flop of the community benchmark."""
    name, nodes = ("community", list(NODES.items())) if full else ("turn", list(NODES.items())[:2])
    with tempfile.TemporaryDirectory() as folder:
        solve(Spot.load(SPOTS / f"{name}.yaml"), target=0, iterations=20, output=Path(folder) / "tree.cfr")
        engine = Engine(Channel(io.StringIO()))
        line(f"{name}: load_tree", f"{_asked(engine, f'load_tree {folder}/tree.cfr'):.0f} ms")
        for where, node in nodes:
            for question in QUESTIONS:
                first, again = [], []
                for cards in CARDS:
                    asked = question.format(node.format(*cards))
                    first.append(_asked(engine, asked))
                    again.append(_asked(engine, asked))
                figure = f"{np.median(first):.1f} ms, slowest {max(first):.0f} ms; again {np.median(again):.1f} ms"
                line(f"{name}, {where}: {question.format('NODE')}", figure)


def _asked(engine: Engine, question: str) -> float:
    """Milliseconds of CPU time until the answer is made."""
    begun = time.process_time()
    answer = answer_line(engine, question)
    took = (time.process_time() - begun) * 1000
    assert answer is not None
    assert not answer[0].startswith("ERROR"), answer[0]
    return took
