"""A played hand played again: is every move legal, and what do pots, stacks and results come to?

Two players: the whole hand goes through `games.betting`. More: `ring` counts until two are left at the flop, and
`games.betting` owns the rest. Antes and dead chips are in the middle before anybody acts. Of unequal stacks, only what
both have can be played for; a bet beyond that is an all-in of the shorter stack.
"""

from __future__ import annotations

from dataclasses import dataclass

from runout.cards.evaluator import strength
from runout.errors import InputError
from runout.games.betting import (
    ACTION_NAMES,
    ALL_IN,
    BET,
    BETTING,
    CALL,
    CHECK,
    FLOP,
    FOLD,
    FOLDED,
    RAISE,
    RIVER,
    STREET_NAMES,
    STREET_OVER,
    Action,
    BettingState,
    Rules,
    start,
)
from runout.games.points import BOARD_CARDS
from runout.hands.record import HandError, Move, PlayedHand
from runout.hands.ring import Ring, split


@dataclass(frozen=True, slots=True)
class HeadsUp:
    """The part of a hand that two players played: a betting state before each of its moves, and the last one."""

    seats: tuple[int, int]  # of the hand, in the order of the players of `games.betting`
    states: tuple[BettingState, ...]
    moves: tuple[Move, ...]  # one fewer than states

    @property
    def street(self) -> int:
        """The street it begins with."""
        return self.states[0].street if self.states else RIVER


@dataclass(frozen=True, slots=True)
class Replay:
    """What a hand came to, in chips by seat."""

    pots: tuple[int, ...]  # when each street that was dealt began, preflop first: blinds and antes
    pot: int  # in the end, without what was returned
    returned: tuple[int, ...]  # a bet that nobody called
    spent: tuple[int, ...]  # into the pot, over the hand
    folded: tuple[bool, ...]
    collected: tuple[int, ...] | None  # from the pot, rake taken off; None where nobody can say who won
    stacks: tuple[int, ...] | None  # in the end; None likewise
    rake: int
    heads_up: HeadsUp | None  # None where no two players were alone at the flop or before it

    @property
    def live(self) -> list[int]:
        return [seat for seat, folded in enumerate(self.folded) if not folded]


def replay(hand: PlayedHand) -> Replay:
    """Play a hand again; HandError says what cannot be, and in which line."""
    _check_seats(hand)
    ring = Ring(hand.seats, hand.big_blind)
    pots, part = ([ring.pot + hand.added], _two_players(hand)) if hand.players == 2 else _many(hand, ring)
    if hand.players == 2:
        _count(hand, ring, pots)
    _check_board(hand, len(pots) - 1, len(ring.live))
    seat, back = ring.uncalled()
    returned = [0] * hand.players
    returned[seat] = back
    ring.spent[seat] -= back
    pot = ring.pot + hand.added
    if part is not None and part.states:
        last = part.states[-1]
        if last.rules.pot + 2 * min(last.spent) != pot:
            raise HandError(
                f"the pot is {hand.text(last.rules.pot + 2 * min(last.spent))} by the rules, {pot} by count"
            )
    collected, rake = _results(hand, ring, pot)
    stacks = None
    if collected is not None and all(one.known for one in hand.seats):
        stacks = tuple(
            one.stack - spent + taken for one, spent, taken in zip(hand.seats, ring.spent, collected, strict=True)
        )
    return Replay(
        tuple(pots), pot, tuple(returned), tuple(ring.spent), tuple(ring.folded), collected, stacks, rake, part
    )


def _check_seats(hand: PlayedHand) -> None:
    for seat in hand.seats:
        if seat.ante + seat.dead + seat.blind > seat.stack:
            posted = hand.text(seat.ante + seat.dead + seat.blind)
            raise HandError(f"{seat.name} posts {posted} with {hand.text(seat.stack)}", hand.line)
    shown = [card for seat in hand.seats for card in seat.cards]
    for board in hand.boards:
        cards = [*shown, *board]
        if len(set(cards)) < len(cards):
            raise HandError("a card is dealt twice", hand.line)


def _check_board(hand: PlayedHand, street: int, live: int) -> None:
    need = BOARD_CARDS[street] if live < 2 else BOARD_CARDS[RIVER]
    for board in hand.boards:
        if len(board) != need:
            raise HandError(f"the board has {len(board)} cards in the end and should have {need}", _last(hand))


# Two players


def _two_players(hand: PlayedHand) -> HeadsUp:
    """A heads-up hand by the rules, from the blinds on."""
    first, second = hand.seats
    live = [seat.stack - seat.ante - seat.dead for seat in hand.seats]
    stack, middle = min(live), hand.added + sum(seat.ante + seat.dead for seat in hand.seats)
    blinds = min(first.blind, stack), min(second.blind, stack)
    if blinds == (stack, stack):  # the blinds, or the antes, are all that one of them has
        if hand.moves:
            raise HandError("nobody can act: a player is all-in with the blinds", hand.moves[0].line)
        return HeadsUp((0, 1), (), ())
    rules = Rules(stack=stack, pot=middle, blinds=blinds, min_bet=hand.big_blind)
    return _by_the_rules(hand, start(rules), (0, 1), hand.moves)


def _by_the_rules(hand: PlayedHand, state: BettingState, seats: tuple[int, int], moves: tuple[Move, ...]) -> HeadsUp:
    states = []
    for move in moves:
        if state.status == STREET_OVER:
            state = state.next_street()
        _check_turn(hand, state, seats, move)
        states.append(state)
        try:
            state = state.act(_action(state, move))
        except InputError as error:
            raise HandError(f"{hand.seats[move.seat].name}: {error}", move.line) from None
    states.append(state)
    if not state.over:
        if state.status == STREET_OVER:
            raise HandError(f"the hand ends after the {STREET_NAMES[state.street]}: nobody folded", _last(hand))
        who = hand.seats[seats[state.player]].name
        raise HandError(f"the hand ends on the {STREET_NAMES[state.street]} when {who} is to act", _last(hand))
    return HeadsUp(seats, tuple(states), moves)


def _last(hand: PlayedHand) -> int:
    return hand.moves[-1].line if hand.moves else hand.line


def _check_turn(hand: PlayedHand, state: BettingState, seats: tuple[int, int], move: Move) -> None:
    name = hand.seats[move.seat].name
    if state.status != BETTING:
        why = "a player folded" if state.status == FOLDED else "no more betting is possible"
        raise HandError(f"{name} {ACTION_NAMES[move.kind]}s after the end: {why}", move.line)
    if move.street != state.street:
        here, there = STREET_NAMES[state.street], STREET_NAMES[move.street]
        raise HandError(f"{name} acts on the {there} and betting on the {here} is not over", move.line)
    if move.seat != seats[state.player]:
        raise HandError(f"{name} acts out of turn: {hand.seats[seats[state.player]].name} is to act", move.line)


def _action(state: BettingState, move: Move) -> Action:
    """A move as the rules take it: no more than the shorter stack."""
    if move.kind in (FOLD, CHECK):
        return Action(move.kind)
    most = state.bets[state.player] + state.behind(state.player)
    amount = min(move.amount, most)
    if move.kind == CALL:
        if state.to_call and amount != state.facing:
            raise InputError(f"a call is to {state.facing}, not to {amount}")
        return Action(CALL)
    return Action(ALL_IN if amount == most else RAISE if state.facing else BET, amount)


def _count(hand: PlayedHand, ring: Ring, pots: list[int]) -> None:
    """The chips of moves that are known to be legal."""
    for move in hand.moves:
        if move.street > ring.street:
            pots.append(ring.pot + hand.added)
            ring.next_street(move.street)
        ring.move(*_plain(move), check=False)
    _dealt(hand, ring, pots)


def _plain(move: Move) -> tuple[int, int, int, int]:
    return move.seat, move.kind, move.amount, move.line


def _dealt(hand: PlayedHand, ring: Ring, pots: list[int]) -> None:
    """Streets on which nobody could act."""
    pot = ring.pot + hand.added - ring.uncalled()[1]
    while len(ring.live) > 1 and len(pots) <= RIVER:
        pots.append(pot)


# More players


def _many(hand: PlayedHand, ring: Ring) -> tuple[list[int], HeadsUp | None]:
    """A hand of three players or more; the pots by street, and the part from the flop on where two were left."""
    pots, part = [ring.pot + hand.added], None
    for number, move in enumerate(hand.moves):
        while move.street > ring.street:
            if (turn := ring.to_act()) is not None:
                raise HandError(f"a street is dealt when {hand.seats[turn].name} is to act", move.line)
            pots.append(ring.pot + hand.added)
            ring.next_street(ring.street + 1)
            if ring.street == FLOP and len(ring.live) == 2:
                part = _from_the_flop(hand, ring, pots[-1], hand.moves[number:])
        if move.street < ring.street:
            raise HandError(f"{hand.seats[move.seat].name} acts on a street that is over", move.line)
        ring.move(*_plain(move), check=True)
    if (turn := ring.to_act()) is not None:
        raise HandError(f"the hand ends when {hand.seats[turn].name} is to act", _last(hand))
    _dealt(hand, ring, pots)
    return pots, part


def _from_the_flop(hand: PlayedHand, ring: Ring, pot: int, moves: tuple[Move, ...]) -> HeadsUp:
    first, second = ring.live
    rules = Rules(
        stack=min(ring.behind(first), ring.behind(second)), pot=pot, first_street=FLOP, min_bet=hand.big_blind
    )
    return _by_the_rules(hand, start(rules), (first, second), moves)


# Results


def _results(hand: PlayedHand, ring: Ring, pot: int) -> tuple[tuple[int, ...] | None, int]:
    """What each seat takes and the rake; what the hand says must be what the rules say."""
    if hand.pot is not None and hand.pot != pot:
        raise HandError(f"the pot is {hand.text(pot)} and the hand says {hand.text(hand.pot)}", hand.line)
    told = hand.collected if any(hand.collected) else None
    rake = hand.rake or 0
    if told is not None:
        taken = pot - sum(told)
        if taken < 0 or (hand.rake is not None and taken != rake):
            says = f"{hand.text(sum(told))} are collected" + (f" and {hand.text(rake)} raked" if rake else "")
            raise HandError(f"the pot is {hand.text(pot)} and {says}", hand.line)
        rake = taken
    shares = _shares(hand, ring, pot)
    if shares is None or told is None:
        if told is not None:
            return told, rake
        return (None if shares is None else _less(shares, rake)), rake
    if [share > 0 for share in shares] != [share > 0 for share in told] and len(hand.boards) == 1:
        winners = ", ".join(hand.seats[seat].name for seat, share in enumerate(shares) if share)
        raise HandError(f"by their cards, {winners} should win; the hand says otherwise", hand.line)
    return told, rake


def _shares(hand: PlayedHand, ring: Ring, pot: int) -> list[int] | None:
    """What each seat takes before rake; None where cards are not known."""
    live = ring.live
    if len(live) == 1:
        return [pot if seat == live[0] else 0 for seat in range(hand.players)]
    known = [seat for seat in live if len(hand.seats[seat].cards) == 2]
    if len(known) < len(live):
        shown = [seat for seat in live if hand.seats[seat].showed]
        if len(shown) != 1 or len(hand.boards) > 1 or len({ring.spent[seat] - ring.dead[seat] for seat in live}) > 1:
            return None
        return [pot if seat == shown[0] else 0 for seat in range(hand.players)]  # the others threw theirs away
    found, dead = [0] * hand.players, sum(ring.dead) + hand.added
    chips = [spent - one for spent, one in zip(ring.spent, ring.dead, strict=True)]
    for number, board in enumerate(hand.boards):
        strengths = [strength([*hand.seats[seat].cards, *board]) for seat in live]
        for seat, share in enumerate(split(chips, dead, live, strengths)):
            found[seat] += share // len(hand.boards) + (number < share % len(hand.boards))
    return found


def _less(shares: list[int], rake: int) -> tuple[int, ...]:
    """Shares with the rake taken from the largest."""
    top = shares.index(max(shares))
    return tuple(share - rake if seat == top else share for seat, share in enumerate(shares))
