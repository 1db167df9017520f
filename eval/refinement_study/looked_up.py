"""Attributes as a search engine would treat them: looked up in the text of every page.

The paper takes a value's result to be the pages where annotators found it, and they looked for it
on pages about somebody. Whoever types it also gets the pages that hold the words for any other
reason, and those on which the annotators passed it over.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from scipy import sparse

from weps.features.bags import Bags
from weps.features.content import content_form, not_content
from weps.language import Analysis
from weps.refinement import Best, best_of, search
from weps.words import words

__all__ = ["LOOKED_UP", "looked_up"]

LOOKED_UP = "best-ae, looked up"


def looked_up(
    analysis: Analysis, attributes: Sequence[Bags], targets: Sequence[Sequence[int]]
) -> list[Best | None]:
    """For each person the best value of any attribute annotated on one of their pages.

    Values are compared word by word as they stand; where pages are lists of content words, by
    those of their words that such lists keep. Values without any are no candidates.

    Args:
        analysis: the pages.
        attributes: for each attribute its values, page by page.
        targets: for each person the rows of their pages.
    """
    reduced = _reduction(analysis)
    pages = [_Page(reduced(" ".join(document.blocks))) for document in analysis.documents]
    bests = []
    for annotated in attributes:
        values = [reduced(value) for value in annotated.strings]
        held = [[bool(value) and page.has(value) for value in values] for page in pages]
        counts = sparse.csr_array(np.array(held, dtype=np.int32).reshape(annotated.counts.shape))
        bests.append(search(Bags(counts, annotated.strings), targets, annotated))
    return [best_of(each[place] for each in bests) for place in range(len(targets))]


class _Page:
    """The words of a page."""

    def __init__(self, spelled: list[str]) -> None:
        self._words = frozenset(spelled)
        self._text = f" {' '.join(spelled)} "

    def has(self, value: list[str]) -> bool:
        """Whether the words stand there side by side."""
        return self._words.issuperset(value) and f" {' '.join(value)} " in self._text


def _reduction(analysis: Analysis) -> Callable[[str], list[str]]:
    """What is compared of a text."""
    if any(word[0].isupper() for word in analysis.tokens.surface):
        return words
    dropped = not_content(analysis.name)
    return lambda text: [form for word in words(text) if (form := content_form(word, dropped))]
