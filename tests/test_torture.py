"""The campaign of `make torture` knows every command and every format; running it is not part of the suite."""

from __future__ import annotations

import random
from pathlib import Path

from torture.command_lines import ELSEWHERE, SMALL, Stock, all_commands, command_line, options
from torture.foreign import damaged, make_files

from runout.formats.convert import format_of


def test_every_command_has_a_small_call() -> None:
    """One that is missing needs a row in torture/command_lines.py."""
    assert set(all_commands()) == set(SMALL) | ELSEWHERE


def test_lines_are_made_again_from_their_seed_and_reach_every_command(tmp_path: Path) -> None:
    stock, known = Stock({"one": tmp_path / "one"}, [tmp_path / "file"], tmp_path), options()
    lines = [command_line(random.Random(seed), stock, known) for seed in range(600)]
    assert lines == [command_line(random.Random(seed), stock, known) for seed in range(600)]
    assert {line[0] for line in lines} == {name.split()[0] for name in SMALL}
    assert not any(place in " ".join(line) for line in lines for place in ("{solution}", "{file}", "{out}"))


def test_files_of_other_programs_are_whole_and_damages_change_them(tmp_path: Path) -> None:
    files = make_files(tmp_path / "files")
    assert len({format_of(file) for file in files}) >= 8
    for file in files:
        text = file.read_text()
        assert sum(damaged(text, random.Random(seed)) != text for seed in range(20)) > 10
