"""Tests that drive a real browser or a real cluster are tried a second time when they fail, and the report says so.

Such a program can stumble on a machine that is busy with something else. What fails twice in a row fails.
"""

from __future__ import annotations

import pytest

REAL = {"page", "browser", "cluster"}  # fixtures


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if REAL & set(getattr(item, "fixturenames", ())):
            item.add_marker(pytest.mark.flaky(reruns=1))
