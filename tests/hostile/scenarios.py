"""Commands that write, for failpoints: what is there before, what runs, what must hold after."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from hashlib import sha256
from pathlib import Path

import run_weps
import weps.web.downloading
import weps.web.fetching
from tests.eval.text.made_up import tides
from tests.weps.web.engine_server import EngineServer
from weps._files import FolderLock
from weps.app.application import create_app
from weps.app.server import Access
from weps.corrections.model import read_corrections
from weps.model import pretrained
from weps.results.result import ResultOptions
from weps.sources.base import MANIFEST, PageStatus, read_manifest
from weps.web.fetching import DownloadOptions
from weps_eval.text.testbed import write_testbed

Tree = dict[str, bytes]
TRADES = ("baker", "baker", "sailor", "sailor")
PLAIN = ("--quiet", "--no-cache")


@dataclass(frozen=True)
class Scenario:
    """A command, run in a folder of its own."""

    prepare: Callable[[Path], None]
    run: Callable[[], int]
    """In the folder; the exit status is 0, or 1 after an error that is told."""
    check: Callable[[Path, int], Iterator[str]] = lambda *_: iter(())
    """What is wrong after a failure that ended the command with a status."""
    grown: tuple[str, ...] = ()
    """Files that grow line by line, or sum up what was done; ``check`` looks at them."""
    canonical: Callable[[Tree], object] = lambda tree: tree
    """What must be equal after the same command again."""


def _save_pages(folder: Path, name: str, trades: tuple[str, ...] = TRADES, first: int = 1) -> None:
    place = folder / name
    place.mkdir(parents=True)
    for number, trade in enumerate(trades, start=first):
        words = name.replace("_", " ")
        text = f"<title>{words} {number}</title><p>{words} is a {trade} in Port Merrow."
        (place / f"{number:03}.html").write_text(text)


def _weps(*words: str) -> int:
    return run_weps.main([*words])


@contextmanager
def _cluster(_: Path) -> Iterator[Scenario]:
    """Two names, of which one has a result and corrections already."""

    def prepare(folder: Path) -> None:
        for name in ("Ada_Lovell", "Bo_Lovell"):
            _save_pages(folder / "pages", name)
        out = str(folder / "out")
        words = ("--out", out, "--threshold", "1", *PLAIN)
        assert _weps("cluster", str(folder / "pages/Ada_Lovell"), *words) == 0
        (folder / "mine").mkdir()
        for name in ("Ada_Lovell", "Bo_Lovell"):
            (folder / f"mine/{name}.corrections.txt").write_text("same 1 3\n")

    words = ("cluster", "pages", "--out", "out", "--corrections", "mine", "--json", "all.json")
    lists = ("out/people.parquet", "out/facts.parquet")
    sums = ("out/index.html", "out/people.csv", *lists, "all.json")
    yield Scenario(prepare, partial(_weps, *words, *PLAIN), _check_sums, sums)


def _check_sums(folder: Path, _: int) -> Iterator[str]:
    """The index and the lists are whole, whatever names they hold."""
    index, table = folder / "out/index.html", folder / "out/people.csv"
    answers = folder / "all.json"
    if index.exists() and not index.read_text().endswith("</html>\n"):
        yield "the index breaks off"
    if table.exists() and not table.read_text().endswith("\n"):
        yield "the table of people breaks off"
    for rows in folder.glob("out/*.parquet"):
        if not rows.read_bytes().endswith(b"PAR1"):
            yield f"{rows.name} breaks off"
    if answers.exists() and (text := answers.read_text()):
        json.loads(text)


@contextmanager
def _update(_: Path) -> Iterator[Scenario]:
    def prepare(folder: Path) -> None:
        _save_pages(folder / "old", "Ada_Lovell")
        _save_pages(folder / "new", "Ada_Lovell", ("sailor", "tailor"), 5)
        words = ("--out", str(folder / "out"), *PLAIN)
        assert _weps("cluster", str(folder / "old"), *words) == 0
        (folder / "out/Ada_Lovell.corrections.txt").write_text("same 1 3\n")

    words = ("update", "out", "new", "--json", "changes.json", *PLAIN)
    yield Scenario(prepare, partial(_weps, *words))


_CORRECTION = "called 1 Ada the baker"


@contextmanager
def _serve(_: Path) -> Iterator[Scenario]:
    """A correction by the app, which is made again if it was not acknowledged."""
    models, file = pretrained(), Path("out/Ada_Lovell.corrections.txt")

    def prepare(folder: Path) -> None:
        _save_pages(folder / "pages", "Ada_Lovell")
        words = ("--out", str(folder / "out"), *PLAIN)
        assert _weps("cluster", str(folder / "pages"), *words) == 0
        (folder / file).write_text("same 1 2\n")

    def run() -> int:
        from weps.errors import OutputError  # noqa: PLC0415 - as weps serve tells it

        access, address = Access(), "http://127.0.0.1:8737"
        try:
            with FolderLock(Path("out"), "weps serve"):
                app = create_app(Path("out"), ResultOptions(models=models), access)
                client = app.test_client()
                client.set_cookie("weps-8737", access.token, domain="127.0.0.1")
                if _is_corrected(file):
                    return 0
                answer = client.post(
                    "/names/Ada_Lovell/corrections",
                    base_url=address,
                    headers={"X-Weps": "1", "Origin": address},
                    json={"action": "rename", "pages": [1], "name": "Ada the baker"},
                )
                return int(answer.status_code >= 300)
        except OutputError:
            return 1

    def check(folder: Path, status: int) -> Iterator[str]:
        known = _is_corrected(folder / file)
        if status == 0 and not known:
            yield "an acknowledged correction is lost"
        if status == 1 and known:
            yield "a refused correction is in the file"

    yield Scenario(prepare, run, check)


def _is_corrected(file: Path) -> bool:
    return _CORRECTION in map(str, read_corrections(file).entries)


class _Noon(datetime):
    """A clock that stands still, so that the same pages give the same bytes."""

    @classmethod
    def now(cls, _zone: object = None) -> datetime:
        return datetime(2026, 11, 23, 12, tzinfo=UTC)


@contextmanager
def _search(_: Path) -> Iterator[Scenario]:
    """Five addresses of a list, of which one leads to nothing."""
    with EngineServer() as server:
        for number, trade in enumerate(TRADES, start=1):
            text = f"<title>Ada Lovell {number}</title><p>Ada Lovell is a {trade} in Port Merrow."
            server.pages[f"/{number}.html"] = text.encode()

        def prepare(folder: Path) -> None:
            (folder / "list.txt").write_text(
                "".join(f"{server.url}/{number}.html\n" for number in range(1, 6))
            )

        def run() -> int:
            weps.web.fetching.DownloadOptions = partial(DownloadOptions, delay=0.0)  # type: ignore[misc]
            weps.web.downloading.datetime = _Noon  # type: ignore[attr-defined]
            asked = ("--results", "list.txt", "--yes", "--allow-private", "--folder", "pages")
            return _weps("search", "Ada Lovell", *asked, "--out", "out", *PLAIN)

        def check(folder: Path, _: int) -> Iterator[str]:
            if not (folder / "pages" / MANIFEST).exists():
                return
            found = read_manifest(folder / "pages")
            if found.damaged:
                yield "lines of the manifest are damaged"
            for page in found.pages.values():
                if page.status is PageStatus.OK:
                    copy = folder / "pages" / page.file
                    if not copy.is_file() or sha256(copy.read_bytes()).hexdigest() != page.sha256:
                        yield f"{page.file}, which is finished, is lost"

        yield Scenario(prepare, run, check, (f"pages/{MANIFEST}",), _last_lines)


def _last_lines(tree: Tree) -> object:
    """The tree with the last line of each rank of the manifest, in whatever order they came."""
    name = f"pages/{MANIFEST}"
    lines = map(json.loads, tree.get(name, b"").splitlines())
    return tree | {name: {line["rank"]: line for line in lines}}


@contextmanager
def _text_score(_: Path) -> Iterator[Scenario]:
    def prepare(folder: Path) -> None:
        write_testbed(tides(), folder / "tides.jsonl")

    words = ("--measures", "rouge(n=1),rouge_l", "--out", "values.csv", "--json", "all.json")
    run = partial(_weps, "text", "score", "tides.jsonl", *words, *PLAIN)
    yield Scenario(prepare, run)


SCENARIOS: dict[str, Callable[[Path], AbstractContextManager[Scenario]]] = {
    "cluster": _cluster,
    "update": _update,
    "serve": _serve,
    "search": _search,
    "text-score": _text_score,
}
