"""Best response to a policy on sampled boards, or on all of them where there are few enough.

Chance is restricted to a sample: some flops, on each of them some turns, on each of those some rivers, weighed so that
what any fixed strategy wins is right on average over samples. On the sample the best response is exact and sees no more
than its own cards, the open ones and the betting. But it knows which boards can come, and picks what does best on
these few: its gain is at least that of the best response in the whole game on average over samples, so the mean over
independent samples estimates an *upper* bound. The fewer boards, the more it overfits; with all boards it is exact.

Where neither policy nor deck tells suits apart, every sampled flop stands for all its renamings, which costs nothing.
"""

from __future__ import annotations

import itertools
import time
from dataclasses import dataclass
from math import comb

import numpy as np

from runout.cards.hands import COMBO_CARDS
from runout.cards.suits import canonical_subsets, card_images, symmetries
from runout.cursors.mixtures import hand_probabilities
from runout.errors import InputError
from runout.evaluation.asked_tree import AskedTree, asked_tree
from runout.evaluation.board_sweep import Board, BoardSweep
from runout.evaluation.intervals import Estimate, estimate, exact
from runout.evaluation.match import OnDone
from runout.evaluation.response import EXACT, SAMPLED, Response
from runout.games.deals import draw_deals
from runout.games.holdem_batch import HoldemBatch
from runout.games.holdem_game import HoldemGame
from runout.games.points import BOARD_CARDS
from runout.protocols import HoldemPolicy

SAMPLES = 4  # independent samples of boards, for the interval
LONGEST = 3 * 3600.0  # seconds; what would take longer is refused
WORTHWHILE = 120.0  # seconds that boards are chosen for where nobody says how many
_CHECKED = 512  # decisions that are renamed to see whether a policy tells suits apart
_PROBED = 20_000  # decisions that are timed
_ELSE = 1.5  # all that is done, as a multiple of asking the policy


@dataclass(frozen=True, slots=True)
class SamplePlan:
    """How many deals of each street are looked at, from the first that comes; the whole number of them is exact."""

    deals: tuple[int, ...]  # (flops, turns a flop, rivers a turn), or fewer where streets are fewer
    names: tuple[str, ...]  # of these
    whole: bool
    rows: int  # decisions of single hands that the policy is asked about, of one sample
    seconds: float  # estimated, of one sample

    def __str__(self) -> str:
        return " x ".join(f"{count:,} {name}" for count, name in zip(self.deals, self.names, strict=True))


class BoardResponse:
    """Best responses to one policy; the tree and the policy's speed are looked at once."""

    def __init__(self, game: HoldemGame, policy: HoldemPolicy, seed: int = 0) -> None:
        self.game, self.policy, self.seed = game, policy, seed
        self.tree: AskedTree = asked_tree(game)
        self.sizes = _deal_sizes(game, len(self.tree.streets))
        names = ("flops", "turns a flop", "rivers a turn")[game.rules.first_street :]
        self.names = names[: len(self.sizes)]
        group = symmetries([game.deck, game.board])
        self.renamings = group if _blind_to_suits(game, policy, group, seed) else np.array([0])
        self._second = _speed(self.tree, policy)

    def whole(self) -> SamplePlan:
        """Every board there is."""
        return self._plan(tuple(self._all(street) for street in range(len(self.sizes))))

    def plan(self, boards: int | None = None) -> SamplePlan:
        """About this many boards of the last street per sample; without a number, as many as take a few minutes."""
        if boards is not None:
            if boards < 1:
                raise InputError(f"eval_deals = {boards}: use 1 board or more")
            return self._plan(self._split(boards))
        best = self._plan(self._split(2 ** len(self.sizes)))
        for side in range(3, 50):
            more = self._plan(self._split(side ** len(self.sizes)))
            if SAMPLES * more.seconds > WORTHWHILE or more.deals == best.deals:
                break
            best = more
        return best

    def measure(self, plan: SamplePlan, samples: int = SAMPLES, on_done: OnDone | None = None) -> Response:
        """Values of best responses and of the policy itself, in mbb/hand."""
        self.require(plan, samples)
        samples = 1 if plan.whole else samples
        roots = [self.boards(plan, np.random.default_rng([self.seed, sample])) for sample in range(samples)]
        done, total = 0, sum(root.count() for root in roots)

        def on_board() -> None:
            nonlocal done
            done += 1
            if on_done is not None:
                on_done(min(done, total), total)

        sweep = BoardSweep(self.tree, self.policy, self.renamings, on_board)
        found = np.array([sweep.values(root) for root in roots]) * 1000 / self.game.big_blind  # [samples, 2, 2]
        gains = found[:, 0] - found[:, 1]
        return Response(
            method=EXACT if plan.whole else SAMPLED,
            exploitability=_estimate(gains.mean(axis=1), plan),
            gains=(_estimate(gains[:, 0], plan), _estimate(gains[:, 1], plan)),
            values=(float(found[:, 1, 0].mean()), float(found[:, 1, 1].mean())),
            says=_sentence(plan),
            size="all boards" if plan.whole else f"{samples} samples of {plan}",
        )

    def require(self, plan: SamplePlan, samples: int = SAMPLES) -> None:
        """Refuse what would take hours, naming what to cut."""
        seconds = plan.seconds * (1 if plan.whole else samples)
        if seconds > LONGEST:
            raise InputError(
                f"a best response on {'all boards' if plan.whole else f'{samples} samples of {plan}'} would ask about "
                f"{plan.rows * (1 if plan.whole else samples):,} decisions, some {seconds / 3600:.1f} hours: use fewer "
                f"boards (--eval-deals) or local best response"
            )

    def boards(self, plan: SamplePlan, rng: np.random.Generator) -> Board:
        """A sample of boards; the same generator gives the same ones."""
        return self._grown(Board(self.game.board, 1.0), plan, 0, rng)

    def _grown(self, board: Board, plan: SamplePlan, street: int, rng: np.random.Generator) -> Board:
        if street == len(self.sizes):
            return board
        left = np.setdiff1d(np.array(self.game.deck), board.cards)
        size, count = self.sizes[street], plan.deals[street]
        pairs = comb(len(left) - 4, size)  # deals for a given pair of hands
        if count >= comb(len(left), size):
            group = self.renamings if not board.cards else np.array([0])
            cards, copies = canonical_subsets(left, size, group)
            weights = copies / pairs
        else:
            cards = _draw(left, size, count, rng)
            weights = np.full(count, comb(len(left), size) / count / pairs)
        for row, weight in zip(cards, weights, strict=True):
            child = Board((*board.cards, *(int(c) for c in row)), float(weight))
            board.children.append(self._grown(child, plan, street + 1, rng))
        return board

    def _all(self, street: int) -> int:
        left = len(self.game.deck) - len(self.game.board) - sum(self.sizes[:street])
        return comb(left, self.sizes[street])

    def _split(self, boards: int) -> tuple[int, ...]:
        """About `boards` in all, alike on every street; what is left over goes to the first."""
        deals: list[int] = []
        for street in range(len(self.sizes) - 1, 0, -1):
            side = int(boards ** (1 / (street + 1)) + 1e-9)
            deals.append(min(max(side, 1), self._all(street)))
            boards = max(1, boards // deals[-1])
        first = [min(boards, self._all(0))] if self.sizes else []
        return (*first, *reversed(deals))

    def _plan(self, deals: tuple[int, ...]) -> SamplePlan:
        whole = all(count >= self._all(street) for street, count in enumerate(deals))
        rows, boards, open_cards = 0, 1.0, len(self.game.board)
        for street, tree in enumerate(self.tree.streets):
            if street:
                boards *= deals[street - 1]
                open_cards += self.sizes[street - 1]
                if street == 1 and deals[0] >= self._all(0):
                    boards /= (
                        0.6 * len(self.renamings) if len(self.renamings) > 1 else 1
                    )  # classes, hands alike in them
            rows += int(tree.nodes * boards * comb(len(self.game.deck) - open_cards, 2))
        rows *= len(self.policy.weights)
        return SamplePlan(deals, self.names, whole, rows, _ELSE * rows * self._second)


def _deal_sizes(game: HoldemGame, streets: int) -> tuple[int, ...]:
    """Cards that come before each street but the first."""
    first = game.rules.first_street
    opened = [BOARD_CARDS[street] for street in range(first, first + streets)]
    return tuple(after - before for before, after in itertools.pairwise(opened))


def _draw(left: np.ndarray, size: int, count: int, rng: np.random.Generator) -> np.ndarray:
    """int64 [count, size]: different sets of cards, each as likely as any other."""
    found: dict[tuple[int, ...], None] = {}
    while len(found) < count:
        found[tuple(sorted(rng.choice(left, size, replace=False).tolist()))] = None
    return np.array(list(found), np.int64)


def _blind_to_suits(game: HoldemGame, policy: HoldemPolicy, group: np.ndarray, seed: int) -> bool:
    """Whether a policy answered renamed hands alike wherever it was tried."""
    if len(group) < 2:
        return False
    rng = np.random.default_rng(seed)
    batch = HoldemBatch(game, draw_deals(game, _CHECKED, np.array([seed], np.uint64)))
    generator = np.array([seed], np.uint64)
    for _ in range(2 * len(BOARD_CARDS)):
        rows = np.flatnonzero(~batch.over)
        if not len(rows):
            break
        asked = batch.take(rows)
        renamed = asked.take(np.arange(len(rows)))
        images = card_images()[rng.choice(group, len(rows))]
        renamed.cards = np.take_along_axis(images, asked.cards.astype(np.int64), axis=1)
        part = int(rng.integers(len(policy.weights)))
        if not np.allclose(policy.probabilities(asked, part), policy.probabilities(renamed, part), atol=1e-5):
            return False
        batch.act_at_random(generator)
    return True


def _speed(tree: AskedTree, policy: HoldemPolicy) -> float:
    """Seconds that the policy takes for one hand of one decision."""
    batch = tree.batches[-1]
    rng = np.random.default_rng(0)
    held = np.flatnonzero(np.isin(COMBO_CARDS, tree.game.deck).all(axis=1))
    free = held[~np.isin(COMBO_CARDS[held], batch.cards[0, 4:]).any(axis=1)]
    rows = rng.integers(len(batch), size=_PROBED)
    asked = (policy, batch, 0, rows, rng.choice(free, _PROBED))
    hand_probabilities(*asked[:3], rows[:16], asked[4][:16])  # what compiles, compiles here
    times = []
    for _ in range(3):  # the best one: others may be busy on the machine
        started = time.perf_counter()
        hand_probabilities(*asked)
        times.append(time.perf_counter() - started)
    return min(times) / _PROBED


def _estimate(samples: np.ndarray, plan: SamplePlan) -> Estimate:
    return exact(float(samples[0])) if plan.whole else estimate(samples)


def _sentence(plan: SamplePlan) -> str:
    if plan.whole:
        return "exact: a best response over all boards gains this much, no more and no less."
    return (
        "an upper bound on average: a best response that knows which few boards can come gains this much, one that has "
        "to play all boards gains less; the fewer boards, the further above the truth."
    )
