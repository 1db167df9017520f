"""One request over HTTP: limits of time and bytes, no cookies, no proxies, no redirects."""

from __future__ import annotations

import asyncio
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import aiohttp
from yarl import URL

from weps._formatting import error_reason
from weps._version import VERSION
from weps.sources.collected import PageStatus
from weps.web.limits import SUFFIXES, UNSTATED_TYPES, ForbiddenAddressError, guarded_sockets

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Self

    from aiohttp.abc import AbstractResolver

    from weps.web.limits import FetchLimits

USER_AGENT: Final = f"weps/{VERSION}"
_HEADERS: Final = {
    "User-Agent": USER_AGENT,
    "Accept": "text/html,application/xhtml+xml,application/pdf;q=0.9,text/plain;q=0.8,*/*;q=0.1",
}
_CHALLENGES: Final = ("cf-mitigated", "x-datadome", "x-amzn-waf-action")
"""Headers of answers that firewalls give in the place of the site."""
_ENCODINGS: Final = frozenset(("", "identity", "gzip", "x-gzip", "deflate", "br", "zstd"))
"""Encodings that are undone; several over one another are not."""
_MARKUP = re.compile(rb"\s*<(?:!doctype|html|head|body|\?xml|!--)", re.IGNORECASE)
_MAX_HEADER: Final = 32_768
"""Bytes of one header; some sites have policies of more than 8,000."""
_ENOUGH_TO_RECOGNISE: Final = 512
_CHUNK: Final = 65_536
_POLL: Final = 0.5
"""Seconds after which the bytes on the wire are looked at, even if nothing came of them."""


@dataclass(frozen=True, slots=True)
class HttpAnswer:
    """The answer to one request."""

    url: URL
    status: int
    type: str = ""
    """The media type, without parameters; recognised by content where the server states none."""
    charset: str = ""
    etag: str = ""
    last_modified: str = ""
    location: str = ""
    retry_after: str = ""
    body: bytes | bytearray = b""
    cut: bool = False
    """Whether there was more than the body."""
    is_challenge: bool = False
    """Whether a firewall says that it wants to test the visitor."""

    @property
    def suffix(self) -> str:
        """Suffix of a file of this type."""
        return SUFFIXES[self.type]


class NotFetchedError(Exception):
    """There is no page; the status and the note say why."""

    def __init__(self, status: PageStatus, note: str, http: int = 0, url: str = "") -> None:
        super().__init__(note)
        self.status = status
        self.note = note
        self.http = http
        self.url = url


class ConnectionFailedError(NotFetchedError):
    """A connection could not be made, or broke; another attempt may succeed."""

    def __init__(self, note: str) -> None:
        super().__init__(PageStatus.FAILED, note)


class HttpClient:
    """Makes single requests; an asynchronous context manager."""

    def __init__(
        self,
        limits: FetchLimits,
        allowed: Callable[[str], bool],
        resolver: AbstractResolver | None = None,
    ) -> None:
        self.limits = limits
        self.requests = 0
        self.wire_bytes = 0
        self._allowed = allowed
        self._resolver = resolver

    async def __aenter__(self) -> Self:
        connector = aiohttp.TCPConnector(
            limit=0,
            limit_per_host=1,
            use_dns_cache=False,
            # That of the system knows every spelling of an address, and private names.
            resolver=self._resolver or aiohttp.ThreadedResolver(),
            socket_factory=guarded_sockets(self._allowed),
        )
        limits = self.limits
        self._session = aiohttp.ClientSession(
            connector=connector,
            headers=_HEADERS,
            cookie_jar=aiohttp.DummyCookieJar(),
            trust_env=False,
            middlewares=(_ask_once,),
            max_line_size=_MAX_HEADER,
            max_field_size=_MAX_HEADER,
            timeout=aiohttp.ClientTimeout(
                total=limits.total, sock_connect=limits.connect, sock_read=limits.read
            ),
        )
        return self

    async def __aexit__(self, *error: object) -> None:
        await self._session.close()

    async def request(
        self, url: URL, headers: Mapping[str, str], bytes_of: Callable[[str], int]
    ) -> HttpAnswer:
        """Ask for an address and read the body of an answer with status 200.

        Args:
            url: the address.
            headers: added to those that every request has.
            bytes_of: from a media type to how many bytes are read; 0 for types not wanted.

        Raises:
            NotFetchedError: no answer, or one that is no page.
        """
        self.requests += 1
        try:
            async with self._session.get(url, headers=headers, allow_redirects=False) as response:
                return await self._read_answer(response, bytes_of)
        except TimeoutError as error:
            note = f"no complete response within {self.limits.total:g} s"
            if isinstance(error, aiohttp.ServerTimeoutError):
                note = "the server stopped responding"
            if isinstance(error, aiohttp.ConnectionTimeoutError):
                raise ConnectionFailedError("the server cannot be reached: timed out") from error
            raise NotFetchedError(PageStatus.FAILED, note) from error
        except (aiohttp.ClientError, ValueError) as error:
            raise _failure_of(error) from error

    async def _read_answer(
        self, response: aiohttp.ClientResponse, bytes_of: Callable[[str], int]
    ) -> HttpAnswer:
        headers = response.headers
        media_type = headers.get("Content-Type", "").partition(";")[0].strip().lower()
        body, cut = bytearray(), False
        if response.status == 200:
            if headers.get("Content-Encoding", "").strip().lower() not in _ENCODINGS:
                raise NotFetchedError(
                    PageStatus.FAILED,
                    "the response has an encoding that was not requested",
                    200,
                    str(response.url),
                )
            media_type, body, cut = await _read_body(response.content, media_type, bytes_of)
            if not bytes_of(media_type):
                raise NotFetchedError(PageStatus.NOT_A_PAGE, media_type, 200, str(response.url))
            if cut and media_type == "application/pdf":  # the end of such a file is its index
                raise NotFetchedError(
                    PageStatus.NOT_A_PAGE,
                    f"a PDF file of more than {self.limits.pdf_bytes >> 20} MB",
                    200,
                    str(response.url),
                )
        self.wire_bytes += _wire_bytes(response.content)
        return HttpAnswer(
            response.url,
            response.status,
            media_type,
            response.charset or "",
            headers.get("ETag", ""),
            headers.get("Last-Modified", ""),
            headers.get("Location", ""),
            headers.get("Retry-After", ""),
            body,
            cut,
            any(name in headers for name in _CHALLENGES) and response.status != 200,
        )


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
    body = bytearray()
    most = bytes_of(media_type)
    while most and (chunk := await _next_chunk(content)) is not None:
        body += chunk
        if media_type in UNSTATED_TYPES and (len(body) >= _ENOUGH_TO_RECOGNISE or content.at_eof()):
            media_type = _recognise(body, media_type)
            most = bytes_of(media_type)
        if max(len(body), _wire_bytes(content)) > most:
            del body[most:]  # no copy: bodies are large, and many at once
            return media_type, body, True
    return media_type, body, False


def _wire_bytes(content: aiohttp.StreamReader) -> int:
    """Bytes that came so far, as they were sent; the library's empty body does not count them."""
    return int(getattr(content, "total_raw_bytes", 0))


async def _next_chunk(content: aiohttp.StreamReader) -> bytes | None:
    """Some bytes, none if none came of those on the wire for a moment; None at the end."""
    try:
        async with asyncio.timeout(_POLL) as scope:
            return await content.read(_CHUNK) or None
    except TimeoutError:
        if not scope.expired():
            raise
        return b""


def _recognise(body: bytearray, media_type: str) -> str:
    """The media type of a body for which the server states none."""
    if body.startswith(b"%PDF-"):
        return "application/pdf"
    if _MARKUP.match(body):
        return "text/html"
    return "unknown data" if media_type or b"\0" in body else "text/plain"


def _failure_of(error: aiohttp.ClientError | ValueError) -> NotFetchedError:
    """The meaning of an error of the connection for users."""
    match error:
        case aiohttp.ClientConnectorError(os_error=ForbiddenAddressError() as refusal):
            return NotFetchedError(PageStatus.SKIPPED, str(refusal))
        case aiohttp.ClientConnectorCertificateError():
            what = "the certificate of the site is not valid"
            return NotFetchedError(PageStatus.FAILED, what)
        case aiohttp.ClientConnectorError(os_error=reason):
            is_unknown = isinstance(error, aiohttp.ClientConnectorDNSError)
            note = f"the server cannot be reached ({error_reason(reason)})"
            return ConnectionFailedError("the host is unknown" if is_unknown else note)
        case ValueError() | aiohttp.NonHttpUrlClientError():  # a host or header that is not sent
            return NotFetchedError(PageStatus.SKIPPED, "the address is malformed")
        case aiohttp.ClientConnectionError():
            return ConnectionFailedError("the connection was interrupted")
    return NotFetchedError(PageStatus.FAILED, "the response is malformed")
