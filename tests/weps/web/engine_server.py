"""A search engine on the loopback interface that answers as it is told, and a few pages."""

import json
import threading
import time
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qsl, urlsplit

JSON = {"Content-Type": "application/json"}
HTML = {"Content-Type": "text/html; charset=utf-8"}


@dataclass
class Reply:
    """What is sent to one request."""

    body: bytes | dict | list = b""
    status: int = 200
    headers: dict[str, str] = field(default_factory=lambda: JSON)
    missing: int = 0
    """Bytes that are declared and never sent."""
    pause: float = 0.0
    """Seconds before each byte of the body."""


class EngineServer:
    """Sends replies in their order, the last one again and again; pages have their own paths."""

    def __init__(self):
        self.replies: list[Reply] = []
        self.pages: dict[str, bytes] = {}
        self.asked: list[dict[str, str]] = []
        self.headers: list[dict[str, str]] = []
        self.paths: list[str] = []
        engine = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self):
                parts = urlsplit(self.path)
                engine.paths.append(parts.path)
                engine.asked.append(dict(parse_qsl(parts.query)))
                engine.headers.append({name.lower(): each for name, each in self.headers.items()})
                self.reply(engine.next_reply(parts.path))

            def reply(self, reply):
                made = isinstance(reply.body, bytes)
                body = reply.body if made else json.dumps(reply.body).encode()
                self.send_response(reply.status)
                for name, value in reply.headers.items():
                    self.send_header(name, value)
                self.send_header("Content-Length", str(len(body) + reply.missing))
                self.end_headers()
                step = 1 if reply.pause else len(body) or 1
                try:
                    for at in range(0, len(body), step):
                        time.sleep(reply.pause)
                        self.wfile.write(body[at : at + step])
                except OSError:
                    pass  # the client has seen enough

            def log_message(self, *_):
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self.server.server_port}"

    def next_reply(self, path):
        """What is sent to a request for a path."""
        if path in self.pages:
            return Reply(self.pages[path], headers=HTML)
        if path.endswith((".html", "robots.txt")):
            return Reply(b"nothing here", 404, HTML)
        return self.replies.pop(0) if self.replies[1:] else self.replies[0]

    def __enter__(self):
        self.thread = threading.Thread(target=self.server.serve_forever, args=(0.01,))
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.server.shutdown()
        self.thread.join()
        self.server.server_close()
