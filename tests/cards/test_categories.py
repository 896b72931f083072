import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reference import categories as reference
from runout.cards.categories import LABELS, MADE, categories, category, worth_saying
from runout.cards.hands import COMBO_CARDS, combo
from runout.errors import InputError


@pytest.mark.parametrize(
    ("board", "hand", "made"),
    [
        ("Ts9s8s", "QsJs", "straight flush"),
        ("7h7d2c", "7c7s", "quads"),
        ("7h7d2c", "2d2s", "full house"),
        ("7h7d2c", "7c2s", "full house"),
        ("Ks8s3s", "As2s", "flush"),
        ("5h4d3c", "As2d", "straight"),
        ("QhJdTc", "AsKd", "straight"),
        ("Qh7d2c", "7s7c", "set"),
        ("QhQd2c", "Qs7c", "trips"),
        ("Qh7d2c", "Qs7c", "two pair"),
        ("Qh7d2c", "7s2d", "two pair"),
        ("Qh7d2c", "AsAd", "overpair"),
        ("Qh7d2c", "AsQd", "top pair"),
        ("Qh7d2c", "TsTd", "underpair"),
        ("Qh7d2c", "As7c", "middle pair"),
        ("Qh7d2c", "As2d", "low pair"),
        ("Qh7d4s2c", "As4c", "low pair"),
        ("Qh7d2c", "AsKd", "ace high"),
        ("Qh7d2c", "KsTd", "king high"),
        ("Qh7d2c", "JsTd", "no made hand"),
        # a pair of the board is nobody's
        ("7h7d2c", "As9d", "ace high"),
        ("7h7d2c", "AsAd", "overpair"),
        ("7h7d2c", "5s5d", "underpair"),
        ("KhKd5c", "As5d", "middle pair"),
        ("Kh5d5c", "AsKd", "top pair"),
        ("KhKd9h9s", "Ah3d", "ace high"),
        ("9h9d9c", "AsKd", "ace high"),
        ("9h9d9c", "5s5d", "full house"),
        # what the board counterfeits does not count
        ("KhKd7c5s", "7d5d", "middle pair"),
        ("Kh7c2s2d", "Kd7d", "two pair"),
        ("KhKd9h9s2d", "4s4d", "no made hand"),
        ("KhKd9h9s2d", "As2c", "ace high"),
        ("KhKd9h9s2d", "AsAc", "overpair"),
        # straights and better on the board are everybody's
        ("9h8d7c6s5d", "AsAd", "straight"),
        ("KsQs9s4s2s", "AhAd", "flush"),
        ("KsKdKh9c9d", "AhQd", "full house"),
    ],
)
def test_made_hands_as_players_name_them(board: str, hand: str, made: str) -> None:
    assert category(board, hand)[0] == made


@pytest.mark.parametrize(
    ("board", "hand", "draws"),
    [
        ("Ts9s4d", "QsJs", "flush draw, open-ended, overcards"),
        ("Ts9s4d", "QsJh", "open-ended, overcards"),
        ("Ts9s4d", "Ks7s", "flush draw"),
        ("Ts9s4d", "As7s", "nut flush draw"),
        ("AsTs4d", "KsQs", "nut flush draw, gutshot"),
        ("Ts8s4s", "AsKd", "nut flush draw, overcards, backdoor straight draw"),
        ("Ts9s4d", "KdQh", "gutshot, overcards"),
        ("QhJd2c", "AsKs", "gutshot, overcards"),
        ("5h3d2c", "AsKs", "gutshot, overcards"),  # the wheel needs the four
        ("9h7d5c", "JsTd", "gutshot, overcards"),
        ("Th8d6c", "9s3d", "gutshot"),
        ("Jh9d7c", "Ts4d", "gutshot"),
        ("Qh9d8c", "Ts6d", "open-ended"),  # double gutshot: J or 7
        ("8c6d4h", "TsQd", "overcards, backdoor straight draw"),
        ("8c6d2h", "AcKc", "overcards, backdoor flush draw"),
        ("Td9d6h", "AhJh", "overcards, backdoor flush draw, backdoor straight draw"),  # AsJs has one less
        ("Td9d6h", "AsJs", "overcards, backdoor straight draw"),
        ("Kc6d2h", "JcTc", "backdoor flush draw, backdoor straight draw"),
        ("Kc6d2h", "As5d", "backdoor straight draw"),  # A2345
        ("Kc6c2h", "JcTd", "backdoor straight draw"),
        ("Kc6d2h", "9c3d", ""),
        ("Kc6d2h3s", "JcTc", ""),
        ("9s8s7d", "JsTs", "flush draw"),  # a straight that may become a flush
        ("9s9d8s8d", "8cTs", ""),  # a full house waits for nothing
        ("9h8d7c6s", "AsKd", "overcards"),  # the straight draw is the board's alone
        ("9h8d7c6s", "5sTd", ""),
        ("Ts9s4dQsJd", "KsKd", ""),
        ("Qh7d2c", "QsQd", ""),
    ],
)
def test_draws_as_players_name_them(board: str, hand: str, draws: str) -> None:
    assert ", ".join(worth_saying(category(board, hand)[1])) == draws


@pytest.mark.parametrize(
    ("board", "hand", "kicker"),
    [
        ("Qh7d2c", "AsQd", "top kicker"),
        ("Qh7d2c", "KsQd", "good kicker"),
        ("Qh7d2c", "JsQd", "good kicker"),
        ("Qh7d2c", "TsQd", "weak kicker"),
        ("Ah7d2c", "AsKd", "top kicker"),
        ("AhKd2c", "AsQd", "top kicker"),  # the king is on the board
        ("AhKdJcTs", "As9d", "weak kicker"),  # three cards of the board play before it
        ("QhQd7c", "QsAc", "top kicker"),
        ("Qh7d7c", "QsAc", "top kicker"),
        ("Qh7d7cKs", "QsJc", "weak kicker"),  # queens and sevens with the king of the board
        ("Qh7d2c", "AsAd", ""),
        ("Qh7d2c", "Qs7s", ""),
        ("Qh7d2c", "AsKd", ""),
    ],
)
def test_kickers_as_players_name_them(board: str, hand: str, kicker: str) -> None:
    assert " ".join(label for label in category(board, hand)[1] if "kicker" in label) == kicker


@pytest.mark.parametrize(
    ("board", "hand", "blocks"),
    [
        ("Td9d6h", "AdJs", True),
        ("Td9d6h2c", "AsAd", True),
        ("Td9d6h2c", "AdKd", False),  # a draw of its own
        ("TdAd6h2c", "KdQs", True),  # the ace is on the board
        ("Td9d6h2d", "AdQs", False),  # one card makes a draw of it
        ("Td9d6h2d3c", "AdQs", True),
        ("Td9d6h2c3c", "AdQs", False),  # nobody has a flush
        ("Td9d6h", "KdJs", False),
    ],
)
def test_blockers_as_players_name_them(board: str, hand: str, blocks: bool) -> None:
    assert ("nut flush blocker" in category(board, hand)[1]) == blocks


cards = st.lists(st.integers(0, 51), unique=True, min_size=5, max_size=7)
# few ranks and suits, so that quads, full houses and straight flushes come up
crowded = st.lists(
    st.sampled_from([4 * r + s for r in (0, 1, 2, 3, 12) for s in range(3)]), unique=True, min_size=5, max_size=7
)


@given(st.one_of(cards, crowded))
@settings(max_examples=400, deadline=None)
def test_one_hand_agrees_with_the_definitions(ids: list[int]) -> None:
    board, hole = ids[2:], sorted(ids[:2], reverse=True)
    made, labels = categories(board, np.array([combo(*hole)]))
    assert MADE[made[0]] == reference.made(board, hole)
    assert tuple(np.array(LABELS)[labels[0]]) == reference.labels(board, hole)


@pytest.mark.parametrize("board", ["Qs Jh 2h", "9s 8s 7s 2d", "7h 7d 2c 2s 3h"])
def test_every_hand_on_a_board_agrees_with_the_definitions(board: str) -> None:
    from runout.cards.cards import cards

    ids = cards(board)
    made, labels = categories(board)
    assert (made.dtype, labels.dtype) == (np.uint8, bool)
    for index in np.flatnonzero(~np.isin(COMBO_CARDS, ids).any(axis=1)):
        hole = [int(c) for c in COMBO_CARDS[index]]
        assert MADE[made[index]] == reference.made(ids, hole)
        assert tuple(np.array(LABELS)[labels[index]]) == reference.labels(ids, hole)


def test_bad_boards_and_hands() -> None:
    with pytest.raises(InputError, match="has 2 cards: categories need 3, 4 or 5"):
        categories("Qs Jh")
    with pytest.raises(InputError, match="card Qs is given twice on the board"):
        categories([43, 43, 0])
    with pytest.raises(InputError, match="card Qs is given twice in the board and the hand"):
        category("QsJh2h", "QsQd")
    with pytest.raises(InputError, match="'AKs' is 4 combos: name two cards"):
        category("QsJh2h", "AKs")
