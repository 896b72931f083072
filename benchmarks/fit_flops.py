"""Choose the sets 'fitted-23' to 'fitted-184' again and write them: some ten minutes of one core.

python -m benchmarks.fit_flops
"""

from __future__ import annotations

from importlib import resources
from pathlib import Path

from runout.cards.cards import cards_text
from runout.cards.suits import canonical_boards
from runout.games.fitted_flops import SIZES
from runout.games.flop_fitting import described, fit, kernel


def main() -> None:
    boards, copies = canonical_boards(3)
    shares = copies / copies.sum()
    alike = kernel(described(), shares)
    for size in SIZES:
        flops, weights = fit(alike, shares, size)
        names = (cards_text(sorted(boards[flop].tolist(), reverse=True)).replace(" ", "") for flop in flops)
        text = "".join(f"{name}:{100 * weight:.4f}\n" for name, weight in zip(names, weights, strict=True))
        place = Path(str(resources.files("runout.games").joinpath(f"data/fitted-{size}.txt")))
        place.write_text(text, encoding="utf-8")
        print(f"wrote {place}", flush=True)


if __name__ == "__main__":
    main()
