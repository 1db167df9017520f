"""An app on an empty folder, and a browser's requests to it."""

import threading
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import MappingProxyType

import pytest
from flask.testing import FlaskClient

from weps._cache import Cache
from weps.app.application import create_app
from weps.app.server import Access
from weps.app.workspace import Job, Workspace
from weps.model import ModelSet, pretrained
from weps.reading import Reader
from weps.results.result import ResultOptions
from weps.web.engines import SearchEngine

ADDRESS = "http://127.0.0.1:8737"
OURS = {"X-Weps": "1", "Origin": ADDRESS, "Sec-Fetch-Site": "same-origin"}


class App:
    """The app in a folder, asked as its own pages ask."""

    def __init__(self, folder: Path, models: ModelSet) -> None:
        self.folder = folder / "results"
        self.cache = Cache(folder / "cache")
        self.access = Access()
        self.options = ResultOptions(models=models, reader=Reader(cache=self.cache))
        self.start()

    def start(self, engines: Mapping[str, SearchEngine] = MappingProxyType({})) -> None:
        """Make the app, and let its browser in."""
        self.flask = create_app(self.folder, self.options, self.access, engines)
        self.workspace: Workspace = self.flask.extensions["weps"]
        self.client: FlaskClient = self.flask.test_client()
        self.client.set_cookie("weps-8737", self.access.token, domain="127.0.0.1")

    def get(self, path: str, **more):
        return self.client.get(path, base_url=ADDRESS, buffered=True, **more)

    def post(self, path: str, **more):
        return self.client.post(path, base_url=ADDRESS, headers=OURS, **more)

    def delete(self, path: str):
        return self.client.delete(path, base_url=ADDRESS, headers=OURS)

    def files(self) -> dict[Path, bytes]:
        """The files of the folder, and of the pages beside it."""
        paths = (
            each for each in self.folder.parent.rglob("*") if self.cache.folder not in each.parents
        )
        return {path: path.read_bytes() for path in paths if path.is_file()}

    def restore(self, before: dict[Path, bytes]) -> None:
        """Bring the files back to what they were, lest one test depends on another."""
        now = self.files()
        if now == before:
            return
        self.workspace.sessions.close()
        for path in now.keys() - before.keys():
            path.unlink()
        for path, content in before.items():
            if now.get(path) != content:
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(content)

    def ended(self, answer) -> Job:
        """The first job that an answer tells of, once it has ended."""
        (told, *_) = answer.json.get("jobs") or [answer.json]
        job = self.workspace.jobs.find(told["url"].rpartition("/")[2])
        while not job.finished:
            threading.Event().wait(0.01)
        return job


@pytest.fixture(scope="session")
def models() -> ModelSet:
    return pretrained()


@pytest.fixture
def app(tmp_path: Path, models: ModelSet) -> Iterator[App]:
    app = App(tmp_path, models)
    yield app
    app.workspace.jobs.close()


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory, models: ModelSet) -> Iterator[App]:
    """One app for the tests of a module."""
    app = App(tmp_path_factory.mktemp("app"), models)
    yield app
    app.workspace.jobs.close()
