"""What called pots are worth when a blueprint is played on: the numbers that preflop charts are made of.

1. `sampled_lines` gives what every line that sees a flop is worth to each class of hands when both play the blueprint.
2. Divided by the opponents that the class meets there, and put beside the pot, it is the class's *share* of that pot.
3. What one class gets against another is not known. It is taken as the equity of the pair plus a shift of either class,
   and the shifts are chosen so that every class gets its own share against the range that it meets (`pair_shifts`).
"""

from __future__ import annotations

from dataclasses import dataclass
from math import comb

import numpy as np

from runout.cards.cards import DECK
from runout.cards.equity169 import equity_table, pair_table
from runout.cards.hands import CLASS_COMBOS, CLASSES, COMBO_CARDS, COMBO_CLASS, disjoint_combos
from runout.cards.suits import canonical_boards
from runout.games.betting import IP, OOP
from runout.games.boards import board_tree, with_run_outs
from runout.games.flop_choice import FlopChoice
from runout.games.tree import TO_CHANCE, TO_NODE
from runout.solvers.blueprint_policy import BlueprintPolicy
from runout.solvers.range_plan import storage_places
from runout.solvers.solved_leaf import pair_shares

ARRIVES = 1e-6  # of all deals: a pot that fewer than these lead to is not valued
_ROUNDS = 2000
_CLOSE = 1e-9


@dataclass(frozen=True)
class CalledPot:
    """A pot that was called before the flop; players in the order of the betting engine: BB, SB."""

    line: str  # 'SBr2.5 BBc'
    pot: float  # bb
    stack: float  # bb that each player has behind
    reach: np.ndarray  # float64 [2, 169]: how much of each class gets here
    shares: np.ndarray  # float64 [2, 169]: of the pot that each class gets, less what it adds later

    @property
    def odds(self) -> float:
        """The share of all deals that get here."""
        deals = pair_table()
        return float(self.reach[OOP] @ deals @ self.reach[IP] / deals.sum())


def preflop_strategy(policy: BlueprintPolicy) -> np.ndarray:
    """float64 [edges, 169]: the average strategy before the flop, by action of the first street and class."""
    what, buckets = policy.what, policy.buckets
    street = what.tree.streets[0]
    of_class = np.zeros(CLASSES, np.int64)
    of_class[COMBO_CLASS] = what.abstraction.tables.preflop
    rows, who = storage_places(street)[0], street.player[street.edge_owner()]
    found = np.zeros((street.edges, CLASSES))
    for edge in range(street.edges):
        if who[edge] in (OOP, IP):
            first = int(buckets.first[who[edge], 0] + rows[edge] * buckets.width[0])
            found[edge] = np.maximum(buckets.averages[first + of_class], 0.0)
    for node in range(street.nodes):
        part = found[street.first_edge[node] : street.first_edge[node + 1]]
        total = part.sum(axis=0)
        part[:] = np.where(total > 0, part / np.where(total > 0, total, 1.0), 1.0 / max(len(part), 1))
    return found


def called_pots(policy: BlueprintPolicy, lines: np.ndarray) -> list[CalledPot]:
    """Every pot that is called with chips behind and that the blueprint gets to; lines: what they are worth
    (`sampled_pots.sampled_lines`)."""
    what, strategy = policy.what, preflop_strategy(policy)
    tree, blind = what.tree, what.game.big_blind
    street, below = tree.streets[0], tree.streets[1]
    reach = np.ones((street.nodes, 2, CLASSES))
    found = []
    for node in range(street.nodes):
        for edge in range(int(street.first_edge[node]), int(street.first_edge[node + 1])):
            after = reach[node].copy()
            if street.player[node] in (OOP, IP):
                after[street.player[node]] *= strategy[edge]
            kind, child = street.child_kind[edge], int(street.child[edge])
            if kind == TO_NODE:
                reach[child] = after
            elif kind == TO_CHANCE:
                pot = float(below.entry_pot[child])
                line = tree.line_after(0, edge)
                shares = _shares(lines[:, child], after, pot)
                one = CalledPot(line, pot / blind, what.game.rules.stack / blind - pot / blind / 2, after, shares)
                if one.odds > ARRIVES:
                    found.append(one)
    return found


def _shares(values: np.ndarray, reach: np.ndarray, pot: float) -> np.ndarray:
    """float64 [2, 169] from what a hand wins over the opponent's reach, in chips from the start of the hand."""
    met = np.maximum(reach[::-1] @ pair_table(), 1e-300)
    return np.asarray((values * CLASS_COMBOS / met + pot / 2) / pot)


def lucky_shares(reach: np.ndarray, luck: np.ndarray) -> np.ndarray:
    """float64 [2, 169]: what a set of flops gives each class of a checked-down pot beyond its equity (`flop_luck`)."""
    deals = pair_table()
    met = np.maximum(reach[::-1] @ deals, 1e-300)
    return np.asarray(np.stack([-(reach[IP] @ (deals * luck)), reach[OOP] @ (deals * luck).T]) / met)


def met_shares(shifts: np.ndarray, reach: np.ndarray) -> np.ndarray:
    """float64 [2, 169]: of the pot that each class gets by `pair_shares` against the range that it meets."""
    deals, shares = pair_table(), pair_shares(shifts)
    met = np.maximum(reach[::-1] @ deals, 1e-300)
    return np.asarray(np.stack([reach[IP] @ (deals * (1 - shares)), reach[OOP] @ (deals * shares).T]) / met)


def flop_luck(choice: FlopChoice, threads: int = 0) -> np.ndarray:
    """float64 [169, 169]: how much more of a pot the row gets on these flops against the column, checked down, than its
    exact equity against it."""
    boards, _ = canonical_boards(3)
    results = np.zeros((CLASSES, CLASSES))
    for flop, share in zip(choice.flops, choice.shares, strict=True):
        street = board_tree(boards[flop].tolist(), _unblocked(boards[flop]), (), (False,))[0]
        table = with_run_outs(street.tables, street.cards, np.arange(DECK), threads)
        combos, width = table.combos(0, 0), int(table.stride[1, 0])
        wins = table.runouts.reshape(-1, width)[: len(combos), : len(combos)]
        by_class = np.eye(CLASSES, dtype=np.float32)[COMBO_CLASS[combos]]
        results += share * (by_class.T @ (wins * disjoint_combos()[np.ix_(combos, combos)]) @ by_class)
    scale = comb(DECK, 3) / comb(DECK - 4, 3)
    return np.asarray(0.5 + scale * results / pair_table() / 2 - equity_table())


def _unblocked(board: np.ndarray) -> np.ndarray:
    """float64 [2, 1326]: every hand that a board leaves, for both players."""
    return np.tile((~np.isin(COMBO_CARDS, board).any(axis=1)).astype(np.float64), (2, 1))


def pair_shifts(pot: CalledPot) -> np.ndarray:
    """float64 [2, 169]: shifts of BB and SB, so that `pair_shares` gives both sides their shares of the pot."""
    deals, equity = pair_table(), equity_table()  # equity [SB, BB]: what the row gets
    meets = deals * pot.reach[OOP][None, :]  # [SB, BB]
    sb_odds = meets / meets.sum(axis=1, keepdims=True)
    meets = deals * pot.reach[IP][:, None]
    bb_odds = meets / meets.sum(axis=0, keepdims=True)
    sb_gap = pot.shares[IP] - (sb_odds * equity).sum(axis=1)
    bb_gap = pot.shares[OOP] - (bb_odds * (1 - equity)).sum(axis=0)
    shifts = np.zeros((2, CLASSES))
    for _ in range(_ROUNDS):  # each side in turn; every round averages over opponents, so it settles
        before = shifts.copy()
        shifts[IP] = sb_gap + sb_odds @ shifts[OOP]
        shifts[OOP] = bb_gap + shifts[IP] @ bb_odds
        if np.abs(shifts - before).max() < _CLOSE:
            break
    return shifts
