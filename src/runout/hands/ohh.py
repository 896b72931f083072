"""Open Hand History (OHH): a JSON object a hand, `{"ohh": {...}}`, one after the other in a file.

An amount is what the player puts in by the action, not the total of the street. Blinds, antes and dealt cards are
actions of the first round; cards that are shown are actions of a round named Showdown.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from runout.cards.cards import card_name
from runout.cards.cards import cards as parse_cards
from runout.errors import InputError
from runout.games.betting import BET, CALL, CHECK, FOLD, PREFLOP, RAISE, RIVER, STREET_NAMES
from runout.games.points import BOARD_CARDS
from runout.hands.amounts import chips_of, decimals_of
from runout.hands.record import MOST_SEATS, HandError, Move, PlayedHand, Seat
from runout.hands.replay import replay
from runout.hands.ring import Ring

SPEC = "1.4.6"
STREETS = tuple(name.capitalize() for name in STREET_NAMES)
POSTS = {"Post Ante": "ante", "Post SB": "blind", "Post BB": "blind", "Post Extra Blind": "blind", "Post Dead": "dead"}
MOVES = {"Fold": FOLD, "Check": CHECK, "Call": CALL, "Bet": BET, "Raise": RAISE}
IGNORED = ("Added Chips", "Sits Down", "Stands Up", "Mucks Cards")
CURRENCIES = {"$": "USD", "€": "EUR", "£": "GBP"}
_MARK = re.compile(r'"ohh"\s*:\s*\{')
_LARGE = 1_000_000  # characters of one hand


def is_ohh(text: str) -> bool:
    """Whether a text looks like OHH."""
    return text.lstrip().startswith(("{", "[")) and _MARK.search(text) is not None


def ohh_sections(text: str) -> Iterator[tuple[int, str]]:
    """The text of each hand with the line it begins in: objects one after the other, or in a list."""
    decoder, place = json.JSONDecoder(), 0
    while (found := re.compile(r"[\s,\[\]]*").match(text, place)) and (place := found.end()) < len(text):
        line = text.count("\n", 0, place) + 1
        try:
            end = decoder.raw_decode(text, place)[1]
        except (ValueError, RecursionError):
            following = re.compile(r'\n\s*\{(?=[^{}]*"ohh")').search(text, place + 1)  # the next one may be whole
            end = following.start() if following else len(text)
        yield line, text[place:end]
        place = end


def read_ohh(section: str, line: int = 1) -> PlayedHand:
    """The hand of a section; `line` is where it begins. HandError says what is wrong."""
    if len(section) > _LARGE:
        raise HandError(f"{len(section):,} characters are no hand", line)
    try:
        data = json.loads(section, parse_float=str)
    except (ValueError, RecursionError) as error:
        raise HandError(f"not JSON: {error}", line) from None
    found = data.get("ohh") if isinstance(data, dict) else None
    if not isinstance(found, dict):
        raise HandError("there is no 'ohh' in it", line)
    try:
        return _Reading(found, line).hand()
    except HandError as error:
        raise HandError(str(error), error.line or line) from None
    except InputError as error:
        raise HandError(str(error), line) from None
    except (TypeError, ValueError, KeyError) as error:  # an id that is none, a list in the place of a number
        raise HandError(f"a field is not what it should be: {error}", line) from None


class _Reading:
    """One hand on its way from JSON to a record."""

    def __init__(self, data: dict[str, Any], line: int) -> None:
        self.data, self.first = data, line

    def hand(self) -> PlayedHand:
        data = self.data
        limit = data.get("bet_limit")
        kind = limit.get("bet_type") if isinstance(limit, dict) else None
        if data.get("game_type") != "Holdem" or kind != "NL":
            raise HandError(f"{data.get('game_type')!r} with {kind!r} bets is not read: no-limit hold'em is")
        rounds = self.rounds()
        players = self.dealt_in(rounds)
        actions = [action for _, _, part in rounds for action in part]
        wins = [win for pot in self.dicts(data, "pots") for win in self.dicts(pot, "player_wins")]
        rakes = [pot.get("rake", 0) for pot in self.dicts(data, "pots")]
        amounts = [
            *(player.get("starting_stack") for player in players), *(action.get("amount", 0) for action in actions),
            *(win.get("win_amount") for win in wins), *rakes, data.get("small_blind_amount"),
            data.get("big_blind_amount"),
        ]  # fmt: skip
        self.decimals = decimals_of([self.text(amount) for amount in amounts])
        ids = [player.get("id") for player in players]
        seats = self.seats(players, actions)
        ring = Ring(seats, self.chips(data.get("big_blind_amount")))
        moves, board = self.play(ring, rounds, ids)
        cards, showed = self.cards(actions, ids, players)
        seats = tuple(replace(seat, cards=cards[i], showed=showed[i]) for i, seat in enumerate(seats))
        hero = ids.index(data["hero_player_id"]) if data.get("hero_player_id") in ids else None
        currency = {name: sign for sign, name in CURRENCIES.items()}.get(str(data.get("currency", "")), "")
        return PlayedHand(
            id=str(data.get("game_number", "")),
            seats=seats,
            small_blind=self.chips(data.get("small_blind_amount")),
            big_blind=ring.big_blind,
            moves=tuple(moves),
            boards=(tuple(board),),
            collected=self.collected(wins, ring, ids),
            rake=sum(self.chips(rake) for rake in rakes) if wins else None,
            decimals=self.decimals,
            currency=currency,
            site=str(data.get("site_name", "")),
            table=str(data.get("table_name", "")),
            hero=hero if hero is not None and seats[hero].cards else None,
            time=_time(data.get("start_date_utc")),
            line=self.first,
        )

    def dicts(self, source: dict[str, Any], key: str) -> list[dict[str, Any]]:
        found = source.get(key) or []
        if not isinstance(found, list) or not all(isinstance(one, dict) for one in found):
            raise HandError(f"{key} is wrong: it is a list of objects")
        return found

    def text(self, amount: Any) -> str:
        """A number as JSON has it."""
        if isinstance(amount, bool) or not isinstance(amount, int | str):
            raise HandError(f"{amount!r} is no amount")
        return str(amount)

    def chips(self, amount: Any) -> int:
        return chips_of(self.text(amount), self.decimals)

    def rounds(self) -> list[tuple[str, list[int], list[dict[str, Any]]]]:
        """Name, cards and actions of each round."""
        found: list[tuple[str, list[int], list[dict[str, Any]]]] = []
        for one in self.dicts(self.data, "rounds"):
            street, cards = str(one.get("street")), one.get("cards") or []
            if street not in (*STREETS, "Showdown") or street in [name for name, _, _ in found]:
                raise HandError(
                    f"round {street!r} is not read: rounds are {', '.join(STREETS)} and Showdown, once each"
                )
            if not isinstance(cards, list):
                raise HandError(f"the cards of the {street} are no list")
            found.append((street, _cards(cards), self.dicts(one, "actions")))
        return found

    def dealt_in(self, rounds: list[tuple[str, list[int], list[dict[str, Any]]]]) -> list[dict[str, Any]]:
        """The players of the hand in the order of seats, the button last; others only sit at the table."""
        acting = {
            action.get("player_id") for _, _, part in rounds for action in part if action.get("action") not in IGNORED
        }
        players = [one for one in self.dicts(self.data, "players") if one.get("id") in acting]
        numbers = [one.get("seat") for one in players]
        button = self.data.get("dealer_seat")
        if not 2 <= len(players) <= MOST_SEATS or len({one.get("id") for one in players}) != len(players):
            raise HandError(
                f"{len(players)} players are in the hand: use 2 to {MOST_SEATS}, each with an id of its own"
            )
        if not all(type(one) is int for one in [*numbers, button]) or len(set(numbers)) != len(numbers):
            raise HandError("a seat is a number of its own, and dealer_seat is one")
        order = sorted(players, key=lambda one: int(one["seat"]))
        after = [one for one in order if one["seat"] > button]
        return after + [one for one in order if one["seat"] <= button]

    def seats(self, players: list[dict[str, Any]], actions: list[dict[str, Any]]) -> tuple[Seat, ...]:
        posted: dict[tuple[Any, str], int] = {}
        for action in actions:
            name, amount = action.get("action"), action.get("amount", 0)
            if name == "Straddle":
                raise HandError("hands with a straddle are not read")
            if name in POSTS:
                key = action.get("player_id"), POSTS[name]
                posted[key] = posted.get(key, 0) + self.chips(amount)
        found = []
        for one in players:
            ante, blind, dead = (posted.get((one["id"], kind), 0) for kind in ("ante", "blind", "dead"))
            stack = self.chips(one.get("starting_stack"))
            found.append(Seat(str(one.get("name", one["id"])), stack, int(one["seat"]), (), ante, blind, dead))
        return tuple(found)

    def play(
        self, ring: Ring, rounds: list[tuple[str, list[int], list[dict[str, Any]]]], ids: list[Any]
    ) -> tuple[list[Move], list[int]]:
        moves: list[Move] = []
        board: list[int] = []
        for street, cards, actions in rounds:
            if street in STREETS[1:]:
                board += cards
                number = STREETS.index(street)
                if len(board) != BOARD_CARDS[number]:
                    raise HandError(f"the board has {len(board)} cards on the {street}")
                ring.next_street(number)
            for action in actions:
                name = action.get("action")
                if name not in MOVES:
                    if name not in (*POSTS, *IGNORED, "Dealt Cards", "Shows Cards"):
                        raise HandError(f"unknown action {name!r}: use {', '.join(MOVES)} and posts")
                    continue
                seat = ids.index(action.get("player_id"))
                added = self.chips(action.get("amount", 0)) if MOVES[name] not in (FOLD, CHECK) else 0
                moves.append(ring.move(seat, MOVES[name], ring.bets[seat] + added, self.first, check=False))
        return moves, board

    def cards(
        self, actions: list[dict[str, Any]], ids: list[Any], players: list[dict[str, Any]]
    ) -> tuple[list[tuple[int, ...]], list[bool]]:
        """The hole cards of each seat, and whether they were shown."""
        held = [_hole(one.get("cards")) for one in players]
        showed = [False] * len(ids)
        for action in actions:
            if action.get("action") in ("Dealt Cards", "Shows Cards") and action.get("player_id") in ids:
                seat = ids.index(action["player_id"])
                held[seat] = _hole(action.get("cards")) or held[seat]
                showed[seat] |= action["action"] == "Shows Cards" and bool(held[seat])
        return held, showed

    def collected(self, wins: list[dict[str, Any]], ring: Ring, ids: list[Any]) -> tuple[int, ...]:
        if not wins:
            return ()
        won = [0] * len(ids)
        for win in wins:
            if win.get("player_id") not in ids:
                raise HandError(f"player {win.get('player_id')!r} wins and is not in the hand")
            won[ids.index(win["player_id"])] += self.chips(win.get("win_amount"))
        seat, back = ring.uncalled()
        if sum(won) > ring.pot - back and won[seat] >= back:  # some count an uncalled bet as won
            won[seat] -= back
        return tuple(won)


def _cards(words: Iterable[Any]) -> list[int]:
    return [card for word in words for card in parse_cards(str(word))]


def _hole(words: Any) -> tuple[int, ...]:
    """Two cards, none where they are not known."""
    if not isinstance(words, list) or any("x" in str(word).lower() or "?" in str(word) for word in words):
        return ()
    found = tuple(_cards(words))
    if len(found) not in (0, 2):
        raise HandError(f"{len(found)} hole cards: a hand has 2")
    return found


def _time(text: Any) -> datetime | None:
    try:
        found = datetime.fromisoformat(str(text).replace("Z", "+00:00"))
    except ValueError:
        return None
    return found.astimezone(UTC).replace(tzinfo=None) if found.tzinfo else found


# Writing


def ohh_text(hand: PlayedHand) -> str:
    """A hand as OHH, on one line."""
    if len(hand.boards) > 1 or not all(seat.known for seat in hand.seats):
        raise InputError(f"{hand.where}: a hand run more than once, or with unknown stacks, has no form in OHH here")
    again = replay(hand)
    won = again.collected if again.collected is not None else ()
    button = hand.seats[-1]
    record: dict[str, Any] = {
        "spec_version": SPEC,
        "site_name": hand.site or "Runout",
        "network_name": hand.site or "Runout",
        "internal_version": SPEC,
        "tournament": bool(hand.tournament),
        "game_number": hand.id,
        "start_date_utc": f"{(hand.time or datetime(2000, 1, 1)).isoformat()}Z",
        "table_name": hand.table,
        "game_type": "Holdem",
        "bet_limit": {"bet_type": "NL", "bet_cap": 0},
        "table_size": max(hand.players, *(seat.number for seat in hand.seats)),
        "currency": CURRENCIES.get(hand.currency, "Chips"),
        "dealer_seat": button.number,
        "small_blind_amount": _money(hand, hand.small_blind),
        "big_blind_amount": _money(hand, hand.big_blind),
        "ante_amount": _money(hand, max(seat.ante for seat in hand.seats)),
        "hero_player_id": 0 if hand.hero is None else hand.hero + 1,
        "players": [
            {"id": i + 1, "seat": seat.number, "name": seat.name, "starting_stack": _money(hand, seat.stack)}
            for i, seat in enumerate(hand.seats)
        ],
        "rounds": list(_rounds(hand)),
        "pots": [
            {
                "number": 0,
                "amount": _money(hand, again.pot),
                "rake": _money(hand, again.rake),
                "player_wins": [
                    {"player_id": i + 1, "win_amount": _money(hand, chips)} for i, chips in enumerate(won) if chips
                ],
            }
        ],
    }
    return json.dumps({"ohh": record}, ensure_ascii=False)


def ohh_file(hands: Iterable[PlayedHand]) -> Iterator[str]:
    """The text of a file of hands, an empty line between two."""
    for number, hand in enumerate(hands):
        yield ("\n" if number else "") + ohh_text(hand) + "\n"


def _money(hand: PlayedHand, chips: int) -> float:
    text = hand.text(chips)
    return float(text) if "." in text else int(text)


def _rounds(hand: PlayedHand) -> Iterator[dict[str, Any]]:
    bets = [seat.blind for seat in hand.seats]
    spent = [seat.ante + seat.dead + seat.blind for seat in hand.seats]
    folded = {move.seat for move in hand.moves if move.kind == FOLD}
    last = next(street for street in range(RIVER, -1, -1) if len(hand.board) >= BOARD_CARDS[street])
    for street in range(PREFLOP, last + 1):
        actions = list(_forced(hand)) if street == PREFLOP else []
        if street > PREFLOP:
            bets = [0] * hand.players
        for move in hand.moves:
            if move.street != street:
                continue
            added = move.amount - bets[move.seat] if move.kind not in (FOLD, CHECK) else 0
            bets[move.seat], spent[move.seat] = bets[move.seat] + added, spent[move.seat] + added
            name = next(name for name, kind in MOVES.items() if kind == move.kind)
            action = {"player_id": move.seat + 1, "action": name, "amount": _money(hand, added)}
            actions.append({**action, "is_allin": bool(added) and spent[move.seat] == hand.seats[move.seat].stack})
        dealt = hand.board[BOARD_CARDS[street - 1] : BOARD_CARDS[street]] if street else ()
        yield _round(street, STREETS[street], [card_name(card) for card in dealt], actions)
    shown = [
        {"player_id": i + 1, "action": "Shows Cards", "cards": [card_name(card) for card in seat.cards]}
        for i, seat in enumerate(hand.seats)
        if seat.showed and i not in folded
    ]
    if shown:
        yield _round(last + 1, "Showdown", [], shown)


def _round(number: int, street: str, cards: list[str], actions: list[dict[str, Any]]) -> dict[str, Any]:
    numbered = [{"action_number": place, **action} for place, action in enumerate(actions)]
    return {"id": number, "street": street, "cards": cards, "actions": numbered}


def _forced(hand: PlayedHand) -> Iterator[dict[str, Any]]:
    """Antes, blinds and dealt cards."""
    for i, seat in enumerate(hand.seats):
        if seat.ante:
            yield {"player_id": i + 1, "action": "Post Ante", "amount": _money(hand, seat.ante)}
    small = hand.players - 1 if hand.players == 2 else 0
    for i in (small, *(other for other in range(hand.players) if other != small)):
        seat = hand.seats[i]
        if seat.dead:
            yield {"player_id": i + 1, "action": "Post Dead", "amount": _money(hand, seat.dead)}
        if seat.blind:
            big = (1 if small == 0 else 0) == i
            name = (
                "Post SB" if i == small and seat.blind <= hand.small_blind else "Post BB" if big else "Post Extra Blind"
            )
            yield {"player_id": i + 1, "action": name, "amount": _money(hand, seat.blind)}
    everybody = all(seat.cards for seat in hand.seats)
    for i, seat in enumerate(hand.seats):
        seen = seat.cards and (everybody or i == hand.hero or not seat.showed)
        cards = [card_name(card) for card in seat.cards] if seen else ["XX", "XX"]
        yield {"player_id": i + 1, "action": "Dealt Cards", "cards": cards}
