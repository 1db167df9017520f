"""The query that finds a person again, and what it finds among the collected pages."""

from __future__ import annotations

from dataclasses import dataclass

from weps.people import Person
from weps.refinement.suggest import Refinement
from weps.report.groups import Group
from weps.report.shown import shown

__all__ = ["Query", "next_time"]

_LONGEST = 200
_ALL = {1: "this page", 2: "both pages"}


@dataclass(frozen=True, slots=True)
class Query:
    """A person's name with the refinement."""

    text: str
    """As it is typed: ``"Thomas Baker" producer``, ``"Thomas Baker" "Elektra Records"``."""
    precision: float
    """Of the collected pages that it finds, the share that are the person's."""
    recall: float
    """Of the person's pages, the share that it finds."""
    found: int
    """The person's pages that it finds."""
    others: int
    """The other collected pages that it finds."""
    pages: int
    """All pages of the person."""

    @classmethod
    def of(cls, name: str, person: Person) -> Query | None:
        """The query for a person; None where no refinement is known."""
        return cls.with_(name, person.refinement, len(person.pages))

    @classmethod
    def with_(cls, name: str, chosen: Refinement | None, pages: int) -> Query | None:
        """The query for so many pages with their refinement; None without one."""
        if chosen is None:
            return None
        found = round(chosen.recall * pages)
        others = round(found / chosen.precision) - found
        text = f"{_quoted(name)} {_quoted(chosen.text) if ' ' in chosen.text else chosen.text}"
        return cls(text, round(chosen.precision, 4), round(chosen.recall, 4), found, others, pages)

    @property
    def success(self) -> str:
        """What it finds, in plain words."""
        others = (
            f"{self.others} other{'s' if self.others > 1 else ''}" if self.others else "no other"
        )
        return f"finds {self._own} and {others}"

    @property
    def _own(self) -> str:
        """Which of the person's pages it finds."""
        if self.found < self.pages:
            return f"{self.found} of {self.pages} pages"
        return _ALL.get(self.pages, f"all {self.pages} pages")


def next_time(name: str, group: Group) -> str:
    """HTML: the query and what it finds; empty where none is known."""
    query = Query.with_(name, group.portrait.refinement, len(group.pages))
    if query is None:
        return ""
    return (
        f"Search for <kbd><bdi>{shown(query.text, _LONGEST)}</bdi></kbd>"
        f" <small>{query.success}</small>"
    )


def _quoted(text: str) -> str:
    return '"' + " ".join(text.replace('"', " ").split()) + '"'
