"""How large a game of hold'em is: decisions (information sets) by street, counted without listing them.

Betting does not depend on cards, so the sets of a street are its betting nodes times the hands and boards that look
different. Hands and boards up to the names of suits are counted by Burnside's lemma: the mean, over all renamings, of
how many a renaming leaves as they are.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations

from runout.games.betting import STREET_NAMES, STREET_OVER, BettingState, start
from runout.games.holdem_game import FULL_DECK, HoldemGame

PARTS = (2, 3, 1, 1)  # cards of the hand, the flop, the turn and the river
MOST = 20_000  # betting states that are looked at; a tree of more is at least so large


def hand_classes(street: int, deck: Sequence[int] = FULL_DECK, flop: Sequence[int] = ()) -> int:
    """Hands with the boards of a street (169 before the flop, 1,286,792 on it, ...) that do not differ by suits alone.

    With a given flop, those on that flop.
    """
    suits = 1 + max(card % 4 for card in deck)
    sizes = PARTS[: street + 1]
    if flop:
        sizes = (2, 0, 1, 1)[: street + 1]
    renamings = [
        names
        for names in permutations(range(suits))
        if {card - card % 4 + names[card % 4] for card in flop} == set(flop)
    ]
    left = [card for card in deck if card not in flop]
    total = sum(_unchanged(left, names, sizes) for names in renamings)
    return total // len(renamings)


def _unchanged(deck: Sequence[int], names: Sequence[int], sizes: tuple[int, ...]) -> int:
    """Deals of parts of these sizes, each a set of cards, that a renaming leaves as they are."""
    ways = {(0,) * len(sizes): 1}
    for length in _cycles(deck, names):
        grown = dict(ways)  # a cycle goes into one part as a whole, or into none
        for taken, count in ways.items():
            for part, size in enumerate(sizes):
                if taken[part] + length <= size:
                    more = (*taken[:part], taken[part] + length, *taken[part + 1 :])
                    grown[more] = grown.get(more, 0) + count
        ways = grown
    return ways.get(sizes, 0)


def _cycles(deck: Sequence[int], names: Sequence[int]) -> list[int]:
    seen: set[int] = set()
    found = []
    for card in deck:
        length = 0
        while card not in seen:
            seen.add(card)
            card = card - card % 4 + names[card % 4]
            length += 1
        if length:
            found.append(length)
    return found


def betting_nodes(game: HoldemGame) -> tuple[list[int], bool]:
    """Decisions of the betting alone, by street from preflop, and whether all were counted."""
    looked = 0
    known: dict[tuple[int, int], list[int]] = {}  # by street and chips in: below a street that begins

    def below(first: BettingState) -> list[int]:
        nonlocal looked
        key = first.street, first.spent[0]
        if key not in known:
            counts, stack = [0] * 4, [first]
            while stack and looked < MOST:
                state = stack.pop()
                counts[state.street] += 1
                looked += 1
                for action in game.menu(state):
                    after = state.act(action)
                    if after.status == STREET_OVER:
                        counts = [a + b for a, b in zip(counts, below(after.next_street()), strict=True)]
                    elif not after.over:
                        stack.append(after)
            known[key] = counts
        return known[key]

    return below(start(game.rules)), looked < MOST


def infosets(game: HoldemGame) -> tuple[list[int], bool]:
    """Information sets by street from preflop, and whether all were counted."""
    nodes, whole = betting_nodes(game)
    classes = [hand_classes(street, game.deck, game.board) if nodes[street] else 0 for street in range(4)]
    return [a * b for a, b in zip(nodes, classes, strict=True)], whole


def describe_size(game: HoldemGame) -> str:
    """The size in a few words."""
    counts, whole = infosets(game)
    street = max(range(4), key=lambda one: counts[one])
    about = "about" if whole else "more than"
    return f"{game.name} has {about} {sum(counts):.0e} decision points, most of them on the {STREET_NAMES[street]}"
