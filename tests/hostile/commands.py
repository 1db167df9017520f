"""Command lines that nobody should type, and requests that no browser sends to the app."""

from __future__ import annotations

import contextlib
import functools
import http.client
import io
import json
import os
import random
import re
import socket
import threading
from collections.abc import Sequence

import run_weps
from tests.hostile.pages import IDENTIFIER, amount, hostile_text, mutated
from tests.hostile.sandbox import Place, Trial, command
from tests.hostile.stored import Base
from weps.app.application import create_app
from weps.app.server import Access, Server, create_server
from weps.model import pretrained
from weps.results.result import ResultOptions

_COMMANDS = (
    *"cluster update forget features cache evaluate search".split(),
    *("text score", "meta orange", "meta redundancy", "study key-terms", "benchmark", "train"),
)
_NUMBERS = "0 -1 1 nan inf -inf 1e308 1e-320 99999999999999999999 0x10 1_0 １ 1,5 .5 +3".split()
_TEXTS = (
    *"- -- dice( (((( = %s {} paper default default:link=x json all 李 ../.. none wn(n=9)".split(),
    *("", " ", "\ud800", "a\nb", "\x1b[2J", "Ann Lee", "x" * 5000, "dice(" * 200),
    *("dice(ngram(n=2))", "https://127.0.0.1:1/", "file:///etc/passwd"),
)


@functools.cache
def _options(name: str) -> tuple[str, ...]:
    """The options of a command, as its help names them."""
    said = io.StringIO()
    with contextlib.redirect_stdout(said), contextlib.suppress(SystemExit):
        run_weps.main([*name.split(), "--help"])
    found = dict.fromkeys(re.findall(r"(?<![\w-])--[a-z][a-z-]+", said.getvalue()))
    return tuple(each for each in found if each not in {"--help", "--traceback", "--jobs"})


def _paths(rng: random.Random, place: Place) -> tuple[str, ...]:
    """Paths of everything that is not what a command expects, to be read or written."""
    folder = place.out / "odd"
    folder.mkdir(exist_ok=True)
    for name, content in (
        ("empty", b""), ("bytes.csv", rng.randbytes(999)), ("text.json", b"[" * 50_000),
        ("page.html", hostile_text(rng, 5_000).encode("utf-8", "replace")), ("n.json", b"NaN"),
        ("table.csv", b"a,b\n1,nan\n" * 99), ("x.xml", b'<!DOCTYPE x [<!ENTITY a "a">]><x>&a;</x>'),
        ("x.jsonl", b'{"id": 1, "outputs": {"s": "a"}, "references": ["a"]}\n' * 9),
    ):  # fmt: skip
        (folder / name).write_bytes(content)
    if not (folder / "pipe").exists():
        os.mkfifo(folder / "pipe")
        (folder / "loop").symlink_to(folder / "loop")
        (folder / "zero").symlink_to("/dev/zero")
    made = [str(path) for path in folder.iterdir()]
    known = (Base.folder / "inputs" / IDENTIFIER, Base.folder / "out", Base.folder / "inputs")
    devices = ("/dev/null", "/dev/full", "/dev/zero", "/proc/self/mem")
    # Neither ".." nor "/", which hold what lies outside: to read that would be to do as told.
    strange = (*devices, *"no/where . ../out ~ \0 \udcff".split(), "x" * 300, "a/" * 2000)
    inside = [str(place.out / name) for name in ("new", "x.json", "y" * 260, "a/b/c", "\n")]
    return (*made, *map(str, known), *strange, *inside)


def _hostile_words(rng: random.Random, paths: Sequence[str]) -> list[str]:
    """A command with some of its options, and values that are mostly not what they expect."""
    name = rng.choice(_COMMANDS)
    words = [*name.split(), *rng.choices(paths, k=rng.randint(0, 2))]
    values = (_NUMBERS, _TEXTS, paths)
    for option in rng.sample(_options(name), min(len(_options(name)), rng.randint(0, 4))):
        given = (rng.choice(rng.choice(values)) for _ in range(rng.choice((0, 1, 1, 2))))
        words += [option, *given]
    if rng.random() < 0.1:
        words.insert(rng.randint(0, len(words)), rng.choice((*_TEXTS, "--no-such-option")))
    return words


def command_lines(rng: random.Random, place: Place) -> Trial:
    """Some command lines, one after the other."""
    Base.copy(place, "inputs")
    paths = _paths(rng, place)
    lines = [_hostile_words(rng, paths) for _ in range(_LINES)]

    def run() -> str:
        for words in lines:
            if wrong := command(*words)():
                return f"{wrong}: {words}"
        return ""

    return run


_LINES = 5
"""Command lines of one trial."""
_BATCH = 20
"""Requests of one trial."""
_ROUTES = (
    *"/ /names /demo /search /search/plan /jobs/x /favicon.ico /static/app.css /none".split(),
    *"/send /origins /origins?origin=x /engines/searxng /engines/brave /engines/x".split(),
    *(
        f"/names/{IDENTIFIER}/{each}"
        for each in " saved pages/1 pages/9999999999999 preview/1 preview/2 delete cluster "
        "export/json export/x".split(" ")
    ),
    *(f"/names/{each}/corrections" for each in (IDENTIFIER, "..", "%2e%2e", "%00", "x" * 3000)),
)
_ACTIONS = (
    *"same different move split confirm rename keep undo remove burn".split(),
    *"note tag checked person-note person-tag".split(),
)


def _hostile_request(rng: random.Random, port: int, token: str) -> bytes:
    """The bytes of a request; most have the token and the header of the app's own pages."""
    method = rng.choice(
        ("GET", "GET", "POST", "POST", "DELETE", "PUT", "HEAD", "OPTIONS", "X" * 99)
    )
    path = rng.choice(_ROUTES)
    if rng.random() < 0.2:
        path += rng.choice(
            ("?after=-1", "?token=x", "?key=%ff", "/../../etc/passwd", "%0d%0aX: 1", "#")
        )
    deletes = "/delete" in path
    if deletes and method == "POST":
        method = "GET"
    edit = {
        "action": rng.choice(_ACTIONS),
        "pages": [rng.choice((1, 2, 3, 6, 0, -1, 99, 10**30)) for _ in range(rng.randint(0, 4))],
        "to": rng.choice((None, 1, 5, -1, "1")),
        "name": rng.choice(("", "Ann", "\u202e", "same 1 2", "x" * 300)),
        "url": rng.choice(
            ("http://a.example/", "http://a.example/-->", "javascript:1", "x" * 3000)
        ),
        "html": rng.choice(("<p>Ann Lee", "", "\ud800", "<!--" * 99)),
        "setting": rng.choice(("", "http://[", "a b", "é", 7)),
    }
    body = json.dumps(edit).encode()
    kind = "application/json"
    match rng.randrange(6):
        case 0:
            body = mutated(rng, body)
        case 1:
            body = hostile_text(rng, 5_000).encode("utf-8", "replace")
        case 2:
            kind = "multipart/form-data; boundary=b"
            field = rng.choice(("pages", "lists", "request", "name", "percent"))
            names = ("1.html", "../../x.html", "a/b.zip", "\0", "x" * 9999, "é")
            head = f'Content-Disposition: form-data; name="{field}"; filename="{rng.choice(names)}"'
            part = f"--b\r\n{head}\r\n\r\n".encode() + mutated(rng, b"<p>Ann Lee") + b"\r\n"
            body = part * amount(rng, 300) + rng.choice((b"--b--\r\n", b""))
        case _:
            pass
    fields = {
        "Host": f"127.0.0.1:{port}",
        "X-Weps": "1",
        "Cookie": f"weps-{port}={token}",
        "Content-Type": kind,
        "Content-Length": str(len(body)),
    }
    for _ in range(rng.choice((0, 0, 0, 1, 2))):
        name = rng.choice((*fields, "Transfer-Encoding", "Expect", "Origin", "Range", "X" * 50))
        odd = *"x -1 chunked 100-continue http://evil.example \xff 0".split(), "", "9" * 5000
        fields[name] = rng.choice(odd)
    lines = "".join(f"{name}: {value}\r\n" for name, value in fields.items())
    request = (
        f"{method} {path} HTTP/1.1\r\n{lines}Connection: close\r\n\r\n".encode("latin-1") + body
    )
    return mutated(rng, request, 3) if rng.random() < 0.15 and not deletes else request


def requests(rng: random.Random, place: Place) -> Trial:
    """Requests to the app with a result, which is there and answers afterwards."""
    Base.copy(place, "inputs", "out")
    sent = random.Random(rng.random())  # noqa: S311 - not for secrets
    result = place.out / f"{IDENTIFIER}.json"

    def run() -> str:
        access = Access()
        app = create_app(place.out, ResultOptions(models=pretrained()), access)
        with contextlib.closing(create_server(app, access, 0)) as server:
            threading.Thread(target=_serve, args=(server,), daemon=True).start()
            port = int(server.effective_port)
            for _ in range(_BATCH):
                request = _hostile_request(sent, port, access.token)
                wrong = _wrong_answer(port, request)
                if wrong or not result.exists():
                    return f"{wrong or 'the result is gone'}: {request[:300]!r}"
            with contextlib.closing(http.client.HTTPConnection("127.0.0.1", port, 60)) as home:
                home.request("GET", "/", headers={"Cookie": f"weps-{port}={access.token}"})
                answer = home.getresponse()
                there = answer.status == 200 and b"Ann Lee" in answer.read()
            app.extensions["weps"].jobs.close()
        return "" if there else f"the app is not there: {answer.status}"

    return run


def _serve(server: Server) -> None:
    with contextlib.suppress(OSError):  # it is closed while it waits for the socket
        server.run()


def _wrong_answer(port: int, request: bytes) -> str:
    """What is wrong with the answer, which may be that the connection is closed."""
    received = b""
    with socket.create_connection(("127.0.0.1", port), timeout=60) as connection:
        try:
            connection.sendall(request)
            connection.shutdown(socket.SHUT_WR)
            while part := connection.recv(1 << 16):
                received += part
        except TimeoutError:
            return "no answer"
        except OSError:  # closed already
            return ""
    if b"Traceback" in received:
        return "an answer with a traceback"
    status = re.match(rb"HTTP/1\.[01] (\d{3}) ", received)
    if not received or (status and int(status[1]) < 500) or b" 501 " in received[:20]:
        return ""
    return f"answered {received[:100]!r}"
