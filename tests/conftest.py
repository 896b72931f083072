"""What holds for all tests.

- Those that drive a real browser or a real cluster are tried a second time when they fail, and the report says so. Such
  a program can stumble on a machine that is busy with something else. What fails twice in a row fails.
- Training that does not say how many workers it wants has one, in the process of the test: starting others takes longer
  than most of these runs, and by design results do not depend on them. Tests of that ask for several.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from runout.run import solver_factories

REAL = {"page", "browser", "cluster"}  # fixtures


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if REAL & set(getattr(item, "fixturenames", ())):
            item.add_marker(pytest.mark.flaky(reruns=1))


@pytest.fixture(scope="session", autouse=True)
def _one_worker() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(solver_factories, "WORKERS", 1)
        yield
