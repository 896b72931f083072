"""How good a solution is, whatever its kind: exactly where that can be done, else by bounds that say so."""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Protocol, runtime_checkable

import numpy as np

from runout.cursors.cursor import AnySolution
from runout.cursors.exact_solution import ExactSolution
from runout.cursors.flop_solution import FlopSolution
from runout.cursors.game_solution import GameSolution, chip_unit
from runout.cursors.kinds import fetch, kind_of
from runout.cursors.policy_solution import PolicySolution
from runout.cursors.preflop_solution import PreflopSolution
from runout.cursors.spot_solution import SpotSolution
from runout.errors import InputError
from runout.evaluation.lbr import DEALS, local_best_response
from runout.evaluation.response import BY_NETWORK, EXACT, LOCAL, SAMPLED, Response
from runout.evaluation.sampled_response import BoardResponse
from runout.games.betting import FLOP, STREET_NAMES
from runout.games.flop_choice import flop_choice
from runout.games.holdem_game import FULL_DECK, HoldemGame
from runout.games.lines import POSITIONS
from runout.progress import Progress, listener
from runout.protocols import Event, Executor, OnEvent
from runout.solutions.reached import MBB, OF_POT
from runout.solvers.assessment import Assessment
from runout.solvers.blueprint_measure import measure_flops
from runout.solvers.blueprint_policy import BlueprintPolicy, as_blueprint
from runout.solvers.range_values import assess_ranges

METHODS = {"auto": "", "exact": EXACT, "lbr": LOCAL, "sampled": SAMPLED}
PATIENCE = 20 * 60.0  # seconds that an exact figure may take before `auto` goes for bounds

OnStep = Callable[[str, int, int], None]  # the method, steps done, steps in all

FLOPS = "95"  # of a full deck with four streets, where none are asked for

_EXACT_SAYS = "exact: a best response gains this much, no more and no less."


@runtime_checkable
class AveragedPolicy(Protocol):
    """A mixture whose explicit average the range engine can hold: networks of Flop Hold'em."""

    weights: np.ndarray
    iterations: np.ndarray  # int64 [parts]

    def average(self) -> Any: ...

    def add_part(self, average: Any, part: int) -> None: ...


@runtime_checkable
class BoardMeasuredPolicy(Protocol):
    """A mixture whose explicit average can be held on every board of a small deck: networks of boards."""

    weights: np.ndarray

    def gains(self, on_done: Callable[[int, int], None]) -> tuple[float, float] | None: ...


@dataclass(frozen=True, slots=True)
class Evaluation:
    """Exploitability is the mean over both players of what a response gains; NashConv is the sum."""

    exploitability: float
    unit: str  # "mA/g", "mbb/hand", "% of the pot"
    method: str  # EXACT, LOCAL or SAMPLED
    interval: tuple[float, float]  # 95%; both ends alike where the figure is exact
    per_player: dict[str, float] | None  # gain of a response in each seat; None where only their mean was kept
    summed: float
    says: str  # what the figure means or bounds
    size: str = ""  # what was looked at
    also: tuple[Evaluation, ...] = ()  # bounds by other methods
    by_street: Mapping[str, float] = field(default_factory=dict)  # gains of responses that begin on a street
    curve: tuple[tuple[int, float], ...] = ()  # (iteration, exploitability) of the same run earlier, where asked for

    def to_dict(self) -> dict[str, Any]:
        """As `runout evaluate --json` prints it."""
        record: dict[str, Any] = {
            "exploitability": self.exploitability,
            "unit": self.unit,
            "method": self.method,
            "interval": list(self.interval),
            "per_player": self.per_player,
            "summed": self.summed,
            "says": self.says,
        }
        if self.size:
            record["size"] = self.size
        if self.by_street:
            record["by_street"] = dict(self.by_street)
        if self.curve:
            record["curve"] = [list(point) for point in self.curve]
        if self.also:
            record["also"] = [other.to_dict() for other in self.also]
        return record


@dataclass(frozen=True, slots=True)
class Effort:
    """What is asked of an evaluation; see `evaluate`."""

    method: str
    eval_deals: int | None
    hands: int
    seed: int
    hear: OnEvent | None
    points: int
    flops: str | None
    by_street: bool = False
    executor: Executor | None = None
    bets: str = "game"
    begun: float = field(default_factory=time.perf_counter)

    def steps(self, name: str) -> Callable[[int, int], None]:
        """Hears of the steps of one method, and tells of them as events."""

        def tell(done: int, total: int) -> None:
            if self.hear is not None:
                elapsed = time.perf_counter() - self.begun
                left = elapsed / done * (total - done) if done else None
                kind = "done" if done == total else "step"
                self.hear(Event(kind, done, None, "", elapsed, left, total=total, counted=f"steps of {name}"))

        return tell

    def refuse_flops(self) -> None:
        """Refuse what only blueprints are asked for."""
        if self.flops is not None or self.by_street or self.executor is not None:
            what = "flops are" if self.flops is not None else "by_street is" if self.by_street else "a cluster is"
            raise InputError(f"{what} for exact figures of blueprints and of tables with a card abstraction")

    def require_exact(self) -> None:
        """Refuse bounds for a solution that is measured exactly."""
        self.refuse_flops()
        if self.method not in ("auto", "exact"):
            raise InputError(
                f"method {self.method!r} is for trained hold'em strategies: this solution is measured exactly"
            )


def evaluate(
    solution: AnySolution,
    method: str = "auto",
    eval_deals: int | None = None,
    hands: int = DEALS,
    seed: int = 0,
    on_step: OnStep | None = None,
    points: int = 0,
    flops: str | None = None,
    by_street: bool = False,
    *,
    progress: Progress = None,
    executor: Executor | None = None,
    bets: str = "game",
) -> Evaluation:
    """Measure how far a solution is from equilibrium.

    Args:
        solution: the solution; all but trained hold'em strategies are measured exactly.
        method: `exact`, `lbr` (local best response, a lower bound) or `sampled` (a best response on sampled boards);
            `auto` is exact where that takes minutes and a bound otherwise.
        eval_deals: boards of the sampled best response; with `auto` it is taken besides the local one.
        hands: deals of the local best response.
        seed: seed of what is sampled.
        on_step: the older form of `progress`, a function of method, steps done and steps in all.
        points: at how many earlier iterations networks of Flop Hold'em are measured as well.
        flops: blueprints, and tables with a card abstraction, are measured exactly in the game with these flops:
            'all', a number of flops that stand for all, a set such as 'even-95', or a file.
        by_street: of the same solutions, also what responses gain that follow the strategy itself before the flop, the
            turn or the river: how much of what is lost is lost on which street.
        progress: True draws one line; a function hears every event.
        executor: where the flops of a blueprint are measured instead of here, as `runout.run.ray_cluster.RayCluster`.
        bets: what the local best response bets: `game`, the sizes of the game; `none`; or `pot`, the pot and all-in
            from the turn on, against bots, which answer bets of any size.
    """
    if method not in METHODS:
        raise InputError(f"unknown method {method!r}: use {', '.join(METHODS)}")
    if bets != "game" and method != "lbr":
        raise InputError(f"bets = {bets} is for local best response: use method lbr")
    hear = listener(progress)
    if on_step is not None:
        warnings.warn("evaluate(on_step=...) is now evaluate(progress=...)", DeprecationWarning, stacklevel=2)
        hear = _stepwise(on_step)
    effort = Effort(method, eval_deals, hands, seed, hear, points, flops, by_street, executor, bets)
    found: Evaluation = fetch(kind_of(solution).evaluate)(solution, effort)
    return found


def _stepwise(on_step: OnStep) -> OnEvent:
    def hear(event: Event) -> None:
        on_step(event.counted.removeprefix("steps of "), event.iteration, event.total or 0)

    return hear


def evaluate_policy(solution: PolicySolution, effort: Effort) -> Evaluation:
    """A trained strategy of hold'em, by the method asked for."""
    game, policy, method = solution.game, solution.policy, effort.method
    if isinstance(policy, AveragedPolicy) and method in ("auto", "exact"):
        effort.refuse_flops()
        return _averaged(game, policy, effort)

    if isinstance(policy, BoardMeasuredPolicy) and method in ("auto", "exact"):
        gains = policy.gains(effort.steps(EXACT))
        if gains is not None:
            effort.refuse_flops()
            return _on_every_board(game, gains, len(policy.weights))

    if method in ("auto", "exact"):
        blueprint = as_blueprint(policy)
        if blueprint is not None:
            return _blueprint(game, blueprint, effort)
    effort.refuse_flops()

    def local() -> Evaluation:
        return _of(
            local_best_response(game, policy, effort.hands, effort.seed, on_done=effort.steps(LOCAL), bets=effort.bets)
        )

    def sampled() -> Evaluation:
        response = BoardResponse(game, policy, effort.seed)
        return _of(response.measure(response.plan(effort.eval_deals), on_done=effort.steps(SAMPLED)))

    if method == "lbr":
        return local()
    if method == "sampled":
        return sampled()
    if method == "exact" or (effort.eval_deals is None and _may_be_exact(game)):
        response = BoardResponse(game, policy, effort.seed)
        whole = response.whole()
        if method == "exact" or whole.seconds <= PATIENCE:
            return _of(response.measure(whole, on_done=effort.steps(EXACT)))
    found = local()
    if effort.eval_deals is None:
        return found
    return replace(found, also=(sampled(),))


def _averaged(game: HoldemGame, policy: AveragedPolicy, effort: Effort) -> Evaluation:
    """Exact: the parts' average on the range engine, one after the other."""
    step, points = effort.steps(EXACT), effort.points
    average, total = policy.average(), len(policy.weights)
    marks = {round(total * (n + 1) / points) - 1 for n in range(points)} if points else set()
    scale, curve = 1000 / game.big_blind, []
    for part in range(total):
        policy.add_part(average, part)
        if part in marks:
            curve.append((int(policy.iterations[part]), average.solver.exploitability() * scale))
        step(part + 1, total)
    found = _exact(assess_ranges(average.solver), POSITIONS, scale, MBB)
    size = f"the average of {total} networks a player, every hand on every flop"
    return replace(found, size=size, curve=tuple(curve))


def _on_every_board(game: HoldemGame, chips: tuple[float, float], parts: int) -> Evaluation:
    gains = {name: game.mbb(gain) for name, gain in zip(POSITIONS, chips, strict=True)}
    figure = sum(gains.values()) / 2
    size = f"the average of {parts} networks a player, every hand on every board"
    return Evaluation(figure, MBB, EXACT, (figure, figure), gains, 2 * figure, _EXACT_SAYS, size)


def _blueprint(game: HoldemGame, policy: BlueprintPolicy, effort: Effort) -> Evaluation:
    """Exact: a best response over all boards of all flops, or of a set of them."""
    small = len(game.deck) < len(FULL_DECK) or game.rules.last_street == FLOP
    choice = flop_choice(effort.flops or ("all" if small else FLOPS), policy.what.game.deck)
    found = measure_flops(
        policy.what, policy.buckets, choice, on_done=effort.steps(EXACT), by_street=effort.by_street,
        executor=effort.executor,
    )  # fmt: skip
    gains = {name: game.mbb(gain) for name, gain in zip(POSITIONS, found.gains, strict=True)}
    figure = sum(gains.values()) / 2
    says = _EXACT_SAYS if choice.all else f"{_EXACT_SAYS[:-1]}, in the game with {choice}."
    size = f"every hand on every board of {choice}; on the button it wins {game.mbb(found.values[1]):.4g} mbb/hand"
    streets = {name: game.mbb(gain) for name, gain in zip(STREET_NAMES, found.by_street, strict=False)}
    return Evaluation(figure, MBB, EXACT, (figure, figure), gains, 2 * figure, says, size, by_street=streets)


def _may_be_exact(game: HoldemGame) -> bool:
    """Whether all boards are worth an estimate: with a full deck and rivers to come they take days."""
    return len(game.deck) < len(FULL_DECK) or game.rules.last_street - game.rules.first_street <= 1


def _of(found: Response) -> Evaluation:
    bound = found.exploitability
    gains = {POSITIONS[seat]: found.gains[seat].mean for seat in range(2)}
    interval = (bound.low, bound.high)
    return Evaluation(
        bound.mean, MBB, found.method, interval, gains, 2 * bound.mean, found.says, found.size
    )  # fmt: skip


def _exact(
    found: Assessment, players: tuple[str, str], per_unit: float, unit: str, says: str = _EXACT_SAYS
) -> Evaluation:
    """`per_unit`: how much of `unit` one of the assessment's own units is."""
    gains = {name: gain * per_unit for name, gain in zip(players, found.gains, strict=True)}
    summed = sum(gains.values())
    return Evaluation(summed / 2, unit, EXACT, (summed / 2, summed / 2), gains, summed, says)


def evaluate_game(solution: GameSolution, effort: Effort) -> Evaluation:
    """A small game."""
    effort.require_exact()
    unit = chip_unit(solution.game)
    return _exact(solution.assessment, ("player 1", "player 2"), unit.per_chip, unit.name)


def evaluate_flop(solution: FlopSolution, effort: Effort) -> Evaluation:
    """Flop Hold'em or the flop game."""
    effort.require_exact()
    says = f"{_EXACT_SAYS[:-1]} ({solution.settings.accuracy()})."
    return _exact(solution.assess(), POSITIONS, solution.settings.mbb(1), MBB, says)


def evaluate_exact(solution: ExactSolution, effort: Effort) -> Evaluation:
    """One exact game over some flops; flops are loaded one after the other, so one has to fit in memory."""
    effort.require_exact()
    says = f"{_EXACT_SAYS[:-1]} ({solution.accuracy()})."
    if not solution.at_hand:
        kept = solution.exploitability
        if kept is None:
            raise InputError("what was learnt on the flops is not at hand, and the run was never measured")
        says = f"{says[:-1]}; measured when it was solved, what was learnt on its flops is not at hand."
        return Evaluation(kept, MBB, EXACT, (kept, kept), None, 2 * kept, says)
    return _exact(solution.assess(), POSITIONS, solution.settings.game().mbb(1), MBB, says)


def evaluate_preflop(solution: PreflopSolution, effort: Effort) -> Evaluation:
    """A game before the flop."""
    effort.require_exact()
    says = f"{_EXACT_SAYS[:-1]}, called pots being worth what {solution.leaf!r} says."
    return _exact(solution.assessment, POSITIONS, 1000, MBB, says)


def evaluate_postflop(solution: SpotSolution, effort: Effort) -> Evaluation:
    """A postflop spot."""
    effort.require_exact()
    if solution.solver is None:  # saved without rivers: what was measured when it was solved
        kept = solution.exploitability
        if solution.spot.solve.leaf == "network":
            says = "by the values of a network for later streets, so no bound: the true exploitability is higher."
            return Evaluation(kept, OF_POT, BY_NETWORK, (kept, kept), None, 2 * kept, says)
        says = f"{_EXACT_SAYS[:-1]}; measured when it was solved, the rivers are not in the file."
        return Evaluation(kept, OF_POT, EXACT, (kept, kept), None, 2 * kept, says)
    first, second = (name.upper() for name in solution.spot.players)
    return _exact(assess_ranges(solution.solver), (first, second), 100 / solution.spot.pot, OF_POT)
