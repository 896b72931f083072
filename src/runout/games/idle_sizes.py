"""Bet sizes that are given and can never be bet: a cap on bets, short stacks or missing bets leave no place for them.

The states of the betting tree are walked, passive actions first, until every list of sizes has been offered somewhere.
That is soon in any usual tree; where a list is idle, all states are seen once.
"""

from __future__ import annotations

from runout.games.betting import BETTING, FLOP, IP, OOP, PREFLOP, RIVER, STREET_NAMES, STREET_OVER, BettingState
from runout.games.holdem import NoLimitHoldem
from runout.games.holdem_game import HoldemGame
from runout.games.menus import BETS, DONKS, ISOS, RAISES
from runout.games.spot import Spot, StreetSizes
from runout.games.tree_count import key_of

Part = tuple[int, int, str, int]  # street, player, kind of list, number of the list
MOST_STATES = 30_000  # that are looked at; where there are more, no list is called idle


def idle_sizes(game: Spot | NoLimitHoldem) -> dict[str, str]:
    """Settings of a game that give sizes which nobody can ever bet, each with the reason."""
    parts = _parts(game)
    idle = idle_parts(game.game(), set().union(*parts.values())) if parts else set()
    return {name: _why(game, min(own)) for name, own in parts.items() if own <= idle}


def idle_parts(game: HoldemGame, wanted: set[Part]) -> set[Part]:
    """Those of `wanted` that are offered at no node."""
    missing, stack, seen = set(wanted), [game.start()], set()
    while stack and missing:
        state = stack.pop()
        if (key := (state.street, key_of(game.menu, state))) in seen:
            continue
        seen.add(key)
        if len(seen) > MOST_STATES:
            return set()
        if state.legal().bet_or_raise:
            missing.discard((state.street, state.player, *game.menu.streets[state.street].part(state)))
        children = [state.play(action) for action in game.menu(state)]
        stack += [after for one in reversed(children) if (after := _on(one)) is not None]
    return missing


def _on(state: BettingState) -> BettingState | None:
    """The next state at which somebody acts; None where the hand is over."""
    state = state.next_street() if state.status == STREET_OVER else state
    return state if state.status == BETTING else None


def _parts(game: Spot | NoLimitHoldem) -> dict[str, set[Part]]:
    """The lists of sizes that were given, by setting, and where they would be used."""
    return _of_spot(game) if isinstance(game, Spot) else _of_no_limit(game)


def _of_spot(spot: Spot) -> dict[str, set[Part]]:
    found: dict[str, set[Part]] = {}
    for street in range(spot.street, RIVER + 1):
        name = STREET_NAMES[street]
        if name in spot.betting.model_fields_set:
            for setting, players, kind in _given(getattr(spot.betting, name), street > spot.street):
                found[f"betting.{name}.{setting}"] = {(street, player, kind, 0) for player in players}
    return found


def _given(sizes: StreetSizes, later: bool) -> list[tuple[str, tuple[int, ...], str]]:
    """The lists of a street that hold sizes: setting, players who use it, kind."""
    found = []
    for field, kind in (("bet", BETS), ("raise_", RAISES), ("donk", DONKS)):
        players = (OOP,) if kind == DONKS else (OOP, IP)
        own = {player: getattr(part, field, None) for player, part in ((OOP, sizes.oop), (IP, sizes.ip))}
        shared = tuple(player for player in players if own[player] is None)
        if getattr(sizes, field) and shared and field in sizes.model_fields_set and (later or kind != DONKS):
            found.append((kind, shared, kind))
        found += [(f"{name}.{kind}", (player,), kind) for player, name in ((OOP, "oop"), (IP, "ip")) if own[player]]
    return found


def _of_no_limit(game: NoLimitHoldem) -> dict[str, set[Part]]:
    found: dict[str, set[Part]] = {}
    after = range(FLOP, game.num_streets)
    streets = {"turn_bet_sizes": after[1:2], "river_bet_sizes": after[2:3]}
    for name, used in streets.items():
        if getattr(game, name) and used:
            found[name] = _both(used[0], BETS, 0)
    if game.raise_sizes and after:
        found["raise_sizes"] = set().union(*(_both(street, RAISES, 0) for street in after))
    if game.preflop_raises and not game.board:
        lists = game.preflop_raises if isinstance(game.preflop_raises[0], tuple) else (game.preflop_raises,)
        for number, sizes in enumerate(lists):
            if sizes:
                found[f"preflop_raises[{number}]"] = _both(PREFLOP, RAISES, number)
    if game.iso_raises and not game.board:
        found["iso_raises"] = _both(PREFLOP, ISOS, 0)
    return found


def _both(street: int, kind: str, number: int) -> set[Part]:
    return {(street, player, kind, number) for player in (OOP, IP)}


def _why(game: Spot | NoLimitHoldem, part: Part) -> str:
    street, _, kind, number = part
    cap = game.game().rules.cap(street)
    needed = number if street == PREFLOP else 1 if kind == RAISES else 0
    verb = "raise" if kind in (RAISES, ISOS) else "bet"
    where = "before the flop" if street == PREFLOP else f"on the {STREET_NAMES[street]}"
    if cap is not None and cap <= needed:
        return f"max_bets = {cap} leaves no such {verb} {where}"
    return f"nobody can ever make such a {verb} {where}"
