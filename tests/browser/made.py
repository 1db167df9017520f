"""Reports made for the browser, with the answers that they show, and pages full of attacks."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from html import escape
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import sparse

from weps.clustering.dendrogram import Dendrogram, calibrate_dendrogram
from weps.corrections.edits import build_constraints
from weps.corrections.model import Corrections
from weps.model import pretrained
from weps.people.answer import Alternatives, Answer
from weps.people.facts import Fact
from weps.pipeline import PreparedSearch, build_answer, prepare_search
from weps.records import Page, Search
from weps.report import html
from weps.report.view import Report
from weps.results.files import write_report

__all__ = ["ATTACKS", "Made", "hostile_search", "made", "prepared", "with_facts"]

Partition = set[frozenset[int]]


@dataclass(frozen=True)
class Made:
    """A report on disk."""

    answer: Answer
    pages: PreparedSearch
    html: Path

    @cached_property
    def dendrogram(self) -> Dendrogram:
        """With the probability that pairs have in the report."""
        found = self.pages.cut(self.answer.corrections, None).dendrogram
        known = self.known[np.triu_indices(found.size, k=1)]
        probability = np.where(known, found.probability, self.alternatives.missing)
        return replace(found, probability=probability)

    @cached_property
    def known(self) -> NDArray[np.bool_]:
        """Shape (n, n): the pairs whose probability is in the report."""
        probability = self.alternatives.probability
        if not sparse.issparse(probability):
            return np.ones((len(self.pages.ranks),) * 2, dtype=bool)
        return (probability + probability.T).toarray() > 0

    @property
    def alternatives(self) -> Alternatives:
        assert self.answer.alternatives
        return self.answer.alternatives

    @property
    def people(self) -> list[list[int]]:
        """Ranks of the pages of each, the largest first."""
        return [[page.rank for page in person.pages] for person in self.answer.people]

    @property
    def partition(self) -> Partition:
        return set(self.answer.clustering.groups)

    def partition_after(self, merges: int) -> Partition:
        return {
            frozenset(self.pages.ranks[row] for row in rows)
            for rows in self.dendrogram.clusters(merges)
        }

    @cached_property
    def alike(self) -> NDArray[np.float64]:
        """Shape (n, n), calibrated: how probable it is that two pages are one person."""
        size = len(self.pages.ranks)
        square = np.zeros((size, size))
        shown = calibrate_dendrogram(self.dendrogram, self.pages.model.calibration).probability
        square[np.triu_indices(size, k=1)] = shown
        return square + square.T

    def scores_after(self, merges: int) -> dict[int, float]:
        """Rank → score."""
        found = self.dendrogram.clusters(merges)
        unfamiliar = np.array(list(map(bool, self.pages.cautions)), dtype=bool)
        confidence = self.pages.model.page_confidence
        beliefs = confidence.scores_of(self.dendrogram, found, unfamiliar)
        ruling = build_constraints(self.answer.corrections, self.pages.ranks)
        scores = ruling.equalise(np.where(ruling.confirmed_in(found), 1.0, beliefs))
        return dict(zip(self.pages.ranks, scores.tolist(), strict=True))


def prepared(search: Search) -> PreparedSearch:
    """The pages as the packaged model sees them, none of them set aside."""
    return prepare_search(search, pretrained().keeping_all_pages())


def made(
    pages: PreparedSearch,
    folder: Path,
    corrections: Corrections | None = None,
    *,
    known_from: float | None = None,
    portion: int = 0,
) -> Made:
    """Answer, and write the report into a folder.

    Args:
        pages: of the search.
        folder: where to.
        corrections: to be applied.
        known_from: leave out pairs that are less probable; None to keep all of them.
        portion: if it is not 0, as if the pages were many: so many at a time.
    """
    found = build_answer(pages, corrections=corrections)
    if known_from is not None and found.alternatives:
        found = replace(found, alternatives=_with_known_pairs(found.alternatives, known_from))
    with pytest.MonkeyPatch.context() as patch:
        if portion:
            patch.setattr(html, "STATIC_PAGES", 1)
            patch.setattr(html, "PORTION", portion)
        files = write_report(Report(found), "Report", folder)
    return Made(found, pages, next(file for file in files if file.suffix == ".html"))


def with_facts(answer: Answer, facts: tuple[Fact, ...]) -> Answer:
    """The answer with facts of its first person."""
    first, *others = answer.people
    told = replace(first, description=replace(first.description, facts=facts))
    return replace(answer, people=(told, *others))


def _with_known_pairs(alternatives: Alternatives, least: float) -> Alternatives:
    square = np.zeros((len(alternatives.ranks),) * 2)
    probability = np.where(alternatives.probability < least, 0, alternatives.probability)
    square[np.triu_indices(len(square), k=1)] = probability
    return replace(alternatives, probability=sparse.csr_array(square), missing=least)


ATTACKS = (
    "<script>window.pwned = 1</script>",
    "</script><script>window.pwned = 2</script>",
    "</title></style></textarea><img src=x onerror='window.pwned = 3'>",
    "\"><svg onload=window.pwned=4> ' onfocus=window.pwned=5 autofocus x='",
    "<!-- <![CDATA[ ]]> --!> <iframe srcdoc='<script>parent.pwned = 6</script>'></iframe>",
    "<style>* { display: none }</style><base href=http://127.0.0.1/><meta http-equiv=refresh>",
    "&lt;img src=x onerror=window.pwned=7&gt; &#60;b&#62; ${window.pwned=8} {{7*7}} \\u003cb>",
    "\u202eexe.txt\u202c \u2066\u2067 \u200b\u0000\u2028\u2029 \ud800 Z͑ͫ̓ͪ̂ͫ̽͏̴̙̤̞͉͚̯̞̠͍A̴̵̜̰͔ͫ͗͢",
    "W" * 10_000,
)
_ADDRESSES = (
    "javascript:window.pwned=9",
    "http://evil.example/\"><script>window.pwned=10</script>?x='onclick='window.pwned=11",
    "data:text/html,<script>window.pwned=12</script>",
    "http://" + "a" * 3000 + ".example/",
)


def hostile_search(name: str = "Ann <b onclick=window.pwned=13>Lovell</b>") -> Search:
    """Two pages for each attack, so that it becomes evidence and a label as well."""
    twice = [(attack, number) for attack in ATTACKS for number in (1, 2)]
    return Search(name, tuple(_page(name, *each, rank) for rank, each in enumerate(twice, 1)))


def _page(name: str, attack: str, number: int, rank: int) -> Page:
    text = f"{name} of {attack} Harbour Society, Port Merrow"
    body = f"<p>{escape(text)} met Mr. John {escape(attack)} Smith there.</p>"
    content = f"<title>{escape(attack)}</title>{body * (3 + number)}"
    return Page(
        rank,
        _ADDRESSES[rank % len(_ADDRESSES)],
        title=f"{attack} {name}",
        snippet=f"{name} … {attack} {number}",
        content=content.encode("utf-8", "surrogatepass"),
    )
