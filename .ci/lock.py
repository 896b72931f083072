"""Write requirements.lock: the versions that `make test` installs, each with its sha256, and no registry's name.

Asks pip what it would install into an empty environment on this machine (the lock is for Linux x86-64, Python 3.11 and
torch's build for CPUs).

    python .ci/lock.py
    pip install --require-hashes -r requirements.lock && pip install --no-deps -e .
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent
ASKED = ".[dev,docs,openspiel,logging,cluster]"
HEAD = "# Linux x86-64, Python 3.11, torch for CPUs. Written by .ci/lock.py.\n"


def main() -> None:
    asked = [sys.executable, "-m", "pip", "install", "--quiet", "--dry-run", "--ignore-installed", "--report", "-"]
    report = json.loads(subprocess.run([*asked, ASKED], cwd=ROOT, check=True, capture_output=True, text=True).stdout)
    lines = []
    for package in report["install"]:
        name, version = package["metadata"]["name"].lower().replace("_", "-"), package["metadata"]["version"]
        if name != "runout":
            sha256 = package["download_info"]["archive_info"]["hashes"]["sha256"]
            lines.append(f"{name}=={version.partition('+')[0]} --hash=sha256:{sha256}\n")
    (ROOT / "requirements.lock").write_text(HEAD + "".join(sorted(lines)), encoding="utf-8")


if __name__ == "__main__":
    main()
