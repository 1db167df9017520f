"""Reports made for the browser, with the answers that they show."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from weps.clustering.dendrogram import Dendrogram, calibrated
from weps.corrections.model import Corrections
from weps.model import packaged
from weps.people.answer import Alternatives, Answer
from weps.pipeline import Prepared, answer, prepare
from weps.records import Search
from weps.report.view import Report
from weps.report.writing import write

__all__ = ["Made", "made", "prepared"]

Partition = set[frozenset[int]]


@dataclass(frozen=True)
class Made:
    """A report on disk."""

    answer: Answer
    pages: Prepared
    html: Path

    @cached_property
    def dendrogram(self) -> Dendrogram:
        return self.pages.dendrogram(self.answer.corrections)

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
        shown = calibrated(self.dendrogram, self.pages.model.calibration).probability
        square[np.triu_indices(size, k=1)] = shown
        return square + square.T

    def scores_after(self, merges: int) -> dict[int, float]:
        """Rank → score."""
        found = self.dendrogram.clusters(merges)
        beliefs = self.pages.model.beliefs.of(self.dendrogram, found)
        ruling = self.answer.corrections.ruling(self.pages.ranks)
        scores = np.where(ruling.confirmed(found), 1.0, beliefs)
        return dict(zip(self.pages.ranks, scores.tolist(), strict=True))


def prepared(search: Search) -> Prepared:
    """The pages as the packaged model sees them."""
    return prepare(search, packaged())


def made(pages: Prepared, folder: Path, said: Corrections | None = None) -> Made:
    """Answer, and write the report into a folder."""
    found = answer(pages, corrections=said)
    files = write(Report(found), "Report", folder)
    return Made(found, pages, next(file for file in files if file.suffix == ".html"))
