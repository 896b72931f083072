from itertools import combinations

import numpy as np
import pytest

from runout.cards.cards import card
from runout.cards.hands import (
    CLASS_COMBOS,
    CLASS_NAMES,
    COMBO_CARDS,
    COMBO_CLASS,
    MATRIX,
    class_at,
    class_index,
    combo,
    combo_index,
    combo_name,
    hand_combos,
)
from runout.errors import InputError


def test_canonical_indices_of_classes() -> None:
    named = {"AA": 0, "KK": 1, "22": 12, "AKs": 13, "AQs": 14, "A2s": 24, "KQs": 25, "32s": 90, "AKo": 91, "32o": 168}
    assert {name: class_index(name) for name in named} == named


def test_classes_read_back_and_count_1326_combos() -> None:
    assert [class_index(name) for name in CLASS_NAMES] == list(range(169))
    assert len(set(CLASS_NAMES)) == 169
    assert CLASS_COMBOS.tolist() == [6] * 13 + [4] * 78 + [12] * 78


def test_combos_are_all_pairs_of_cards_and_read_back() -> None:
    for high, low in combinations(range(51, -1, -1), 2):
        index = combo(low, high)
        assert index == combo(high, low)
        assert COMBO_CARDS[index].tolist() == [high, low]
        assert hand_combos(combo_name(index)) == [index]
    assert combo_name(combo(card("Kh"), card("As"))) == "AsKh"


def test_the_matrix_has_suited_hands_above_the_diagonal() -> None:
    names = [[CLASS_NAMES[index] for index in row] for row in MATRIX]
    assert names[0][:3] == ["AA", "AKs", "AQs"]
    assert [row[0] for row in names[:3]] == ["AA", "AKo", "AQo"]
    assert names[12][12] == "22"
    assert sorted(MATRIX.ravel().tolist()) == list(range(169))
    assert class_at(0, 1) == class_index("AKs")


@pytest.mark.parametrize(
    ("text", "classes"),
    [("AA", {"AA"}), ("AK", {"AKs", "AKo"}), ("KA", {"AKs", "AKo"}), ("aks", {"AKs"}), ("kAO", {"AKo"})],
)
def test_hands_and_their_classes(text: str, classes: set[str]) -> None:
    found = hand_combos(text)
    assert {CLASS_NAMES[c] for c in COMBO_CLASS[found]} == classes
    assert len(found) == sum(CLASS_COMBOS[class_index(name)] for name in classes)


def test_class_of_each_combo_agrees_with_its_cards() -> None:
    for index, (high, low) in enumerate(COMBO_CARDS.astype(int)):
        name = CLASS_NAMES[COMBO_CLASS[index]]
        ranks = combo_name(index)[0] + combo_name(index)[2]
        assert name == ranks + ("" if high // 4 == low // 4 else "s" if high % 4 == low % 4 else "o")


@pytest.mark.parametrize("text", ["AX", "AAA", "A", "AAs", "AsK", "AKx"])
def test_what_is_no_hand_is_named(text: str) -> None:
    with pytest.raises(InputError, match=f"unknown hand '{text}'"):
        hand_combos(text)
    with pytest.raises(InputError, match=f"unknown hand class '{text}'"):
        class_index(text)


def test_other_bad_hands() -> None:
    with pytest.raises(InputError, match="empty hand"):
        hand_combos("  ")
    with pytest.raises(InputError, match="holds As twice"):
        hand_combos("AsAs")
    with pytest.raises(InputError, match="'AK' is sixteen combos, not one class: use AKs or AKo"):
        class_index("AK")


def test_tables_have_the_documented_types() -> None:
    assert COMBO_CARDS.dtype == np.uint8
    assert COMBO_CARDS.shape == (1326, 2)
    assert COMBO_CLASS.shape == (1326,)


def test_combos_are_numbered_alike_one_by_one_and_in_arrays() -> None:
    cards = np.array([(a, b) for a in range(52) for b in range(52) if a != b], np.uint8)
    found = combo_index(cards[:, 0], cards[:, 1])
    assert found.tolist() == [combo(int(a), int(b)) for a, b in cards]
    assert (np.sort(COMBO_CARDS[found], axis=1) == np.sort(cards, axis=1)).all()
