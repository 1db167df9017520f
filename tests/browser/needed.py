"""What the tests in a browser need; where it is missing they are skipped and say so, in CI fail."""

from __future__ import annotations

import os
import shutil
from importlib.util import find_spec
from pathlib import Path
from typing import NoReturn

import pytest

__all__ = ["axe", "package", "program"]


def program(name: str) -> str:
    """Where a program is."""
    return shutil.which(name) or _missing(name)


def package(name: str) -> Path:
    """Where a Python package is; it is not imported."""
    found = find_spec(name)
    return Path(found.origin).parent if found and found.origin else _missing(name)


def axe() -> str:
    """The source of axe-core, which this package carries; Playwright itself is not used."""
    return (package("axe_playwright_python") / "axe.min.js").read_text("utf-8")


def _missing(what: str) -> NoReturn:
    told = f"no test in a browser: {what} is not installed"
    if os.environ.get("CI") == "true":
        pytest.fail(told)
    pytest.skip(told)
