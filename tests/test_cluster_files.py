"""The files for clusters that docs/cluster.md shows can be read, and name what they should."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import yaml

PAGE = Path(__file__).parents[1] / "docs" / "cluster.md"


def shown() -> list[dict[str, Any]]:
    blocks = re.findall(r"^```yaml\n(.*?)^```", PAGE.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    return [yaml.safe_load(block) for block in blocks]


def test_the_launcher_has_what_ray_asks_for() -> None:
    launcher = shown()[0]
    assert launcher["head_node_type"] in launcher["available_node_types"]
    assert {"cluster_name", "provider", "auth", "max_workers"} <= launcher.keys()
    for kind in launcher["available_node_types"].values():
        assert {"node_config", "resources"} <= kind.keys()
    assert any("runout[cluster]" in command for command in launcher["setup_commands"])
    starts = [launcher["head_start_ray_commands"][-1], launcher["worker_start_ray_commands"][-1]]
    assert all("--object-store-memory=" in start for start in starts)
    assert "--port=6379" in starts[0]
    assert "--address=$RAY_HEAD_IP:6379" in starts[1]


def test_the_cluster_of_kuberay_has_a_head_and_workers() -> None:
    cluster = shown()[1]
    assert (cluster["apiVersion"], cluster["kind"]) == ("ray.io/v1", "RayCluster")
    head, workers = cluster["spec"]["headGroupSpec"], cluster["spec"]["workerGroupSpecs"][0]
    for group in (head, workers):
        assert all(isinstance(value, str) for value in group["rayStartParams"].values())  # as the operator wants them
        container = group["template"]["spec"]["containers"][0]
        assert container["resources"]["limits"] == container["resources"]["requests"]
    assert workers["minReplicas"] <= workers["replicas"] <= workers["maxReplicas"]
    mounted = {mount["name"] for mount in head["template"]["spec"]["containers"][0]["volumeMounts"]}
    assert mounted == {volume["name"] for volume in head["template"]["spec"]["volumes"]}
