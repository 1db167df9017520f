"""Analyses with marks made by hand, and the properties that every feature of marks has."""

from __future__ import annotations

from collections.abc import Sequence

from hypothesis import strategies as st

from tests.weps.builders import document, extract
from weps.language.analysis import Analysis, Layer, Marks, analyse_documents
from weps.language.annotation import find_quantities

Sentence = tuple[str, Sequence[tuple[str, str]]]
"""Its text, and text and kind of each mark on it."""

NEAR, FAR = "Thomas Baker was there", "rain fell"
_TEXTS = (
    "Thomas Baker|THOMAS BAKER's|Baker|the baker|Thomas J. Baker|Dr. Ann Lee|Lee, Ann"
    "|University of York|New York|Baker Street|Acme Inc.|tide|...".split("|")
)
_KINDS = ("person", "location", "organisation", "event", "product", "")

sentences = st.tuples(
    st.sampled_from(
        [NEAR, FAR, "Thomas Baker, 42, a baker in Ohio", "noon, 3 May 1998, 2 days, £4, maths"]
    ),
    st.lists(st.tuples(st.sampled_from(_TEXTS), st.sampled_from(_KINDS)), max_size=4),
)
pages = st.lists(st.lists(sentences, max_size=3), max_size=4)


def annotated(*pages: Sequence[Sentence], name: str = "Thomas Baker") -> Analysis:
    """An analysis whose every layer holds the marks given, but quantities those found by rule."""
    documents = [document(*(text for text, _ in page)) for page in pages]
    told = [sentence for page in pages for sentence in page]
    by_hand = [(at, *mark) for at, (_, found) in enumerate(told) for mark in found]
    by_rule = [(at, *mark) for at, (text, _) in enumerate(told) for mark in find_quantities(text)]
    marks = dict.fromkeys(Layer, Marks.of(by_hand))
    marks[Layer.QUANTITIES] = Marks.of(by_rule)
    return analyse_documents(name, documents, marks)


def one_page(*marks: tuple[str, str], text: str = NEAR) -> Analysis:
    """An analysis of one page of one sentence."""
    return annotated([(text, marks)])


def bags_of(name: str, pages: Sequence[Sequence[Sentence]]) -> list[dict[str, int]]:
    """What a feature finds on annotated pages."""
    return [dict(bag) for bag in extract(name, annotated(*pages))]
