"""SearXNG, a search engine that one runs oneself and that asks others; its predecessor searx, too.

https://docs.searxng.org/dev/search_api.html; only instances that are set up to answer in JSON.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit, urlunsplit

from weps._formatting import quote_text
from weps._parallel import Progress, no_progress
from weps.errors import SearchError
from weps.web.engines.asking import (
    Answer,
    Found,
    ResultPage,
    search_pages,
    send_request,
    server_text,
    web_results,
)

if TYPE_CHECKING:
    from typing import Self

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
    """Of its start page, without a slash at the end; may hold a user name and a password."""
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
            what = f"{quote_text(_without_password(url))} is not an address of a SearXNG instance"
            raise SearchError(what, remedy="give one such as http://localhost:8888")
        path = parts.path.rstrip("/").removesuffix("/search")
        return cls(urlunsplit((parts.scheme, parts.netloc, path, "", "")))

    @property
    def label(self) -> str:
        """``SearXNG at localhost:8888``."""
        return f"SearXNG at {_without_password(self.address).partition('://')[2]}"

    @property
    def notice(self) -> str:
        """Who learns of a query."""
        return "it passes queries on to the search engines that it is set up with"

    def search(self, query: str, pages: int, progress: Progress = no_progress) -> Found:
        """Ask for pages of results until one brings nothing new.

        Engines that SearXNG could not ask are failures.

        Raises:
            SearchError: it cannot be reached, or does not answer in JSON.
        """
        return search_pages(lambda number: self._ask_page(query, number + 1), pages, progress)

    def _ask_page(self, query: str, number: int) -> ResultPage:
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
            raise _refusal(answer, data)
        return ResultPage(web_results(data["results"]), _unresponsive(data))


def _unresponsive(data: dict[str, object]) -> tuple[str, ...]:
    """Engines that were not available to the instance, each with the reason."""
    listed = data.get("unresponsive_engines")
    pairs = listed[:_MAX_FAILURES] if isinstance(listed, list) else []
    failures = (map(server_text, pair[:2]) for pair in pairs if isinstance(pair, list))
    return tuple(": ".join(filter(None, words)) for words in failures)


def _refusal(answer: Answer, data: object) -> SearchError:
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
