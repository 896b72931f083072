"""A solved game before the flop: cursors into it, what it reached, and the file it lives in.

solution.root.play("r2.5").play("fold"); solution.at("SBr2.5 BBr8").strategy("AKs")

EVs are big blinds won or lost from the start of the hand, so folding the small blind costs 0.5 and both sides add up to
zero (less rake). A solution is not bound to one backend or machine: everything is worked out from its average strategy.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path

import numpy as np

from runout.analysis.flop_holdem import load_flop_holdem
from runout.cards.hands import CLASS_COMBOS, CLASS_NAMES, class_index
from runout.errors import InputError, SolutionError
from runout.games.betting import BETTING, Action, BettingState
from runout.games.flop_game import FlopGame
from runout.games.lines import read_stack
from runout.games.preflop import BIG_BLIND, WORDING, Preflop
from runout.games.tree import TO_NODE
from runout.solutions.format import STATE, Bundle, read_solution, write_bundle
from runout.solutions.reached import Reached, Solved
from runout.solvers.assessment import Assessment
from runout.solvers.flop_game_leaf import FlopGameLeaf
from runout.solvers.preflop import Sweep, assess
from runout.solvers.preflop_game import PreflopGame
from runout.solvers.preflop_leaves import LeafModel, StoredLeaf

KIND = "preflop"
BUILT_IN = ("equity", "realization")  # leaf models that a game's settings say all about


@dataclass(eq=False, repr=False)
class PreflopSolution(Solved):
    """What a solve gave."""

    game: PreflopGame
    reached: Reached  # in mbb/hand
    policy: np.ndarray  # float64 [slots, 169], the average
    state: dict[str, np.ndarray] = field(default_factory=dict)  # of the solver, to continue from

    def __repr__(self) -> str:
        return (
            f"PreflopSolution({self.settings.name}, {self.iterations} iterations, {self.exploitability:.3g} mbb/hand)"
        )

    @property
    def settings(self) -> Preflop:
        return self.game.settings

    @property
    def leaf(self) -> str:
        """Name of the model that says what a called pot is worth."""
        return self.game.leaf

    @cached_property
    def assessment(self) -> Assessment:
        return assess(self.game, self.policy)

    @property
    def exploitability(self) -> float:
        """mbb/hand."""
        return 1000 * self.assessment.exploitability

    @property
    def value(self) -> float:
        """To the small blind, in bb a hand."""
        return self.assessment.values[1]

    @cached_property
    def reach(self) -> tuple[np.ndarray, np.ndarray]:
        """For each player float64 [rows, 169]: how much of each class is left in each of the reach rows."""
        sweep = Sweep(self.game)
        return sweep.realise(self.policy, 0), sweep.realise(self.policy, 1)

    @cached_property
    def slot_values(self) -> tuple[np.ndarray, np.ndarray]:
        """For each player float64 [slots, 169]: value of each slot to him, weighed by chance and the opponent."""
        sweeps = Sweep(self.game), Sweep(self.game)
        for player, sweep in enumerate(sweeps):
            sweep.find_values(self.policy, player)
        return sweeps[0].slot_values, sweeps[1].slot_values

    @cached_property
    def root(self) -> PreflopNode:
        return PreflopNode(self, self.settings.start(), 0, ())

    def at(self, line: str) -> PreflopNode:
        """The place that an action string leads to, 'SBr2.5 BBr8'; '' is the root. A stack in it must be this one's."""
        stack, words = read_stack(line)
        if stack is not None and stack != self.settings.stack_depth:
            raise InputError(
                f"the solution is {self.settings.stack_depth:g} bb deep, the line {stack:g} bb: solve that"
            )
        return self.root.play(words) if words.strip() else self.root

    def nodes(self, line: str = "") -> list[PreflopNode]:
        """The decision that a line leads to and every decision below it, each before those that follow it."""
        start = self.at(line)
        found, waiting = [], [start]
        while waiting:
            node = waiting.pop()
            if node.over:
                continue
            found.append(node)
            waiting.extend(reversed([node.take(action) for action in node.menu]))
        return found

    def save(self, path: str | Path) -> None:
        """Write a solution directory that `runout.load` and `runout preflop --resume` read."""
        write_bundle(path, self.bundle())

    def bundle(self) -> Bundle:
        """What is saved: the average strategy and the state to continue from.

        Other programs read `policy` (float64 [slots, 169], classes in the order of `runout.cards.hands`), `lines` (the
        action string of each decision) and `first_slot` (decision n has the slots first_slot[n] : first_slot[n + 1]).
        """
        arrays = {
            "policy": self.policy,
            "lines": np.array(self.settings.tree().lines(0)),
            "first_slot": self.settings.tree().streets[0].first_slot,
            **{STATE + name: array for name, array in self.state.items()},
            **({} if self.leaf in BUILT_IN else _packed(self.game.tables)),
        }
        config = self.settings.model_dump(mode="json", by_alias=True, exclude_none=True)
        return self.reached.bundle(KIND, config, arrays, value_sb_bb=self.value, leaf=self.leaf)

    @classmethod
    def from_bundle(cls, bundle: Bundle) -> PreflopSolution:
        """The solution that `bundle` gave."""
        settings, leaf, arrays = Preflop(**bundle.config), str(bundle.reached["leaf"]), bundle.arrays
        slots, policy = settings.tree().streets[0].slots, arrays["policy"]
        if policy.shape != (slots, len(CLASS_NAMES)):
            raise ValueError(f"policy has shape {policy.shape}, not ({slots}, {len(CLASS_NAMES)})")
        game = PreflopGame.of(settings, None if leaf in BUILT_IN else StoredLeaf(leaf, _unpacked(arrays)))
        state = {name.removeprefix(STATE): array for name, array in arrays.items() if name.startswith(STATE)}
        return cls(game, Reached.of(bundle), policy, state)


def _packed(tables: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    """Tables of a leaf model as arrays, equal ones once: lines, which table each has, and the tables."""
    if not tables:
        return {}
    once = list({id(table): table for table in tables.values()}.values())
    places = {id(table): place for place, table in enumerate(once)}
    return {
        "leaf_lines": np.array(list(tables)),
        "leaf_table": np.array([places[id(table)] for table in tables.values()], np.int64),
        "leaf_shares": np.stack(once),
    }


def _unpacked(arrays: Mapping[str, np.ndarray]) -> dict[str, np.ndarray]:
    if "leaf_lines" not in arrays:
        return {}
    once = list(arrays["leaf_shares"])  # the same object for equal tables: they are one matrix product
    return {str(line): once[place] for line, place in zip(arrays["leaf_lines"], arrays["leaf_table"], strict=True)}


@dataclass(frozen=True, eq=False)
class PreflopNode:
    """A cursor: a decision, or the end of the betting (`over`)."""

    solution: PreflopSolution
    state: BettingState
    index: int  # of the node; of the last slot taken where betting is over
    moves: tuple[str, ...]  # words of the action string
    before: PreflopNode | None = None

    @property
    def over(self) -> bool:
        return self.state.status != BETTING

    @property
    def line(self) -> str:
        """The action string that leads here."""
        return " ".join(self.moves)

    @property
    def player(self) -> str:
        """SB or BB, who is to act; how betting ended where it is over."""
        return WORDING.ending(self.state) if self.over else WORDING.players[self.state.player]

    @property
    def pot(self) -> float:
        """bb in the middle."""
        return self.state.pot / BIG_BLIND

    @cached_property
    def menu(self) -> list[Action]:
        return [] if self.over else self.solution.game.street.actions(self.index)

    @property
    def actions(self) -> list[str]:
        """As people read them: 'fold', 'call', 'raise to 8', 'all-in 100'."""
        return [WORDING.name(action) for action in self.menu]

    @property
    def slots(self) -> slice:
        first = self.solution.game.street.first_slot
        return slice(int(first[self.index]), int(first[self.index + 1]))

    def play(self, text: str) -> PreflopNode:
        """The place after actions as people write them: 'r8', 'call', 'SBr2.5 BBr8'; all of them, or none."""
        node = self
        for word in WORDING.read_actions(text):
            node = node.take(node.menu[WORDING.choose(node.state, node.menu, word)])
        return node

    def take(self, action: Action) -> PreflopNode:
        """The place after one of `menu`."""
        street = self.solution.game.street
        slot = self.slots.start + self.menu.index(action)
        inside = street.child_kind[slot] == TO_NODE
        word = WORDING.token(action, self.state.street, self.state.player)
        index = int(street.child[slot]) if inside else slot
        return replace(self, state=self.state.act(action), index=index, moves=(*self.moves, word), before=self)

    def _reach(self, player: int) -> np.ndarray:
        return self.solution.reach[player][self.solution.game.lines.node_row[player, self.index]]

    @property
    def reach(self) -> np.ndarray:
        """float64 [169]: how much of each class the player to act still holds."""
        return self._reach(self.state.player)

    @property
    def _met(self) -> np.ndarray:
        """float64 [169]: odds of each class of the player to act together with the hands that the opponent holds."""
        return self._reach(1 - self.state.player) @ self.solution.game.weights

    @property
    def mix(self) -> np.ndarray:
        """float64 [actions, 169]: how often each class takes each action."""
        return self.solution.policy[self.slots]

    def strategy(self, hand: str) -> dict[str, float]:
        """How often a class ('AKs') takes each action."""
        return dict(zip(self.actions, self.mix[:, class_index(hand)].tolist(), strict=True))

    @property
    def evs(self) -> np.ndarray:
        """float64 [actions, 169]: EV of each action in bb; nan where no hand of the opponent gets here."""
        met = self._met
        values = self.solution.slot_values[self.state.player][self.slots]
        return np.divide(values, met, out=np.full_like(values, np.nan), where=met > 0)

    def ev(self, hand: str, action: str | None = None) -> float:
        """EV of a class in bb, of one action or as it is played."""
        index = class_index(hand)
        if action is None:
            return float(self.mix[:, index] @ self.evs[:, index])
        word = WORDING.read_actions(action)[0]
        return float(self.evs[WORDING.choose(self.state, self.menu, word), index])

    @property
    def frequencies(self) -> list[float]:
        """How often each action is taken: hands weighed by reach and by the opponent's hands that they can meet."""
        weight = self.reach * self._met
        if not weight.sum() > 0:  # nobody gets here: as if everything did
            weight = self.solution.game.weights.sum(axis=1)
        return [float(share) for share in self.mix @ weight / weight.sum()]

    @property
    def percents(self) -> list[float]:
        """The part of all 1326 combos that takes each action here, in percent."""
        return [float(share) for share in (self.mix * self.reach) @ CLASS_COMBOS / CLASS_COMBOS.sum() * 100]

    def hands(self) -> dict[str, list[float]]:
        """{class: frequency of each action}."""
        return {name: [round(x, 9) for x in self.mix[:, i].tolist()] for i, name in enumerate(CLASS_NAMES)}


def load_preflop(path: str | Path) -> PreflopSolution:
    """The solution saved in `path`."""
    return read_solution(path, PreflopSolution.from_bundle, KIND)


def load_flop_game(path: str | Path) -> tuple[Preflop, LeafModel]:
    """The preflop game inside a solved flop game (`runout game flop-game -o DIR`), and its values of called pots."""
    solution = load_flop_holdem(path)
    if not isinstance(solution.settings, FlopGame):
        raise SolutionError(f"{path} is a {solution.settings.kind} solution; a flop-game solution is needed here")
    game = solution.settings.preflop
    return Preflop(**game.model_dump() | {"leaf": "flop-game", "name": "flop game"}), FlopGameLeaf(solution.solver)
