"""The corpus of WePS-2 (2009)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar

from weps.sources.corpus import Corpus
from weps.sources.files import standing
from weps.sources.pages import load, page_places
from weps.sources.tokens import read_tokens

if TYPE_CHECKING:
    from pathlib import Path

    from weps.records import Page

__all__ = ["Weps2"]


@dataclass(frozen=True)
class Weps2(Corpus):
    """``metadata/FIRST_LAST.xml``, ``gold_standard``, and ``web_pages`` or ``tokens``.

    A name without a folder of pages takes the text of its ``tokens`` file; a name with neither
    has the titles, snippets and URLs of its results only.
    """

    layout: ClassVar[str] = "weps-2"
    results_folder: ClassVar[str] = "metadata"

    def key_folder(self) -> Path:
        """``gold_standard``."""
        return self.root / "gold_standard"

    def with_contents(self, name: str, pages: tuple[Page, ...]) -> tuple[Page, ...]:
        """Add the saved pages, else the tokens, else nothing."""
        folder = self.root / "web_pages" / name
        if standing([folder]):
            return tuple(load(page, page_places(folder, page.rank)) for page in pages)
        tokens = standing([self.root / "tokens" / f"{name}.txt"])
        texts = read_tokens(tokens) if tokens else {}
        return tuple(replace(page, text=texts.get(page.rank)) for page in pages)
