"""Local best response (Lisy and Bowling 2017): a lower bound of exploitability in games too large for an exact one.

1. The response knows the policy, its own cards and the open ones, nothing else. It keeps the opponent's range by Bayes:
   what the policy's own actions leave of every hand, all 1,326 in one batch.
2. At its own decisions it takes the action that would be best if both only checked and called from then on: the exact
   equity against the range, and for every bet or raise how much of the range folds to it.
3. What it wins, anybody could win. Every deal is played in both seats; the mean over seats bounds exploitability.

Variance is cut without bias: where hands are shown down, the response gets its mean over the opponent's range and over
cards to come, given all that it knows, in place of the hand that was dealt. And luck is taken off as it comes, each
time a number whose mean is 0 given all that the response knew before: how good its own cards are, what the cards of a
street did to its share of the pot, and what the action that was drawn for the opponent's range is worth more than the
mean over all that might have been drawn. A policy of many parts is modelled by some of them; then the range is a model
only, the bound holds all the same, hands are shown as they were dealt and luck is left in.
"""

from __future__ import annotations

import numpy as np

from runout.cards.hands import COMBOS, combo_index, disjoint_combos
from runout.cursors.mixtures import first_reach, live_hands, open_cards, part_probabilities
from runout.errors import InputError
from runout.evaluation.intervals import Estimate, estimate
from runout.evaluation.match import DEALS_AT_ONCE, OnDone, draw_parts, draw_slots, most_at_once, play
from runout.evaluation.response import LOCAL, Response
from runout.games.betting import TURN
from runout.games.deals import draw_deals
from runout.games.holdem_batch import NO_SLOT, HoldemBatch
from runout.games.holdem_game import CALL_SLOT, FIRST_SIZE, FOLD_SLOT, HoldemGame
from runout.games.showdowns import shares
from runout.kernels.holdem import CLOSED
from runout.kernels.threads import thread_map
from runout.protocols import HoldemPolicy

MOST_PARTS = 8  # of a mixture, in the model of the opponent
DEALS = 1000
_DEALS_AT_ONCE = 128  # of a policy with one part
BETS = (
    "game",
    "none",
    "pot",
)  # what the response may bet: the game's sizes, nothing, or the pot and all-in from the turn
_ENOUGH = 10  # deals for each kind of luck, to see what goes with it
_OWN_PLAYS = 4  # of a deal between the policy and itself, each way round


def local_best_response(
    game: HoldemGame,
    policy: HoldemPolicy,
    deals: int = DEALS,
    seed: int = 0,
    most_parts: int = MOST_PARTS,
    on_done: OnDone | None = None,
    bets: str = "game",
) -> Response:
    """Play this many deals in both seats against the policy; the result is in mbb per hand.

    bets: of BETS; with `pot` the policy is asked about bets that its game may not have, as only a bot can be.
    Of a bot the gains in each seat are all that the response wins there.
    """
    if deals < 2:
        raise InputError(f"hands = {deals}: use 2 deals or more")
    if bets not in BETS:
        raise InputError(f"unknown bets {bets!r} of a response: use {', '.join(BETS)}")
    if bets == "pot" and not game.no_limit:
        raise InputError(f"{game.name} has no bets of the pot: use game or none")
    rng = np.random.default_rng(seed)
    model = _model(policy, most_parts, rng)
    generator = np.array([seed], np.uint64)
    at_once = min(max(8, _DEALS_AT_ONCE // len(model.weights)), most_at_once(policy))
    costly = most_at_once(policy) < DEALS_AT_ONCE  # it solves as it plays: not to be played against itself as well
    found = []
    for start in range(0, deals, at_once):
        cards = draw_deals(game, min(at_once, deals - start), generator)
        seats = [LocalResponse(game, policy, model, cards, seat, rng, bets) for seat in range(2)]
        wins = [seat.play() for seat in seats]
        own = np.zeros(len(cards)) if costly else _own_value(game, policy, cards, rng)
        found.append(np.column_stack([*wins, own, *(seat.luck for seat in seats)]))
        if on_done is not None:
            on_done(start + len(cards), deals)
    played = np.concatenate(found) * 1000 / game.big_blind
    big, small, own = played.T[:3]
    big, small = (
        without_luck(won, luck) for won, luck in zip((big, small), np.split(played[:, 3:], 2, axis=1), strict=True)
    )
    bound = estimate((big + small) / 2)
    return Response(
        method=LOCAL,
        exploitability=bound,
        gains=(estimate(big - own), estimate(small + own)),
        values=(float(own.mean()), -float(own.mean())),
        says=_sentence(bound),
        size=f"{deals:,} deals in both seats" + ("" if model.whole else f", {len(model.weights)} parts modelled"),
    )


def without_luck(won: np.ndarray, luck: np.ndarray) -> np.ndarray:
    """float64 [n]: winnings less what goes with luck float64 [n, kinds], numbers whose means are 0.

    How much goes with each is found for every deal from all others (least squares), so the mean stays what it was.
    """
    if len(won) < _ENOUGH * luck.shape[1]:
        return won
    rows = np.column_stack([np.ones(len(won)), luck])
    squares = (rows.T @ rows)[None] - rows[:, :, None] * rows[:, None, :]
    both = (rows.T @ won)[None] - rows * won[:, None]
    tiny = 1e-12 * np.trace(squares, axis1=1, axis2=2)[:, None, None] * np.eye(rows.shape[1])
    slopes = np.linalg.solve(squares + tiny, both[..., None])[:, 1:, 0]
    return np.asarray(won - (luck * slopes).sum(axis=1))


def _own_value(game: HoldemGame, policy: HoldemPolicy, deals: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """float64 [n]: chips that the policy wins from itself as big blind, hole cards as dealt and exchanged."""
    both = np.tile(np.concatenate([deals, deals[:, [2, 3, 0, 1, 4, 5, 6, 7, 8]]]), (_OWN_PLAYS, 1))
    parts = np.stack([draw_parts(policy, rng.random(len(both))) for _ in range(2)], axis=1)
    return np.asarray(play(game, (policy, policy), parts, both, rng)[:, 0].reshape(-1, len(deals)).mean(axis=0))


def _sentence(bound: Estimate) -> str:
    what = "a lower bound: exploitability is at least this much, because a response that anybody could play wins it"
    if bound.low > 0:
        return f"{what}; the true exploitability may be far higher."
    if bound.mean > 0:
        return f"{what}; the interval reaches below zero, so play more deals before you rely on it."
    return (
        "a lower bound that says nothing here: local best response found no way to win, which does not show that the "
        "policy is hard to beat."
    )


class _Model:
    """The policy as the response thinks of it: all parts, or some of many."""

    def __init__(self, policy: HoldemPolicy, parts: np.ndarray) -> None:
        self.policy, self.parts = policy, parts  # int64: parts of the policy
        self.whole = len(parts) == len(policy.weights)
        chosen = np.asarray(policy.weights, np.float64)[parts]
        self.weights = chosen / chosen.sum()

    def probabilities(self, batch: HoldemBatch, part: int) -> np.ndarray:
        return self.policy.probabilities(batch, int(self.parts[part]))


def _model(policy: HoldemPolicy, most_parts: int, rng: np.random.Generator) -> _Model:
    weights = np.asarray(policy.weights, np.float64)
    playing = np.flatnonzero(weights)
    if len(weights) <= most_parts:
        return _Model(policy, np.arange(len(weights)))
    odds = weights[playing] / weights[playing].sum()
    return _Model(policy, np.sort(rng.choice(playing, min(most_parts, len(playing)), replace=False, p=odds)))


class LocalResponse:
    """The response in one seat of many deals, in lock step."""

    def __init__(
        self,
        game: HoldemGame,
        policy: HoldemPolicy,
        model: _Model,
        deals: np.ndarray,
        seat: int,
        rng: np.random.Generator,
        bets: str = "game",
    ) -> None:
        self.game, self.policy, self.model, self.seat, self.rng, self.bets = game, policy, model, seat, rng, bets
        self.batch = HoldemBatch(game, deals)
        self.part = draw_parts(policy, rng.random(len(deals)))  # what the opponent really plays
        held = combo_index(deals[:, 2 * seat], deals[:, 2 * seat + 1])
        self.apart = disjoint_combos()[held]  # [n, 1326] hands that the opponent can hold
        self.reach = first_reach(model, len(deals)) * self.apart[:, None]
        self.lost = np.zeros(len(deals), bool)  # the model had no hand left that plays like this
        self._shares = np.zeros((len(deals), COMBOS))
        self._shares_street = np.full(len(deals), -1)
        self._known: dict[int, tuple[np.ndarray, int]] = {}  # what the opponent does after the best raise, its slot
        self.luck = np.zeros((len(deals), 3))  # with its own cards, with the board's, with what the opponent did

    def play(self) -> np.ndarray:
        """float64 [n]: chips that the response wins of each deal."""
        everywhere = np.arange(len(self.batch))
        if self.model.whole and not self.game.board and self.game.ranges is None:
            self.luck[:, 0] = self.game.big_blind * (self._expected(everywhere) - 0.5)
        while not self.batch.over.all():
            slots, amounts = np.full(len(self.batch), NO_SLOT), np.zeros(len(self.batch), np.int64)
            theirs = np.flatnonzero(self.batch.player == 1 - self.seat)
            own = np.flatnonzero(self.batch.player == self.seat)
            if len(theirs):
                slots[theirs] = self._answer(theirs)
            if len(own):
                slots[own] = self.action_values(own).argmax(axis=1)
                if self.bets != "game":
                    amounts[own] = np.maximum(self._totals(self.batch.take(own))[np.arange(len(own)), slots[own]], 0)
            self._known = {row: found for row, found in self._known.items() if slots[row] == found[1]}
            street, going = self.batch.hands["street"].copy(), np.flatnonzero(~self.batch.over)
            before = self._expected(going) if self.model.whole else np.zeros(0)
            self.batch.act(slots, amounts)
            if self.model.whole:
                self._take_off_cards(going, before, street)
        return self._winnings()

    def _expected(self, rows: np.ndarray) -> np.ndarray:
        """float64 [m]: the share of the pot that the response has against the range, over all cards to come."""
        share = self._share(rows)
        return _mean(self._weights(rows, self.batch.take(rows)), share)

    def _take_off_cards(self, rows: np.ndarray, before: np.ndarray, street: np.ndarray) -> None:
        """What the cards that came did to the pot's share of these rows."""
        came = (self.batch.hands["street"][rows] > street[rows]) & ~self.batch.over[rows]
        moved = rows[came]
        if len(moved):
            pot = self.batch.rules.pot + self.batch.hands["spent"][moved].sum(axis=1).astype(np.float64)
            after = self._expected(moved)
            self.luck[moved, 1] += np.where(self.lost[moved], 0.0, pot * (after - before[came]))

    def _take_off_actions(self, rows: np.ndarray, slots: np.ndarray, found: np.ndarray, totals: np.ndarray) -> None:
        """What the actions that were drawn are worth to the response beside the mean over all; before the range is
        narrowed. found float64 [m, parts, 1326, slots]; totals int64 [m, slots]: the opponent's chips after each."""
        batch, share = self.batch.take(rows), self._share(rows)
        bets, live = batch.hands["bets"].astype(np.int64), live_hands(batch) & self.apart[rows]
        pot = (batch.rules.pot + batch.hands["spent"].sum(axis=1)).astype(np.float64)[:, None]
        weights = np.einsum("npc,npcs->nsc", self.reach[rows] * live[:, None], found)
        reach = weights.sum(axis=2)
        shares = np.einsum("nsc,nc->ns", weights, share) / np.maximum(reach, 1e-300)
        puts = np.maximum(totals - bets[:, 1 - self.seat, None], 0)
        calls = np.maximum(totals - bets[:, self.seat, None], 0)
        worth = np.maximum(shares * (pot + puts + calls) - calls, 0.0)
        worth[:, FOLD_SLOT] = pot[:, 0]
        total = reach.sum(axis=1)
        mean = (reach * worth).sum(axis=1) / np.maximum(total, 1e-300)
        known = (total > 0) & ~self.lost[rows]
        self.luck[rows, 2] += np.where(known, worth[np.arange(len(rows)), slots] - mean, 0.0)

    def _totals(self, batch: HoldemBatch) -> np.ndarray:
        """int64 [n, slots]: the response's chips on this street after each slot that it may take, -1 for the others."""
        totals = batch.totals()
        if self.bets != "game":
            totals[:, FIRST_SIZE:] = -1
        if self.bets == "pot":
            low, high = batch.raise_bounds().T
            bets = batch.hands["bets"].astype(np.int64)
            facing, own = bets.max(axis=1), bets[:, self.seat]
            pot = batch.rules.pot + batch.hands["spent"].sum(axis=1) + facing - own
            can = (high > 0) & (batch.hands["street"] >= TURN)
            totals[:, -1] = np.where(can, high, -1)
            wanted = np.maximum(facing + pot, low)
            totals[:, FIRST_SIZE] = np.where(can & (wanted < high), wanted, -1)
        return totals

    def _answer(self, rows: np.ndarray) -> np.ndarray:
        """Draw what the opponent does in these rows, and narrow the opponent's range by it."""
        acting, slots = self.batch.take(rows), np.empty(len(rows), np.int64)
        draws = self.rng.random(len(rows))
        for part in np.unique(self.part[rows]):
            some = np.flatnonzero(self.part[rows] == part)
            slots[some] = draw_slots(self.policy.probabilities(acting.take(some), int(part)), draws[some])
        found = np.stack(self._strategies(rows))
        if self.model.whole:
            self._take_off_actions(rows, slots, found, acting.totals())
        self.reach[rows] *= found[np.arange(len(rows)), :, :, slots]
        for row in rows:
            self._known.pop(int(row), None)
        return slots

    def _strategies(self, rows: np.ndarray) -> list[np.ndarray]:
        """float64 [parts, 1326, slots] a row: what the opponent does with every hand."""
        fresh = np.array([row for row in rows if int(row) not in self._known], np.int64)
        asked = iter(self._ask(self.batch.take(fresh), self.reach[fresh]) if len(fresh) else ())
        return [self._known[int(row)][0] if int(row) in self._known else next(asked) for row in rows]

    def _ask(self, batch: HoldemBatch, reach: np.ndarray) -> np.ndarray:
        """float64 [n, parts, 1326, slots]; decisions that look the same to an observer are asked about once."""
        public, place = _distinct(batch)
        wanted = np.zeros((len(public), *reach.shape[1:]))
        np.maximum.at(wanted, place, reach)
        return np.asarray(part_probabilities(self.model, batch.take(public), wanted)[place])

    def action_values(self, rows: np.ndarray) -> np.ndarray:
        """float64 [m, slots]: what each action of the response is worth to it, folding 0; -inf where it is illegal."""
        batch = self.batch.take(rows)
        totals = self._totals(batch)
        hands = batch.hands
        pot = (batch.rules.pot + hands["spent"].sum(axis=1)).astype(np.float64)
        own, theirs = hands["bets"][:, self.seat], hands["bets"][:, 1 - self.seat]
        weights, share = self._weights(rows, batch), self._share(rows)
        values = np.full(totals.shape, -np.inf)
        values[totals[:, FOLD_SLOT] >= 0, FOLD_SLOT] = 0.0
        asked = totals[:, CALL_SLOT] - own
        called = _mean(weights, share) * (pot + asked) - asked
        values[:, CALL_SLOT] = np.where(totals[:, CALL_SLOT] >= 0, called, -np.inf)  # some games have no limps
        for slot in range(FIRST_SIZE, totals.shape[1]):
            can = np.flatnonzero(totals[:, slot] >= 0)
            if not len(can):
                continue
            after = batch.take(can)
            after.act(np.full(len(can), slot), totals[can, slot] if self.bets != "game" else None)
            found = self._ask(after, self.reach[rows[can]])
            folds = np.einsum("npc,npc->nc", self.reach[rows[can]], found[..., FOLD_SLOT]) * (weights[can] > 0)
            folded = folds.sum(axis=1) / weights[can].sum(axis=1)
            puts, calls = totals[can, slot] - own[can], totals[can, slot] - theirs[can]
            called = _mean(weights[can] - folds, share[can]) * (pot[can] + puts + calls) - puts
            values[can, slot] = folded * pot[can] + (1 - folded) * called
            best = values[can].argmax(axis=1) == slot  # so far: a later one replaces it
            self._known |= {int(rows[can[i]]): (found[i], slot) for i in np.flatnonzero(best)}
        return values

    def _weights(self, rows: np.ndarray, batch: HoldemBatch) -> np.ndarray:
        """float64 [m, 1326]: the opponent's range; a model that has lost every hand starts again from all."""
        live = live_hands(batch) & self.apart[rows]
        weights = self.reach[rows].sum(axis=1) * live
        lost = weights.sum(axis=1) <= 0
        if lost.any():
            self.reach[rows[lost]] = first_reach(self.model, int(lost.sum())) * live[lost, None]
            weights[lost] = live[lost]
            self.lost[rows[lost]] = True
        return np.asarray(weights)

    def _share(self, rows: np.ndarray) -> np.ndarray:
        """float64 [m, 1326]: mean share of the pot against each hand, with the cards that are open now."""
        batch = self.batch
        street = batch.hands["street"]
        new = [int(row) for row in rows if self._shares_street[row] != street[row]]
        shown = open_cards(batch)

        def of(row: int) -> np.ndarray:
            hole = batch.cards[row, 2 * self.seat : 2 * self.seat + 2].tolist()
            return shares(hole, batch.cards[row, 4 : 4 + shown[row]].tolist(), self.game)

        for row, found in zip(new, thread_map(of, new), strict=True):
            self._shares[row], self._shares_street[row] = found, street[row]
        return np.asarray(self._shares[rows])

    def _winnings(self) -> np.ndarray:
        won = self.batch.returns()[:, self.seat]
        if self.model.whole:  # the range is what an observer would believe: its mean has the same expectation
            rows = np.flatnonzero((self.batch.hands["status"] == CLOSED) & ~self.lost)
            over = self.batch.take(rows)
            spent = over.hands["spent"].astype(np.float64)
            share = _mean(self._weights(rows, over), self._share(rows))
            won[rows] = share * (over.rules.pot + spent.sum(axis=1)) - spent[:, self.seat]
        return np.asarray(won)


def _mean(weights: np.ndarray, values: np.ndarray) -> np.ndarray:
    """float64 [n]: over the last axis; 0 where there is no weight."""
    total = weights.sum(axis=1)
    return np.asarray(np.divide((weights * values).sum(axis=1), total, out=np.zeros(len(total)), where=total > 0))


def _distinct(batch: HoldemBatch) -> tuple[np.ndarray, np.ndarray]:
    """Rows that differ in what everybody sees, and for every row which of them it is like."""
    n = len(batch)
    board = np.where(np.arange(5) < open_cards(batch)[:, None], batch.cards[:, 4:], 255).astype(np.uint8)
    seen = np.concatenate([batch.added.reshape(n, -1).view(np.uint8), board], axis=1)
    _, first, place = np.unique(seen, axis=0, return_index=True, return_inverse=True)
    return first, place.reshape(-1)
