"""Train a neural strategy for Leduc poker and measure it. Run it with `python examples/train_and_evaluate.py`.

Leduc has six cards and two betting rounds: small enough to be solved exactly, so a network can be compared with
the truth.
`runout train` does the same from a config file; docs/training.md has every setting.
"""

import tempfile
from pathlib import Path

import runout


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        run = Path(folder) / "leduc"

        # 1. Train: Single Deep CFR. Each iteration plays the game with the networks of both players, adds up what every
        #    action would have won, and fits the networks to those sums again.
        config = {
            "game_type": "leduc",
            "training": {"solver": "sd-cfr", "iterations": 60, "output_dir": str(run)},
            "network": {"hidden_dim": 64, "depth": 3},
            "sgd": {"steps": 20, "batch_size": 1024, "learning_rate": 0.002},
            "memory": {"discount": "dcfr"},
        }
        result = runout.train(config)
        print("training, measured exactly on the way:")
        for iteration, exploitability in result.curve:
            print(f"  iteration {iteration:>3}: {exploitability:7.1f} {result.unit}")

        # 2. The checkpoint opens like any other solution, also in another process and another day.
        solution = runout.load(run)
        found = runout.evaluate(solution)
        print(f"\nthe saved strategy: {found.exploitability:.1f} {found.unit}, {found.method}")

        # 3. The truth: the exact solution of the same game, in a second.
        exact = runout.solve_game("leduc", iterations=1000)
        print(f"the exact solution: {runout.evaluate(exact).exploitability:.3f} {found.unit}")

        # 4. What both do first with each card. Every kind of solution has the same nodes to walk.
        print("\nhow often each first card is bet:")
        for card in "KQJ":
            ours, best = (one.root.strategy(card)["bet 2"] for one in (solution, exact))
            print(f"  {card}: network {ours:.0%}, exact {best:.0%}")


if __name__ == "__main__":
    main()
