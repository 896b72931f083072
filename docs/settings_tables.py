"""Tables of settings, written from the descriptions of the fields.

`python docs/settings_tables.py` puts them into the pages. A page asks for one between `<!-- settings: Spot -->` and
`<!-- end of settings -->`; dots name a group of settings, as in `TrainConfig.training`.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

import runout
from runout.config import SettingRow, setting_group, setting_rows

PAGES = Path(__file__).parent
_TABLE = re.compile(r"(<!-- settings: (\S+) -->\n).*?(<!-- end of settings -->)", re.DOTALL)


def table(name: str) -> str:
    """The settings of a public class, or of a group of its settings, as a table in Markdown."""
    public, *groups = name.split(".")
    rows = [_line(row) for row in setting_rows(setting_group(getattr(runout, public), groups))]
    return "\n".join(["| setting | default | meaning |", "|---|---|---|", *rows])


def _line(row: SettingRow) -> str:
    default = "required" if row.default is None else row.default
    default = default if re.fullmatch(r"[\d.]+|required|none", default) else f"`{default}`"
    meaning = row.meaning.replace("|", "\\|")
    return f"| `{row.name}` | {default} | {meaning} |"


def rewritten(text: str) -> str:
    """A page with its tables as they should be."""
    return _TABLE.sub(lambda match: f"{match[1]}\n{table(match[2])}\n\n{match[3]}", text)


def main() -> None:
    """Rewrite the pages whose tables are out of date."""
    for page in sorted(PAGES.glob("*.md")):
        before = page.read_text(encoding="utf-8")
        if (after := rewritten(before)) != before:
            page.write_text(after, encoding="utf-8")
            print(page.name, file=sys.stderr)


if __name__ == "__main__":
    main()
