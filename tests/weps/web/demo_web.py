"""The demo's pages, each on a host of its own, with an index behind Debian's searx.

The hosts are loopback addresses: all of 127/8 is this machine.
"""

import json
import os
import re
import socket
import sqlite3
import subprocess
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest

from weps.html.text import decode_page, unpack_body
from weps.sources.formats import PLAIN_SUFFIXES

SEARX = Path("/usr/lib/python3/dist-packages/searx")
PYTHON = Path("/usr/bin/python3")
_INDEX_HOST = "127.0.1.255"
_RESULTS_OF_PAGE = 10
_TAG = re.compile(r"<script.*?</script>|<[^>]*>", re.DOTALL | re.IGNORECASE)
_STARTING_SECONDS = 60


@dataclass
class DemoWeb:
    """The pages of a folder as a small Web with a search engine of its own."""

    folder: Path
    port: int = 0
    asked: list[str] = field(default_factory=list)
    """Paths of the pages asked for."""

    def __post_init__(self):
        pages = (path for path in self.folder.iterdir() if path.suffix in PLAIN_SUFFIXES)
        self.files = {path.name: path.read_bytes() for path in sorted(pages)}
        self.index = sqlite3.connect(":memory:", check_same_thread=False)
        self.index.execute("CREATE VIRTUAL TABLE pages USING fts5(name, title, body)")
        for name, content in self.files.items():
            text = decode_page(unpack_body(content).data)
            title = re.search(r"<title>(.*?)</title>", text, re.DOTALL | re.IGNORECASE)
            row = (name, " ".join(title[1].split()) if title else name, _TAG.sub(" ", text))
            self.index.execute("INSERT INTO pages VALUES (?, ?, ?)", row)
        self.lock = threading.Lock()

    def address(self, name: str) -> str:
        """Where a page is."""
        return f"http://{_host(name)}:{self.port}/{name}"

    def search(self, query: str, page: int) -> bytes:
        """A page of results of the index."""
        words = "NEAR(" + " ".join(f'"{word}"' for word in re.findall(r"\w+", query)) + ")"
        found = (
            "SELECT name, title, snippet(pages, 2, '', '', '…', 20) FROM pages WHERE pages MATCH ?"
        )
        limits = f"ORDER BY rank LIMIT {_RESULTS_OF_PAGE} OFFSET {_RESULTS_OF_PAGE * (page - 1)}"
        with self.lock:
            rows = self.index.execute(f"{found} {limits}", (words,)).fetchall()
        documents = [
            {"url": self.address(name), "title": title, "summary": " ".join(summary.split())}
            for name, title, summary in rows
        ]
        return json.dumps({"documents": documents}).encode()

    def answer(self, path: str) -> tuple[int, str, bytes]:
        """Status, type and body of an answer."""
        parts = urlsplit(path)
        if parts.path == "/api":
            query = parse_qs(parts.query)
            return 200, "application/json", self.search(query["q"][0], int(query["page"][0]))
        if parts.path in {"/429", "/403"}:
            return int(parts.path[1:]), "text/plain", b"no"
        if parts.path == "/broken":
            return 200, "text/html", b"<p>no JSON"
        self.asked.append(parts.path)
        found = self.files.get(parts.path[1:])
        kind = "text/plain" if parts.path.endswith(".txt") else "text/html"
        return (200, kind, found) if found else (404, "text/plain", b"nothing here")


def _host(name: str) -> str:
    return f"127.0.1.{int(Path(name).stem)}"


@contextmanager
def demo_web(folder: Path) -> Iterator[DemoWeb]:
    """Serve the pages of a folder on the hosts."""
    web = DemoWeb(folder)

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self):
            status, kind, body = web.answer(self.path)
            self.send_response(status)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_):
            pass

    with ExitStack() as stack:
        for host in [_INDEX_HOST, *map(_host, web.files)]:
            server = ThreadingHTTPServer((host, web.port), Handler)
            web.port = server.server_port
            thread = threading.Thread(target=server.serve_forever, args=(0.05,))
            thread.start()
            stack.callback(server.server_close)
            stack.callback(thread.join)
            stack.callback(server.shutdown)
        yield web
    web.index.close()


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
def searx(web: DemoWeb, folder: Path, broken: bool = True) -> Iterator[str]:
    """Debian's searx with the index of a web, and engines that fail; gives its address.

    Where it is not installed, the test is skipped; it fails where CI is true.
    """
    if not (SEARX.is_dir() and PYTHON.exists()):
        missing = "searx is not installed (apt-get install searx)"
        pytest.fail(missing) if os.environ.get("CI") == "true" else pytest.skip(missing)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    base = f"http://{_INDEX_HOST}:{web.port}"
    failing = [("busy", "/429"), ("forbidding", "/403"), ("broken", "/broken")] if broken else []
    engines = [("local", "/api"), *failing]
    settings = folder / "settings.yml"
    described = "".join(_engine(name, base + path) for name, path in engines)
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
