"""Searches for a name: by SearXNG or the Brave Search API, or in lists of results that people have.

SearXNG is an engine that one runs oneself and that asks others
(https://docs.searxng.org/dev/search_api.html); only instances that are set up to answer in JSON,
and its predecessor searx, can be asked. The Brave Search API
(https://api-dashboard.search.brave.com) takes a key of one's own; its terms (11 February 2026,
section 3b) allow no storing of results but in passing, unless the plan grants it, so nothing that
Brave says is written to disk unless the user states that.

Nothing is sent before somebody has agreed: a search says what it will send to whom. The address of
an engine is the user's own choice and may be on this machine, so it is not guarded as the addresses
of results are (:mod:`weps.web.fetching`).
"""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from itertools import chain, zip_longest
from pathlib import Path
from typing import Any, Final, Self
from urllib.parse import urlsplit, urlunsplit

from weps._files import LINK_OUT, atomic_write, leads_out, make_folder, read_bytes
from weps._formatting import count_of, join_items, quote_text
from weps._lazy import import_library
from weps._parallel import Progress, log_progress
from weps._version import VERSION
from weps.errors import SearchError
from weps.html.text import decode_page
from weps.name.typed import require_name
from weps.records import SearchResult
from weps.sources.base import QUERIES_FILE, address_key, as_name, is_collected
from weps.sources.formats.tables import parse_results, read_json, result_of

MAX_PAGES: Final = 10
"""Pages of results that are asked for at most; engines have no more."""
URL_VARIABLE: Final = "WEPS_SEARXNG_URL"
KEY_VARIABLE: Final = "BRAVE_API_KEY"
WAYS: Final = {
    "searxng": f"--url or {URL_VARIABLE} with the address of your own SearXNG",
    "brave": f"{KEY_VARIABLE} in the environment with a key of the Brave Search API",
}
"""Name → how the engine is set up; the first that is set up is the default."""
_MAX_ANSWER_BYTES: Final = 8 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class Found:
    """Results of a search, before anything is downloaded."""

    results: tuple[SearchResult, ...]
    """Best first, no address twice."""
    warnings: tuple[str, ...] = ()
    """Engines that failed, with the reason, whose results are missing: ``duckduckgo: timeout``; of
    a whole search sentences."""
    requests: int = 0
    """Requests that were sent to the engine; 0 if it did not answer."""
    may_be_kept: bool = True
    """Whether they may be written to disk."""

    def without(self, addresses: Iterable[str]) -> Self:
        """These results without those that lead to some addresses."""
        known = set(map(address_key, addresses))
        return replace(
            self, results=tuple(each for each in self.results if address_key(each.url) not in known)
        )


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
    def data(self) -> dict[str, Any]:
        """The object that the body is as JSON; empty if it is none."""
        values: list[Any] = []
        with suppress(ValueError, RecursionError):
            values = list(read_json(decode_page(self.body))) if self.is_json else []
        return values[0] if len(values) == 1 and isinstance(values[0], dict) else {}

    def error(self, what: str, remedy: str) -> SearchError:
        """An error of who answered."""
        return SearchError(what, where=self.where, remedy=remedy)


def _send_request(
    where: str,
    address: str,
    parameters: Mapping[str, str],
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
    aiohttp = import_library("aiohttp", "web", SearchError, where)

    async def ask() -> Answer:
        async with (
            aiohttp.ClientSession(
                timeout=aiohttp.ClientTimeout(seconds, sock_connect=10.0),
                headers={"User-Agent": f"weps/{VERSION}", "Accept": "application/json", **headers},
                cookie_jar=aiohttp.DummyCookieJar(),
            ) as session,
            session.get(address, params=parameters, allow_redirects=False) as response,
        ):
            body = bytearray()
            while len(body) <= _MAX_ANSWER_BYTES and (part := await response.content.read(65_536)):
                body += part
            return Answer(
                where,
                response.status,
                {name.lower(): value for name, value in response.headers.items()},
                bytes(body),
            )

    try:
        answer = asyncio.run(ask())
    except TimeoutError:
        what, remedy = f"did not answer within {seconds:g} s", "ask again later"
    except aiohttp.ClientConnectorError:
        what, remedy = "cannot be reached", "check that it runs, and its address"
    except (aiohttp.ClientConnectionError, aiohttp.ClientPayloadError):
        # Not the text of these problems: it may quote the request.
        what, remedy = "the response is incomplete", "ask again"
    except (aiohttp.ClientError, OSError, ValueError):
        what, remedy = "the response is malformed", "ask again"
    else:
        if len(answer.body) <= _MAX_ANSWER_BYTES:
            return answer
        what, remedy = f"the answer is over {_MAX_ANSWER_BYTES >> 20} MB", "check the address"
    raise SearchError(what, where=where, remedy=remedy)


def _web_results(entries: object) -> tuple[SearchResult, ...]:
    """The results of an answer's list that lead to pages of the Web; others are no pages."""
    listed = entries[:1_000] if isinstance(entries, list) else []
    found = (result_of(each) for each in listed if isinstance(each, dict))
    return tuple(each for each in found if each and each.url.startswith(("http://", "https://")))


def _server_text(value: object) -> str:
    """A text that a server sent, on one line and bounded, for messages."""
    return " ".join(str(value)[:200].split()) if isinstance(value, str) else ""


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


@dataclass(frozen=True)
class SearXNG:
    """An instance of SearXNG or searx; engines that it could not ask are warnings."""

    address: str
    """Address of its start page without a slash at the end; may hold a user and a password."""
    seconds: float = 60.0
    """Within which a page of results has to be there; the slowest engine decides."""
    may_be_kept = True
    notice = "it passes queries on to the search engines that it is set up with"
    """Use that is made of a query, one sentence for the user who has to agree."""

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
        """Name and place of the engine: ``SearXNG at localhost:8888``."""
        return f"SearXNG at {_without_password(self.address).partition('://')[2]}"

    def ask_page(self, query: str, number: int) -> tuple[Found, bool]:
        """The results of a page, from 0, and whether it is the last, which SearXNG does not say.

        Raises:
            SearchError: it cannot be reached or refuses to answer.
        """
        parameters = {
            "q": query,
            "format": "json",
            "pageno": str(number + 1),
            "language": "all",
            "safesearch": "0",
            "categories": "general",
        }
        answer = _send_request(
            self.label,
            f"{self.address}/search",
            parameters,
            {"Accept-Language": "en"},  # into which reasons of failures are translated
            self.seconds,
        )
        data, status = answer.data, answer.status
        if status == 200 and "results" in data:
            listed = data.get("unresponsive_engines")
            pairs = listed[:_MAX_FAILURES] if isinstance(listed, list) else []
            failures = (map(_server_text, pair[:2]) for pair in pairs if isinstance(pair, list))
            return Found(
                _web_results(data["results"]),
                tuple(": ".join(filter(None, words)) for words in failures),
            ), False
        if detail := _server_text(data.get("error")):
            raise answer.error(f"refuses the query ({detail})", "change the query")
        if status in _REMEDIES:
            raise answer.error(*_REMEDIES[status])
        if 300 <= status < 400:
            leads = _server_text(answer.headers.get("location")) or "elsewhere"
            raise answer.error(f"redirects to {leads}", "give that address")
        if status >= 400:
            raise answer.error(f"answers with error {status}", "check the log of the instance")
        if answer.is_json:
            raise answer.error("its JSON is damaged or holds no results", "check the address")
        raise answer.error("answers with a web page instead of JSON", _NO_JSON)


def _without_password(address: str) -> str:
    """The address as it may be shown."""
    front, scheme, rest = address.rpartition("://")
    host, slash, path = rest.partition("/")
    return f"{front}{scheme}{host.rpartition('@')[2]}{slash}{path}"


_MAX_CHARACTERS: Final = 400
_MAX_WORDS: Final = 50
_WAITS: Final = (1, 2)
"""Seconds before the second and the third attempt: plans limit the requests of a second."""


@dataclass(frozen=True)
class Brave:
    """The Brave Search API; a page has 20 results."""

    key: str = field(repr=False)
    """Sent as a header to the API, and shown nowhere."""
    may_be_kept: bool = False
    """Whether results (addresses, titles, snippets) may be stored."""
    address: str = "https://api.search.brave.com/res/v1/web/search"
    seconds: float = 30.0
    """Within which a page of results has to be there."""
    sleep: Callable[[float], object] = time.sleep
    label = "the Brave Search API"

    def __post_init__(self) -> None:
        """Check the key.

        Raises:
            SearchError: it cannot be sent.
        """
        if not self.key.strip() or not (self.key.isascii() and self.key.isprintable()):
            raise SearchError(
                f"the key of Brave is not valid ({KEY_VARIABLE}, or as given in the app)",
                remedy="copy it again from Brave's page of keys",
            )

    @property
    def notice(self) -> str:
        """Use that is made of a query and its results."""
        kept = "" if self.may_be_kept else "; its terms do not allow storing its results"
        return f"it charges for each page of results and keeps queries up to 90 days{kept}"

    def ask_page(self, query: str, number: int) -> tuple[Found, bool]:
        """As :meth:`SearXNG.ask_page`; a key that the API does not know is error 422."""
        if len(query) > _MAX_CHARACTERS or len(query.split()) > _MAX_WORDS:
            raise SearchError(
                f"takes at most {_MAX_CHARACTERS} characters and {_MAX_WORDS} words",
                where=self.label,
                remedy="shorten the query",
            )
        parameters = {
            "q": query,
            "count": "20",
            "offset": str(number),  # in pages
            "result_filter": "web",
            "spellcheck": "false",  # else a rare name is replaced by a frequent one
            "text_decorations": "false",
            "safesearch": "off",
        }
        headers = {"X-Subscription-Token": self.key.strip()}
        for wait in (*_WAITS, 0):
            answer = _send_request(self.label, self.address, parameters, headers, self.seconds)
            if answer.status != 429 or not wait:
                break
            self.sleep(wait)
        data = answer.data
        if answer.status == 200 and data.get("type") == "search":
            is_last = not _object(data, "query").get("more_results_available")
            return Found(_web_results(_object(data, "web").get("results"))), is_last
        error = _object(data, "error")
        code = _server_text(error.get("code"))
        if code == "SUBSCRIPTION_TOKEN_INVALID":
            raise answer.error("refuses the key", f"check it ({KEY_VARIABLE} or in the app)")
        if answer.status == 429:
            remedy = "ask again in a minute; if that is in vain, the quota of your plan is used up"
            raise answer.error(_REMEDIES[429][0], remedy)
        if code:
            detail = _server_text(error.get("detail")).replace(self.key.strip(), "…")
            raise answer.error(
                f"refuses the query ({code}: {detail})", "see Brave's page of errors"
            )
        raise answer.error(
            f"answers with status {answer.status} and no results in JSON", "ask again later"
        )


def _object(data: Mapping[str, Any], name: str) -> dict[str, Any]:
    """An object within another; empty if there is none."""
    found = data.get(name)
    return found if isinstance(found, dict) else {}


SearchEngine = SearXNG | Brave
"""A search engine that is set up."""


def engines_set_up(
    url: str = "", *, keep_results: bool = False, only: str = ""
) -> Iterator[tuple[str, SearchEngine]]:
    """Names and engines of those that are set up; the first is the default.

    Keys are only taken from the environment, and are never given as options.

    Args:
        url: the address of a SearXNG; empty for that of the environment.
        keep_results: whether the user's plan grants the right to store results.
        only: name of the one that is wanted; empty for all.

    Raises:
        SearchError: an address is none, or a key cannot be sent.
    """
    address, key = (os.environ.get(name, "").strip() for name in (URL_VARIABLE, KEY_VARIABLE))
    if (url or address) and only in {"", "searxng"}:
        yield "searxng", SearXNG.at(url or address)
    if key and only in {"", "brave"}:
        yield "brave", Brave(key, keep_results)


def choose_engine(name: str, url: str = "", *, keep_results: bool = False) -> SearchEngine:
    """The engine to ask.

    Args:
        name: of :data:`WAYS`; empty for the first that is set up.
        url: see :func:`engines_set_up`.
        keep_results: see :func:`engines_set_up`.

    Raises:
        SearchError: it is not set up, or no engine is; the message names the ways.
    """
    if name == "brave" and url:
        raise SearchError("--url is the address of a SearXNG, not of Brave", remedy="leave it out")
    for _, engine in engines_set_up(url, keep_results=keep_results, only=name):
        return engine
    what = f"the search engine {name} is not set up" if name else "no search engine is set up"
    ways = ", or ".join([WAYS[name]] if name else WAYS.values())
    raise SearchError(
        what,
        remedy=f"give {ways}, or --results FILE with what any other provider found "
        "(docs/searching.md)",
    )


_TEST_QUERY: Final = "Ada Lovelace"


def tested_engine(name: str, setting: str) -> tuple[SearchEngine, str]:
    """An engine that has answered one query, and its answer in a sentence.

    Args:
        name: of :data:`WAYS`.
        setting: the address of a SearXNG, or a key of Brave, which is kept in memory alone.

    Raises:
        SearchError: the setting is none, or there is no answer.
    """
    engine = SearXNG.at(setting) if name == "searxng" else Brave(setting)
    found, _ = engine.ask_page(_TEST_QUERY, 0)
    number = count_of(len(found.results), "result")
    failures = join_items(found.warnings, most=3)
    return engine, (
        f"{engine.label} answers: {number} for “{_TEST_QUERY}”. "
        f"{f'Some of its engines failed ({failures}). ' if failures else ''}"
        "It is used until weps ends."
    )


def make_queries(name: str, aliases: Iterable[str] = (), words: str = "") -> tuple[str, ...]:
    """The queries for a person: every name as a phrase, with further words.

    Args:
        name: as people write it.
        aliases: other names of the person, a query for each.
        words: added to every query as they are.

    Raises:
        SourceError: one is no name.
    """
    every = (name, *aliases)
    require_name(*every)
    names = [as_name(each).replace('"', "") for each in every]
    return tuple(dict.fromkeys(f'"{each}" {words}'.strip() for each in names))


def _known_queries(folder: Path) -> tuple[str, ...]:
    """The queries that were asked for the pages of a folder.

    Raises:
        SearchError: they cannot be read.
    """
    file = folder / QUERIES_FILE
    if not file.exists():
        return ()
    if leads_out(file, folder):  # nothing of another place is sent to anybody
        raise SearchError(LINK_OUT, where=file, remedy="remove it")
    return tuple(
        filter(None, read_bytes(file, 100_000, SearchError).decode("utf-8", "replace").split("\n"))
    )


def _search_queries(
    engine: SearchEngine, queries: Sequence[str], pages: int, progress: Progress = log_progress
) -> Found:
    """Ask an engine all queries, each until a page is the last or brings nothing new.

    Args:
        engine: the engine.
        queries: those of :func:`make_queries`.
        pages: of results of each query, at most.
        progress: called with the pages of each query that were asked for.

    Raises:
        SearchError: the first request failed, or there are no results because of failures.
    """
    lists, failures = list[list[SearchResult]](), dict[str, None]()
    requests, most = 0, min(pages, MAX_PAGES)
    for query in queries:
        results = dict[str, SearchResult]()
        for number in range(most):
            progress("asking", number, most)
            requests += 1
            try:
                page, is_last = engine.ask_page(query, number)
            except SearchError as problem:
                if requests == 1:
                    raise
                failures[f"{query}, page {number + 1}: {problem.what}"] = None
                break
            before = len(results)
            for result in page.results:
                results.setdefault(address_key(result.url), result)
            failures |= dict.fromkeys(page.warnings)
            if is_last or len(results) == before:
                break
        progress("asking", most, most)
        lists.append([*results.values()])
    merged = _merge_results(lists)
    if failures and not merged:
        raise SearchError(
            f"no answer: {join_items(failures, most=10)}",
            where=engine.label,
            remedy="ask again in some minutes (engines that refused are not asked at once again); "
            "whether there are pages is not known",
        )
    return Found(merged, tuple(failures), requests)


def _merge_results(lists: Sequence[Sequence[SearchResult]]) -> tuple[SearchResult, ...]:
    """The results of several lists in turn, the best of each first, each address once."""
    merged: dict[str, SearchResult] = {}
    for result in filter(None, chain.from_iterable(zip_longest(*lists))):
        first = merged.get(address_key(result.url), result)
        merged[address_key(result.url)] = SearchResult(
            first.url,
            first.title or result.title,
            first.snippet or result.snippet,
            tuple(dict.fromkeys((*first.engines, *result.engines))),
        )
    return tuple(merged.values())


@dataclass(frozen=True, slots=True)
class WebSearch:
    """A search for a name, ready to be shown to the user who has to agree, and sent."""

    label: str
    """Origin of the results."""
    asked: tuple[str, ...]
    """Requests for results, one clause each."""
    folder: Path
    """Folder of the pages, and of the queries that were asked."""
    send: Callable[[Progress], Found]
    """Gets the results; raises a SearchError if there is no answer."""

    @property
    def steps(self) -> tuple[str, ...]:
        """All that will be sent and to whom, one clause each."""
        return (
            *self.asked,
            "downloads the pages found from their sites, which see the address of your network",
            f"keeps them in {self.folder}",
        )


def search_by_engine(
    engine: SearchEngine,
    queries: Iterable[str],
    folder: Path,
    pages: int = MAX_PAGES,
    *,
    again: bool = False,
) -> WebSearch:
    """A search by an engine; where it does not answer, but did earlier, there are no new results.

    Args:
        engine: the engine.
        queries: made by :func:`make_queries`.
        folder: of the pages.
        pages: maximum number of result pages per query.
        again: whether the queries that were asked before are asked, too.

    Raises:
        SearchError: the earlier queries cannot be read.
    """
    asked = tuple(dict.fromkeys((*_known_queries(folder), *queries) if again else queries))

    def send(progress: Progress) -> Found:
        try:
            found = _search_queries(engine, asked, pages, progress)
        except SearchError as problem:
            if not is_collected(folder):
                raise
            return Found(
                (),
                (f"{problem.describe()}; the results of earlier searches are used",),
                may_be_kept=engine.may_be_kept,
            )
        make_folder(folder, private=True)
        text = "".join(f"{each}\n" for each in dict.fromkeys((*_known_queries(folder), *asked)))
        atomic_write({folder / QUERIES_FILE: text.encode()}, private=True)
        failures = join_items(found.warnings, most=10)
        told = (f"{engine.label}: results may be missing ({failures})",) if failures else ()
        return replace(found, warnings=told, may_be_kept=engine.may_be_kept)

    *others, last = (f"asks {engine.label} for {query}" for query in asked)
    return WebSearch(engine.label, (*others, f"{last}; {engine.notice}"), folder, send)


def search_in_lists(files: Iterable[tuple[str, bytes]], folder: Path) -> WebSearch:
    """Lists of results that people have, from any provider; nothing but the pages is asked for.

    Args:
        files: names and contents of files with results, best first; those without an address are
            left out with a warning.
        folder: of the pages.

    Raises:
        SourceError: a file has no results.
    """
    names, contents = zip(*files, strict=True)
    lists = [*map(parse_results, contents, names)]
    lost = [each.title for results in lists for each in results if not each.url]
    merged = _merge_results([[each for each in results if each.url] for results in lists])
    warning = f"{count_of(len(lost), 'result')} without an address: {join_items(lost)}"
    found, label = Found(merged, (warning,) if lost else ()), join_items(names)
    return WebSearch(
        label, (f"takes {count_of(len(merged), 'result')} of {label}",), folder, lambda _: found
    )
