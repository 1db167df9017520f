"""Requests to sites: within limits, one at a time to a host, and only for what robots.txt allows.

No cookies, no proxies; redirects are followed by hand, as each hop is checked.

Addresses are public ones, checked when a connection is made. Results of a search are written by
strangers: an address there, or a redirect from it, must not reach the machine itself or its
network. A check of the name would not do: names may resolve to anything, and to something else a
moment later.
"""

from __future__ import annotations

import asyncio
import codecs
import hashlib
import html
import ipaddress
import math
import re
import socket
import time
from collections import defaultdict
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from functools import partial
from typing import Any, Final, Self
from urllib.parse import quote

import aiohttp
from aiohttp.abc import AbstractResolver
from protego import Protego
from yarl import URL

from weps._version import VERSION
from weps.sources.base import PageStatus

PORTS: Final = frozenset({80, 443, 8080, 8443})
"""The ports of web servers; others may be those of services that misread a request."""
_NOT_PUBLIC = [
    ipaddress.ip_network(network)
    for network in (
        "192.0.0.0/24",  # protocol assignments
        "64:ff9b::/96",  # these embed IPv4 addresses: NAT64,
        "64:ff9b:1::/48",
        "2002::/16",  # 6to4,
        "2001::/32",  # Teredo,
        "::/96",  # IPv4-compatible
        "fec0::/10",  # site-local, of old
    )
]
"""Not public, whatever Python says of them (``is_global`` of 3.11 is True for most)."""
_PRIVATE = [
    ipaddress.ip_network(network)
    for network in (
        *("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "100.64.0.0/10"),
        *("127.0.0.0/8", "fc00::/7", "::1/128"),
    )
]
"""Not those of one link: cloud providers give credentials to who asks 169.254.169.254."""
SUFFIXES: Final = {
    "text/html": ".html",
    "application/xhtml+xml": ".html",
    "application/xml": ".html",
    "text/xml": ".html",
    "text/plain": ".txt",
    "application/pdf": ".pdf",
}
"""Media types of pages, and how the files are called."""
UNSTATED_TYPES: Final = frozenset(("", "application/octet-stream", "binary/octet-stream"))
"""Media types that servers state for want of a better one."""


def _is_public(address: str, *, or_private: bool = False) -> bool:
    """Whether an IP address is one of the public Internet, and of one machine.

    Args:
        address: may name an interface, ``fe80::1%eth0``.
        or_private: whether those of private networks and of this machine itself will do, too.
    """
    ip = ipaddress.ip_address(address.partition("%")[0])
    ip = getattr(ip, "ipv4_mapped", None) or ip
    if or_private and any(ip in network for network in _PRIVATE):
        return True
    if ip.is_multicast or ip.is_unspecified or ip.is_reserved:  # of several machines, or of none
        return False
    return ip.is_global and not any(ip in network for network in _NOT_PUBLIC)


@dataclass(frozen=True, slots=True)
class DownloadOptions:
    """Options of a download; the defaults are polite and safe."""

    refresh: bool = False
    """Whether pages that are there are asked for again; unchanged ones are not sent again."""
    keep_results: bool = True
    """Whether addresses, titles and snippets of results are written; terms of search engines may
    forbid it. Without them, the folder holds what was fetched from the sites alone."""
    allow_private: bool = False
    """Whether addresses of private networks and of this machine may be asked, at any port."""
    delay: float = 1.0
    """Seconds between two requests to a host, if its ``robots.txt`` does not ask for more."""
    names: tuple[str, ...] = ()
    """The name that was searched for, and its other spellings: a page that has one is no wall."""
    hosts_at_once: int = 16
    total: float = 30.0
    """Seconds of one request, from asking to the last byte."""
    connect: float = 10.0
    read: float = 10.0
    """Seconds between two bytes."""
    page_bytes: int = 8 * 1024 * 1024
    """Length of a page, on the wire as well as inflated; longer ones are cut."""
    pdf_bytes: int = 32 * 1024 * 1024
    allowed: Callable[[str], bool] | None = None
    """Test of IP addresses that may be connected to; None for :func:`_is_public`."""
    resolver: AbstractResolver | None = None
    """Resolver of names; None for that of the system."""
    clock: Callable[[], float] = time.monotonic
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep

    def bytes_of(self, media_type: str) -> int:
        """Bytes read of an answer of this type: none of what is no page."""
        if media_type == "application/pdf":
            return self.pdf_bytes
        return self.page_bytes if media_type in SUFFIXES.keys() | UNSTATED_TYPES else 0


TOKEN: Final = "weps"  # noqa: S105 - a name, no secret
"""The product token that sites may name in ``User-agent`` lines (RFC 9309, section 2.2.1)."""
MAX_ROBOTS: Final = 500 * 1024
"""Bytes read of a robots.txt, as many as RFC 9309 (section 2.5) demands at least."""
_HEADERS: Final = {
    "User-Agent": f"weps/{VERSION}",
    "Accept": "text/html,application/xhtml+xml,application/pdf;q=0.9,text/plain;q=0.8,*/*;q=0.1",
}
_CHALLENGES: Final = ("cf-mitigated", "x-datadome", "x-amzn-waf-action")
"""Headers of answers that firewalls give in the place of the site, to test the visitor."""
_ENCODINGS: Final = frozenset(("", "identity", "gzip", "x-gzip", "deflate", "br", "zstd"))
"""Encodings that are undone; several over one another are not."""
_MARKUP = re.compile(rb"\s*<(?:!doctype|html|head|body|\?xml|!--)", re.IGNORECASE)
_MAX_HEADER: Final = 32_768
"""Bytes of one header; some sites have policies of more than 8,000."""
_POLL: Final = 0.5
"""Seconds after which the bytes on the wire are looked at, even if nothing came of them."""
_AGENT = re.compile(r"\s*user[ -]?agent[\s:]+([*\w-]*)", re.IGNORECASE)
_MAX_REDIRECTS: Final = 5
_REFRESH = re.compile(
    rb"<meta\b[^<>]{0,100}?http-equiv\s*=\s*[\"']?refresh\b[^<>]{0,100}?content\s*=\s*[\"']?"
    rb"\s*[0-5](?:\.\d*)?\s*[;,]\s*url\s*=\s*[\"']?([^\"'<>]{1,2000})",
    re.IGNORECASE,
)
"""Within at most five seconds."""
_MAX_REFRESH_PAGE: Final = 4_096
"""Bytes up to which a page that refreshes itself is a redirect: others have a content of theirs."""
_LEGAL: Final = "%/:=&?~#+!$,;'@()*[]"
"""Characters of addresses besides letters and digits."""
_MAX_DELAY: Final = 30.0
"""Seconds; a host that asks for more between two requests is not asked at all."""
_PASSING: Final = frozenset((429, 502, 503, 504))
"""Answers after which another attempt is made."""
_WAITS: Final = (2.0, 8.0)
"""Seconds before the second and the third attempt, ± 50 %, where the server states none."""
_MAX_WAIT: Final = 60.0
_MAX_FAILURES: Final = 3
"""Failures in a row after which a host is left alone."""


_FAILURES: Final = (
    (
        aiohttp.ConnectionTimeoutError, PageStatus.FAILED, True,
        "the server cannot be reached: timed out",
    ),
    (aiohttp.ServerTimeoutError, PageStatus.FAILED, False, "the server stopped responding"),
    (TimeoutError, PageStatus.FAILED, False, "no complete response within {total:g} s"),
    (
        aiohttp.ClientConnectorCertificateError, PageStatus.FAILED, False,
        "the certificate of the site is not valid",
    ),
    (aiohttp.ClientConnectorDNSError, PageStatus.FAILED, True, "the host is unknown"),
    (
        aiohttp.ClientConnectorError, PageStatus.FAILED, True,
        "the server cannot be reached",
    ),
    # A host or a header that is not sent.
    (
        (ValueError, aiohttp.NonHttpUrlClientError), PageStatus.SKIPPED, False,
        "the address is malformed",
    ),
    (aiohttp.ClientConnectionError, PageStatus.FAILED, True, "the connection was interrupted"),
    (Exception, PageStatus.FAILED, False, "the response is malformed"),
)  # fmt: skip
"""Kind of error, of which the first counts → status, whether to try again, and the note."""


@dataclass(frozen=True, slots=True)
class HttpAnswer:
    """The answer to one request."""

    url: URL
    status: int
    headers: Mapping[str, str]
    """Names in any case."""
    type: str
    """The media type, without parameters; recognised by content where the server states none."""
    charset: str
    body: bytes | bytearray
    cut: bool
    """Whether there was more than the body."""


@dataclass(eq=False)
class NotFetchedError(Exception):
    """There is no page; the status and the note say why."""

    status: PageStatus
    note: str
    http: int = 0
    url: str = ""
    passing: bool = False
    """Whether another attempt may succeed, as after a connection that broke."""
    retry_after: str = ""
    """Header that says after what time."""


@dataclass(slots=True)
class _Host:
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    ready_at: float = 0.0
    """Time of the clock from which the next request may be made."""
    delay: float = 0.0
    failures: int = 0
    """In a row."""
    left_alone: str = ""
    """Why the host is not asked any more in this run."""


class PoliteClient:
    """Makes requests when hosts are due; an asynchronous context manager."""

    def __init__(self, options: DownloadOptions) -> None:
        self.requests = self.wire_bytes = 0
        self._options = options
        self._places = asyncio.Semaphore(options.hosts_at_once)
        self._hosts: defaultdict[str, _Host] = defaultdict(_Host)
        self._robots: dict[URL, asyncio.Task[Protego]] = {}

    async def __aenter__(self) -> Self:
        options = self._options
        self._session = aiohttp.ClientSession(
            connector=aiohttp.TCPConnector(
                limit=0,
                limit_per_host=1,
                use_dns_cache=False,
                # That of the system knows every spelling of an address, and private names.
                resolver=options.resolver or aiohttp.ThreadedResolver(),
                socket_factory=self._make_socket,
            ),
            headers=_HEADERS,
            cookie_jar=aiohttp.DummyCookieJar(),
            trust_env=False,
            middlewares=(_ask_once,),
            max_line_size=_MAX_HEADER,
            max_field_size=_MAX_HEADER,
            timeout=aiohttp.ClientTimeout(
                total=options.total, sock_connect=options.connect, sock_read=options.read
            ),
        )
        return self

    async def __aexit__(self, *error: object) -> None:
        await self._session.close()

    async def fetch(self, address: str, headers: Mapping[str, str]) -> HttpAnswer:
        """The answer at the end of the redirects: status 200 or 304.

        Raises:
            NotFetchedError: there is none.
        """
        url = parse_address(address)
        for _ in range(_MAX_REDIRECTS + 1):
            await self._check_robots(url)
            answer = await self._ask(url, headers, self._options.bytes_of)
            if not (target := _redirect_target(answer)):
                if answer.status in {200, 304}:
                    return answer
                challenged = any(name in answer.headers for name in _CHALLENGES)
                status = PageStatus.BLOCKED if challenged else PageStatus.FAILED
                raise NotFetchedError(status, f"HTTP {answer.status}", answer.status, str(url))
            url = target
        raise NotFetchedError(PageStatus.FAILED, "too many redirects", answer.status, str(url))

    async def _check_robots(self, url: URL) -> None:
        """Raise NotFetchedError if the site asks programs to stay away."""
        self._check_port(url)
        origin = url.origin()
        if origin not in self._robots:
            self._robots[origin] = asyncio.create_task(self._read_robots(origin))
        try:
            rules = await asyncio.shield(self._robots[origin])
        except NotFetchedError as problem:
            place = "" if problem.status is PageStatus.SKIPPED else "robots.txt: "
            raise NotFetchedError(
                problem.status, f"{place}{problem.note}", url=str(url)
            ) from problem
        # Hostile rules take long to match.
        if not await asyncio.to_thread(rules.can_fetch, str(url), TOKEN):
            raise NotFetchedError(PageStatus.KEPT_OUT, "by robots.txt", url=str(url))
        delay = rules.crawl_delay(TOKEN) or 0.0
        if _MAX_DELAY < delay < math.inf:
            raise NotFetchedError(
                PageStatus.KEPT_OUT,
                f"robots.txt asks for {delay:g} s between requests",
                url=str(url),
            )
        host = self._hosts[url.raw_host or ""]
        if (known := max(host.delay, self._options.delay)) < delay < math.inf:
            host.ready_at += delay - known
            host.delay = delay

    async def _read_robots(self, origin: URL) -> Protego:
        """The rules of a site; all is allowed where it has none (RFC 9309, section 2.3.1).

        Raises:
            NotFetchedError: the server fails, so that nothing there may be asked for.
        """
        url = origin / "robots.txt"
        for _ in range(_MAX_REDIRECTS + 1):
            answer = await self._ask(url, {}, lambda _: MAX_ROBOTS)
            if answer.status == 200:
                return await asyncio.to_thread(_parse_robots, answer.body)
            if answer.status == 429 or answer.status >= 500:
                raise NotFetchedError(PageStatus.FAILED, f"HTTP {answer.status}")
            if not (target := _redirect_target(answer)):
                break
            self._check_port(target)
            url = target
        return Protego()

    async def _ask(
        self, url: URL, headers: Mapping[str, str], bytes_of: Callable[[str], int]
    ) -> HttpAnswer:
        """Ask in the host's turn, at most three times."""
        host = self._hosts[url.raw_host or ""]
        for wait in (*_WAITS, None):
            async with self._turn(host):
                try:
                    answer = await self._request(url, headers, bytes_of)
                    host.failures = host.failures + 1 if answer.status >= 500 else 0
                    return answer
                except NotFetchedError as error:
                    if not error.passing:
                        host.failures += error.status is PageStatus.FAILED
                        raise
                    problem = error
                pause = _parse_retry_after(problem.retry_after)
                if pause is not None and pause > _MAX_WAIT:
                    host.left_alone = f"the host asks to wait for {pause:.0f} s"
                    break
                if wait is not None:
                    # ± 50 %, always the same for one address.
                    share = hashlib.sha256(str(url).encode("utf-8", "replace")).digest()[0] / 255
                    pause = wait * (0.5 + share) if pause is None else pause
                    host.ready_at = self._options.clock() + pause
        host.failures += 1
        raise problem

    @asynccontextmanager
    async def _turn(self, host: _Host) -> AsyncIterator[None]:
        """Wait until the host may be asked; the delay begins when its answer is complete."""
        async with host.lock:
            if host.failures >= _MAX_FAILURES:
                host.left_alone = f"the host failed {_MAX_FAILURES} times in a row"
            if host.left_alone:
                raise NotFetchedError(PageStatus.SKIPPED, host.left_alone)
            while (pause := host.ready_at - self._options.clock()) > 0:
                await self._options.sleep(pause)
            async with self._places:
                try:
                    yield
                finally:
                    due = self._options.clock() + max(self._options.delay, host.delay)
                    host.ready_at = max(host.ready_at, due)

    async def _request(
        self, url: URL, headers: Mapping[str, str], bytes_of: Callable[[str], int]
    ) -> HttpAnswer:
        """Ask for an address and read the body of an answer with status 200.

        Args:
            url: the address.
            headers: added to those that every request has.
            bytes_of: from a media type to how many bytes are read; 0 for types not wanted.

        Raises:
            NotFetchedError: no answer, one that is no page, or one that asks to try again.
        """
        self.requests += 1
        body, cut, where = bytearray(), False, str(url)
        try:
            async with self._session.get(url, headers=headers, allow_redirects=False) as response:
                stated = response.headers
                media_type = stated.get("Content-Type", "").partition(";")[0].strip().lower()
                if response.status == 200:
                    if stated.get("Content-Encoding", "").strip().lower() not in _ENCODINGS:
                        note = "the response has an encoding that was not requested"
                        raise NotFetchedError(PageStatus.FAILED, note, 200, where)
                    media_type, body, cut = await _read_body(response.content, media_type, bytes_of)
                    note = "" if bytes_of(media_type) else media_type
                    if cut and media_type == "application/pdf":  # its end is its index
                        note = f"a PDF file of more than {self._options.pdf_bytes >> 20} MB"
                    if note:
                        raise NotFetchedError(PageStatus.NOT_A_PAGE, note, 200, where)
                self.wire_bytes += _wire_bytes(response.content)
                charset = response.charset or ""
        except (TimeoutError, aiohttp.ClientError, ValueError) as error:
            cause = getattr(error, "os_error", None)
            if isinstance(cause, _ForbiddenAddressError):
                raise NotFetchedError(PageStatus.SKIPPED, str(cause)) from error
            _, status, passing, note = next(row for row in _FAILURES if isinstance(error, row[0]))
            note = note.format(total=self._options.total)
            raise NotFetchedError(status, note, passing=passing) from error
        if response.status in _PASSING:
            raise NotFetchedError(
                PageStatus.FAILED,
                f"HTTP {response.status}",
                response.status,
                where,
                passing=True,
                retry_after=stated.get("Retry-After", ""),
            )
        return HttpAnswer(response.url, response.status, stated, media_type, charset, body, cut)

    def _make_socket(self, info: tuple[Any, ...]) -> socket.socket:
        """The socket for an address, to which names were resolved, if it is allowed."""
        family, kind, protocol, _, (host, *_) = info
        usual = partial(_is_public, or_private=self._options.allow_private)
        if not (self._options.allowed or usual)(host):
            raise _ForbiddenAddressError("the address is not one of the public Internet")
        return socket.socket(family, kind, protocol)

    def _check_port(self, url: URL) -> None:
        if not self._options.allow_private and url.port not in PORTS:
            raise NotFetchedError(
                PageStatus.SKIPPED, f"port {url.port} is not one of web servers", url=str(url)
            )


class _ForbiddenAddressError(OSError):
    """A connection was refused before it was made."""


async def _ask_once(
    request: aiohttp.ClientRequest, handler: aiohttp.ClientHandlerType
) -> aiohttp.ClientResponse:
    """Keep the library from asking again at once where a connection breaks."""
    try:
        return await handler(request)
    except aiohttp.ClientConnectorError:
        raise
    except (aiohttp.ClientOSError, aiohttp.ServerDisconnectedError) as error:
        raise aiohttp.ClientConnectionError(str(error)) from error


async def _read_body(
    content: aiohttp.StreamReader, media_type: str, bytes_of: Callable[[str], int]
) -> tuple[str, bytearray, bool]:
    """The media type, the body, and whether there was more of it than the limit."""
    body, most = bytearray(), bytes_of(media_type)
    while most:
        chunk: bytes | None = None  # of the bytes on the wire, none may come for a moment
        try:
            async with asyncio.timeout(_POLL) as scope:
                chunk = await content.read(65_536)
        except TimeoutError:
            if not scope.expired():
                raise
        body += chunk or b""
        is_whole = chunk == b""
        if media_type in UNSTATED_TYPES and (len(body) >= 512 or is_whole):
            if body.startswith(b"%PDF-"):
                media_type = "application/pdf"
            elif _MARKUP.match(body):
                media_type = "text/html"
            else:
                media_type = "unknown data" if media_type or b"\0" in body else "text/plain"
            most = bytes_of(media_type)
        if max(len(body), _wire_bytes(content)) > most:
            del body[most:]  # no copy: bodies are large, and many at once
            return media_type, body, True
        if is_whole:
            break
    return media_type, body, False


def _wire_bytes(content: aiohttp.StreamReader) -> int:
    """Bytes that came so far, as they were sent; the library's empty body does not count them."""
    return int(getattr(content, "total_raw_bytes", 0))


def _parse_robots(data: bytes | bytearray) -> Protego:
    """Read a ``robots.txt``, of which at most :data:`MAX_ROBOTS` count; takes up to seconds.

    All other programs get one name: the parser keeps the rules of each, and so many programs and so
    many rules would fill the memory. It would also take a rule for ``we`` as one for ``weps``.
    """
    is_marked = data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
    by_zero = ("utf-16-be", "utf-16-le", "utf-8-sig")[data[:2].find(b"\0")]  # -1 without one
    lines = data[:MAX_ROBOTS].decode("utf-16" if is_marked else by_zero, "replace").splitlines()
    for number, line in enumerate(lines):
        if found := _AGENT.match(line):
            agent = found[1].lower()
            lines[number] = f"User-agent: {agent if agent in {TOKEN, '*'} else 'others'}"
    return Protego.parse("\n".join(lines))


def parse_address(address: str) -> URL:
    """The address as it can be asked for.

    Raises:
        NotFetchedError: it is not one of http or https, or holds a password.
    """
    url, scheme = URL(), ""
    with suppress(ValueError):
        url = URL(address.strip())
        scheme = url.origin().scheme
    if scheme not in {"http", "https"}:
        raise NotFetchedError(PageStatus.SKIPPED, "not an address of http or https")
    if url.user is not None or url.password is not None:
        raise NotFetchedError(PageStatus.SKIPPED, "the address holds a user or a password")
    return url.with_fragment(None)


def _redirect_target(answer: HttpAnswer) -> URL | None:
    """Target of a redirect, by the header or a page that holds nothing else; not the page itself.

    Raises:
        NotFetchedError: it cannot be asked for.
    """
    target = ""
    if answer.status in {301, 302, 303, 307, 308}:
        target = answer.headers.get("Location", "")
    elif (
        answer.status == 200
        and len(answer.body) <= _MAX_REFRESH_PAGE
        and (found := _REFRESH.search(answer.body))
    ):
        target = html.unescape(found[1].decode("utf-8", "surrogateescape")).strip()
    if not target:
        return None
    try:
        # Bytes that are not UTF-8 stand for themselves.
        url = answer.url.join(URL(quote(target.encode("utf-8", "surrogateescape"), safe=_LEGAL)))
    except ValueError as error:
        raise NotFetchedError(
            PageStatus.FAILED,
            "a redirect leads to a malformed address",
            answer.status,
            str(answer.url),
        ) from error
    url = parse_address(str(url))
    return None if answer.status == 200 and url == answer.url else url


def _parse_retry_after(stated: str) -> float | None:
    """Seconds to wait by a ``Retry-After``, which states them or a date; None if it does not."""
    if stated.strip().isdecimal():
        return float(stated[:9])
    try:
        date = parsedate_to_datetime(stated)
    except ValueError:
        return None
    return max((date.astimezone(UTC) - datetime.now(UTC)).total_seconds(), 0.0)
