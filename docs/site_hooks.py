"""For mkdocs: puts pages of the project's root into the site, and finds where public names are defined."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import runout
from runout.config import Settings, setting_rows

ROOT = Path(__file__).parents[1]
_PICTURE = re.compile(r"(!\[[^]]*\]\((?:\.\./)*)(web-[a-z-]+)(?<!-light)\.png\)")  # of which there is a light one too


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:
    """The text of a page as mkdocs should see it."""
    if page.file.src_uri.startswith("project/"):
        markdown = re.sub(r'^--8<-- "([A-Z]+\.md)"$', lambda match: root_page(match[1]), markdown, flags=re.MULTILINE)
    markdown = _PICTURE.sub(r"\1\2.png#only-dark)\1\2-light.png#only-light)", markdown)
    return re.sub(r"^::: runout\.(\w+)$", lambda match: reference(match[1]), markdown, flags=re.MULTILINE)


def root_page(name: str) -> str:
    """A page of the root; its links lead to the same pages of the site."""
    text = (ROOT / name).read_text(encoding="utf-8")
    text = re.sub(r"\[([^]]*)\]\(LICENSE\)", r"\1", text)
    text = re.sub(r"\]\(([A-Z]+)\.md\)", lambda match: f"]({match[1].lower()}.md)", text)
    return text.replace("](docs/", "](../")


def reference(name: str) -> str:
    """What mkdocstrings is to make of a public name: its source is in another module."""
    found = getattr(runout, name)
    place = f"{found.__module__}.{found.__qualname__}"
    if isinstance(found, type) and issubclass(found, Settings):
        heading = f"### runout.{name} {{#{place} data-toc-label={name}}}"
        rest = [f"::: {place}", "    options:", "      show_root_heading: false", "      show_root_toc_entry: false"]
        return "\n".join([heading, "", *settings_table(found), "", *rest, "      heading_level: 4", ""])
    return "\n".join([f"::: {place}", "    options:", f"      heading: runout.{name}", f"      toc_label: {name}", ""])


def settings_table(model: type[Settings]) -> list[str]:
    """One row for each setting: what `help()` of the class says."""
    rows = [(f"`{row.name}`", row.default, row.meaning) for row in setting_rows(model)]
    cells = [(name, f"`{default}`" if default else "required", meaning) for name, default, meaning in rows]
    escaped = [" | ".join(cell.replace("|", "\\|") for cell in row) for row in cells]
    return ["| setting | default | meaning |", "|---|---|---|", *(f"| {row} |" for row in escaped)]
