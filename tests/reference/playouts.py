"""Reads files of recorded hands and replays them through the betting engine, checking every observable."""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from runout.cards.cards import card
from runout.games.betting import BET, BETTING, CALL, CHECK, FOLD, RAISE, STREET_OVER, Action, BettingState, Rules

FOLDS, CALLS = 0, 1  # action codes of the files; in limit games 2 is a raise, in no-limit games any other is its size


def read(path: Path) -> tuple[Rules, list[dict[str, Any]]]:
    """The rules that the header of a file describes, and its hands."""
    with gzip.open(path, "rt") if path.suffix == ".gz" else path.open() as lines:
        header, *hands = (json.loads(line) for line in lines)
    return rules_of(header["game"]), hands


def rules_of(game: str) -> Rules:
    """Rules from text such as 'universal_poker(betting=limit,blind=10 5,firstPlayer=2 1,...)'."""
    fields = dict(re.findall(r"(\w+)=([^,)]*)", game))
    numbers = {key: tuple(int(word) for word in text.split()) for key, text in fields.items() if text[:1].isdigit()}
    rounds = numbers["numRounds"][0]
    big, small = numbers["blind"]
    return Rules(
        stack=min(numbers["stack"]),
        last_street=rounds - 1,
        blinds=(big, small),
        min_bet=big,
        fixed_bets=numbers["raiseSize"] if fields["betting"] == "limit" else None,
        caps=numbers.get("maxRaises"),
        first_to_act=tuple(seat - 1 for seat in numbers["firstPlayer"]),
    )


def replay(state: BettingState, hand: dict[str, Any]) -> BettingState:
    """The end of a hand; asserts who acts, what each has spent and what is legal before every decision."""
    for decision in hand["actions"]:
        if state.status == STREET_OVER:
            state = state.next_street()
        assert state.status == BETTING
        assert state.player == decision["player"]
        assert list(state.spent) == decision["spent"]
        legal = state.legal()
        assert legal.fold == decision["legal_fold"]
        assert (legal.call or legal.check) == decision["legal_call"]
        before = state.spent[state.player] - state.bets[state.player]  # files count raises over the whole hand
        if "legal_raise" in decision:
            assert legal.bet_or_raise == decision["legal_raise"]
        else:
            bounds = [legal.smallest + before, legal.largest + before] if legal.bet_or_raise else None
            assert bounds == decision["raise_to_min_max"]
            assert decision["raise_contiguous"]
        state = state.act(action_of(state, decision["action"], before))
    return state


def action_of(state: BettingState, code: int, before: int) -> Action:
    """The action that a code of the file means here."""
    if code == FOLDS:
        return Action(FOLD)
    if code == CALLS:
        return Action(CALL if state.to_call else CHECK)
    total = state.legal().smallest if state.rules.fixed_bets else code - before
    return Action(RAISE if state.facing else BET, total)


def card_ids(hand: dict[str, Any]) -> Iterator[list[int]]:
    """The cards of player 0 and of player 1, board included."""
    for hole in hand["hole"]:
        yield [card(text) for text in hole + hand["board"]]
