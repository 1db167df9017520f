"""A web of many hosts on one loopback port; no test connects to any other address."""

import asyncio
import socket
import ssl
import threading
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from itertools import pairwise

from aiohttp.abc import AbstractResolver, ResolveResult

from weps.records import SearchResult
from weps.web.fetching import DownloadOptions


@dataclass(frozen=True)
class Request:
    host: str
    path: str
    headers: dict[str, str]
    """By lower-case name."""
    at: float
    """By the clock of the web."""


Reply = bytes | Callable[[Request, asyncio.StreamWriter], Awaitable[None]]


def reply(body: bytes | str = b"", status: int = 200, **headers: str) -> bytes:
    """The bytes of an answer; underscores of header names are hyphens."""
    body = body if isinstance(body, bytes) else body.encode()
    fields = {"Content-Type": "text/html; charset=utf-8", "Content-Length": str(len(body))}
    fields |= {name.replace("_", "-"): value for name, value in headers.items()}
    lines = [f"HTTP/1.1 {status} X", *(f"{name}: {value}" for name, value in fields.items())]
    return "\r\n".join([*lines, "", ""]).encode() + body


def page(words: str) -> bytes:
    """A page whose text differs by its words."""
    return reply(f"<title>{words}</title><p>{words} paints tides and sells maps of them.")


class VirtualClock:
    """Time that passes at once when everybody waits for it, whatever the machine does meanwhile."""

    def __init__(self) -> None:
        self.now = 0.0
        self._sleepers: list[tuple[float, asyncio.Future[None]]] = []
        self._keeper: asyncio.Task[None] | None = None
        self.events = 0

    def clock(self) -> float:
        return self.now

    async def sleep(self, seconds: float) -> None:
        self.events += 1
        woken = asyncio.get_running_loop().create_future()
        self._sleepers.append((self.now + seconds, woken))
        if self._keeper is None or self._keeper.done():
            self._keeper = asyncio.create_task(self._advance())
        await woken

    async def _advance(self) -> None:
        """Wake the first sleeper whenever nothing has happened for a moment of real time.

        While the process works, something will happen, however long a busy machine takes for it;
        a moment that lasts longer than it should says that the machine let the process wait.
        """
        while self._sleepers:
            seen, worked, waited = -1, 0.0, 0.0
            while seen != self.events or worked > 0.005 or waited > 0.03:
                seen, begun, since = self.events, time.process_time(), time.monotonic()
                await asyncio.sleep(0.02)
                worked, waited = time.process_time() - begun, time.monotonic() - since
            self._sleepers.sort(key=lambda each: each[0])
            due, woken = self._sleepers.pop(0)
            self.now = max(self.now, due)
            self.events += 1
            if not woken.done():
                woken.set_result(None)


@dataclass
class Web:
    """Hosts and what they answer, and what they were asked."""

    replies: dict[str, Reply] = field(default_factory=dict)
    """By address without scheme: ``ann.example/path``."""
    addresses: dict[str, list[str]] = field(default_factory=dict)
    """By host: the IP addresses that it has; that of the server for all others."""
    requests: list[Request] = field(default_factory=list)
    time: VirtualClock = field(default_factory=VirtualClock)
    port: int = 0
    under_way: int = 0
    """Requests that are being answered."""
    most_under_way: int = 0

    @property
    def asked(self) -> list[str]:
        """The addresses asked for, ``robots.txt`` left out."""
        found = (each.host + each.path for each in self.requests)
        return [each for each in found if not each.endswith("/robots.txt")]

    def least_distance(self, host: str) -> float:
        """Seconds between two requests to a host, at least."""
        times = [each.at for each in self.requests if each.host == host]
        return min(later - earlier for earlier, later in pairwise(times))

    @property
    def options(self) -> DownloadOptions:
        """Options under which the web is reached, and no other address."""
        return DownloadOptions(
            allowed={"127.0.0.1"}.__contains__,
            resolver=WebResolver(self),
            clock=self.time.clock,
            sleep=self.time.sleep,
        )

    def patient(self, **limits: float) -> DownloadOptions:
        """Options with other limits of requests."""
        return replace(self.options, **limits)

    async def handle(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while await self._answer(reader, writer):
                pass
        except (ConnectionError, asyncio.IncompleteReadError):
            pass
        finally:
            writer.close()

    async def _answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
        headers = {
            name.lower(): value.strip()
            for name, _, value in (line.partition(":") for line in head[1:] if line)
        }
        asked = Request(headers["host"], head[0].split()[1], headers, self.time.clock())
        self.time.events += 1
        self.requests.append(asked)
        missing = reply("no", 404)
        found = self.replies.get(asked.host + asked.path, missing)
        self.under_way += 1
        self.most_under_way = max(self.under_way, self.most_under_way)
        try:
            if not isinstance(found, bytes):
                await found(asked, writer)
                return False
            await asyncio.sleep(0)
            writer.write(found)
            await writer.drain()
            return bool(found)
        finally:
            self.under_way -= 1


class WebResolver(AbstractResolver):
    """Finds every host on the one port, or at addresses that no test connects to."""

    def __init__(self, web: Web) -> None:
        self.web = web

    async def resolve(
        self,
        host: str,
        port: int = 0,  # noqa: ARG002 - every host answers at one port
        family: socket.AddressFamily = socket.AF_INET,
    ) -> list[ResolveResult]:
        if host.endswith(".invalid"):
            raise OSError(-2, "Name or service not known")
        return [
            ResolveResult(
                hostname=host, host=address, port=self.web.port, family=family, proto=0, flags=0
            )
            for address in self.web.addresses.get(host, ["127.0.0.1"])
        ]

    async def close(self) -> None:
        pass


@contextmanager
def serving(certificate: ssl.SSLContext | None = None) -> Iterator[Web]:
    """A web that is served from a thread, empty as yet; by https if there is a certificate."""
    web = Web()
    loop = asyncio.new_event_loop()
    server = loop.run_until_complete(
        asyncio.start_server(web.handle, "127.0.0.1", 0, ssl=certificate)
    )
    web.port = server.sockets[0].getsockname()[1]
    thread = threading.Thread(target=loop.run_forever)
    thread.start()
    try:
        yield web
    finally:
        asyncio.run_coroutine_threadsafe(_close(server), loop).result()
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()


async def _close(server: asyncio.Server) -> None:
    """End the server and what it has under way."""
    server.close()
    tasks = asyncio.all_tasks() - {asyncio.current_task()}
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


def results(*addresses: str) -> list[SearchResult]:
    """Results of a search."""
    return [SearchResult(f"http://{each}", f"Title of {each}", "Snippet") for each in addresses]
