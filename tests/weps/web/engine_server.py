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
    """Sends replies in their order, the last one again and again; pages have their own paths.

    It listens at one port of every host.
    """

    def __init__(self, *hosts):
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
                engine.asked.append(query := dict(parse_qsl(parts.query)))
                engine.headers.append({name.lower(): each for name, each in self.headers.items()})
                self.reply(engine.next_reply(parts.path, query))

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

        self.servers, port = [], 0
        for host in hosts or ("127.0.0.1",):
            self.servers.append(ThreadingHTTPServer((host, port), Handler))
            self.servers[-1].daemon_threads = True
            port = self.servers[0].server_port
        self.url = f"http://{self.servers[0].server_address[0]}:{port}"

    def next_reply(self, path, _query):
        """What is sent to a request for a path."""
        if path in self.pages:
            return Reply(self.pages[path], headers=HTML)
        if path.endswith((".html", "robots.txt")):
            return Reply(b"nothing here", 404, HTML)
        return self.replies.pop(0) if self.replies[1:] else self.replies[0]

    def __enter__(self):
        self.threads = [
            threading.Thread(target=each.serve_forever, args=(0.01,)) for each in self.servers
        ]
        for thread in self.threads:
            thread.start()
        return self

    def __exit__(self, *_):
        for server, thread in zip(self.servers, self.threads, strict=True):
            server.shutdown()
            thread.join()
            server.server_close()
