from pathlib import Path
from typing import Annotated, Literal

import pytest
from pydantic import Field, field_validator

from runout.config import Settings, apply_overrides, dump, load, read_yaml, validated
from runout.errors import InputError


class Rake(Settings):
    percent: float = Field(0, ge=0, le=100)
    cap: float | None = None


class Spot(Settings):
    pot: int = Field(gt=0)
    stack: int = 100
    rake: Rake = Rake()
    side_rake: Rake | None = Field(None, alias="side-rake")
    board: str = ""
    cards: Annotated[int, Field(ge=1)] | Literal["all"] = "all"

    @field_validator("board")
    @classmethod
    def _known(cls, board: str) -> str:
        if "x" in board:
            raise InputError(f"unknown card {board!r}: use Ah")
        return board


@pytest.fixture
def spot_file(tmp_path: Path) -> Path:
    path = tmp_path / "spot.yaml"
    path.write_text("pot: 180\nrake: {percent: 5}\n")
    return path


def test_settings_load_with_overrides(spot_file: Path) -> None:
    spot = load(Spot, spot_file, ["stack=910", "rake.cap=30", "board=Qs Jh 2h"])
    assert spot == Spot(pot=180, stack=910, rake=Rake(percent=5, cap=30), board="Qs Jh 2h")


def test_settings_are_frozen_and_read_back_from_their_dump(spot_file: Path) -> None:
    spot = load(Spot, spot_file, ["side-rake.percent=1"])
    spot_file.write_text(dump(spot))
    assert load(Spot, spot_file) == spot
    with pytest.raises(ValueError, match="frozen"):
        spot.pot = 3


@pytest.mark.parametrize(
    ("override", "message"),
    [
        ("sttack=3", "spot.yaml: unknown key 'sttack': did you mean 'stack'\\?"),
        ("rake.persent=3", "unknown key 'rake.persent': did you mean 'percent'\\?"),
        ("side-rake.kap=3", "unknown key 'side-rake.kap': did you mean 'cap'\\?"),
        ("zebra=3", "unknown key 'zebra': use pot, stack, rake, side-rake, board, cards"),
        ("pot=0", "pot = 0: input should be greater than 0"),
        ("pot=many", "pot = 'many': input should be a valid integer"),
        ("rake.percent=101", "rake.percent = 101: input should be less than or equal to 100"),
        ("rake.percent=.nan", "rake.percent = nan: input should be a finite number"),
        ("cards=0", "spot.yaml: cards = 0: input should be greater than or equal to 1"),
        ("rake=5", "rake = 5: input should be"),
        ("board=Ax", "board: unknown card 'Ax': use Ah"),
        ("pot.size=3", "cannot set 'pot.size': 'pot' is a single value, not a group of settings"),
        ("pot", "cannot read --set 'pot': use key=value"),
        ("=3", "cannot read --set '=3': use key=value"),
        ("a..b=3", "cannot read --set 'a..b=3': use key=value"),
        ("pot=[", "cannot read the value of --set 'pot=\\['"),
        ("board=2024-99-99", "cannot read the value of --set 'board=2024-99-99'"),
    ],
)
def test_bad_settings_are_named_in_one_line(spot_file: Path, override: str, message: str) -> None:
    with pytest.raises(InputError, match=message) as caught:
        load(Spot, spot_file, [override])
    assert "\n" not in str(caught.value)


def test_a_missing_key_is_named() -> None:
    with pytest.raises(InputError, match="settings: missing key 'pot'"):
        validated(Spot, {})
    with pytest.raises(InputError, match="unknown key 'pott': did you mean 'pot'"):  # the likelier cause comes first
        validated(Spot, {"pott": 180})


def test_overrides_leave_the_original_alone() -> None:
    data = {"rake": {"percent": 5}, "solve": None}
    assert apply_overrides(data, ["rake.percent=1", "solve.target=0.3", "new.deep.key=[1, 2]", "name=a=b"]) == {
        "rake": {"percent": 1},
        "solve": {"target": 0.3},
        "new": {"deep": {"key": [1, 2]}},
        "name": "a=b",
    }
    assert data == {"rake": {"percent": 5}, "solve": None}


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"pot: [", "is not valid YAML at line 1"),
        (b"a: 1\n  b: 2", "is not valid YAML at line 2"),
        (b"- 1\n- 2", "should hold settings as 'key: value' lines, not list"),
        (b"", "is empty"),
        (b"# nothing but words", "is empty"),
        (b"\xff\xfe\xfa", "cannot read"),
        (b"pot: !!python/object:os.system {}", "is not valid YAML at line 1"),
        (b"day: 2024-99-99", "holds a value that YAML cannot read"),
        (b"1: 2", "has the key 1, which is no text"),
        (b"a: &a [*a]", "holds itself"),
        (b"[" * 5000, "nested too deeply|not valid YAML"),
    ],
)
def test_files_that_hold_no_settings(tmp_path: Path, content: bytes, message: str) -> None:
    path = tmp_path / "spot.yaml"
    path.write_bytes(content)
    with pytest.raises(InputError, match=message) as caught:
        read_yaml(path)
    assert "\n" not in str(caught.value)


def test_files_that_are_not_there(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"no such file: .*nowhere\.yaml"):
        read_yaml(tmp_path / "nowhere.yaml")
    with pytest.raises(InputError, match="cannot read"):
        read_yaml(tmp_path)
    with pytest.raises(InputError, match="cannot read"):
        read_yaml(Path("x" * 300))


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="no endless file here")
def test_an_endless_file_is_given_up() -> None:
    with pytest.raises(InputError, match="more than 4,000,000 characters"):
        read_yaml(Path("/dev/zero"))


def test_a_copy_forgets_what_was_worked_out_from_other_settings() -> None:
    from runout.games.spot import Spot as PostflopSpot

    spot = PostflopSpot.default()
    assert spot.tree().stack == 900
    assert spot.model_copy(update={"stack": 300}).tree().stack == 300
