"""A bot: a blueprint whose subgames are solved anew from the turn or from the river on, for whoever is to act.

1. A hand is followed from its start. Up to the street from which on subgames are solved, both players play the
   blueprint. A raise before the flop that it does not know is solved for (`preflop_anew`), and where it is called, play
   goes on in the pot of the blueprint that is most like it; bets on later streets are translated (`translation`).
2. When that street begins, and again when the next one does, what is left is solved with the ranges that got there
   (`subgames.resolve`): on the later street against what was solved before.
3. From then on a bet that is not in the tree begins a subgame of its own, solved where it was made.
4. A decision has a number of seconds, or of iterations. By what others took, the bot predicts what a subgame will take:
   with all bets of the game, or else with fewer (`subgames.lean`); what would take longer even so is left to what is
   known already, and the next street is tried when it comes.

What is solved depends only on what everybody has seen and on whose turn it is, never on the cards held: so the bot is a
policy of dealt hands like every other (`protocols.HoldemPolicy`), that a response can be played against.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache

import numpy as np

from runout.cards.hands import COMBO_CARDS, COMBO_CLASS, COMBOS, combo_index
from runout.errors import InputError
from runout.games.betting import (
    BET,
    CALL,
    CHECK,
    FLOP,
    FOLD,
    NOBODY,
    PREFLOP,
    RAISE,
    RIVER,
    STREET_NAMES,
    STREET_OVER,
    TURN,
    Action,
    BettingState,
    start,
)
from runout.games.holdem_batch import HoldemBatch
from runout.games.holdem_game import CALL_SLOT, FOLD_SLOT, HoldemGame
from runout.games.points import BOARD_CARDS
from runout.games.tree import TO_CHANCE, TO_NODE, BettingTree
from runout.kernels.gadget import NO_GADGET
from runout.kernels.holdem import NO_ACTION
from runout.kernels.threads import thread_count
from runout.solvers.blueprint_policy import BlueprintPolicy
from runout.solvers.overbets import overbet
from runout.solvers.preflop_anew import PreflopAnew, SolvedPreflop, from_preflop, raisers
from runout.solvers.subgames import (
    GADGETS,
    BlueprintKnown,
    Known,
    Patience,
    Place,
    SolvedKnown,
    Subgame,
    known_rows,
    lean,
    resolve,
    shares_of,
    size,
)
from runout.solvers.translation import draw_of, pots, translated

MODES = {"blueprint": RIVER + 1, "river": RIVER, "turn": TURN, "flop": FLOP}  # from where on subgames are solved
SECONDS = 1.0
TREES = ("auto", "game", "lean")  # bets of a subgame: by the time that there is, all of the game, or few
ENOUGH, LEAST_ITERATIONS = (
    20,
    8,
)  # with all bets, where fewer bets would do; and with what there is: else it is not worth it
SETTING_UP = 10  # iterations that take as long as making a subgame's tables and finding what staying out is worth
PACE = 4e-9  # seconds of an iteration for each number that it looks at, before any was timed
MOST_NUMBERS = 50_000_000  # of a subgame, for its memory's sake: eight bytes each
OVERBET = 1.5  # a bet of more than so many times the largest size of the tree is a game of its own (`overbets`)
_KEPT = {FLOP: 64, TURN: 128, RIVER: 2048, RIVER + 1: 4096}  # points that are remembered; solved turns are large


@dataclass(frozen=True)
class BotSettings:
    """How a bot plays."""

    mode: str = "river"  # of MODES
    seconds: float = SECONDS  # a decision
    iterations: int | None = None  # of every subgame, in place of seconds: then the bot always plays the same
    gadget: str = "max-margin"  # of GADGETS
    tree: str = "auto"  # of TREES
    trust: float = 0.7  # share of the opponent that is taken to have the range that the blueprint expects
    seed: int = 0  # of what translated bets are taken as
    threads: int = 0  # 0: one for each core
    clock: Callable[[], float] = time.perf_counter

    def __post_init__(self) -> None:
        for name, value, known in (
            ("mode", self.mode, MODES),
            ("gadget", self.gadget, GADGETS),
            ("tree", self.tree, TREES),
        ):
            if value not in known:
                raise InputError(f"unknown {name} {value!r} of a bot: use {', '.join(known)}")
        if not 0.01 <= self.seconds <= 3600:
            raise InputError(f"{self.seconds:g} seconds a decision: use 0.01 to 3600")
        if not 0 <= self.trust < 1:
            raise InputError(f"trust = {self.trust:g}: use 0 to 0.99")
        if self.iterations is not None and not 1 <= self.iterations <= 100_000:
            raise InputError(f"{self.iterations} iterations: use 1 to 100000")


@dataclass(frozen=True, eq=False)
class Followed:
    """Where a hand stands, for one of the players: all that everybody has seen."""

    state: BettingState  # as it was played
    board: tuple[int, ...]  # open cards
    ranges: np.ndarray  # float64 [2, 1326]: what the players' actions leave of each hand
    known: Known  # what is played from here on
    place: Place | None  # the decision of its tree; None where it has none: nobody is to act, or the tree has ended
    there: BettingState  # the state at that decision; another one where bets were translated
    solved: str = ""  # how it was solved; empty: the blueprint
    iterations: int = 0
    later: Place | None = None  # the first decision of the next street, where the last bet was taken as a check or call
    calls: np.ndarray | None = None  # float64 [1326]: how often to call the last bet, far above all sizes of the tree
    anew: SolvedPreflop | None = None  # before the flop: with the raises that the blueprint does not have


@dataclass(frozen=True, eq=False)
class Answer:
    """What the bot does at a decision."""

    actions: tuple[Action, ...]
    shares: np.ndarray  # float64 [actions, 1326]: how often each is played with every hand
    ranges: np.ndarray  # float64 [2, 1326]
    how: str  # 'blueprint', or what was solved anew
    iterations: int  # of the subgame it comes from; 0 of the blueprint
    seconds: float


class Bot:
    """Plays a blueprint and solves subgames anew; a `protocols.HoldemPolicy`.

    bot = Bot(policy, BotSettings(mode="turn", seconds=2))
    bot.probabilities(batch, 0)                       # of a HoldemBatch, bets of any size among its actions
    bot.answer(state, board)                          # all hands at one decision
    """

    weights = np.ones(1)

    def __init__(self, policy: BlueprintPolicy, settings: BotSettings | None = None) -> None:
        self.settings, self.policy = settings or BotSettings(), policy
        self.game: HoldemGame = policy.what.game
        self.blueprint = BlueprintKnown(policy)
        self._preflop = PreflopAnew.of(policy)
        self.seconds: dict[int, list[float]] = {}  # of decisions, by street
        self._first = MODES[self.settings.mode]
        every, few = self.game.menu, lean(self.game.menu)
        self._menus = {"game": [every], "lean": [few], "auto": [every] if few == every else [every, few]}[
            self.settings.tree
        ]
        self._pace, self._begun = PACE, 0.0
        self._standing = lru_cache(_KEPT[self._first])(self._found)

    def warm(self) -> None:
        """Compile what a first decision would have to wait for: a subgame of each street that is solved anew."""
        rules = self.game.rules
        for street in range(max(self._first, 1), rules.last_street + 1):
            state = start(rules)
            while state.street < street:
                state = next_state(state, state.verify(Action(CALL if state.to_call else CHECK)))
            board = self.game.deck[: BOARD_CARDS[street]]
            subgame = Subgame(self.game, state, board, self.game.weights, state.player)
            if self._numbers(subgame) <= MOST_NUMBERS:
                effort = Patience(1, threads=thread_count(self.settings.threads))
                resolve(subgame, self.blueprint, None, NO_GADGET, effort)

    @property
    def with_all_bets(self) -> bool:
        """Whether subgames have all bets of the game, whatever time there is."""
        counted = self.settings.iterations is not None and self.settings.tree != "lean"
        return counted or self._menus == [self.game.menu]

    @property
    def deals_at_once(self) -> int:
        """In matches: for so many hands at least what was solved is kept."""
        return _KEPT[self._first] // 32

    def probabilities(self, batch: HoldemBatch, part: int = 0) -> np.ndarray:
        """float64 [n, slots] of a batch without hands that are over."""
        out = np.zeros((len(batch), batch.rules.slots))
        rows, place = _alike(batch)
        for number, row in enumerate(rows):
            same = np.flatnonzero(place == number)
            state = _state_of(batch, int(row))
            answer = self.answer(state, batch.cards[row, 4 : 4 + BOARD_CARDS[state.street]].tolist())
            slots = self._slots(batch.game, state, answer.actions)
            hole = batch.cards[same, 2 * state.player : 2 * state.player + 2]
            shares = answer.shares[:, combo_index(hole[:, 0], hole[:, 1])].T
            for slot, share in zip(slots, shares.T, strict=True):
                out[same, slot] += share
        return out

    def answer(self, state: BettingState, board: Sequence[int]) -> Answer:
        """What the player to act does with every hand; `state` may come from bets of any size."""
        begun = self.settings.clock()
        at = self.followed(state.player, state, board)
        shares, actions = self._mix(at)
        seconds = self.settings.clock() - begun
        self.seconds.setdefault(state.street, []).append(seconds)
        return Answer(actions, shares, at.ranges, at.solved or "blueprint", at.iterations, seconds)

    def followed(self, player: int, state: BettingState, board: Sequence[int], anew: bool = True) -> Followed:
        """Where a hand stands for a player; anew: with the subgame solved that begins here."""
        self._begun = self.settings.clock()
        cards = tuple(int(card) for card in board)
        if anew or not state.played:
            return self._standing(player, state.played, cards)
        before = self._before(player, state.played, cards)
        action = state.played[-1]
        return self._moved(before, player, next_state(before.state, action), action, cards)

    def _mix(self, at: Followed) -> tuple[np.ndarray, tuple[Action, ...]]:
        state = at.state
        if at.anew is not None:
            line = self._line(state)
            actions = tuple(from_preflop(state, action, self.game.big_blind) for action in at.anew.actions(line))
            return at.anew.played(line)[:, COMBO_CLASS], actions
        if at.calls is not None:
            return np.stack([1 - at.calls, at.calls]), (state.verify(Action(FOLD)), state.verify(Action(CALL)))
        if at.place is None:
            return np.ones((1, COMBOS)), (state.verify(Action(CALL if state.to_call else CHECK)),)
        rows = known_rows(at.known, at.place, at.board)
        actions = tuple(at.known.tree.streets[at.place.street].actions(at.place.node))
        passive = np.array([action.kind in (CHECK, CALL) for action in actions], np.float64)
        shares = shares_of(np.where(rows.any(axis=0), rows, passive[:, None]))  # a hand that was not solved for
        if at.there.spent != at.state.spent or at.there.bets != at.state.bets:
            actions = tuple(_in_chips(at.state, at.there, action) for action in actions)
        return shares, actions

    def _slots(self, game: HoldemGame, state: BettingState, actions: Sequence[Action]) -> list[int]:
        """The slot of each action; of a size that the game does not offer, the one with the nearest."""
        offered = game.slots(state)
        found = []
        for action in actions:
            same = next((slot for slot, one in offered.items() if one[:2] == action[:2]), None)
            if same is None:
                sizes = {slot: abs(one.amount - action.amount) for slot, one in offered.items() if slot > CALL_SLOT}
                passive = CALL_SLOT if action.kind in (CHECK, CALL) or FOLD_SLOT not in offered else FOLD_SLOT
                same = (
                    min(sizes, key=sizes.__getitem__) if sizes and action.kind not in (FOLD, CHECK, CALL) else passive
                )
            found.append(same)
        return found

    # Following a hand

    def _found(self, player: int, actions: tuple[Action, ...], board: tuple[int, ...]) -> Followed:
        """Where a hand stands for `player` after these actions."""
        if not actions:
            begun = start(self.game.rules)
            return Followed(begun, (), self.game.weights.copy(), self.blueprint, Place(0, 0), begun)
        return self._played(self._before(player, actions, board), player, actions[-1], board)

    def _before(self, player: int, actions: tuple[Action, ...], board: tuple[int, ...]) -> Followed:
        """Where the hand stood before the last action."""
        state = start(self.game.rules)
        for action in actions[:-1]:
            state = next_state(state, action)
        return self._standing(player, actions[:-1], board[: BOARD_CARDS[state.street]])

    def _played(self, at: Followed, player: int, action: Action, board: tuple[int, ...]) -> Followed:
        """Where the hand stands after one more action, and after the cards that come then."""
        state = next_state(at.state, action)
        if at.state.street >= self._first and self._exact(at, action) is None:  # a bet that the tree does not have
            here = replace(at, state=state, board=board, later=None, calls=None)
            found = None if state.over or state.street > at.state.street else self._solved(here, player, at)
            if found is not None:
                return found
        here = self._moved(at, player, state, action, board)
        if state.street > at.state.street and state.street >= self._first and not state.over:
            return self._solved(here, player, None) or here
        return here

    def _exact(self, at: Followed, action: Action) -> int | None:
        """The number of an action in the tree; None where it is not there, or where the tree counts other chips."""
        if at.place is None or at.there.bets != at.state.bets or at.there.spent != at.state.spent:
            return None
        offered = at.known.tree.streets[at.place.street].actions(at.place.node)
        return next((number for number, one in enumerate(offered) if one == action), None)

    def _translated(self, at: Followed, action: Action) -> int | None:
        if at.place is None:
            return None
        offered = at.known.tree.streets[at.place.street].actions(at.place.node)
        draw = draw_of(self.settings.seed, at.state.played, action, at.board)
        return translated(at.state, action, at.there, offered, draw)

    def _moved(
        self, at: Followed, player: int, state: BettingState, action: Action, board: tuple[int, ...]
    ) -> Followed:
        """What is known after an action, without subgames."""
        number = self._exact(at, action)
        odd = number is None and action.kind not in (FOLD, CHECK, CALL)
        if at.state.street == PREFLOP and self._preflop is not None and (at.anew is not None or odd):
            return self._before_flop(self._preflop, at, player, state, action, board)
        number = self._translated(at, action) if number is None else number
        actor, ranges, place, there, far = at.state.player, at.ranges.copy(), None, at.there, number is None
        later: Place | None = None
        if at.place is not None and number is not None:
            taken = at.known.tree.streets[at.place.street].actions(at.place.node)[number]
            there = next_state(at.there, taken)
            if not there.over:
                below = next_place(at.known.tree, at.place, number)
                place, later = (below, None) if there.street == state.street else (None, below)
            if taken.kind in (CHECK, CALL):
                far = False
            elif action.kind not in (FOLD, CHECK, CALL):
                far = pots(at.state, action.amount) > OVERBET * pots(at.there, taken.amount)
            narrowed = ranges[actor] * shares_of(known_rows(at.known, at.place, at.board))[number]
            if narrowed.any() and not far:  # else it should never do this, and nothing is learnt from it
                ranges[actor] = narrowed
        elif at.later is not None and state.street == at.there.street:
            place, far = at.later, False
        calls = None
        if far and action.kind not in (FOLD, CHECK, CALL):
            put = state.spent[actor] - at.state.spent[actor]
            bets, calls = overbet(
                self.game, at.board, at.state.pot, put, state.to_call, ranges[actor], ranges[1 - actor]
            )
            ranges[actor] = ranges[actor] * bets
        ranges *= ~np.isin(COMBO_CARDS, board).any(axis=1)
        return replace(at, state=state, board=board, ranges=ranges, place=place, there=there, later=later, calls=calls)

    def _before_flop(
        self,
        solver: PreflopAnew,
        at: Followed,
        player: int,
        state: BettingState,
        action: Action,
        board: tuple[int, ...],
    ) -> Followed:
        """What is known after an action before the flop, at or after a raise that the blueprint does not have."""
        line, actor, anew, ranges = self._line(state), at.state.player, at.anew, at.ranges.copy()
        if anew is None or line not in anew.shares:
            anew = solver.after(player, line, anew, self._late)
        narrowed = ranges[actor] * anew.shares[line][COMBO_CLASS]
        if narrowed.any():
            ranges[actor] = narrowed
        ranges *= ~np.isin(COMBO_CARDS, board).any(axis=1)
        how = "preflop solved anew"
        here = replace(at, state=state, board=board, ranges=ranges, place=None, anew=anew, solved=how)
        if state.street == PREFLOP or state.over:
            return here
        place, there = self._like(state)
        return replace(here, anew=None, solved="", place=place, there=there)

    def _late(self) -> bool:
        """Whether the time for this decision is over, where it has a time."""
        return self.settings.iterations is None and self.settings.clock() - self._begun >= self.settings.seconds

    def _line(self, state: BettingState) -> str:
        """What was played before the flop."""
        assert self._preflop is not None
        return self._preflop.line(state.played, self.game.big_blind)

    def _like(self, state: BettingState) -> tuple[Place | None, BettingState]:
        """The way to the flop of the blueprint that is most like one that it does not have: by number of raises and by
        who made the last, then by the size of the pot."""
        who = raisers(state)

        def off(entry: tuple[Place | None, BettingState]) -> tuple[int, bool, float]:
            theirs = raisers(entry[1])
            other = theirs[-1:] != who[-1:]
            return abs(len(theirs) - len(who)), other, abs(float(np.log(entry[1].pot / state.pot)))

        return min(self._entries, key=off, default=(None, state))

    @cached_property
    def _entries(self) -> list[tuple[Place | None, BettingState]]:
        """The blueprint's ways to the flop with chips behind: the first decision there, and the state."""
        found, tree = [], self.blueprint.tree
        stack = [(Place(0, 0), start(self.game.rules))]
        while stack:
            place, state = stack.pop()
            for number, action in enumerate(tree.streets[0].actions(place.node)):
                after, below = next_state(state, action), next_place(tree, place, number)
                if below is not None and below.street == PREFLOP:
                    stack.append((below, after))
                elif after.street == FLOP and not after.over:
                    found.append((below, after))
        return found

    def _solved(self, here: Followed, player: int, bet_at: Followed | None) -> Followed | None:
        """The subgame that begins here, solved for a player; None where that would take too long.

        bet_at: where a bet was made that is not in the tree.
        """
        settings = self.settings
        subgame = self._affordable(Subgame(self.game, here.state, here.board, here.ranges, player))
        if subgame is None:
            return None
        gadget, before, scale = GADGETS[settings.gadget], None, 1.0
        if here.place is None or (bet_at is not None and bet_at.state.player == player):
            gadget = NO_GADGET  # somebody else bet for it, or the tree ended before: nothing is known of that
        elif here.there.spent != here.state.spent:
            before = replace(subgame, state=here.there, menu=here.known.menu)
            scale = (bet_at or here).state.pot / here.there.pot
        elif subgame.menu != here.known.menu:
            before = replace(subgame, menu=here.known.menu)
        effort = Patience(
            settings.iterations, settings.seconds, self._begun, settings.clock, threads=thread_count(settings.threads)
        )  # fmt: skip
        trust = settings.trust if bet_at is None else 0.0  # with which hands a bet is made that nobody expects?
        found = resolve(subgame, here.known, here.place, gadget, effort, before, scale, trust)
        self._pace = min((self._pace + found.seconds / self._numbers(subgame)) / 2, 2 * self._pace)
        known = SolvedKnown(found.solver, here.board, player, subgame.menu or self.game.menu)
        how = f"{STREET_NAMES[here.state.street]} solved anew"
        return replace(
            here, known=known, place=Place(0, 0), there=here.state, solved=how, iterations=found.iterations
        )  # fmt: skip

    def _numbers(self, subgame: Subgame) -> int:
        return size(subgame.tree(), subgame.weights(), len(subgame.board), len(self.game.deck))

    def _affordable(self, subgame: Subgame) -> Subgame | None:
        """The subgame with as many bets as memory and, by what others took, the time that is left allow; None where it
        takes too long with few."""
        settings, menus = self.settings, self._menus
        left = self._begun + settings.seconds - settings.clock()
        for menu in menus:
            found = replace(subgame, menu=menu)
            numbers, wanted = self._numbers(found), LEAST_ITERATIONS if menu is menus[-1] else ENOUGH
            quick = settings.iterations is not None or (SETTING_UP + wanted) * numbers * self._pace <= left
            if quick and numbers <= MOST_NUMBERS:
                return found
        if settings.iterations is None:
            self._pace *= 0.9  # the machine may have been busy: it is tried again some time
        return None


def next_place(tree: BettingTree, place: Place, number: int) -> Place | None:
    """The decision that an action leads to; None where it leads to none."""
    street = tree.streets[place.street]
    edge = int(street.first_edge[place.node]) + number
    kind, child = int(street.child_kind[edge]), int(street.child[edge])
    if kind == TO_NODE:
        return Place(place.street, child)
    if kind != TO_CHANCE:
        return None
    after = tree.streets[place.street + 1]
    node = int(after.entry_node[child])
    return Place(place.street + 1, node) if after.player[node] != NOBODY else None


def next_state(state: BettingState, action: Action) -> BettingState:
    """The state after an action, on the next street where it ends one."""
    after = state.play(action)
    return after.next_street() if after.status == STREET_OVER else after


def _in_chips(state: BettingState, there: BettingState, action: Action) -> Action:
    """An action of the tree as one of the hand: the same share of the pot."""
    passive = state.verify(Action(CALL if state.to_call else CHECK))
    if action.kind in (FOLD, CHECK, CALL):
        return state.verify(Action(action.kind)) if state.can(Action(action.kind)) else passive
    legal = state.legal()
    if not legal.largest:
        return passive
    if action.amount >= there.legal().largest:
        return state.verify(Action(RAISE if state.facing else BET, legal.largest))
    share = (action.amount - there.facing) / (there.pot + there.to_call)
    total = round(state.facing + share * (state.pot + state.to_call))
    return state.verify(Action(RAISE if state.facing else BET, min(max(total, legal.smallest), legal.largest)))


def _alike(batch: HoldemBatch) -> tuple[np.ndarray, np.ndarray]:
    """Rows that differ in what everybody sees, and for every row which of them it is like."""
    n, shown = len(batch), np.array(BOARD_CARDS)[batch.hands["street"]]
    board = np.where(np.arange(5) < shown[:, None], batch.cards[:, 4:], 255).astype(np.uint8)
    seen = np.concatenate([batch.added.reshape(n, -1).view(np.uint8), board], axis=1)
    _, first, place = np.unique(seen, axis=0, return_index=True, return_inverse=True)
    return first, place.reshape(-1)


def _state_of(batch: HoldemBatch, row: int) -> BettingState:
    """The betting of one hand of a batch, replayed."""
    state = start(batch.game.rules)
    for street in batch.added[row]:
        for chips in street:
            if chips == NO_ACTION:
                break
            total = state.bets[state.player] + int(chips)
            if total > state.facing:
                action = state.verify(Action(RAISE if state.facing else BET, total))
            else:
                action = state.verify(Action(CALL if state.to_call else CHECK))
            state = next_state(state, action)
    return state
