"""Programs that the tests in a browser need, and ``weps serve`` as one of them.

Where a program or a package is missing the tests are skipped, in CI they fail.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import NoReturn

import pytest

import run_weps

__all__ = ["LocalApp", "axe", "package", "program", "serving"]

PROGRAM = Path(run_weps.__file__)
_ADDRESS = re.compile(r"http://127\.0\.0\.1:([0-9]+)/\?token=([\w-]+)")


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
    what = f"no test in a browser: {what} is not installed"
    if os.environ.get("CI") == "true":
        pytest.fail(what)
    pytest.skip(what)


@dataclass(frozen=True)
class LocalApp:
    """``weps serve`` at work."""

    port: int
    token: str
    folder: Path

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}/"

    @property
    def entry(self) -> str:
        """The address as it is printed."""
        return f"{self.address}?token={self.token}"

    def files(self, name: str) -> set[str]:
        """What lies in the folder of a name: results, corrections, pages."""
        found = {path.name for path in self.folder.glob(f"{name}.*")}
        return found | {path.name for path in (self.folder / "pages" / name).glob("*")}


@contextmanager
def serving(folder: Path) -> Iterator[LocalApp]:
    """The app on a free port, ended afterwards as by Ctrl-C."""
    command = [sys.executable, "-u", str(PROGRAM), "serve", str(folder), "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as app:
        try:
            assert app.stdout
            line = app.stdout.readline()
            found = _ADDRESS.search(line)
            assert found, line
            yield LocalApp(int(found[1]), found[2], folder)
        finally:
            app.terminate()
