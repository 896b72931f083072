"""Which flops are meant: all of a deck, a set that stands for all, or those of a file."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from runout.cards.cards import cards_text
from runout.cards.suits import canonical_boards, card_images
from runout.errors import InputError
from runout.games.fitted_flops import SIZES
from runout.games.flop_choice import flop_choice

SMALL_DECK = [card for card in range(52) if card // 4 >= 9]  # jacks to aces


def test_all_flops_stand_for_every_deal() -> None:
    everything = flop_choice()
    assert (everything.all, everything.of) == (True, 1755)
    boards, copies = canonical_boards(3)
    assert np.array_equal(np.sort(everything.cards, axis=1), boards)
    assert everything.shares == pytest.approx(copies / 22100)
    assert flop_choice("all", SMALL_DECK).all


def test_sets_by_name(tmp_path: Path) -> None:
    chosen = flop_choice("even-23")
    assert (len(chosen.flops), str(chosen)) == (23, "the 23 flops of even-23")
    assert chosen.shares.sum() == pytest.approx(1)
    assert flop_choice("23").name == "even-23"  # a number is the set that it always was
    with pytest.raises(InputError, match="full deck"):
        flop_choice("3", SMALL_DECK)


@pytest.mark.parametrize("size", SIZES)
def test_fitted_sets_have_the_ranks_and_suits_of_all_flops(size: int) -> None:
    """What any set that stands for all flops has to have, whatever it was fitted to."""
    chosen, everything = flop_choice(f"fitted-{size}"), flop_choice()
    assert (len(chosen.flops), chosen.name) == (size, f"fitted-{size}")
    assert chosen.shares.sum() == pytest.approx(1)
    assert chosen.shares.min() > 0
    for count in (_high_card, _suits, _pairs):
        wanted, found = (count(one.cards) @ one.shares for one in (everything, chosen))
        assert found == pytest.approx(wanted, abs=0.1 if size < 49 else 0.05)
    with pytest.raises(InputError, match="no set fitted-50"):
        flop_choice("fitted-50")


def _high_card(cards: np.ndarray) -> np.ndarray:
    return np.asarray(cards.max(axis=1) // 4 >= 11)  # ace or king


def _suits(cards: np.ndarray) -> np.ndarray:
    return np.array([len({card % 4 for card in flop}) == 2 for flop in cards.tolist()])


def _pairs(cards: np.ndarray) -> np.ndarray:
    return np.array([len({card // 4 for card in flop}) == 2 for flop in cards.tolist()])


def test_a_file_keeps_its_cards_and_adds_up_flops_that_differ_by_suits(tmp_path: Path) -> None:
    file = tmp_path / "flops.txt"
    file.write_text("Qs Jh 2h  # two hearts\nQc Jd 2d:2\n7s7h7d:1\n", encoding="utf-8")
    read = flop_choice(str(file))
    found = dict(zip(map(cards_text, read.cards.tolist()), read.shares.tolist(), strict=True))
    assert found == pytest.approx({"Qs Jh 2h": 0.75, "7s 7h 7d": 0.25})
    boards, _ = canonical_boards(3)
    for flop, cards in zip(read.flops, read.cards, strict=True):
        images = np.sort(card_images()[:, cards], axis=1).tolist()
        assert boards[flop].tolist() in images


@pytest.mark.parametrize("bad", ["even-0", "some", "Qs Jh", "fitted-", "odd-23"])
def test_unknown_sets_are_refused(bad: str) -> None:
    with pytest.raises(InputError, match=r"unknown flops .*use all, a number"):
        flop_choice(bad)


@pytest.mark.parametrize("text", ["Qs Jh", "Qs Jh 2h:-1", "Qs Jh Zz", "", "QsJh2h:nan", "QsJh2h3c"])
def test_a_file_with_something_else_is_refused(tmp_path: Path, text: str) -> None:
    file = tmp_path / "flops.txt"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match="flop"):
        flop_choice(str(file))


def test_a_card_that_a_small_deck_lacks_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "flops.txt"
    file.write_text("Qs Jh 2h", encoding="utf-8")
    with pytest.raises(InputError, match="not a flop of this deck"):
        flop_choice(str(file), SMALL_DECK)
