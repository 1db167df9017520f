"""The Brave Search API (https://api-dashboard.search.brave.com), with a key of one's own.

Its terms (11 February 2026, section 3b) allow no storing of results but in passing, unless the plan
grants it; so nothing that Brave says is written to disk unless the user states that.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from weps._formatting import count_of
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
    from collections.abc import Callable, Mapping

KEY_VARIABLE: Final = "BRAVE_API_KEY"
_ADDRESS: Final = "https://api.search.brave.com/res/v1/web/search"
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
    address: str = _ADDRESS
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
            what = f"{KEY_VARIABLE} is set, but is not a valid key"
            raise SearchError(what, remedy="copy it again from Brave's page of keys")

    @property
    def notice(self) -> str:
        """What becomes of a query and its results."""
        kept = "" if self.may_be_kept else "; its terms do not allow storing its results"
        return f"it charges for each page of results and keeps queries up to 90 days{kept}"

    def search(self, query: str, pages: int, progress: Progress = no_progress) -> Found:
        """Ask for pages of 20 results while there are more.

        Raises:
            SearchError: the API cannot be reached, refuses the key or the query, or the quota is
                used up.
        """
        if len(query) > _MAX_CHARACTERS or len(query.split()) > _MAX_WORDS:
            what = f"takes at most {_MAX_CHARACTERS} characters and {_MAX_WORDS} words"
            raise SearchError(what, where=self.label, remedy="shorten the query")
        return search_pages(lambda number: self._ask_page(query, number), pages, progress)

    def _ask_page(self, query: str, number: int) -> ResultPage:
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
        return ResultPage(
            web_results(web.get("results")), is_last=not asked.get("more_results_available")
        )

    def _send(self, parameters: Mapping[str, str]) -> Answer:
        headers = {"X-Subscription-Token": self.key.strip()}
        return send_request(self.label, self.address, parameters.items(), headers, self.seconds)

    def _refusal(self, answer: Answer, data: object) -> SearchError:
        """What the API says; a key that it does not know is error 422."""
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
