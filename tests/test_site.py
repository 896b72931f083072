"""The pages build without a warning, load nothing from other hosts, and have every public name and every page."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path

import pytest

import runout

pytest.importorskip("mkdocs", reason="the pages need pip install 'runout[docs]'")
pytest.importorskip("mkdocstrings", reason="the pages need pip install 'runout[docs]'")

ROOT = Path(__file__).parents[1]


class Loaded(HTMLParser):
    """What a browser fetches for a page by itself."""

    def __init__(self) -> None:
        super().__init__()
        self.addresses: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        fetched = given.get("href") if tag == "link" else given.get("src")
        if fetched:
            self.addresses.append(fetched)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", str(folder)]
    environment = os.environ | {"PYTHONPATH": str(ROOT / "src")}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return folder


def test_pages_load_nothing_from_other_hosts(site: Path) -> None:
    pages = list(site.rglob("*.html"))
    assert len(pages) > 15
    for page in pages:
        loaded = Loaded()
        loaded.feed(page.read_text(encoding="utf-8"))
        assert loaded.addresses
        assert [address for address in loaded.addresses if re.match(r"(\w+:)?//", address)] == [], page.name


def test_styles_and_pictures_load_nothing_from_other_hosts(site: Path) -> None:
    files = [*site.rglob("*.css"), *site.rglob("*.svg")]
    assert files
    for file in files:
        found = re.findall(r"(?:url\(|@import)\s*[\"']?(?:\w+:)?//[^)\"']+", file.read_text(encoding="utf-8"))
        assert found == [], file.name


def test_every_public_name_is_in_the_reference(site: Path) -> None:
    page = (site / "api.html").read_text(encoding="utf-8")
    for name in set(runout.__all__) - {"__version__"}:
        found = getattr(runout, name)
        assert f'id="{found.__module__}.{found.__qualname__}"' in page, name


def test_every_page_is_in_the_menu(site: Path) -> None:
    home = (site / "index.html").read_text(encoding="utf-8")
    for page in (ROOT / "docs").rglob("*.md"):
        name = page.relative_to(ROOT / "docs").with_suffix(".html").as_posix()
        assert f'href="{name}"' in home, name


@pytest.mark.parametrize("page", ["CONTRIBUTING.md", "DATA.md", "README.md", "docs/files.md", "docs/holdem.md"])
def test_files_that_a_page_names_exist(page: str) -> None:
    text = (ROOT / page).read_text(encoding="utf-8")
    named = re.findall(r"`((?:src|tests|docs|examples|configs|benchmarks)/[^`\s]*)`", text)
    assert named or page == "README.md"
    for path in named:
        if "NAME" not in path:  # of a file that the reader will write
            assert list(ROOT.glob(path.rstrip("/"))), f"{page} names {path}"
