"""What tests of pages share: the browser, and how long it may take."""

from __future__ import annotations

import shutil

import pytest

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
needs_chromium = pytest.mark.skipif(
    CHROMIUM is None, reason="no Chromium found, pages not tested: apt install chromium"
)

WAIT = 120_000  # ms; a first look at anything on a fresh machine compiles
COMPILING = 300_000  # the first solve on a fresh machine compiles
DESK = {"width": 1280, "height": 900}
