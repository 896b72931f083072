"""Schedules against the formulas of their papers, and what they refuse."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from runout.errors import InputError
from runout.solvers.catalog import parse_algorithm
from runout.solvers.schedules import SKIPPED, VARIANTS, Schedule, make_schedule


def schedule(text: str) -> Schedule:
    found = parse_algorithm(text)
    assert isinstance(found, Schedule)
    return found


def test_defaults_are_the_published_ones() -> None:
    defaults = {name: make_schedule(name).values for name in VARIANTS}
    assert defaults == {
        "cfr": (),
        "cfr+": (1.0,),
        "lcfr": (),
        "dcfr": (1.5, 0.0, 2.0, 1.0),
        "dcfr+": (1.5, 4.0),
        "pcfr+": (2.0,),
        "pdcfr+": (2.3, 5.0),
        "sapcfr+": (1 / 3, 5.0),
        "hs-dcfr": (30.0, 1000.0),
    }


def test_weights_follow_the_papers() -> None:
    assert make_schedule("cfr").at(7) == (1, 1, 1, 0)
    assert make_schedule("cfr+").at(4) == (1, 0, 3 / 4, 0)
    assert make_schedule("lcfr").at(4) == pytest.approx((3 / 4, 3 / 4, 3 / 4, 0))
    assert make_schedule("dcfr").at(5) == pytest.approx((8 / 9, 1 / 2, 16 / 25, 0))
    assert make_schedule("dcfr+").at(5) == pytest.approx((8 / 9, 0, (4 / 5) ** 4, 0))
    assert make_schedule("pcfr+").at(5) == pytest.approx((1, 0, 16 / 25, 1))
    assert make_schedule("pdcfr+").at(3) == pytest.approx((2**2.3 / (2**2.3 + 1), 0, (2 / 3) ** 5, 1))
    assert make_schedule("sapcfr+").at(3) == pytest.approx((1, 0, (2 / 3) ** 5, 1 / 3))
    assert make_schedule("hs-dcfr").at(501) == pytest.approx(
        (500**2.5 / (500**2.5 + 1), 500**-2.0 / (500**-2.0 + 1), (500 / 501) ** (30 - 2.505), 0)
    )


def test_linear_cfr_is_dcfr_1_1_1() -> None:
    np.testing.assert_allclose(
        make_schedule("lcfr").rows(0, 50), make_schedule("dcfr", 1, 1, 1).rows(0, 50), rtol=1e-15
    )


@settings(deadline=None)
@given(
    name=st.sampled_from(sorted(VARIANTS)),
    done=st.integers(0, 5000),
    first=st.integers(0, 40),
    rest=st.integers(0, 40),
)
def test_rows_do_not_depend_on_how_a_run_is_cut(name: str, done: int, first: int, rest: int) -> None:
    whole = make_schedule(name).rows(done, first + rest)
    np.testing.assert_array_equal(whole[: first + 1], make_schedule(name).rows(done, first))
    np.testing.assert_array_equal(whole[first:], make_schedule(name).rows(done + first, rest))


@given(alpha=st.floats(-300, 300), beta=st.floats(-300, 300), gamma=st.floats(0, 300), t=st.integers(1, 10**7))
def test_finite_parameters_give_finite_weights(alpha: float, beta: float, gamma: float, t: int) -> None:
    weights = make_schedule("dcfr", alpha, beta, gamma).at(t)
    assert all(0 <= weight <= 1 for weight in weights)


@pytest.mark.parametrize("every", [1, 2, 3, 7])
def test_every_nth_iteration_counts_what_it_would_count_among_all(every: int) -> None:
    """The weight of iteration t in the sum is what all later ones leave of it: t^gamma, up to one factor."""
    factors = make_schedule("dcfr", 1.3, 0.4, 4, every).rows(0, 42)[:42, 2]
    counted = [t for t in range(1, 43) if factors[t - 1] != SKIPPED]
    assert counted == sorted({1, *range(every, 43, every)})
    left = [np.prod([factors[later - 1] for later in counted if later > t]) for t in counted]
    assert np.array(left) / left[-1] == pytest.approx((np.array(counted) / counted[-1]) ** 4.0)


def test_a_rare_parameter_is_written_where_it_is_not_the_default() -> None:
    assert str(make_schedule("dcfr", 1.3, 0.4, 4)) == "dcfr(1.3,0.4,4)"  # as in solutions from before there was one
    assert str(make_schedule("dcfr", 1.3, 0.4, 4, 2)) == "dcfr(1.3,0.4,4,2)"
    assert str(make_schedule("dcfr", 1.5, 0, 2, 2)) == "dcfr(1.5,0,2,2)"


@pytest.mark.parametrize("text", ["dcfr", "dcfr(1.5,0,2)", " DCFR ( 1.5 , 0 ) ", "dcfr()"])
def test_an_algorithm_is_read_with_its_parameters(text: str) -> None:
    assert schedule(text) == make_schedule("dcfr")
    assert str(schedule(text)) == "dcfr"


@given(alpha=st.floats(-5, 5), gamma=st.floats(0, 10))
def test_a_schedule_is_written_as_it_is_read(alpha: float, gamma: float) -> None:
    given_one = make_schedule("pdcfr+", alpha, gamma)
    assert schedule(str(given_one)) == given_one


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("dfcr", "unknown algorithm 'dfcr': did you mean 'dcfr'?"),
        ("poker", "unknown algorithm 'poker': use cfr, cfr\\+"),
        ("dcfr(1,2,3,4,5)", "dcfr was given 5 parameters: it takes alpha, beta, gamma, every"),
        ("dcfr(1,2,3,0)", "dcfr: every = 0: use 1 or more"),
        ("dcfr(1,2,3,1.5)", "dcfr: every = 1.5 is not a whole number"),
        ("dcfr(1,2,3,2)", "dcfr\\(1,2,3,2\\): only postflop games and Flop Hold'em leave iterations out"),
        ("cfr(1)", "cfr was given 1 parameters: it takes no parameters"),
        ("dcfr(inf)", "dcfr: alpha = inf is not a finite number"),
        ("dcfr(1.5,nan)", "dcfr: beta = nan is not a finite number"),
        ("pdcfr+(2,-1)", "pdcfr\\+: gamma = -1: use 0 or more"),
        ("dcfr(a)", "cannot read 'a' in algorithm 'dcfr\\(a\\)': use numbers"),
        ("dcfr(1", "cannot read algorithm 'dcfr\\(1'"),
        ("outcome-sampling(2)", "exploration = 2.0: use a number above 0, up to 1"),
        ("external-sampling(1)", "it takes no parameters"),
    ],
)
def test_bad_algorithms_are_refused_with_the_reason(text: str, reason: str) -> None:
    with pytest.raises(InputError, match=reason):
        parse_algorithm(text)
