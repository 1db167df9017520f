"""What search engines have in common: a query, what was found, and one bounded request.

The address of an engine is the user's own choice and may be on this machine, so it is not guarded
as the addresses of results are (``weps.web.guard``).
"""

from __future__ import annotations

import asyncio
import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Protocol

from weps._parallel import Progress, no_progress
from weps._version import VERSION
from weps.errors import SearchError
from weps.records import SearchResult
from weps.sources.collected import address_key
from weps.sources.formats.lists import result_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

MAX_PAGES: Final = 10
"""Pages of results that are asked for at most; engines have no more."""
_MAX_ANSWER_BYTES: Final = 8 * 1024 * 1024
_MAX_RESULTS_OF_PAGE: Final = 1_000
_MAX_REASON: Final = 200
_CONNECT_SECONDS: Final = 10.0


@dataclass(frozen=True, slots=True)
class Found:
    """What an engine answered to a query."""

    results: tuple[SearchResult, ...]
    """Best first, no address twice."""
    failures: tuple[str, ...] = ()
    """What did not answer and why, ``duckduckgo: timeout``; results may be missing for it."""
    requests: int = 0
    """Requests that were sent."""


class SearchEngine(Protocol):
    """A search engine that is set up."""

    @property
    def label(self) -> str:
        """What it is called, and where it is: ``SearXNG at localhost:8888``."""

    @property
    def notice(self) -> str:
        """What becomes of a query, one sentence for who has to agree."""

    @property
    def may_be_kept(self) -> bool:
        """Whether the engine's terms allow results (addresses, titles, snippets) to be stored."""

    def search(self, query: str, pages: int, progress: Progress = no_progress) -> Found:
        """Ask for so many pages of results at most.

        Raises:
            SearchError: it cannot be reached or refuses to answer.
        """


@dataclass(frozen=True, slots=True)
class ResultPage:
    """A page of results."""

    results: tuple[SearchResult, ...]
    failures: tuple[str, ...] = ()
    is_last: bool = False


def search_pages(
    ask_page: Callable[[int], ResultPage], most: int, progress: Progress = no_progress
) -> Found:
    """Ask for page after page, from 0, until one brings nothing new.

    Raises:
        SearchError: of the first page; that of a later one ends the search and is a failure.
    """
    results: dict[str, SearchResult] = {}
    failures: dict[str, None] = {}
    number, most = 0, min(most, MAX_PAGES)
    for number in range(most):
        progress("asking", number, most)
        try:
            page = ask_page(number)
        except SearchError as problem:
            if not number:
                raise
            failures[f"page {number + 1} of the results: {problem.what}"] = None
            break
        before = len(results)
        for result in page.results:
            results.setdefault(address_key(result.url), result)
        failures |= dict.fromkeys(page.failures)
        if page.is_last or len(results) == before:
            break
    progress("asking", most, most)
    return Found(tuple(results.values()), tuple(failures), number + 1)


def web_results(entries: object) -> tuple[SearchResult, ...]:
    """The results of an answer's list that lead to pages of the Web; others are no pages."""
    listed = entries[:_MAX_RESULTS_OF_PAGE] if isinstance(entries, list) else []
    found = (result_of(each) for each in listed if isinstance(each, dict))
    return tuple(each for each in found if each and each.url.startswith(("http://", "https://")))


@dataclass(frozen=True, slots=True)
class Answer:
    """What came back from an engine."""

    where: str
    """Who answered."""
    status: int
    headers: Mapping[str, str]
    """Names in lower case."""
    body: bytes

    @property
    def is_json(self) -> bool:
        """Whether the answer is declared as JSON."""
        return "json" in self.headers.get("content-type", "").lower()

    @property
    def data(self) -> Any:
        """The body as JSON; None if it is none."""
        if not self.is_json:
            return None
        try:
            return json.loads(self.body)
        except (ValueError, RecursionError):
            return None

    def error(self, what: str, remedy: str) -> SearchError:
        """An error of who answered."""
        return SearchError(what, where=self.where, remedy=remedy)


def send_request(
    where: str,
    address: str,
    parameters: Iterable[tuple[str, str]],
    headers: Mapping[str, str],
    seconds: float,
) -> Answer:
    """Send a GET request, without redirects, cookies and proxies.

    Args:
        where: the engine, for errors.
        address: without parameters.
        parameters: of the query.
        headers: further ones.
        seconds: until the last byte.

    Raises:
        SearchError: no answer came, or not all of it.
    """
    try:
        import aiohttp  # noqa: PLC0415 - an extra, and not for `weps --help`
    except ModuleNotFoundError as error:
        what = f"asking a search engine needs aiohttp ({error.name} is missing)"
        raise SearchError(what, remedy="pip install 'weps[web]'") from None
    try:
        status, answered, body = asyncio.run(_request(address, list(parameters), headers, seconds))
    except TimeoutError as problem:
        what = f"did not answer within {seconds:g} s"
        raise SearchError(what, where=where, remedy="ask again later") from problem
    except aiohttp.ClientConnectorError as problem:
        reason = problem.os_error.strerror  # None where several addresses were tried
        what = f"cannot be reached ({reason})" if reason else "cannot be reached"
        remedy = "check that it runs, and its address"
        raise SearchError(what, where=where, remedy=remedy) from problem
    except (aiohttp.ClientError, OSError, ValueError) as problem:
        # Not the text of the problem: it may quote the request.
        broken = isinstance(problem, aiohttp.ClientConnectionError | aiohttp.ClientPayloadError)
        what = "the response is incomplete" if broken else "the response is malformed"
        raise SearchError(what, where=where, remedy="ask again") from None
    if len(body) > _MAX_ANSWER_BYTES:
        what = f"the answer is over {_MAX_ANSWER_BYTES >> 20} MB"
        raise SearchError(what, where=where, remedy="check the address")
    return Answer(where, status, answered, body)


async def _request(
    address: str,
    parameters: list[tuple[str, str]],
    headers: Mapping[str, str],
    seconds: float,
) -> tuple[int, dict[str, str], bytes]:
    import aiohttp  # noqa: PLC0415 - see above

    sent = {"User-Agent": f"weps/{VERSION}", "Accept": "application/json", **headers}
    timeout = aiohttp.ClientTimeout(seconds, sock_connect=_CONNECT_SECONDS)
    async with (
        aiohttp.ClientSession(
            timeout=timeout, headers=sent, cookie_jar=aiohttp.DummyCookieJar()
        ) as session,
        session.get(address, params=parameters, allow_redirects=False) as response,
    ):
        body = bytearray()
        while len(body) <= _MAX_ANSWER_BYTES and (part := await response.content.read(65_536)):
            body += part
        return response.status, _lower_names(response.headers), bytes(body)


def _lower_names(headers: Mapping[str, str]) -> dict[str, str]:
    return {name.lower(): value for name, value in headers.items()}


def server_text(value: object) -> str:
    """A text that a server sent, on one line and bounded, for messages."""
    return " ".join(str(value)[:_MAX_REASON].split()) if isinstance(value, str) else ""
