"""Files that somebody crafted: arrays that do not fit their game, with checksums that fit, are refused in one line."""

import hashlib
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import runout
from runout.errors import SolutionError
from runout.solutions.format import read_bundle, solution_path, write_bundle
from test_old_files import unpacked

HELD = [  # a solution of 0.1.0 of each kind, and the arrays that its kernels read
    ("kuhn", "policy"),
    ("push-fold", "policy"),
    ("river", "averages"),
    ("river", "regrets"),
    ("flop-holdem", "averages"),
    ("flop-holdem-int16", "average_scales"),
    ("flop-mccfr", "averages"),
    ("flop-mccfr", "keys"),
    ("flop-sd-cfr", "weights"),
]


def mend(path: Path, name: str) -> None:
    meta = json.loads((path / "meta.json").read_text())
    meta["sha256"][name] = hashlib.sha256((path / name).read_bytes()).hexdigest()
    (path / "meta.json").write_text(json.dumps(meta))


def not_a_number(array: np.ndarray) -> np.ndarray:
    array = array.copy()
    array.ravel()[-1:] = np.nan if array.dtype.kind == "f" else 0
    return array


def negative(array: np.ndarray) -> np.ndarray:
    array = array.copy()
    array.ravel()[-1:] = -0.5 if array.dtype.kind == "f" else array.ravel()[0]
    return array


CRAFTS: dict[str, Any] = {
    "half": lambda array: array[: len(array) // 2],
    "none": lambda array: array[:0],
    "one": lambda array: array[:1],
    "turned": lambda array: array.reshape(1, -1),
    "complex": lambda array: array.astype(np.complex64),
    "text": lambda array: array.astype("<U3"),
    "not a number": not_a_number,
    "negative": negative,
}


@pytest.mark.parametrize("craft", CRAFTS)
@pytest.mark.parametrize(("name", "array"), HELD)
def test_arrays_that_do_not_fit_are_refused_before_a_kernel_sees_them(
    name: str, array: str, craft: str, tmp_path: Path
) -> None:
    path = solution_path(unpacked(name, tmp_path))
    file = path / f"{array}.npy"
    was = np.load(file)
    if craft == "negative" and array == "regrets":
        pytest.skip("regrets may be negative")
    np.save(file, CRAFTS[craft](was))
    mend(path, file.name)
    with pytest.raises(SolutionError, match=r"is not a complete|damaged|do not belong together|have no weights"):
        runout.load(path)


@pytest.mark.parametrize(
    ("name", "was", "now"),
    [("nolimit-sd-cfr", "  - 0.5\n", ""), ("flop-sd-cfr", "hidden_dim: 8", "hidden_dim: 9")],
)
def test_networks_of_other_settings_are_refused_at_opening(name: str, was: str, now: str, tmp_path: Path) -> None:
    path = solution_path(unpacked(name, tmp_path))
    text = (path / "config.yaml").read_text()
    assert was in text
    (path / "config.yaml").write_text(text.replace(was, now))
    mend(path, "config.yaml")
    with pytest.raises(SolutionError, match="networks do not fit its settings"):
        runout.load(path)


def test_a_river_without_rivers_is_refused_at_opening(tmp_path: Path) -> None:
    bundle = read_bundle(solution_path(unpacked("river", tmp_path)))
    write_bundle(tmp_path / "crafted", replace(bundle, reached=bundle.reached | {"rivers": False}))
    with pytest.raises(SolutionError, match="rivers are left out"):
        runout.load(tmp_path / "crafted")


def test_a_large_solution_opens_without_reading_it_and_is_checked_before_a_kernel_sees_it(tmp_path: Path) -> None:
    spot = runout.Spot(board="Qs Jh 2h 8d", pot=20, stack=60, ranges={"oop": "22+,A2+,K2+,Q2+", "ip": "22+,A2+,K2+"})
    runout.solve(spot, iterations=2, output=tmp_path / "turn")
    whole = runout.load(tmp_path / "turn")
    assert isinstance(whole, runout.Solution)
    content = bytearray((tmp_path / "turn" / "averages.npy").read_bytes())
    assert len(content) > 1 << 20, "large enough to be read by parts"
    content[-5] ^= 64
    (tmp_path / "turn" / "averages.npy").unlink()  # `whole` keeps the good one
    (tmp_path / "turn" / "averages.npy").write_bytes(content)
    opened = runout.load(tmp_path / "turn")
    assert isinstance(opened, runout.Solution)
    with pytest.raises(SolutionError, match=r"averages.npy does not match its checksum"):
        opened.root.play("check").play("check").deal("3c").strategy()
    with pytest.raises(SolutionError, match=r"averages.npy does not match its checksum"):
        runout.solve(resume=opened, iterations=4)
    again = runout.solve(resume=whole, iterations=4)
    assert again.iterations == 4
