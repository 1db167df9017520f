"""Everything the study finds out, each thing when it is first asked for."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from eval.meta.correlation import Coefficient
from eval.meta.correlation.coefficients import row_coefficients
from eval.meta.drawn import Drawn, over_topics
from eval.meta.left_out import LeftOut, left_out
from eval.meta.orange import Listing, average_rank, orange
from eval.meta_study.compared import Compared
from eval.meta_study.orange.levels import Acceptance, acceptances
from eval.meta_study.orange.stability import Stability, stability
from eval.meta_study.orange.standings import (
    Floats,
    Standings,
    passing_for_references,
    standings,
)
from eval.meta_study.qarla import findings as qarla
from eval.meta_study.qarla.people import queen_values
from eval.ordering import Estimate

__all__ = ["Findings", "Settings"]


@dataclass(frozen=True, slots=True)
class Settings:
    """What changes the figures besides the texts and the measures."""

    listing: Listing = Listing.TOGETHER
    """In which list a reference is ranked."""
    ties: float = 0
    """What a tie counts for ORANGE."""
    qarla: qarla.Settings = field(default_factory=qarla.Settings)
    """For KING and QUEEN."""

    @property
    def seed(self) -> int:
        """For the resamples of topics."""
        return self.qarla.seed


@dataclass(frozen=True)
class Findings:
    """What was found for the topics."""

    compared: Compared
    settings: Settings = field(default_factory=Settings)

    @cached_property
    def left(self) -> list[LeftOut]:
        """What measures say when each reference in turn is left out."""
        return [left_out(each) for each in self.compared.similarities]

    @cached_property
    def orange(self) -> Drawn:
        """The probability of 2006, of each measure; higher is better."""
        return over_topics(orange(self.left, self.settings.ties), seed=self.settings.seed)

    @cached_property
    def ranks(self) -> Drawn:
        """The average rank of 2004; lower is better."""
        found = average_rank(self.left, self.settings.listing)
        return over_topics(found.rank, seed=self.settings.seed)

    @cached_property
    def ratios(self) -> Drawn:
        """The same in relation to the length of the list."""
        found = average_rank(self.left, self.settings.listing)
        return over_topics(found.ratio, seed=self.settings.seed)

    @cached_property
    def qarla(self) -> qarla.Findings | None:
        """KING and QUEEN, if all topics have references enough."""
        fewest = self.settings.qarla.triples.fewest + 1
        if any(len(each.references) < fewest for each in self.compared.topics):
            return None
        return qarla.Findings(self.compared, self.settings.qarla)

    @cached_property
    def with_king(self) -> Estimate | None:
        """Kendall's τ of ORANGE and KING over the measures."""
        size = len(self.compared.measures)
        if self.qarla is None or size < 3:
            return None
        kings, oranges = (
            np.column_stack([each.value, each.drawn])[:size].T
            for each in (self.qarla.kings, self.orange)
        )
        found = row_coefficients(kings, oranges, Coefficient.KENDALL)
        return Estimate.of(float(found[0]), found[1:])

    @cached_property
    def acceptances(self) -> tuple[Acceptance, ...]:
        """How measures agree with people, by criterion."""
        return acceptances(self.compared, self.settings.seed)

    @cached_property
    def likenesses(self) -> dict[str, Floats]:
        """By way to say it, how like what people write every output is."""
        name = self.compared.measures[self.order[0]]
        found = {f"not behind references, {name}": passing_for_references(self.left, self.order[0])}
        if self.qarla:
            queens = queen_values(self.qarla.conditions, [self.qarla.best])[0]
            found[f"QUEEN, {self.qarla.named(self.qarla.best)}"] = queens
        return found

    @cached_property
    def standings(self) -> dict[str, tuple[Standings, ...]]:
        """Way to say likeness → by criterion, likeness against acceptability."""
        instances = self.compared.instances
        judged = [
            (name, human)
            for number, (name, human) in enumerate(
                zip(self.compared.criteria, instances.human, strict=True)
            )
            if instances.judged_singly(number)
        ]
        return {
            way: tuple(
                standings(name, likeness, human, instances.topic, self.settings.seed)
                for name, human in judged
            )
            for way, likeness in self.likenesses.items()
        }

    @cached_property
    def stability(self) -> Stability | None:
        """How many references ORANGE and KING need."""
        triples = self.settings.qarla.triples
        return stability(self.compared.similarities, triples, self.settings.seed)

    @property
    def order(self) -> list[int]:
        """The measures, the one with the highest ORANGE first."""
        return [int(each) for each in np.argsort(-self.orange.value.round(12), kind="stable")]
