"""The corpus of WePS-1 (SemEval-2007 task 13)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from weps.errors import SourceError
from weps.sources.corpus import Corpus
from weps.sources.files import entries
from weps.sources.messages import listed
from weps.sources.pages import load, page_places
from weps.sources.results import with_title_and_snippet_swapped

if TYPE_CHECKING:
    from pathlib import Path

    from weps.records import Page

__all__ = ["Weps1"]


@dataclass(frozen=True)
class Weps1(Corpus):
    """``description_files/First_Last.xml``, ``truth_files``, ``web_pages/First_Last/raw/NNN``.

    In every description file title and snippet stand in each other's place; the names of the US
    census have URLs only.
    """

    layout: ClassVar[str] = "weps-1"
    results_folder: ClassVar[str] = "description_files"

    annotation: str = "official_annotation"
    """Which key to use where ``truth_files`` has several; ``dataclasses.replace`` sets another."""

    def key_folder(self) -> Path:
        """``truth_files`` itself, or the folder of the chosen annotation in it."""
        folder = self.root / "truth_files"
        choices = [item for item in entries(folder) if item.is_dir()] if folder.is_dir() else []
        chosen = folder / self.annotation
        if choices and chosen not in choices:
            raise SourceError(
                f"holds no annotation {self.annotation!r}",
                where=folder,
                remedy=f"choose among {listed(item.name for item in choices)}",
            )
        return chosen if choices else folder

    def with_contents(self, name: str, pages: tuple[Page, ...]) -> tuple[Page, ...]:
        """Add the saved pages and put titles and snippets where they belong."""
        folder = self.root / "web_pages" / name
        return tuple(
            load(with_title_and_snippet_swapped(page), page_places(folder, page.rank))
            for page in pages
        )
