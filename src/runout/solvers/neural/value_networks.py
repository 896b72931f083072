"""Value networks: what every hand of both players gains from the start of a turn or river on.

A network is shown hands by their strengths (`cards.strength_features`), never by their names, so all boards are alike
to it:

1. `seen` turns what is shown of a hand into numbers; a range is the mean of those of its hands.
2. `plays` takes both ranges, the mean hand of the board and the chips, and says how either player fares.
3. What a hand gains, in pots, is the sum of three: the product of a direction that `plays` gives and one that `asked`
   makes of what is shown of the hand; and two curves that `plays` gives, over the share of the other's range that the
   hand beats on the river, and over that of its own range.

`seen` and `asked` depend on the board alone. So in a solve they are worked out once, and an iteration is a few products
of matrices for all boards and lines at once.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor, nn

from runout.cards.strength_features import FEATURES, HATS, HISTOGRAM
from runout.errors import SolutionError
from runout.solutions.format import NETWORK, Bundle, read_bundle

KIND = "value-network"
FOLDER = Path(__file__).parents[2] / "values"  # those that come with Runout, by street
STREETS = {4: "turn", 5: "river"}  # by board cards
HIDDEN, SEEN, ASKED, PLAYS = 64, 64, 32, 256
CURVE = 17  # points of a curve
_KNOTS = torch.linspace(-3.0, 4.2, 10)  # of the logarithm of the stack as a multiple of the pot
NAME = f"{NETWORK}values"


class Shown(NamedTuple):
    """What a network is shown of hands, and makes of them."""

    seen: Tensor  # [boards, hands, SEEN]
    asked: Tensor  # [boards, hands, ASKED]
    histogram: Tensor  # [boards, hands, HATS]: of strengths on all rivers


class ValueNetwork(nn.Module):
    """See the module."""

    def __init__(self) -> None:
        super().__init__()
        self.seen = nn.Sequential(nn.Linear(FEATURES, HIDDEN), nn.ReLU(), nn.Linear(HIDDEN, SEEN))
        self.asked = nn.Sequential(nn.Linear(FEATURES, HIDDEN), nn.ReLU(), nn.Linear(HIDDEN, ASKED))
        self.plays = nn.Sequential(
            nn.Linear(3 * SEEN + 2 * HATS + len(_KNOTS), PLAYS),
            nn.ReLU(),
            nn.Linear(PLAYS, PLAYS),
            nn.ReLU(),
            nn.Linear(PLAYS, PLAYS),
            nn.ReLU(),
            nn.Linear(PLAYS, 2 * (ASKED + 2 * CURVE)),
        )
        self.beaten: Tensor
        self.register_buffer("beaten", torch.ones(HATS, HATS).triu(1) + torch.eye(HATS) / 2, persistent=False)

    def hands(self, features: Tensor) -> Shown:
        """Hands of boards [boards, hands, FEATURES]."""
        return Shown(self.seen(features), self.asked(features), features[..., HISTOGRAM])

    def forward(
        self, hands: tuple[Shown, Shown], mean: Tensor, ranges: tuple[Tensor, Tensor], ratio: Tensor
    ) -> tuple[Tensor, Tensor]:
        """What the players' hands gain, in pots: [boards, lines, hands] each.

        hands: what is shown of either player's; mean [boards, SEEN]: the mean hand of each board; ranges [boards,
        lines, hands]: either player's, which adds up to 1; ratio [boards, lines]: stack as a multiple of the pot.
        """
        first, second = hands
        seen = [share @ own.seen for share, own in zip(ranges, hands, strict=True)]
        strong = [share @ own.histogram for share, own in zip(ranges, hands, strict=True)]
        deep = torch.log(ratio).clamp(float(_KNOTS[0]), float(_KNOTS[-1]))  # beyond: as far as it knows
        place = (deep.unsqueeze(-1) - _KNOTS.to(ratio)) / (_KNOTS[1] - _KNOTS[0])
        chips = (1 - place.abs()).clamp(min=0)
        board = mean[:, None].expand(-1, ratio.shape[1], -1)
        says: Tensor = self.plays(torch.cat([*seen, *strong, board, chips], dim=-1))
        below = [part @ self.beaten for part in strong]  # of a range: what a hand of each strength beats
        found = []
        for player, own in enumerate((first, second)):
            said = says[..., player * (ASKED + 2 * CURVE) : (player + 1) * (ASKED + 2 * CURVE)]
            gains = said[..., :ASKED] @ own.asked.transpose(1, 2)
            for number, side in enumerate((1 - player, player)):
                share = below[side] @ own.histogram.transpose(1, 2)
                gains = gains + _on_curve(said[..., ASKED + number * CURVE : ASKED + (number + 1) * CURVE], share)
            found.append(gains)
        return found[0], found[1]


def _on_curve(points: Tensor, share: Tensor) -> Tensor:
    """Curves [boards, lines, CURVE] at shares [boards, lines, hands] from 0 to 1, straight between points."""
    at = share.clamp(0, 1) * (CURVE - 1)
    low = at.detach().long().clamp(max=CURVE - 2)
    left, right = points.gather(2, low), points.gather(2, low + 1)
    return left + (right - left) * (at - low)


def weights_of(network: ValueNetwork) -> np.ndarray:
    """float32: all weights in one row."""
    return torch.cat([part.detach().reshape(-1) for part in network.parameters()]).cpu().numpy()


def with_weights(weights: np.ndarray) -> ValueNetwork:
    network = ValueNetwork()
    total = sum(part.numel() for part in network.parameters())
    if weights.shape != (total,) or not np.isfinite(weights).all():
        raise SolutionError(f"a value network has {total:,} weights, not {weights.size:,}")
    torch.nn.utils.vector_to_parameters(torch.tensor(weights, dtype=torch.float32), network.parameters())
    return network.eval()


def load_network(cards: int, path: Path | None = None) -> tuple[ValueNetwork, Mapping[str, object]]:
    """The network for boards with so many cards, that of a directory or the one that comes with Runout; and what it
    reached."""
    path = FOLDER / STREETS[cards] if path is None else path
    bundle = read_bundle(path, KIND)
    if bundle.config.get("street") != STREETS[cards]:
        raise SolutionError(f"{path} is a network of the {bundle.config.get('street')}, not of the {STREETS[cards]}")
    if NAME not in bundle.arrays:
        raise SolutionError(f"{path} has no weights of a value network")
    return with_weights(bundle.arrays[NAME]), bundle.reached


def network_bundle(
    network: ValueNetwork, cards: int, config: Mapping[str, int], reached: Mapping[str, float]
) -> Bundle:
    return Bundle(KIND, {"street": STREETS[cards], **config}, dict(reached), {NAME: weights_of(network)})
