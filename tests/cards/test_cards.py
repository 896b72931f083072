import pytest
from hypothesis import given
from hypothesis import strategies as st

from runout.cards.cards import board, card, card_name, cards, cards_text, require_distinct
from runout.errors import InputError


def test_ids_run_from_the_deuce_of_clubs_to_the_ace_of_spades() -> None:
    assert [card(name) for name in ("2c", "2d", "2h", "2s", "3c", "Ah", "As")] == [0, 1, 2, 3, 4, 50, 51]


def test_every_card_reads_back() -> None:
    assert [card(card_name(c)) for c in range(52)] == list(range(52))


@pytest.mark.parametrize("text", ["td", "Td", "10d", "T♦", " TD "])
def test_spellings_of_one_card(text: str) -> None:
    assert card_name(card(text)) == "Td"


@pytest.mark.parametrize("text", ["Qs Jh 2h", "QsJh2h", "[Qs, Jh, 2h]", "qs,jh,2H", "Q♠ J♥ 2♥"])
def test_spellings_of_a_board(text: str) -> None:
    assert cards_text(board(text)) == "Qs Jh 2h"


@given(st.lists(st.integers(0, 51), unique=True, max_size=7))
def test_lists_of_cards_read_back(ids: list[int]) -> None:
    assert cards(cards_text(ids)) == ids
    assert cards(cards_text(ids, "")) == ids


@pytest.mark.parametrize("text", ["", "A", "1s", "Ax", "AsK", "Zz"])
def test_what_is_no_card_is_named(text: str) -> None:
    with pytest.raises(InputError, match=f"unknown card '{text}': use a rank"):
        card(text)


def test_bad_lists_of_cards() -> None:
    with pytest.raises(InputError, match="cannot read cards 'Qs J': use two letters a card"):
        cards("Qs J")
    with pytest.raises(InputError, match="card Qs is given twice"):
        cards("QsJhQs")
    with pytest.raises(InputError, match="card 2c is given twice on the board"):
        require_distinct([0, 1, 0], " on the board")


@pytest.mark.parametrize(("text", "count"), [("Qs", "1 card:"), ("Qs Jh", "2 cards:"), ("2c3c4c5c6c7c", "6 cards:")])
def test_boards_have_no_three_four_or_five_cards(text: str, count: str) -> None:
    assert board("") == []
    with pytest.raises(InputError, match=f"has {count} use 3"):
        board(text)
