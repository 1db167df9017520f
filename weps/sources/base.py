"""What every kind of source offers."""

from __future__ import annotations

import hashlib
import json
from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING

from weps.sources.selecting import select

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from weps.records import Clustering, Search

__all__ = ["Source", "beyond_results"]


@dataclass(frozen=True)
class Source(ABC):
    """Search results for one or more names; opened cheaply, read one name at a time.

    Every method that takes a name accepts what :func:`weps.sources.select` accepts and raises
    ``SourceError`` for a name that is not there.
    """

    root: Path
    names: tuple[str, ...]
    """Sorted identifiers, fit for file names: ``Thomas_Baker``."""

    @property
    @abstractmethod
    def layout(self) -> str:
        """The kind of source: ``weps-1``, ``weps-2`` or ``folder``."""

    @abstractmethod
    def search(self, name: str) -> Search:
        """Read the pages of one name; a page that cannot be read says so in ``Page.problem``.

        Raises:
            SourceError: the list of results is missing or malformed.

        """

    @abstractmethod
    def ranks(self, name: str) -> tuple[int, ...]:
        """Ranks of the results of one name, ascending, without reading their pages."""

    @abstractmethod
    def key(self, name: str) -> Clustering | None:
        """Read the gold standard of one name; None where there is none.

        Raises:
            KeyFileError: the key is malformed.

        """

    @abstractmethod
    def warnings(self, name: str) -> tuple[str, ...]:
        """Faults of the data that do not stop the work, one sentence each."""

    def digest(self, names: Sequence[str] = ()) -> str:
        """Twelve hexadecimal digits that identify what a score was computed on.

        They change with the names (default: all), the ranks of their results and their keys. The
        bytes of the pages do not count: reading them would cost more than scoring, and what a
        score is worked out from are ranks and keys.
        """
        chosen = sorted(select(self, names))
        facts = [(name, self.ranks(name), _key_facts(self.key(name))) for name in chosen]
        return hashlib.sha256(json.dumps(facts).encode()).hexdigest()[:12]


def _key_facts(key: Clustering | None) -> list[list[int]] | None:
    """Put a key into an order that its file does not influence: groups, then the discarded."""
    if key is None:
        return None
    return [*sorted(sorted(group) for group in key.groups), sorted(key.discarded)]


def beyond_results(key: Clustering, ranks: Iterable[int]) -> tuple[int, ...]:
    """Ranks that a key names although the search did not return them, ascending."""
    return tuple(sorted((key.ranks | key.discarded) - set(ranks)))
