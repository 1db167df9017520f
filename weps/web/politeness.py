"""Politeness: one request at a time to a host, a delay after each, and what its robots.txt asks."""

from __future__ import annotations

import asyncio
import hashlib
import html
import math
import re
from collections import defaultdict
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING, Final
from urllib.parse import quote

from protego import Protego
from yarl import URL

from weps.sources.collected import PageStatus
from weps.web.fetching import ConnectionFailedError, HttpAnswer, NotFetchedError
from weps.web.limits import PORTS

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Mapping
    from typing import Self

    from weps.web.fetching import HttpClient
    from weps.web.limits import DownloadOptions

TOKEN: Final = "weps"  # noqa: S105 - a name, no secret
"""The product token that sites may name in ``User-agent`` lines (RFC 9309, section 2.2.1)."""
MAX_ROBOTS: Final = 500 * 1024
"""Bytes read, as many as RFC 9309 (section 2.5) demands at least."""


_AGENT = re.compile(r"\s*user[ -]?agent[\s:]+([*\w-]*)", re.IGNORECASE)


def _name_agent(line: str) -> str:
    """The line, with one name for all other programs.

    The parser keeps the rules of each: so many programs and so many rules would fill the memory.
    It would also take a rule for ``we`` as one for ``weps``.
    """
    if not (found := _AGENT.match(line)):
        return line
    agent = found[1].lower()
    return f"User-agent: {agent if agent in {TOKEN, '*'} else 'others'}"


@dataclass(frozen=True, slots=True)
class RobotsRules:
    """The rules of one site for this program."""

    parsed: Protego = field(default_factory=Protego)
    delay: float = 0.0
    """Seconds between two requests that the site asks for."""

    @classmethod
    def parse(cls, data: bytes | bytearray) -> Self:
        """Read a ``robots.txt``, of which at most :data:`MAX_ROBOTS` count; takes up to seconds."""
        text = data[:MAX_ROBOTS].decode("utf-8-sig", "replace")
        parsed = Protego.parse("\n".join(map(_name_agent, text.splitlines())))
        delay = parsed.crawl_delay(TOKEN) or 0.0
        return cls(parsed, delay if math.isfinite(delay) else 0.0)

    def allow(self, url: str) -> bool:
        """Whether the site lets programs ask for the address."""
        return self.parsed.can_fetch(url, TOKEN)


_REDIRECTS: Final = frozenset((301, 302, 303, 307, 308))
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
    """Makes requests when hosts are due, follows redirects, and asks robots.txt first."""

    def __init__(self, client: HttpClient, options: DownloadOptions) -> None:
        self._client = client
        self._options = options
        self._places = asyncio.Semaphore(options.hosts_at_once)
        self._hosts: defaultdict[str, _Host] = defaultdict(_Host)
        self._robots: dict[URL, asyncio.Task[RobotsRules]] = {}

    async def fetch(self, address: str, headers: Mapping[str, str]) -> HttpAnswer:
        """The answer at the end of the redirects: status 200 or 304.

        Raises:
            NotFetchedError: there is none.
        """
        url = parse_address(address)
        for _ in range(_MAX_REDIRECTS + 1):
            await self._check_robots(url)
            answer = await self._ask(url, headers, self._options.limits.bytes_of)
            target = _redirect_target(answer)
            if not target and answer.status in {200, 304}:
                return answer
            if not target:
                status = PageStatus.BLOCKED if answer.is_challenge else PageStatus.FAILED
                raise NotFetchedError(status, f"HTTP {answer.status}", answer.status, str(url))
            url = _resolve(answer, target)
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
            skipped = problem.status is PageStatus.SKIPPED
            raise NotFetchedError(
                problem.status,
                problem.note if skipped else f"robots.txt: {problem.note}",
                url=str(url),
            ) from problem
        # Hostile rules take long to match.
        if not await asyncio.to_thread(rules.allow, str(url)):
            raise NotFetchedError(PageStatus.KEPT_OUT, "by robots.txt", url=str(url))
        if rules.delay > _MAX_DELAY:
            raise NotFetchedError(
                PageStatus.KEPT_OUT,
                f"robots.txt asks for {rules.delay:g} s between requests",
                url=str(url),
            )
        host = self._hosts[url.raw_host or ""]
        if rules.delay > (known := max(host.delay, self._options.delay)):
            host.ready_at += rules.delay - known
            host.delay = rules.delay

    async def _read_robots(self, origin: URL) -> RobotsRules:
        """The rules of a site; all is allowed where it has none (RFC 9309, section 2.3.1).

        Raises:
            NotFetchedError: the server fails, so that nothing there may be asked for.
        """
        url = origin / "robots.txt"
        for _ in range(_MAX_REDIRECTS + 1):
            answer = await self._ask(url, {}, lambda _: MAX_ROBOTS)
            if answer.status == 200:
                return await asyncio.to_thread(RobotsRules.parse, answer.body)
            if answer.status == 429 or answer.status >= 500:
                raise NotFetchedError(PageStatus.FAILED, f"HTTP {answer.status}")
            if not (target := _redirect_target(answer)):
                break
            url = _resolve(answer, target)
            self._check_port(url)
        return RobotsRules()

    async def _ask(
        self, url: URL, headers: Mapping[str, str], bytes_of: Callable[[str], int]
    ) -> HttpAnswer:
        """Ask in the host's turn, at most three times."""
        host = self._hosts[url.raw_host or ""]
        for wait in (*_WAITS, None):
            async with self._turn(host):
                try:
                    answer = await self._client.request(url, headers, bytes_of)
                except ConnectionFailedError as error:
                    problem: NotFetchedError = error
                    stated = ""
                except NotFetchedError as error:
                    host.failures += error.status is PageStatus.FAILED
                    self._judge(host)
                    raise
                else:
                    if answer.status not in _PASSING:
                        host.failures = host.failures + 1 if answer.status >= 500 else 0
                        self._judge(host)
                        return answer
                    note = f"HTTP {answer.status}"
                    problem = NotFetchedError(PageStatus.FAILED, note, answer.status, str(url))
                    stated = answer.retry_after
                pause = _parse_retry_after(stated)
                if pause is not None and pause > _MAX_WAIT:
                    host.left_alone = f"the host asks to wait for {pause:.0f} s"
                    break
                if wait is not None:
                    pause = _spread(wait, str(url)) if pause is None else pause
                    host.ready_at = self._options.clock() + pause
        host.failures += 1
        self._judge(host)
        raise problem

    @asynccontextmanager
    async def _turn(self, host: _Host) -> AsyncIterator[None]:
        """Wait until the host may be asked; the delay begins when its answer is complete."""
        async with host.lock:
            if host.left_alone:
                raise NotFetchedError(PageStatus.SKIPPED, host.left_alone)
            while (pause := host.ready_at - self._options.clock()) > 0:
                await self._options.sleep(pause)
            async with self._places:
                try:
                    yield
                finally:
                    delay = max(self._options.delay, host.delay)
                    host.ready_at = max(host.ready_at, self._options.clock() + delay)

    def _judge(self, host: _Host) -> None:
        if host.failures >= _MAX_FAILURES:
            host.left_alone = f"the host failed {_MAX_FAILURES} times in a row"

    def _check_port(self, url: URL) -> None:
        if not self._options.allow_private and url.port not in PORTS:
            raise NotFetchedError(
                PageStatus.SKIPPED, f"port {url.port} is not one of web servers", url=str(url)
            )


def host_of(address: str) -> str:
    """The host of an address, by which requests are paced; empty if it cannot be asked."""
    try:
        return parse_address(address).raw_host or ""
    except NotFetchedError:
        return ""


def parse_address(address: str) -> URL:
    """The address as it can be asked for.

    Raises:
        NotFetchedError: it is not one of http or https, or holds a password.
    """
    try:
        url = URL(address.strip())
        origin = url.origin()
    except ValueError as error:
        raise NotFetchedError(PageStatus.SKIPPED, "not an address of http or https") from error
    if origin.scheme not in {"http", "https"}:
        raise NotFetchedError(PageStatus.SKIPPED, "not an address of http or https")
    if url.user is not None or url.password is not None:
        raise NotFetchedError(PageStatus.SKIPPED, "the address holds a user or a password")
    return url.with_fragment(None)


def _redirect_target(answer: HttpAnswer) -> str:
    """Target of a redirect, by the header or a page that holds nothing else; else empty."""
    if answer.status in _REDIRECTS:
        return answer.location
    short = answer.status == 200 and len(answer.body) <= _MAX_REFRESH_PAGE
    found = _REFRESH.search(answer.body) if short else None
    return html.unescape(found[1].decode("utf-8", "surrogateescape")).strip() if found else ""


def _resolve(answer: HttpAnswer, target: str) -> URL:
    try:
        # Bytes that are not UTF-8 stand for themselves.
        escaped = quote(target.encode("utf-8", "surrogateescape"), safe=_LEGAL)
        url = answer.url.join(URL(escaped))
    except ValueError as error:
        raise NotFetchedError(
            PageStatus.FAILED,
            "a redirect leads to a malformed address",
            answer.status,
            str(answer.url),
        ) from error
    return parse_address(str(url))


def _parse_retry_after(stated: str) -> float | None:
    """Seconds to wait by a ``Retry-After``, which states them or a date; None if it does not."""
    if stated.strip().isdecimal():
        return float(stated[:9])
    try:
        date = parsedate_to_datetime(stated)
    except ValueError:
        return None
    return max((date.astimezone(UTC) - datetime.now(UTC)).total_seconds(), 0.0)


def _spread(wait: float, address: str) -> float:
    """The wait ± 50 %, always the same for one address."""
    digest = hashlib.sha256(address.encode("utf-8", "replace")).digest()
    return wait * (0.5 + digest[0] / 255)
