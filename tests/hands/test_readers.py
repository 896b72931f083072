"""Hands of every format against what they come to: worked out by hand, or by pokerkit."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pokerkit import HandHistory

from reference import played_hands as samples
from runout.cards.cards import cards_text
from runout.errors import InputError
from runout.games.betting import FLOP, PREFLOP
from runout.hands.ohh import ohh_file, ohh_text
from runout.hands.phh import phh_text, phhs_text
from runout.hands.pokerstars_writer import pokerstars_text
from runout.hands.read import HandsRead, read_hands, read_hands_text
from runout.hands.record import PlayedHand, amount_text
from runout.hands.replay import Replay

REAL = Path(__file__).parents[1] / "data" / "hands" / "heads_up.phhs"


def one(text: str) -> tuple[PlayedHand, Replay]:
    read = read_hands_text(text)
    assert not read.failures, read.failures
    assert len(read) == 1
    return read.hands[0], read.replays[0]


def test_a_ring_hand_with_talk_between_its_lines() -> None:
    hand, again = one(samples.RING)
    assert [seat.name for seat in hand.seats] == ["Bob", "x: (y) [z]", "Ann"]
    assert [seat.stack for seat in hand.seats] == [9840, 112000, 10000]
    assert (hand.small_blind, hand.big_blind, hand.currency, hand.hero) == (50, 100, "$", 2)
    assert cards_text(hand.seats[2].cards) == "Ac Kh"
    assert (again.pots, again.pot, again.rake) == ((150, 700, 1500, 1500), 1500, 75)
    assert again.returned == (0, 0, 1000)
    assert again.stacks == (9840 - 700, 112000 - 100, 10000 - 700 + 1425)
    part = again.heads_up
    assert part is not None
    assert (part.street, part.seats) == (FLOP, (0, 2))
    assert (part.states[0].pot, part.states[0].rules.stack) == (700, 9540)


@pytest.mark.parametrize(
    ("players", "names"),
    [
        (2, "BB SB"),
        (3, "SB BB BTN"),
        (4, "SB BB CO BTN"),
        (6, "SB BB UTG HJ CO BTN"),
        (7, "SB BB UTG LJ HJ CO BTN"),
        (9, "SB BB UTG UTG+1 UTG+2 LJ HJ CO BTN"),
    ],
)
def test_seats_have_the_names_that_players_give_them(players: int, names: str) -> None:
    hand, _ = one(samples.RING)
    blinds = (hand.small_blind, hand.big_blind, *[0] * 8) if players > 2 else (hand.big_blind, hand.small_blind)
    seats = tuple(replace(hand.seats[0], blind=blind) for blind in blinds[:players])
    table = replace(hand, seats=seats)
    assert [table.position(seat) for seat in range(players)] == names.split()
    if players > 2:  # nobody posted the small blind
        assert replace(table, seats=seats[1:]).position(0) == "BB"


def test_a_side_pot_in_a_tournament() -> None:
    hand, again = one(samples.SIDE_POT)
    assert hand.tournament == "77"
    assert [seat.ante for seat in hand.seats] == [10, 10, 10]
    assert (again.pot, again.collected, again.stacks) == (1930, (1000, 0, 930), (1000, 2000 - 810, 930))
    assert again.heads_up is None


def test_a_hand_of_gg() -> None:
    hand, again = one(samples.GG)
    assert (hand.site, hand.id) == ("GG", "HD1234567")
    assert hand.hero is not None
    assert hand.seats[hand.hero].name == "Hero"
    assert (again.pots, again.rake, again.stacks) == ((3, 10, 20, 20), 2, (200 - 10 + 18, 157 - 10))
    assert again.heads_up is not None
    assert again.heads_up.street == PREFLOP


def test_a_hand_that_was_run_twice() -> None:
    hand, again = one(samples.TWICE)
    assert [cards_text(board, "") for board in hand.boards] == ["2c7d9hJc3s", "Qd8d4c5hTc"]
    assert (again.pot, again.stacks) == (200, (150, 100))


def test_a_player_who_comes_in_with_both_blinds() -> None:
    hand, again = one(samples.BOTH_BLINDS)
    assert [(seat.blind, seat.dead) for seat in hand.seats] == [(50, 0), (100, 0), (100, 50), (0, 0)]
    assert (again.pots, again.stacks) == ((300, 300), (4950, 6200, 6850, 8000))


def test_stacks_shorter_than_the_blinds() -> None:
    start = "variant = 'NT'\nantes = [0, 0]\nblinds_or_straddles = [50, 100]\nmin_bet = 100\n"
    board = "'d dh p1 AsAh', 'd dh p2 7c2d', {}'d db KcKdQh', 'd db Jc', 'd db 3s'"
    short = start + f"starting_stacks = [30, 1000]\nactions = [{board.format('')}]\n"
    assert one(short)[1].stacks == (60, 970)
    call = start + f"starting_stacks = [70, 1000]\nactions = [{board.format(chr(39) + 'p2 cc' + chr(39) + ', ')}]\n"
    assert one(call)[1].stacks == (140, 930)


def test_winnings_that_count_an_uncalled_bet() -> None:
    """Stacks 100 and 200: an all-in of 200 is called for 100, and the site says that the winner took 300."""
    start = "variant = 'NT'\nantes = [0, 0]\nblinds_or_straddles = [5, 10]\nmin_bet = 10\n"
    stacks = "starting_stacks = [100, 200]\nwinnings = [0, 300]\n"
    played = "actions = ['p2 cbr 200', 'p1 cc', 'd db KcKdQh', 'd db Jc', 'd db 3s']\n"
    _, again = one(start + stacks + played)
    assert (again.pot, again.returned, again.stacks) == (200, (0, 100), (0, 300))


@pytest.mark.parametrize(
    ("broken", "whole", "line", "why"),
    [
        ("Bob: calls $2.50", "Bob: calls $2", 14, "a call is to 300"),
        ("Ann: bets $4\n", "Ann: bets $400\n", 18, "with 9700 left"),
        ("Bob: checks\nAnn: checks", "Ann: checks\nBob: checks", 23, "out of turn: Bob is to act"),
        ("Total pot $15", "Total pot $16", 1, "the pot is 15 and the hand says 16"),
        ("collected $14.25", "collected $14.50", 1, "the pot is 15"),
        ("[Jd Tc 2c] [Qh]", "[Jd Tc 2c] [Jd]", 22, "Jd is given twice"),
        ("Bob: folds\n", "", 27, "when Bob is to act"),
        ("Ann: raises $2 to $3", "Ann: raises $2", 12, "an amount is missing"),
        ("Hold'em No Limit", "Omaha Pot Limit", 1, "'Omaha Pot Limit ($0.50/$1.00 USD)' is not read"),
        ("Bob: posts small blind", "Bob: posts straddle", 7, "hands with a straddle are not read"),
    ],
)
def test_a_broken_hand_is_named_by_number_and_line(broken: str, whole: str, line: int, why: str) -> None:
    assert broken in samples.RING
    text = samples.BETWEEN.join([samples.GG, samples.RING.replace(broken, whole, 1), samples.SIDE_POT])
    read = read_hands_text(text, "file.txt")
    assert [hand.id for hand in read] == ["HD1234567", "200000000002"]
    (failure,) = read.failures
    before = samples.GG.count("\n") + samples.BETWEEN.count("\n")
    assert (failure.number, failure.line) == (2, before + line), failure
    assert why in failure.why
    assert str(failure).startswith(f"file.txt, hand 2, line {before + line}: ")


@pytest.mark.parametrize(
    ("broken", "whole", "line", "why"),
    [
        ("'p1 cc', 'd db 2s'", "'p1 zz', 'd db 2s'", 8, "unknown action 'p1 zz'"),
        ("'p2 cbr 30'", "'p2 cbr 15'", 8, "use 2000 to 54100"),
        ("variant = 'NT'", "variant = 'PO'", 2, "'PO' is not read"),
        ("starting_stacks = [1955.5, 541]", "starting_stacks = [1955.5", 8, "not TOML"),
        ("antes = [0, 0]", "antes = [0]", 4, "a list of 2 numbers"),
        ("sm 6c5c", "sm 6h5c", 1, "a card is dealt twice"),
        ("min_bet = 10", "min_bet = -1", 1, ""),
    ],
)
def test_a_broken_hand_of_phh_is_named_too(broken: str, whole: str, line: int, why: str) -> None:
    text = REAL.read_text(encoding="utf-8")
    assert broken in text
    read = read_hands_text(text.replace(broken, whole, 1))
    if why:
        assert [(one.number, one.line) for one in read.failures] == [(1, line)], read.failures
        assert why in read.failures[0].why
    assert len(read) + len(read.failures) == 12


def test_real_hands_come_to_what_pokerkit_says() -> None:
    read = read_hands(REAL)
    assert (len(read), read.failures) == (12, [])
    with REAL.open("rb") as file:
        others = list(HandHistory.load_all(file))
    compared = 0
    for hand, again, other in zip(read.hands, read.replays, others, strict=True):
        *_, end = other
        if again.stacks is None or end.status:  # pokerkit cannot end hands whose stacks are not told
            continue
        ours = [stack - seat.stack for stack, seat in zip(again.stacks, hand.seats, strict=True)]
        lost = [round(float(theirs) * 10**hand.decimals) - net for theirs, net in zip(end.payoffs, ours, strict=True)]
        assert min(lost) >= 0
        assert sum(lost) == again.rake  # it knows no rake: what the winner has less is just that
        compared += 1
    assert compared >= 9


def test_unknown_cards_leave_the_result_open_and_shown_ones_decide() -> None:
    hand, again = one(REAL.read_text(encoding="utf-8").split("\n[2]")[0].replace("sm 6c5c", "sm ????"))
    assert again.collected == (0, 26000)  # the one who shows wins
    hand = replace(hand, seats=tuple(replace(seat, cards=(), showed=False) for seat in hand.seats))
    read = read_hands_text(phh_text(hand))
    assert read.replays[0].collected is None
    assert read.replays[0].pot == 26000


def without_lines(hand: PlayedHand) -> PlayedHand:
    return replace(hand, moves=tuple(move._replace(line=0) for move in hand.moves))


def test_phh_comes_back_as_it_was() -> None:
    read = read_hands(REAL)
    assert [without_lines(hand) for hand in read_hands_text("".join(phhs_text(read)))] == [
        without_lines(hand) for hand in read
    ]


@pytest.mark.parametrize("text", [samples.RING, samples.SIDE_POT, samples.GG, samples.BOTH_BLINDS])
def test_what_is_written_as_text_comes_to_the_same(text: str) -> None:
    hand, again = one(text)
    back, then = one(pokerstars_text(hand, again))
    assert (then.pots, then.pot, then.stacks, then.rake, then.returned) == (
        again.pots,
        again.pot,
        again.stacks,
        again.rake,
        again.returned,
    )
    assert [(seat.name, seat.cards, seat.number) for seat in back.seats] == [
        (seat.name, seat.cards, seat.number) for seat in hand.seats
    ]
    if not any(seat.dead for seat in hand.seats):  # which PHH has no word for
        other, last = one(phh_text(hand))
        assert (last.pots, last.pot, last.stacks) == (again.pots, again.pot, again.stacks)
        assert [move[:4] for move in other.moves] == [move[:4] for move in hand.moves]


OPEN_HAND = """{"id": "x", "ohh": {"spec_version": "1.4.6", "site_name": "Home", "network_name": "Home",
"game_number": "77", "start_date_utc": "2026-02-02T20:17:51.970Z", "table_name": "t", "game_type": "Holdem",
"bet_limit": {"bet_type": "NL", "bet_cap": 0}, "table_size": 6, "currency": "USD", "dealer_seat": 5,
"small_blind_amount": 0.5, "big_blind_amount": 1, "ante_amount": 0, "hero_player_id": 3,
"players": [{"id": 3, "seat": 5, "name": "Ann", "starting_stack": 100}, {"id": 9, "seat": 1, "name": "Bob",
"starting_stack": 40.5}, {"id": 4, "seat": 2, "name": "asleep", "starting_stack": 10}],
"rounds": [{"id": 0, "street": "Preflop", "cards": [], "actions": [
{"action_number": 0, "player_id": 3, "action": "Post SB", "amount": 0.5},
{"action_number": 1, "player_id": 9, "action": "Post BB", "amount": 1},
{"action_number": 2, "player_id": 3, "action": "Dealt Cards", "cards": ["Ah", "Kh"]},
{"action_number": 3, "player_id": 3, "action": "Raise", "amount": 2.5},
{"action_number": 4, "player_id": 9, "action": "Raise", "amount": 9},
{"action_number": 5, "player_id": 3, "action": "Call", "amount": 7}]},
{"id": 1, "street": "Flop", "cards": ["Qs", "Jh", "2h"], "actions": [
{"action_number": 0, "player_id": 9, "action": "Bet", "amount": 30.5, "is_allin": true},
{"action_number": 1, "player_id": 3, "action": "Call", "amount": 30.5}]},
{"id": 2, "street": "Turn", "cards": ["7c"], "actions": []},
{"id": 3, "street": "River", "cards": ["3h"], "actions": []},
{"id": 4, "street": "Showdown", "cards": [], "actions": [
{"action_number": 0, "player_id": 9, "action": "Shows Cards", "cards": ["Qd", "Qc"]},
{"action_number": 1, "player_id": 3, "action": "Shows Cards", "cards": ["Ah", "Kh"]}]}],
"pots": [{"number": 0, "amount": 81, "rake": 3, "player_wins": [{"player_id": 3, "win_amount": 78}]}]}}
"""


def test_a_hand_of_open_hand_history() -> None:
    hand, again = one(OPEN_HAND)
    assert [(seat.name, seat.stack, seat.number, seat.blind) for seat in hand.seats] == [
        ("Bob", 4050, 1, 100),
        ("Ann", 10000, 5, 50),
    ]
    assert (hand.id, hand.currency, hand.hero, cards_text(hand.board)) == ("77", "$", 1, "Qs Jh 2h 7c 3h")
    assert [move.amount for move in hand.moves] == [300, 1000, 1000, 3050, 3050]  # totals of the street
    assert (again.pots[:2], again.pot, again.rake, again.stacks) == ((150, 2000), 8100, 300, (0, 13750))


@pytest.mark.parametrize("text", [samples.RING, samples.SIDE_POT, samples.GG, samples.BOTH_BLINDS])
def test_open_hand_history_comes_to_the_same(text: str) -> None:
    hand, again = one(text)
    back, then = one(ohh_text(hand))
    assert (then.pots, then.pot, then.stacks, then.rake) == (again.pots, again.pot, again.stacks, again.rake)
    assert [move[:4] for move in back.moves] == [move[:4] for move in hand.moves]
    assert [(seat.name, seat.cards, seat.blind, seat.dead, seat.ante) for seat in back.seats] == [
        (seat.name, seat.cards, seat.blind, seat.dead, seat.ante) for seat in hand.seats
    ]


def test_real_hands_go_through_open_hand_history() -> None:
    read = read_hands(REAL)
    known = [place for place, hand in enumerate(read) if all(seat.known for seat in hand.seats)]
    hands, replays = [read.hands[place] for place in known], [read.replays[place] for place in known]
    back = read_hands_text("".join(ohh_file(hands)))
    assert not back.failures, back.failures
    assert [again.stacks for again in back.replays] == [again.stacks for again in replays]
    assert [[move[:4] for move in hand.moves] for hand in back] == [[move[:4] for move in hand.moves] for hand in hands]
    assert len(back) == len(known) > 5


def test_files_and_folders(tmp_path: Path) -> None:
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep" / "a.txt").write_bytes(b"\xef\xbb\xbf" + samples.RING.replace("\n", "\r\n").encode())
    (tmp_path / "b.phhs").write_bytes(REAL.read_bytes())
    (tmp_path / "c.txt").write_text("nothing of the kind", encoding="utf-8")
    (tmp_path / "d.png").write_bytes(b"x")
    read = read_hands(tmp_path)
    assert (len(read), read.found) == (13, 14)
    assert read.failures[0].file.endswith("c.txt")
    assert "no hands of PokerStars" in read.failures[0].why
    with pytest.raises(InputError, match="no file"):
        read_hands(tmp_path / "none.txt")
    (tmp_path / "empty").mkdir()
    with pytest.raises(InputError, match="no hands in"):
        read_hands(tmp_path / "empty")


@pytest.mark.parametrize(
    ("chips", "decimals", "text"), [(760, 2, "7.60"), (1200, 2, "12"), (5, 0, "5"), (-50, 2, "-0.50"), (0, 2, "0")]
)
def test_amounts(chips: int, decimals: int, text: str) -> None:
    assert amount_text(chips, decimals) == text


# Fuzz: whatever is done to a text, every hand is either read or named, and others are left alone.

TEXTS = (*samples.ALL, REAL.read_text(encoding="utf-8"), OPEN_HAND)


def damaged(data: st.DataObject, text: str) -> str:
    for _ in range(data.draw(st.integers(1, 4))):
        lines = text.split("\n")
        at = data.draw(st.integers(0, len(lines) - 1))
        how = data.draw(st.sampled_from(["drop", "double", "swap", "letter", "number", "line", "cut"]))
        if how == "drop":
            del lines[at]
        elif how == "double":
            lines.insert(at, lines[at])
        elif how == "swap":
            other = data.draw(st.integers(0, len(lines) - 1))
            lines[at], lines[other] = lines[other], lines[at]
        elif how == "letter" and lines[at]:
            place = data.draw(st.integers(0, len(lines[at]) - 1))
            lines[at] = lines[at][:place] + data.draw(st.characters(codec="utf-8")) + lines[at][place + 1 :]
        elif how == "number":
            number = data.draw(st.sampled_from(["0", "-1", "1e9", "99999999999999999999", "0.001", "nan", "", "inf"]))
            digits = [i for i, letter in enumerate(lines[at]) if letter.isdigit()]
            if digits:
                place = data.draw(st.sampled_from(digits))
                lines[at] = lines[at][:place] + number + lines[at][place + 1 :]
        elif how == "line":
            lines.insert(at, data.draw(st.text(max_size=30)))
        elif how == "cut":
            lines = lines[: at + 1]
        text = "\n".join(lines)
    return text


@settings(max_examples=300, deadline=None)
@given(st.data())
def test_damaged_hands_are_read_or_named(data: st.DataObject) -> None:
    text = damaged(data, data.draw(st.sampled_from(TEXTS)))
    check(read_hands_text(text), text)


@settings(max_examples=100, deadline=None)
@given(st.text(max_size=400), st.sampled_from(["", "PokerStars Hand #1: ", "variant = 'NT'\nactions = ", '{"ohh": {']))
def test_any_text_is_read_or_named(text: str, start: str) -> None:
    check(read_hands_text(start + text), start + text)


def check(read: HandsRead, text: str) -> None:
    lines = text.replace("\r\n", "\n").replace("\r", "\n").count("\n") + 1
    numbers = [one.number for one in read.failures] + [hand.number for hand in read]
    assert sorted(numbers) == list(range(1, len(numbers) + 1))
    for failure in read.failures:
        assert 1 <= failure.line <= lines, failure
        assert failure.why
        assert "\n" not in failure.why.strip("\n") or len(failure.why) < 500
    for hand, again in zip(read.hands, read.replays, strict=True):
        assert again.pot == sum(again.spent) + hand.added
        if again.stacks is not None:
            assert sum(again.stacks) + again.rake == sum(seat.stack for seat in hand.seats) + hand.added


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_a_damaged_hand_leaves_its_neighbours_alone(data: st.DataObject) -> None:
    middle = damaged(data, samples.RING)
    read = read_hands_text(samples.BETWEEN.join([samples.GG, middle, samples.SIDE_POT]))
    assert {"HD1234567", "200000000002"} <= {hand.id for hand in read}
