"""AIVAT for hold'em: what played hands come to once luck in cards and in drawn actions is taken out, without bias.

1. A player whose policy is known is looked at with its whole range, the others with the hand that they held.
2. The baseline of a street: both play on by their policies to the end of the street, and then nobody bets any more, so
   what is left of the pot is shared by equity. On the last street that is what the policies are worth.
3. Where a known player acts, the baseline of the decision is added and that of the action taken off; where cards
   come, the equity before them is added and the one after them taken off; the hands of unknown players are a deal like
   any other. At the end stands the mean result over the ranges of the known players.

Every one of these steps has expectation 0, so the mean is that of the raw results whatever the baseline. An unknown
player is modelled only in the baseline: what is said of it may be wrong and only costs precision.

Burch, Schmid, Moravcik, Morrill, Bowling 2018.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from runout.cards.hands import COMBO_CARDS, COMBOS, combo, disjoint_combos
from runout.cursors.mixtures import ROWS, deck_hands, hand_probabilities
from runout.errors import InputError
from runout.evaluation.asked_tree import AskedTree, Group, asked_tree
from runout.games.betting import FOLD
from runout.games.holdem_batch import HoldemBatch
from runout.games.holdem_game import HoldemGame
from runout.games.points import BOARD_CARDS
from runout.games.showdowns import by_strength, run_out_matrix, shares
from runout.kernels.range_deals import beaten_hands, met_hands
from runout.protocols import HoldemPolicy
from runout.solvers.blueprint_policy import BlueprintPolicy
from runout.solvers.subgames import BlueprintKnown, Place, known_rows, shares_of

_EVEN = 0.02  # of every action of a modelled player: so that nothing it does is outside the baseline
_BOARDS = 8  # that are kept: plays of one deal share them
_LOOKS = 16


@dataclass(frozen=True, eq=False)
class _Look:
    """What a street comes to from one entry on: by number in the group of the entry."""

    value: np.ndarray  # float64 [size]: baseline of decisions, terminals and ways on, in chips to player 0
    onward: list[np.ndarray]  # float64 [parts, ways on, 1326] a player: reaches
    ends: list[np.ndarray]  # float64 [leaves, 1326] a player: reaches of terminals and ways on, all parts
    shared: float  # the baseline of the entry if nobody bet any more


class BoardEquities:
    """What hands win of each other on boards, a few of them kept."""

    def __init__(self, game: HoldemGame) -> None:
        self.game = game
        self._deck = deck_hands(game)
        self._kept: OrderedDict[tuple[int, ...], _Board] = OrderedDict()

    def on(self, board: Sequence[int]) -> _Board:
        key = tuple(sorted(int(c) for c in board))
        if key not in self._kept:
            self._kept[key] = _Board(self.game, key, self._deck & ~np.isin(COMBO_CARDS, key).any(axis=1))
            if len(self._kept) > _BOARDS:
                self._kept.popitem(last=False)
        self._kept.move_to_end(key)
        return self._kept[key]


class _Board:
    def __init__(self, game: HoldemGame, cards: tuple[int, ...], live: np.ndarray) -> None:
        self.game, self.cards, self.mask = game, cards, live
        self.live = np.flatnonzero(live)
        self.hands = np.ascontiguousarray(COMBO_CARDS[self.live])

    @cached_property
    def _order(self) -> tuple[np.ndarray, np.ndarray]:
        return by_strength(self.cards, self.hands)

    @cached_property
    def _matrix(self) -> np.ndarray:
        return run_out_matrix(self.cards, self.live, self.game)

    def met(self, reach: np.ndarray) -> np.ndarray:
        """float64 [n, h]: the reach float64 [n, h] of the hands that share no card with each."""
        found = np.empty(reach.shape)
        met_hands(np.ascontiguousarray(reach), self.hands, found)
        return found

    def won(self, reach: np.ndarray) -> np.ndarray:
        """float64 [n, h]: win minus lose of every hand against reach float64 [n, h], cards to come averaged."""
        if len(self.cards) == self.game.board_cards:
            found = np.empty(reach.shape)
            beaten_hands(np.ascontiguousarray(reach), self.hands, *self._order, found)
            return found
        held = np.flatnonzero(reach.any(axis=0))
        if len(held) < len(self.live) // 8:  # a hand or a few: only their columns
            return np.asarray(reach[:, held] @ self._matrix[:, held].T.astype(np.float64))
        return np.asarray(reach.astype(np.float32) @ self._matrix.T, np.float64)


class Aivat:
    """Adjusts hands of two seats; a policy is known, or None and then played by `model` in the baseline."""

    def __init__(
        self,
        game: HoldemGame,
        policies: tuple[HoldemPolicy | None, HoldemPolicy | None],
        model: HoldemPolicy,
        boards: BoardEquities | None = None,
        tree: AskedTree | None = None,
    ) -> None:
        if game.rake.percent:
            raise InputError(f"{game.name} is raked: luck is only taken out of games without rake")
        self.game, self.tree = game, tree or asked_tree(game)
        self.known = tuple(policy is not None for policy in policies)
        self.policies = tuple(model if policy is None else policy for policy in policies)
        self._blueprints = tuple(
            BlueprintKnown(policy) if isinstance(policy, BlueprintPolicy) and policy.what.game == game else None
            for policy in self.policies
        )  # which answer for a whole range at once
        self.boards = boards or BoardEquities(game)
        self._groups: dict[tuple[int, int], tuple[Group, dict[tuple[int, int], int]]] = {}
        self._looks: OrderedDict[tuple[object, ...], _Look] = OrderedDict()
        self._first = game.rules.first_street

    def adjusted(self, cards: Sequence[int], slots: Sequence[int]) -> float:
        """Chips of player 0 for a hand: nine cards as dealt, and the slots that were played in it."""
        held = [combo(int(cards[2 * seat]), int(cards[2 * seat + 1])) for seat in range(2)]
        reach = [self._dealt(seat, held[seat]) for seat in range(2)]
        found = self._deal_luck(held) + self.game.rules.pot / 2
        played, entry, level = iter(slots), 0, None
        for street in range(len(self.tree.streets)):
            board = tuple(int(c) for c in cards[4 : 4 + BOARD_CARDS[self._first + street]])
            look = self._look(street, entry, board, reach, tuple(held))
            if level is not None:
                found += level - look.shared
            group, steps = self._group(street, entry)
            node = 0
            while node < group.nodes:
                actor = int(group.batch.player[node])
                after = steps[node, int(next(played))]
                if self.known[actor]:
                    found += look.value[node] - look.value[after]
                node = after
            on = node - group.nodes - len(group.terminals)
            if on < 0:
                return float(found + look.value[node])
            level, entry = look.value[node], int(group.onward[on])
            reach = [side[:, on] for side in look.onward]
        raise InputError("a hand that does not end: give all slots that were played in it")

    def deal_luck(self, cards: Sequence[int]) -> float:
        """What hands of unknown players were expected to be worth to player 0, less what those that were dealt are."""
        return self._deal_luck([combo(int(cards[2 * seat]), int(cards[2 * seat + 1])) for seat in range(2)])

    def _dealt(self, seat: int, held: int) -> np.ndarray:
        """float64 [parts, 1326]: the reach of a seat before it has acted."""
        weights = np.asarray(self.policies[seat].weights, np.float64)
        hands = self.game.weights[seat] if self.known[seat] else np.eye(1, COMBOS, held)[0]
        return np.asarray(weights[:, None] * hands)

    def _group(self, street: int, entry: int) -> tuple[Group, dict[tuple[int, int], int]]:
        """The decisions below an entry, and where each slot of each leads."""
        if (street, entry) not in self._groups:
            group = self.tree.group(street, entry)
            steps = {
                (int(level.nodes[holder]), slot): int(target)
                for level in group.levels
                for slot, (targets, holders) in enumerate(zip(level.targets, level.holders, strict=True))
                for target, holder in zip(targets, holders, strict=True)
            }
            self._groups[street, entry] = group, steps
        return self._groups[street, entry]

    def _look(
        self, street: int, entry: int, board: tuple[int, ...], reach: list[np.ndarray], held: tuple[int, ...]
    ) -> _Look:
        own = tuple(None if known else hand for known, hand in zip(self.known, held, strict=True))
        key = (street, entry, board, own)  # the line to the entry is all that reaches depend on besides
        if key not in self._looks:
            self._looks[key] = self._looked(street, entry, board, reach)
            if len(self._looks) > _LOOKS:
                self._looks.popitem(last=False)
        return self._looks[key]

    def _looked(self, street: int, entry: int, board: tuple[int, ...], reach: list[np.ndarray]) -> _Look:
        group, on = self._group(street, entry)[0], self.boards.on(board)
        batch = group.batch.take(np.arange(group.nodes))
        batch.cards[:, 4 : 4 + len(board)] = board
        start = [side * on.mask for side in reach]
        leaves = slice(group.nodes, group.size)
        ends = [np.zeros((group.size - group.nodes, COMBOS)) for _ in range(2)]
        onward: list[np.ndarray] = []
        for player in range(2):
            ways = []
            for part in range(len(start[player])):
                walked = self._walked(street, group, batch, player, part, start[player][part])
                ends[player] += walked[leaves]
                ways.append(walked[group.nodes + len(group.terminals) :])
            onward.append(np.stack(ways))
        half, sign = self._stakes(street, group)
        first, second = (side[:, on.live] for side in ends)
        met = on.met(second)
        worth = np.where(sign[:, None] == 0, on.won(second), sign[:, None] * met) * half[:, None]
        sums, mass = np.zeros(group.size), np.zeros(group.size)
        sums[leaves], mass[leaves] = (first * worth).sum(axis=1), (first * met).sum(axis=1)
        for level in reversed(group.levels):
            for targets, holders in zip(level.targets, level.holders, strict=True):
                np.add.at(sums, level.nodes[holders], sums[targets])
                np.add.at(mass, level.nodes[holders], mass[targets])
        value = np.divide(sums, mass, out=np.zeros(group.size), where=mass > 0)
        root = [side.sum(axis=0)[None, on.live] for side in start]
        stake = self.game.rules.pot / 2 + float(group.batch.hands["spent"][0].min())
        shared = float((root[0] * on.won(root[1])).sum() / (root[0] * on.met(root[1])).sum() * stake)
        return _Look(value, onward, ends, shared)

    def _walked(
        self, street: int, group: Group, batch: HoldemBatch, player: int, part: int, start: np.ndarray
    ) -> np.ndarray:
        """float64 [size, 1326]: what a part of a policy leaves of every hand."""
        reach = np.zeros((group.size, COMBOS))
        reach[0] = start
        for level in group.levels:
            plays = np.ones((0, 0, 0))
            if level.player == player:
                places = int(self.tree.streets[street].entry_node[group.entries[0]]) + level.nodes
                plays = self._plays(batch.take(level.nodes), player, part, reach[level.nodes], street, places)
                if not self.known[player]:
                    legal = batch.take(level.nodes).legal().T[..., None]
                    plays = (1 - _EVEN) * plays + _EVEN * legal / legal.sum(axis=0)
            for slot, (targets, holders) in enumerate(zip(level.targets, level.holders, strict=True)):
                nodes = level.nodes[holders]
                reach[targets] = reach[nodes] * plays[slot, holders] if level.player == player else reach[nodes]
        return reach

    def _plays(
        self, batch: HoldemBatch, player: int, part: int, reach: np.ndarray, street: int, places: np.ndarray
    ) -> np.ndarray:
        """float64 [slots, n, 1326]: what is played at decisions, `places` in the tree of the street; hands that do not
        get there do not matter."""
        rows, combos = np.nonzero(reach)
        found = np.zeros((batch.rules.slots, *reach.shape))
        blueprint = self._blueprints[player]
        if blueprint is not None:
            board = batch.cards[0, 4 : 4 + BOARD_CARDS[self._first + street]].tolist()
            legal = batch.legal()
            for row, place in enumerate(places):
                found[np.flatnonzero(legal[row]), row] = shares_of(
                    known_rows(blueprint, Place(street, int(place)), board)
                )
            return found
        for first in range(0, len(rows), ROWS):
            some = slice(first, first + ROWS)
            odds = hand_probabilities(self.policies[player], batch, part, rows[some], combos[some])
            found[:, rows[some], combos[some]] = odds.T
        return found

    def _stakes(self, street: int, group: Group) -> tuple[np.ndarray, np.ndarray]:
        """float64 [leaves] each: what either wins of the other at an end, and who wins it (1: player 0, 0: the better
        hand)."""
        tree, pot = self.tree.streets[street], self.game.rules.pot
        half = pot / 2 + tree.contribution[group.terminals].min(axis=1)
        fold = tree.terminal_kind[group.terminals] == FOLD
        sign = np.where(fold, np.where(tree.terminal_folder[group.terminals] == 0, -1.0, 1.0), 0.0)
        if not len(group.onward):
            return np.asarray(half, np.float64), sign
        after, below = self.tree.streets[street + 1], self.tree.batches[street + 1]
        ways = below.hands["spent"][after.entry_node[group.onward]].min(axis=1) + pot / 2
        return np.concatenate([half, ways]), np.concatenate([sign, np.zeros(len(ways))])

    def _deal_luck(self, held: list[int]) -> float:
        """What the hands of unknown players were expected to be worth, less what they are."""
        if all(self.known) or self.game.board:
            return 0.0
        values, apart = self._dealt_values
        own = tuple(slice(None) if known else hand for known, hand in zip(self.known, held, strict=True))
        return float(values.sum() / apart.sum() - values[own].sum() / apart[own].sum())

    @cached_property
    def _dealt_values(self) -> tuple[np.ndarray, np.ndarray]:
        """[1326, 1326] each: the baseline of every pair of hands before anybody acts, and whether it can be dealt."""
        weights = [np.asarray(policy.weights, np.float64) for policy in self.policies]
        full = [odds[:, None] * self.game.weights[seat] for seat, odds in enumerate(weights)]
        look, group = self._looked(0, 0, (), full), self._group(0, 0)[0]
        half, sign = self._stakes(0, group)
        first, second = look.ends
        apart = disjoint_combos() & (self.game.weights[0] > 0)[:, None] & (self.game.weights[1] > 0)
        board = self.boards.on(())
        equity = np.zeros((COMBOS, COMBOS))
        equity[np.ix_(board.live, board.live)] = board._matrix
        folds = (first * (half * sign)[:, None]).T @ second
        shown = (first * (half * (sign == 0))[:, None]).T @ second
        return np.where(apart, folds + shown * equity, 0.0), apart


def luck_of_cards(game: HoldemGame, cards: Sequence[int], stakes: Sequence[float]) -> float:
    """What the board brought player 0, in the unit of `stakes`: equity after the cards of each street less equity
    before them, times what could be won then.

    cards: nine as dealt. stakes: what either could win of the other when the flop, the turn and the river came; as many
    as came.
    """
    other, found = combo(int(cards[2]), int(cards[3])), 0.0
    boards = [tuple(int(c) for c in cards[4 : 4 + shown]) for shown in BOARD_CARDS[: len(stakes) + 1]]
    equity = [float(shares(cards[:2], board, game)[other]) for board in boards]
    for street, stake in enumerate(stakes):
        found += stake * 2 * (equity[street + 1] - equity[street])
    return found
