"""Everything the study finds out, each thing when it is first asked for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from eval.meta.drawn import Drawn, over_topics
from eval.meta.left_out import LeftOut, left_out
from eval.meta.qarla import (
    Cluster,
    Conditions,
    Linkage,
    Selection,
    Triples,
    clusters,
    early,
    greedy,
    queen_left_out,
)
from eval.meta_study.compared import Compared
from eval.meta_study.qarla.first import people_first
from eval.meta_study.qarla.people import Agreement, agreements, queen_values
from eval.meta_study.qarla.reliability import Reliability, reliability
from eval.meta_study.qarla.search import Crossed, Search, candidates_of, crossed, searched
from eval.meta_study.qarla.systems import Standing, standing
from eval.ordering import Estimate

__all__ = ["Findings", "Settings"]

_GREEDY = 8
"""Measures that are added one after another."""


@dataclass(frozen=True, slots=True)
class Settings:
    """What changes the figures besides the texts and the measures."""

    triples: Triples = Triples.DISTINCT
    clusters: int = 10
    """Into which measures are put; of the best measure of each every set is tried."""
    linkage: Linkage = Linkage.SET
    size: int | None = None
    """Of the largest set that is tried; None for any."""
    seed: int = 0


@dataclass(frozen=True)
class Findings:
    """What was found for the topics."""

    compared: Compared
    settings: Settings = field(default_factory=Settings)

    @cached_property
    def conditions(self) -> Conditions:
        """Which texts pass which triples."""
        return Conditions.of(self.compared.similarities, self.settings.triples)

    @cached_property
    def clusters(self) -> list[Cluster]:
        """Measures that say the same of the peers (2005, Figure 1)."""
        number = min(self.settings.clusters, self.conditions.measures)
        return clusters(self.conditions, number, self.settings.linkage)

    @cached_property
    def search(self) -> Search:
        """KING of single measures and of sets."""
        candidates = candidates_of(self.clusters)
        grown = [each.measures for each in self.greedy]
        return searched(self.conditions, candidates, self.settings.size, grown)

    @cached_property
    def kings(self) -> Drawn:
        """KING of every set, the single measures first."""
        return over_topics(self.search.kings, seed=self.settings.seed)

    @cached_property
    def crossed(self) -> Crossed | None:
        """Whether the best set is better on other topics, too."""
        return crossed(self.search, self.settings.seed)

    @cached_property
    def greedy(self) -> list[Selection]:
        """Measures added one after another, of all measures."""
        most = min(self.settings.size or _GREEDY, self.conditions.measures)
        return greedy(self.conditions, most)

    @cached_property
    def early(self) -> Drawn:
        """The estimate of 2004."""
        return over_topics(early(self.compared.similarities), seed=self.settings.seed)

    @cached_property
    def agreements(self) -> tuple[Agreement, ...]:
        """With people, by criterion."""
        if not self.compared.criteria:
            return ()
        queens = queen_values(self.conditions, self.search.sets)
        return agreements(self.compared, queens, self.search.kings, self.settings.seed)

    @cached_property
    def standing(self) -> Standing:
        """QUEEN of systems and references by the best set."""
        return standing(self.compared, self.conditions, self.best, self.settings.seed)

    @cached_property
    def reliability(self) -> tuple[Reliability, ...]:
        """JACK of the best set; nothing if outputs were not compared with one another."""
        if not self.compared.among_peers:
            return ()
        topics, triples = self.compared.similarities, self.settings.triples
        return reliability(topics, self.best, triples, self.settings.seed)

    @cached_property
    def first(self) -> Drawn | None:
        """People ranked first: by each measure, by its QUEEN, and by QUEEN of the best set.

        None if references or systems are not the same on all topics.
        """
        if not self.compared.alike:
            return None
        plain = [left_out(each) for each in self.compared.similarities]
        sets = [*((measure,) for measure in range(self.conditions.measures)), self.best]
        queens = [queen_left_out(self.conditions, each) for each in sets]
        topics = [_joined([own, *others]) for own, *others in zip(plain, *queens, strict=True)]
        return people_first(topics, self.settings.seed)

    @property
    def best(self) -> tuple[int, ...]:
        """The best set."""
        return self.search.sets[self.search.best]

    @property
    def order(self) -> list[int]:
        """The measures, the one with the highest KING first."""
        singles = self.kings.value[: self.conditions.measures].round(12)
        return [int(each) for each in np.argsort(-singles, kind="stable")]

    def king(self, measure: int) -> Estimate:
        """KING of a measure."""
        return self.kings.estimates[measure]

    def named(self, measures: Sequence[int]) -> str:
        """A set in words."""
        return " + ".join(self.compared.measures[each] for each in measures)


def _joined(parts: Sequence[LeftOut]) -> LeftOut:
    """The criteria of several, one after another."""
    models, peers = ([getattr(each, name) for each in parts] for name in ("models", "peers"))
    return LeftOut(np.concatenate(models), np.concatenate(peers))
