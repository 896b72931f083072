"""For mkdocs: puts pages of the project's root into the site, and finds where public names are defined."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import runout

ROOT = Path(__file__).parents[1]


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:
    """The text of a page as mkdocs should see it."""
    if page.file.src_uri.startswith("project/"):
        markdown = re.sub(r'^--8<-- "([A-Z]+\.md)"$', lambda match: root_page(match[1]), markdown, flags=re.MULTILINE)
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
    lines = [
        f"::: {found.__module__}.{found.__qualname__}",
        "    options:",
        f"      heading: runout.{name}",
        f"      toc_label: {name}",
    ]
    return "\n".join(lines) + "\n"
