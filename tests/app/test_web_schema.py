"""The OpenAPI description against the server: whatever fits it, or nearly does, gets an answer and never a 5xx."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import response_schema_conformance, status_code_conformance

from reference.web import Server
from runout.app.web.server import make_app
from runout.app.web.state import State

DESCRIPTION = make_app(cast(State, None)).openapi()
OPERATIONS = [
    (method.upper(), path)
    for path, operations in DESCRIPTION["paths"].items()
    for method in operations
    if path != "/api/events"  # has no end
]


@pytest.fixture(scope="module")
def description(solutions: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """The description that a real server gives of itself."""
    folder = tmp_path_factory.mktemp("library")
    for name in ("river", "push-fold"):
        shutil.copytree(solutions / name, folder / name)
    with Server(folder) as server:
        yield schemathesis.openapi.from_url(f"{server.address}api/openapi.json")


@pytest.mark.parametrize(("method", "path"), OPERATIONS)
def test_no_request_is_an_error_of_the_server(description: Any, method: str, path: str) -> None:
    operation = description[path][method]
    modes = [schemathesis.GenerationMode.POSITIVE, schemathesis.GenerationMode.NEGATIVE]
    cases = st.one_of(*(operation.as_strategy(generation_mode=mode) for mode in modes))

    @given(case=cases, name=st.sampled_from(["river", "push-fold", None]))
    @settings(
        max_examples=20,
        deadline=None,
        derandomize=True,
        database=None,
        phases=[Phase.explicit, Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    def check(case: Any, name: str | None) -> None:
        if name is not None and "/solutions/{id}" in path and method != "DELETE":
            case.path_parameters["id"] = name  # one that is there
        checks = [not_a_server_error, status_code_conformance, response_schema_conformance]
        case.call_and_validate(checks=checks)

    check()


def test_every_operation_names_what_it_gives() -> None:
    for path, operations in DESCRIPTION["paths"].items():
        for method, operation in operations.items():
            assert any(code.startswith("2") for code in operation["responses"]), f"{method} {path}"
            assert {"404", "413", "422"} <= set(operation["responses"]), f"{method} {path}"
