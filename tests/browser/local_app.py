"""The local app as its user meets it: a program that runs, and pages in the browser."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from http.client import HTTPConnection
from pathlib import Path

import run_weps

__all__ = ["LocalApp", "serving"]

PROGRAM = Path(run_weps.__file__)
_ADDRESS = re.compile(r"http://127\.0\.0\.1:([0-9]+)/")
_PATIENCE = 20


@dataclass(frozen=True)
class LocalApp:
    """``weps serve`` at work."""

    port: int
    folder: Path

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}/"

    def status(self, method: str, path: str, headers: dict[str, str]) -> int:
        """What a program that is no browser is answered."""
        connection = HTTPConnection("127.0.0.1", self.port, timeout=_PATIENCE)
        try:
            connection.request(method, path, headers=headers)
            return connection.getresponse().status
        finally:
            connection.close()

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
            said = app.stdout.readline()
            found = _ADDRESS.search(said)
            assert found, said
            yield LocalApp(int(found[1]), folder)
        finally:
            app.terminate()
