"""Search engines: SearXNG and the Brave Search API, what they share, and which of them is set up.

SearXNG is an engine that one runs oneself and that asks others
(https://docs.searxng.org/dev/search_api.html); only instances that are set up to answer in JSON,
and its predecessor searx, can be asked. The Brave Search API
(https://api-dashboard.search.brave.com) takes a key of one's own; its terms (11 February 2026,
section 3b) allow no storing of results but in passing, unless the plan grants it, so nothing that
Brave says is written to disk unless the user states that.

The address of an engine is the user's own choice and may be on this machine, so it is not guarded
as the addresses of results are (:mod:`weps.web.limits`).
"""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Protocol, Self
from urllib.parse import urlsplit, urlunsplit

from weps._formatting import count_of, quote_text
from weps._parallel import Progress, no_progress
from weps._version import VERSION
from weps.errors import SearchError
from weps.records import SearchResult
from weps.sources.collected import address_key
from weps.sources.formats.lists import result_of

MAX_PAGES: Final = 10
"""Pages of results that are asked for at most; engines have no more."""
_MAX_ANSWER_BYTES: Final = 8 * 1024 * 1024
_MAX_RESULTS_OF_PAGE: Final = 1_000
_MAX_REASON: Final = 200
_CONNECT_SECONDS: Final = 10.0


@dataclass(frozen=True, slots=True)
class Found:
    """Answer of an engine to a query."""

    results: tuple[SearchResult, ...]
    """Best first, no address twice."""
    failures: tuple[str, ...] = ()
    """Engines that did not answer and why, ``duckduckgo: timeout``; their results are missing."""
    requests: int = 0
    """Requests that were sent."""


class SearchEngine(Protocol):
    """A search engine that is set up."""

    @property
    def label(self) -> str:
        """Name and place of the engine: ``SearXNG at localhost:8888``."""

    @property
    def notice(self) -> str:
        """Use that is made of a query, one sentence for the user who has to agree."""

    @property
    def may_be_kept(self) -> bool:
        """Whether the engine's terms allow results (addresses, titles, snippets) to be stored."""

    def search(self, query: str, pages: int, progress: Progress = no_progress) -> Found:
        """Ask for so many pages of results at most.

        Raises:
            SearchError: it cannot be reached or refuses to answer.
        """


def search_pages(
    ask_page: Callable[[int], tuple[Found, bool]], most: int, progress: Progress = no_progress
) -> Found:
    """Ask for page after page, from 0, until one is the last or brings nothing new.

    Args:
        ask_page: what it finds, and whether that is the last page.
        most: number of pages.
        progress: called with the pages that were asked for.

    Raises:
        SearchError: of the first page; that of a later one ends the search and is a failure.
    """
    results: dict[str, SearchResult] = {}
    failures: dict[str, None] = {}
    number, most = 0, min(most, MAX_PAGES)
    for number in range(most):
        progress("asking", number, most)
        try:
            page, is_last = ask_page(number)
        except SearchError as problem:
            if not number:
                raise
            failures[f"page {number + 1} of the results: {problem.what}"] = None
            break
        before = len(results)
        for result in page.results:
            results.setdefault(address_key(result.url), result)
        failures |= dict.fromkeys(page.failures)
        if is_last or len(results) == before:
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
    """Response of an engine."""

    where: str
    """Label of the engine."""
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
        raise SearchError(
            f"asking a search engine needs aiohttp ({error.name} is missing)",
            remedy="pip install 'weps[web]'",
        ) from None
    try:
        status, answered, body = asyncio.run(_request(address, list(parameters), headers, seconds))
    except TimeoutError as problem:
        raise SearchError(
            f"did not answer within {seconds:g} s", where=where, remedy="ask again later"
        ) from problem
    except aiohttp.ClientConnectorError as problem:
        reason = problem.os_error.strerror  # None where several addresses were tried
        what = f"cannot be reached ({reason})" if reason else "cannot be reached"
        raise SearchError(
            what, where=where, remedy="check that it runs, and its address"
        ) from problem
    except (aiohttp.ClientError, OSError, ValueError) as problem:
        # Not the text of the problem: it may quote the request.
        broken = isinstance(problem, aiohttp.ClientConnectionError | aiohttp.ClientPayloadError)
        raise SearchError(
            "the response is incomplete" if broken else "the response is malformed",
            where=where,
            remedy="ask again",
        ) from None
    if len(body) > _MAX_ANSWER_BYTES:
        raise SearchError(
            f"the answer is over {_MAX_ANSWER_BYTES >> 20} MB",
            where=where,
            remedy="check the address",
        )
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
        names = {name.lower(): value for name, value in response.headers.items()}
        return response.status, names, bytes(body)


def server_text(value: object) -> str:
    """A text that a server sent, on one line and bounded, for messages."""
    return " ".join(str(value)[:_MAX_REASON].split()) if isinstance(value, str) else ""


_NO_JSON: Final = (
    "an instance answers in JSON only if its settings.yml says so: `search: formats: [html, json]` "
    "(the default is html alone; restart it afterwards). Public instances do not: run your own"
)
_MAX_FAILURES: Final = 100
_REMEDIES: Final = {
    401: ("asks for a password", "write it into the address: http://USER:PASSWORD@HOST"),
    403: ("refuses to answer in JSON (403 Forbidden)", _NO_JSON),
    404: ("there is no SearXNG (404 Not Found)", "check the address"),
    429: (
        "refuses because of too many requests (429)",
        "wait some minutes; on an instance of your own set `server: limiter: false`",
    ),
}
"""Status → what it means, and what to do."""


@dataclass(frozen=True, slots=True)
class SearXNG:
    """An instance of SearXNG or searx."""

    address: str
    """Address of its start page without a slash at the end; may hold a user and a password."""
    seconds: float = 60.0
    """Within which a page of results has to be there; the slowest engine decides."""
    may_be_kept: bool = True

    @classmethod
    def at(cls, url: str) -> Self:
        """The instance whose start or search page has an address; ``http://`` may be left out.

        Raises:
            SearchError: if this is no address.
        """
        address = url.strip() if "://" in url else f"http://{url.strip()}"
        try:
            parts = urlsplit(address)
            usable = parts.scheme in {"http", "https"} and parts.hostname and parts.port != 0
        except ValueError:  # an unclosed bracket, a port that is no number
            usable = False
        if not usable or len(address.split()) > 1:
            raise SearchError(
                f"{quote_text(_without_password(url))} is not an address of a SearXNG instance",
                remedy="give one such as http://localhost:8888",
            )
        path = parts.path.rstrip("/").removesuffix("/search")
        return cls(urlunsplit((parts.scheme, parts.netloc, path, "", "")))

    @property
    def label(self) -> str:
        """``SearXNG at localhost:8888``."""
        return f"SearXNG at {_without_password(self.address).partition('://')[2]}"

    @property
    def notice(self) -> str:
        """Others who learn of a query."""
        return "it passes queries on to the search engines that it is set up with"

    def search(self, query: str, pages: int, progress: Progress = no_progress) -> Found:
        """Ask for pages of results until one brings nothing new.

        Engines that SearXNG could not ask are failures.

        Raises:
            SearchError: it cannot be reached, or does not answer in JSON.
        """
        return search_pages(lambda number: self._ask_page(query, number + 1), pages, progress)

    def _ask_page(self, query: str, number: int) -> tuple[Found, bool]:
        parameters = {
            "q": query,
            "format": "json",
            "pageno": str(number),
            "language": "all",
            "safesearch": "0",
            "categories": "general",
        }
        # Reasons of failures are translated into the language that is asked for.
        headers = {"Accept-Language": "en"}
        address = f"{self.address}/search"
        answer = send_request(self.label, address, parameters.items(), headers, self.seconds)
        data = answer.data
        if answer.status != 200 or not isinstance(data, dict) or "results" not in data:
            raise _searxng_refusal(answer, data)
        listed = data.get("unresponsive_engines")
        pairs = listed[:_MAX_FAILURES] if isinstance(listed, list) else []
        failures = (map(server_text, pair[:2]) for pair in pairs if isinstance(pair, list))
        reasons = tuple(": ".join(filter(None, words)) for words in failures)
        return Found(web_results(data["results"]), reasons), False


def _searxng_refusal(answer: Answer, data: object) -> SearchError:
    status = answer.status
    if isinstance(data, dict) and (detail := server_text(data.get("error"))):
        return answer.error(f"refuses the query ({detail})", "change the query")
    if status in _REMEDIES:
        return answer.error(*_REMEDIES[status])
    if 300 <= status < 400:
        leads = server_text(answer.headers.get("location")) or "elsewhere"
        return answer.error(f"redirects to {leads}", "give that address")
    if status >= 400:
        return answer.error(f"answers with error {status}", "check the log of the instance")
    if answer.is_json:
        return answer.error("its JSON is damaged or holds no results", "check the address")
    return answer.error("answers with a web page instead of JSON", _NO_JSON)


def _without_password(address: str) -> str:
    """The address as it may be shown."""
    front, scheme, rest = address.rpartition("://")
    host, slash, path = rest.partition("/")
    return f"{front}{scheme}{host.rpartition('@')[2]}{slash}{path}"


KEY_VARIABLE: Final = "BRAVE_API_KEY"
_BRAVE_ADDRESS: Final = "https://api.search.brave.com/res/v1/web/search"
_RESULTS_OF_PAGE: Final = 20
_MAX_CHARACTERS: Final = 400
_MAX_WORDS: Final = 50
_RETRIES: Final = 2
_MAX_WAIT: Final = 60
"""Seconds; a limit that lasts longer is no limit per second."""
_DAY: Final = 86_400


@dataclass(frozen=True, slots=True)
class Brave:
    """The Brave Search API."""

    key: str = field(repr=False)
    """Sent as a header to the API, and shown nowhere."""
    may_be_kept: bool = False
    address: str = _BRAVE_ADDRESS
    seconds: float = 30.0
    """Within which a page of results has to be there."""
    sleep: Callable[[float], object] = time.sleep
    label: str = "the Brave Search API"

    def __post_init__(self) -> None:
        """Check the key.

        Raises:
            SearchError: it cannot be sent.
        """
        if not self.key.strip() or not (self.key.isascii() and self.key.isprintable()):
            raise SearchError(
                f"{KEY_VARIABLE} is set, but is not a valid key",
                remedy="copy it again from Brave's page of keys",
            )

    @property
    def notice(self) -> str:
        """Use that is made of a query and its results."""
        kept = "" if self.may_be_kept else "; its terms do not allow storing its results"
        return f"it charges for each page of results and keeps queries up to 90 days{kept}"

    def search(self, query: str, pages: int, progress: Progress = no_progress) -> Found:
        """Ask for pages of 20 results while there are more.

        Raises:
            SearchError: the API cannot be reached, refuses the key or the query, or the quota is
                used up.
        """
        if len(query) > _MAX_CHARACTERS or len(query.split()) > _MAX_WORDS:
            raise SearchError(
                f"takes at most {_MAX_CHARACTERS} characters and {_MAX_WORDS} words",
                where=self.label,
                remedy="shorten the query",
            )
        return search_pages(lambda number: self._ask_page(query, number), pages, progress)

    def _ask_page(self, query: str, number: int) -> tuple[Found, bool]:
        parameters = {
            "q": query,
            "count": str(_RESULTS_OF_PAGE),
            "offset": str(number),  # in pages
            "result_filter": "web",
            "spellcheck": "false",  # else a rare name is replaced by a frequent one
            "text_decorations": "false",
            "safesearch": "off",
        }
        answer = self._send(parameters)
        for _ in range(_RETRIES):
            if (wait := _seconds_to_wait(answer)) is None:
                break
            self.sleep(wait)
            answer = self._send(parameters)
        data = answer.data
        if answer.status != 200 or not isinstance(data, dict) or data.get("type") != "search":
            raise self._refusal(answer, data)
        web, asked = _object(data, "web"), _object(data, "query")
        return Found(web_results(web.get("results"))), not asked.get("more_results_available")

    def _send(self, parameters: Mapping[str, str]) -> Answer:
        headers = {"X-Subscription-Token": self.key.strip()}
        return send_request(self.label, self.address, parameters.items(), headers, self.seconds)

    def _refusal(self, answer: Answer, data: object) -> SearchError:
        """Error for an answer without results; a key that the API does not know is error 422."""
        error = _object(data, "error")
        code = server_text(error.get("code"))
        if code == "SUBSCRIPTION_TOKEN_INVALID":
            return answer.error(f"refuses the key in {KEY_VARIABLE}", "check the key")
        if answer.status == 429:
            return _rate_error(answer)
        detail = server_text(error.get("detail")).replace(self.key.strip(), "…")
        if code:
            return answer.error(
                f"refuses the query ({code}: {detail})", "see Brave's page of errors"
            )
        what = f"answers with status {answer.status} and no results in JSON"
        return answer.error(what, "ask again later")


def _object(data: object, name: str) -> dict[str, Any]:
    """An object within another; empty if there is none."""
    found = data.get(name) if isinstance(data, dict) else None
    return found if isinstance(found, dict) else {}


def _quotas(answer: Answer, name: str) -> list[int]:
    """The numbers of a header about quotas, the shortest period first: a second, a month."""
    parts = answer.headers.get(name, "").split(",")
    return [int(part) for part in parts if part.strip().isascii() and part.strip().isdecimal()]


def _seconds_to_wait(answer: Answer) -> float | None:
    """After how many seconds to ask again; None if that would not help, or is not needed."""
    if answer.status != 429 or not all(_quotas(answer, "x-ratelimit-remaining")[1:]):
        return None
    shortest, *_ = [*_quotas(answer, "x-ratelimit-reset"), 1]
    return max(shortest, 1) if shortest <= _MAX_WAIT else None


def _rate_error(answer: Answer) -> SearchError:
    left = _quotas(answer, "x-ratelimit-remaining")
    if all(left[1:]):
        return answer.error("refuses because of too many requests (429)", "ask again in a minute")
    longest = max(_quotas(answer, "x-ratelimit-reset"), default=0)
    days = f" in {count_of(-(-longest // _DAY), 'day')}" if longest else ""
    return answer.error("the quota of your plan is used up", f"it is renewed{days}")


URL_VARIABLE: Final = "WEPS_SEARXNG_URL"
WAYS: Final = {
    "searxng": f"--url or {URL_VARIABLE} with the address of your own SearXNG",
    "brave": f"{KEY_VARIABLE} in the environment with a key of the Brave Search API",
}
"""Name → how the engine is set up; the first that is set up is the default."""
_ANY_OTHER: Final = "--results FILE with what any other provider found"


@dataclass(frozen=True, slots=True)
class EngineSettings:
    """The user's settings of search engines."""

    environment: Mapping[str, str]
    """The only place of keys, which are never given as options."""
    url: str = ""
    """The address of a SearXNG; empty for that of the environment."""
    keep_results: bool = False
    """Whether the user's plan grants the right to store results."""

    def engine(self, name: str) -> SearchEngine | None:
        """The engine of a name; None if it is not set up.

        Raises:
            SearchError: the address is none, or the key cannot be sent.
        """
        if name == "searxng":
            address = self.url or self.environment.get(URL_VARIABLE, "").strip()
            return SearXNG.at(address) if address else None
        key = self.environment.get(KEY_VARIABLE, "").strip()
        return Brave(key, self.keep_results) if key else None


def engines_set_up(settings: EngineSettings) -> dict[str, SearchEngine]:
    """Name → engine, of those that are set up; the first is the default.

    Raises:
        SearchError: an address is none.
    """
    engines = {name: settings.engine(name) for name in WAYS}
    return {name: engine for name, engine in engines.items() if engine}


def choose_engine(name: str, settings: EngineSettings) -> SearchEngine:
    """The engine to ask.

    Args:
        name: of :data:`WAYS`; empty for the first that is set up.
        settings: addresses and keys.

    Raises:
        SearchError: it is not set up, or no engine is; the message names the ways.
    """
    if name == "brave" and settings.url:
        raise SearchError("--url is the address of a SearXNG, not of Brave", remedy="leave it out")
    for known in [name] if name else WAYS:
        if engine := settings.engine(known):
            return engine
    what = f"the search engine {name} is not set up" if name else "no search engine is set up"
    ways = [*([WAYS[name]] if name else WAYS.values()), _ANY_OTHER]
    raise SearchError(what, remedy=f"give {', or '.join(ways)} (docs/searching.md)")
