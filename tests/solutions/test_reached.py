"""What a run reached: written to a file and read back, also from files that count chips."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from runout.solutions.format import Bundle, read_bundle, write_bundle
from runout.solutions.reached import Reached, Unit

WHOLE = Reached(30, 1.5, 0.25, "mbb/hand", [(10, 0.75), (30, 0.25)], "dcfr(1.5,0,2)")


def test_it_comes_back_from_a_file_with_what_stands_beside_it(tmp_path: Path) -> None:
    write_bundle(tmp_path / "one", WHOLE.bundle("test", {}, {"extra": np.arange(3)}, leaf="equity"))
    bundle = read_bundle(tmp_path / "one")
    assert Reached.of(bundle) == WHOLE
    assert bundle.reached["leaf"] == "equity"
    assert bundle.reached["nash_conv"] == 0.5
    np.testing.assert_array_equal(bundle.arrays["extra"], np.arange(3))


def test_a_run_that_was_not_measured_has_no_figure_and_no_curve(tmp_path: Path) -> None:
    write_bundle(tmp_path / "one", Reached(7, 0.5, unit="mbb/hand").bundle("test", {}, {}))
    found = Reached.of(read_bundle(tmp_path / "one"))
    assert (found.exploitability, found.curve, found.iterations) == (None, [], 7)


def test_chips_of_older_files_become_the_unit_of_their_game() -> None:
    held = {"iterations": 20, "seconds": 2.0, "exploitability": 0.01, "unit": "chips"}
    bundle = Bundle("test", {"algorithm": "cfr+"}, held, {"curve": np.array([[10, 0.02], [20, 0.01]])})
    found = Reached.of(bundle, Unit("mbb/hand", 500.0))
    assert (found.unit, found.algorithm) == ("mbb/hand", "cfr+")
    assert found.exploitability == pytest.approx(5)
    assert [t for t, _ in found.curve] == [10, 20]
    assert [x for _, x in found.curve] == pytest.approx([10, 5])
    assert Reached.of(bundle).unit == "chips"


def test_other_units_are_left_as_they_are() -> None:
    bundle = WHOLE.bundle("test", {}, {})
    assert Reached.of(bundle, Unit("mA/g", 1000.0)) == WHOLE


def test_a_run_counted_in_walks_is_counted_in_iterations_again() -> None:
    walks = WHOLE.counted(3000)
    assert walks.curve == [(1000, 0.75), (3000, 0.25)]
    assert walks.counted(30) == WHOLE
    assert Reached().counted(0) == Reached()


def test_a_file_without_iterations_is_not_read() -> None:
    with pytest.raises(KeyError, match="iterations"):
        Reached.of(Bundle("test", {}, {"seconds": 1.0}, {}))
