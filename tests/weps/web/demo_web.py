"""The demo's pages, each on a host of its own, with an index behind Debian's searx.

The hosts are loopback addresses: all of 127/8 is this machine.
"""

import os
import re
import socket
import subprocess
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.weps.web.engine_server import HTML, EngineServer, Reply
from weps.html.cleaning import clean_page
from weps.records import Page
from weps.sources.formats import PLAIN_SUFFIXES

SEARX = Path("/usr/lib/python3/dist-packages/searx")
PYTHON = Path("/usr/bin/python3")
_RESULTS_OF_PAGE = 10
_STARTING_SECONDS = 60


class DemoWeb(EngineServer):
    """The pages of a folder as a small Web with a search engine of its own."""

    def __init__(self, folder: Path) -> None:
        paths = sorted(path for path in folder.iterdir() if path.suffix in PLAIN_SUFFIXES)
        super().__init__("127.0.1.255", *(f"127.0.1.{int(path.stem)}" for path in paths))
        self.pages = {f"/{path.name}": path.read_bytes() for path in paths}
        self.documents = [
            clean_page(Page(int(path.stem), content=path.read_bytes())) for path in paths
        ]

    def next_reply(self, path: str, query: Mapping[str, str]) -> Reply:
        if path == "/api":
            return Reply({"documents": self.search(query["q"], int(query["page"]))})
        if path in {"/429", "/403"}:
            return Reply(b"no", int(path[1:]))
        return (
            Reply(b"<p>no JSON", headers=HTML)
            if path == "/broken"
            else super().next_reply(path, query)
        )

    def search(self, query: str, page: int) -> list[dict[str, str]]:
        """A page of the results that have all words."""
        wanted, port = _words(query), self.servers[0].server_port
        found = [
            {
                "url": f"http://127.0.1.{each.rank}:{port}{path}",
                "title": each.title or path,
                "summary": " ".join(each.blocks)[:150],
            }
            for path, each in zip(self.pages, self.documents, strict=True)
            if wanted <= _words(" ".join([each.title, *each.blocks]))
        ]
        return found[(page - 1) * _RESULTS_OF_PAGE : page * _RESULTS_OF_PAGE]


def _words(text: str) -> set[str]:
    return set(re.findall(r"\w+", text.lower()))


def _engine(name: str, address: str) -> str:
    return f"""
  - name: {name}
    engine: json_engine
    shortcut: {name[:3]}
    categories: general
    paging: true
    enable_http: true
    timeout: 3.0
    search_url: "{address}?q={{query}}&page={{pageno}}"
    results_query: documents
    url_query: url
    title_query: title
    content_query: summary"""


_SETTINGS = """
general: {{debug: false, instance_name: demo}}
brand: {{}}
search: {{safe_search: 0, autocomplete: "", default_lang: "", ban_time_on_fail: 5,
  max_ban_time_on_fail: 120}}
server: {{port: {port}, bind_address: 127.0.0.1, secret_key: demo, base_url: false,
  image_proxy: false, http_protocol_version: "1.0", method: GET, default_http_headers: {{}}}}
ui: {{static_path: /usr/share/python3-searx/static,
  templates_path: /usr/share/python3-searx/templates, default_theme: oscar, default_locale: "",
  theme_args: {{oscar_style: logicodev}}}}
outgoing: {{request_timeout: 2.0, pool_connections: 10, pool_maxsize: 10}}
locales: {{en: English}}
doi_resolvers: {{doi.org: "https://doi.org/"}}
default_doi_resolver: doi.org
engines:{engines}
"""


@contextmanager
def searx(web: DemoWeb, folder: Path) -> Iterator[str]:
    """Debian's searx with the index of a web, and engines that fail; gives its address.

    Where it is not installed, the test is skipped; it fails where CI is true.
    """
    if not (SEARX.is_dir() and PYTHON.exists()):
        missing = "searx is not installed (apt-get install searx)"
        pytest.fail(missing) if os.environ.get("CI") == "true" else pytest.skip(missing)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    paths = {"local": "/api", "busy": "/429", "forbidding": "/403", "broken": "/broken"}
    settings = folder / "settings.yml"
    described = "".join(_engine(name, web.url + path) for name, path in paths.items())
    settings.write_text(_SETTINGS.format(port=port, engines=described))
    environment = {"SEARX_SETTINGS_PATH": str(settings), "PATH": os.defpath, "HOME": str(folder)}
    with (folder / "searx.log").open("wb") as log:
        command = [str(PYTHON), "-m", "searx.webapp"]
        running = subprocess.Popen(command, env=environment, stdout=log, stderr=log, cwd=folder)
        try:
            url = f"http://127.0.0.1:{port}"
            _wait_for(port, running, folder / "searx.log")
            yield url
        finally:
            running.terminate()
            running.wait(10)


def _wait_for(port: int, running: subprocess.Popen, log: Path) -> None:
    began = time.monotonic()
    while time.monotonic() - began < _STARTING_SECONDS and running.poll() is None:
        try:
            socket.create_connection(("127.0.0.1", port), timeout=5).close()
        except OSError:
            time.sleep(0.2)
        else:
            return
    pytest.fail(f"searx did not start: {log.read_text('utf-8', 'replace')[-2000:]}")
