"""Which bet size is worth most? Run it with `python examples/sweep_bet_sizes.py`: it writes bet_sizes.png.

The same river is solved again and again, each time with one bet size for OOP. Its range is strong hands and bluffs,
which calls for large bets; but IP has a few sets, which beat the strong hands, so the largest bets lose to them.
"""

import sys
from pathlib import Path

from matplotlib.figure import Figure

import runout

SIZES = (25, 50, 75, 100, 150, 200, 300, 400)  # percent of the pot
POT, STACK = 100, 400


def main(output: Path = Path("bet_sizes.png")) -> None:
    evs, shares = [], []
    for size in SIZES:
        spot = runout.Spot(
            board="As Kd 7h 4c 2s",
            pot=POT,
            stack=STACK,
            ranges={"oop": "AK,AQ,QJs,QTs,JTs,T9s", "ip": "AJs-A8s,AJo-ATo,KQs-KTs,QQ-TT,77"},
            # OOP has one bet size; IP may raise all-in, but does not bet when OOP checks.
            betting={"river": {"oop": {"bet": f"{size}%"}, "ip": {"raise": "a"}}},
        )
        root = runout.solve(spot, target=0.05).root
        evs.append(root.evs[0])
        shares.append(root.frequencies[1])  # root.actions is check, bet
        print(f"bet {size:>3}% of the pot: EV {evs[-1]:5.1f} chips, bets {shares[-1]:.0%} of the range")
    best = max(range(len(SIZES)), key=lambda number: evs[number])
    print(f"best of these: {SIZES[best]}% of the pot")
    draw(output, evs, shares)
    print(f"wrote {output}")


def draw(output: Path, evs: list[float], shares: list[float]) -> None:
    """One picture of two curves: what OOP wins and how often it bets, by bet size."""
    figure = Figure(figsize=(7.2, 4.2), layout="constrained")
    top, bottom = figure.subplots(2, sharex=True)
    top.plot(SIZES, evs, marker="o", color="#0072b2")
    top.set_ylabel("EV of OOP (chips)")
    bottom.plot(SIZES, [100 * share for share in shares], marker="o", color="#d55e00")
    bottom.set_ylabel("bets (% of the range)")
    bottom.set_xlabel("bet size (% of the pot)")
    for axes in (top, bottom):
        axes.grid(color="#e5e5e5")
        axes.spines[["top", "right"]].set_visible(False)
    figure.savefig(output, dpi=160)


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:2]))
