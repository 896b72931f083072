from collections import Counter
from itertools import combinations

import pytest

from runout.cards.cards import cards
from runout.cards.textures import texture
from runout.errors import InputError


@pytest.mark.parametrize(
    ("flop", "text"),
    [
        ("QsJh2h", "Q-high, two-tone, unpaired, semi-connected"),
        ("9s8s5s", "9-high, monotone, unpaired, connected"),
        ("Ah3d2c", "A-high, rainbow, unpaired, connected"),
        ("AhKdTc", "A-high, rainbow, unpaired, connected"),
        ("AhKd4c", "A-high, rainbow, unpaired, disconnected"),
        ("Kh8d3c", "K-high, rainbow, unpaired, disconnected"),
        ("KhTd4c", "K-high, rainbow, unpaired, semi-connected"),
        ("8h8d7c", "8-high, rainbow, paired, semi-connected"),
        ("8h8d2h", "8-high, two-tone, paired, disconnected"),
        ("5h5d5c", "5-high, rainbow, trips, disconnected"),
    ],
)
def test_flops_as_players_describe_them(flop: str, text: str) -> None:
    assert str(texture(flop)) == text
    assert texture(cards(flop)) == texture(flop)


@pytest.mark.parametrize(
    ("flop", "height"), [("Qs2h2d", "high"), ("Js2h2d", "middle"), ("9s2h2d", "middle"), ("8s2h2d", "low")]
)
def test_height_goes_by_the_highest_card(flop: str, height: str) -> None:
    assert texture(flop).height == height


def test_later_streets_have_the_texture_of_their_flop() -> None:
    assert texture("QsJh2h2d2c") == texture("QsJh2h")


def test_all_flops_are_counted_as_combinatorics_says() -> None:
    textures = [texture(flop) for flop in combinations(range(52), 3)]
    assert Counter(t.suits for t in textures) == {"monotone": 4 * 286, "two-tone": 12 * 78 * 13, "rainbow": 4 * 13**3}
    assert Counter(t.pairing for t in textures) == {"trips": 13 * 4, "paired": 13 * 6 * 48, "unpaired": 286 * 64}
    # rank triples that span 2, 3 or 4 (11 + 20 + 27), and an ace with two of 2 to 5 (6); 64 deals each
    assert Counter(t.connectedness for t in textures)["connected"] == (11 + 20 + 27 + 6) * 64


@pytest.mark.parametrize("bad", ["", [0, 1], "QsJhQs", [3, 3, 4], [0, 1, 2, 3, 4, 5]])
def test_what_is_no_flop(bad: str | list[int]) -> None:
    with pytest.raises(InputError):
        texture(bad)
