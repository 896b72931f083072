"""What comes from elsewhere is pinned: vendored files by their hashes, installed versions by requirements.lock."""

from __future__ import annotations

import hashlib
import re
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement

ROOT = Path(__file__).parent.parent
VENDOR = ROOT / "src" / "runout" / "app" / "static" / "vendor"
LOCK = ROOT / "requirements.lock"
EXTRAS = ("dev", "docs", "openspiel", "logging", "cluster")  # those that `make test` installs


def test_vendored_files_are_those_of_the_list():
    listed = dict(re.findall(r"^    ([0-9a-f]{64})  (\S+)$", (VENDOR / "VENDOR.md").read_text(), re.M))
    named = {name: hashed for hashed, name in listed.items()}
    there = {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in VENDOR.iterdir()}
    del there["VENDOR.md"]
    assert there == named


def test_what_tests_load_into_pages_is_what_it_was():
    content = (ROOT / "tests" / "data" / "axe" / "axe.min.js").read_bytes()
    assert hashlib.sha256(content).hexdigest() == "880970c081707360e64f34cea25ff91892f5bc95675b0776925b9709dd8a68bb"


@pytest.fixture(scope="module")
def locked() -> dict[str, str]:
    lines = [line for line in LOCK.read_text().splitlines() if not line.startswith("#")]
    found = [re.fullmatch(r"([a-z0-9.-]+)==(\S+) --hash=sha256:[0-9a-f]{64}", line) for line in lines]
    assert all(found), "a line of the lock is not a name, a version and a sha256"
    return {match[1]: match[2] for match in found if match}


def test_the_lock_names_no_registry():
    assert "://" not in LOCK.read_text()
    assert "index" not in LOCK.read_text()


def test_the_lock_has_every_declared_package_in_its_range(locked):
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    asked = [*project["dependencies"], *(one for extra in EXTRAS for one in project["optional-dependencies"][extra])]
    for text in asked:
        wanted = Requirement(text)
        name = wanted.name.lower().replace("_", "-")
        assert name in locked, f"{name} is not locked: run .ci/lock.py"
        assert wanted.specifier.contains(locked[name], prereleases=True), f"{text}, locked {locked[name]}"
