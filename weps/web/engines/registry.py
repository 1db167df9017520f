"""The search engines that there are, and which of them is set up."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from weps.errors import SearchError
from weps.web.engines.brave import KEY_VARIABLE, Brave
from weps.web.engines.searxng import SearXNG

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from weps.web.engines.asking import SearchEngine

URL_VARIABLE: Final = "WEPS_SEARXNG_URL"


@dataclass(frozen=True, slots=True)
class EngineSettings:
    """What the user says of search engines."""

    environment: Mapping[str, str]
    """The only place of keys, which are never given as options."""
    url: str = ""
    """The address of a SearXNG; empty for that of the environment."""
    keep_results: bool = False
    """Whether the user's plan grants the right to store results."""

    @property
    def searxng_url(self) -> str:
        """The address of the SearXNG; empty if there is none."""
        return self.url or self.environment.get(URL_VARIABLE, "").strip()

    @property
    def brave_key(self) -> str:
        """The key of the Brave Search API; empty if there is none."""
        return self.environment.get(KEY_VARIABLE, "").strip()


def _searxng(settings: EngineSettings) -> SearchEngine | None:
    return SearXNG.at(settings.searxng_url) if settings.searxng_url else None


def _brave(settings: EngineSettings) -> SearchEngine | None:
    return Brave(settings.brave_key, settings.keep_results) if settings.brave_key else None


ENGINES: Final[Mapping[str, Callable[[EngineSettings], SearchEngine | None]]] = {
    "searxng": _searxng,
    "brave": _brave,
}
"""Name → the engine as it is set up, None if it is not; the first that is set up is the default."""
WAYS: Final = {
    "searxng": f"--url or {URL_VARIABLE} with the address of your own SearXNG",
    "brave": f"{KEY_VARIABLE} in the environment with a key of the Brave Search API",
}
_ANY_OTHER: Final = "--results FILE with what any other provider found"


def engines_set_up(settings: EngineSettings) -> dict[str, SearchEngine]:
    """Name → engine, of those that are set up; the first is the default.

    Raises:
        SearchError: an address is none.
    """
    made = {name: make(settings) for name, make in ENGINES.items()}
    return {name: engine for name, engine in made.items() if engine}


def choose_engine(name: str, settings: EngineSettings) -> SearchEngine:
    """The engine to ask.

    Args:
        name: of :data:`ENGINES`; empty for the first that is set up.
        settings: addresses and keys.

    Raises:
        SearchError: it is not set up, or no engine is; the message names the ways.
    """
    if name == "brave" and settings.url:
        raise SearchError("--url is the address of a SearXNG, not of Brave", remedy="leave it out")
    for known in [name] if name else ENGINES:
        if engine := ENGINES[known](settings):
            return engine
    if name:
        what, ways = f"the search engine {name} is not set up", [WAYS[name], _ANY_OTHER]
    else:
        what, ways = "no search engine is set up", [*WAYS.values(), _ANY_OTHER]
    raise SearchError(what, remedy=f"give {', or '.join(ways)} (docs/searching.md)")
