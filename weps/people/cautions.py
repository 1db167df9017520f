"""Cautions: what is unlike the pages and names that models are trained on.

The training pages are in English, have text, and are 405 of one name at most.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from weps._formatting import count_of
from weps.language.detection import LANGUAGES, detect_language
from weps.records import Document

OTHER_SCRIPT = "not in the Latin script"
NO_TEXT = "no text"
_MOST_PAGES = 500
"""Pages of a name for which confidence was measured, rounded up."""
_SAMPLE = 5_000
"""Characters of a page from which its language is told."""
_FEWEST_LETTERS = 20
"""Fewer letters tell nothing about the language."""
_LATIN = ((0x41, 0x24F), (0x1E00, 0x1EFF), (0x2C60, 0x2C7F), (0xA720, 0xA7FF), (0xFF21, 0xFF5A))
"""Ranges of code points of Latin letters (Unicode blocks Basic Latin to Latin Extended-E)."""


def page_caution(document: Document) -> str:
    """What is unlike the pages of training, empty if nothing is."""
    text = " ".join((document.title, document.snippet, *document.blocks))[:_SAMPLE]
    letters = [ord(each) for each in text if each.isalpha()]
    if not letters:
        return NO_TEXT
    if len(letters) < _FEWEST_LETTERS:
        return ""
    if (language := detect_language([text])) not in {"", "en"}:
        return f"in {LANGUAGES[language]}"
    latin = sum(any(low <= code <= high for low, high in _LATIN) for code in letters)
    return OTHER_SCRIPT if 2 * latin < len(letters) else ""


def answer_cautions(of_pages: Sequence[str]) -> tuple[str, ...]:
    """Sentences about an answer, from the cautions of its pages."""
    found = []
    foreign = Counter(each for each in of_pages if each not in {"", NO_TEXT})
    if other := foreign.total():
        kinds = ", ".join(f"{number} {kind}" for kind, number in foreign.most_common())
        found.append(
            f"{count_of(other, 'page is', 'pages are')} not in English ({kinds}): confidence was "
            "not evaluated on such pages, so it is no higher there than for the average page."
        )
    if empty := of_pages.count(NO_TEXT):
        found.append(
            f"{count_of(empty, 'page has', 'pages have')} no text: there is nothing to compare, so "
            "confidence is no higher there than for the average page."
        )
    if len(of_pages) > _MOST_PAGES:
        found.append(
            f"There are {len(of_pages):,} pages: confidence was evaluated on names with up to "
            f"{_MOST_PAGES}, and may be too high."
        )
    return tuple(found)
