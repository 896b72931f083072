"""Tables of settings in the pages say what the fields say."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest

DOCS = Path(__file__).parents[1] / "docs"


@pytest.fixture(scope="module")
def tables() -> ModuleType:
    spec = importlib.util.spec_from_file_location("settings_tables", DOCS / "settings_tables.py")
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("page", sorted(DOCS.glob("*.md")), ids=lambda page: page.name)
def test_tables_are_up_to_date(tables: ModuleType, page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    assert tables.rewritten(text) == text, "run `python docs/settings_tables.py`"


def test_the_pages_have_a_table_for_every_kind_of_settings() -> None:
    asked = "".join(page.read_text(encoding="utf-8") for page in DOCS.glob("*.md"))
    for name in ("Spot", "Preflop", "FlopHoldem", "LimitHoldem", "NoLimitHoldem", "TrainConfig.training"):
        assert f"<!-- settings: {name} -->" in asked


def test_a_table_names_defaults_and_what_is_required(tables: ModuleType) -> None:
    text = tables.table("Spot")
    assert "| `board` | required | 3, 4 or 5 cards: 'Qs Jh 2h' |" in text
    assert "| `solve.target` | 0.3 | stop at this exploitability, in `unit` |" in text
    assert tables.rewritten("<!-- settings: Spot -->\nold\n<!-- end of settings -->") == (
        f"<!-- settings: Spot -->\n\n{text}\n\n<!-- end of settings -->"
    )
