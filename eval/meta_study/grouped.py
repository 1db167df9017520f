"""Values of measures on instances that are compared within groups, and what people say of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from weps.errors import ValuesError
from weps.report.wording import counted

__all__ = ["Grouped", "Judged"]

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class Judged:
    """The instances that one criterion judges, some of which may be all there are of a group."""

    values: Floats
    """Shape (measures, instances)."""
    quality: Floats
    """Shape (instances,), never NaN."""
    group: Ints
    """Shape (instances,): numbers of groups, from 0 without gaps."""


@dataclass(frozen=True, slots=True, eq=False)
class Grouped:
    """What a study of heterogeneity is about.

    Raises:
        ValuesError: if there is nothing to compare.
    """

    title: str
    measures: tuple[str, ...]
    values: Floats
    """Shape (measures, instances), never NaN."""
    group: Ints
    """Shape (instances,): number of the group within which it is compared."""
    groups: tuple[str, ...]
    """Names of the groups: topics, test sets, or people's names that were searched."""
    system: tuple[str, ...]
    """Of each instance; empty where nothing is told of it."""
    quality: Mapping[str, Floats]
    """Criterion → shape (instances,), NaN where nobody judged; empty without human scores."""
    labelled: bool
    """Whether instances are positive (1) or negative (0), such as pairs of pages of a name."""
    called: tuple[str, str]
    """What a group is called, one and several."""
    remarks: tuple[str, ...]
    digest: str

    def __post_init__(self) -> None:
        if len(self.group) == 0 or np.bincount(self.group).max() < 2:
            what = f"no {self.called[0]} has two instances"
            remedy = "compare them within sets, or all of them, with --within"
            raise ValuesError(what, where=self.title, remedy=remedy)

    @property
    def told(self) -> str:
        """How much there is, in words."""
        groups = f"{len(self.groups):,} {self.called[len(self.groups) != 1]}"
        measures = counted(len(self.measures), "measure")
        return f"{measures}, {counted(len(self.group), 'instance')} in {groups}"

    def judged(self, criterion: str, quality: Floats | None = None) -> Judged:
        """What a criterion judges.

        Args:
            criterion: a key of :attr:`quality`.
            quality: shape (instances,), if it is not to be that of the criterion.

        Raises:
            ValuesError: if it judges no two instances of one group, or none unlike another.
        """
        given = self.quality[criterion] if quality is None else quality
        known = ~np.isnan(given)
        _, group = np.unique(self.group[known], return_inverse=True)
        if not known.any() or np.bincount(group).max() < 2:
            what = f"no {self.called[0]} has two instances that people judged"
            raise ValuesError(what, where=criterion, remedy="choose another criterion with --human")
        if len(np.unique(np.stack([group, given[known]]), axis=1).T) == group.max() + 1:
            what = f"people judged all instances of each {self.called[0]} alike"
            raise ValuesError(what, where=criterion, remedy="choose another criterion with --human")
        return Judged(self.values[:, known], given[known], group.astype(np.int64))

    def at_most(self, most: int, seed: int) -> Grouped:
        """The same with that many instances of every group at most, drawn at random."""
        generator = np.random.default_rng(seed)
        chosen = np.zeros(len(self.group), dtype=np.bool_)
        for number in range(len(self.groups)):
            members = np.flatnonzero(self.group == number)
            if len(members) > most:
                members = generator.choice(members, most, replace=False)
            chosen[members] = True
        if chosen.all():
            return self
        remark = (
            f"Of {len(chosen):,} instances {chosen.sum():,} were drawn at random, "
            f"at most {most:,} of each {self.called[0]}."
        )
        return replace(
            self,
            values=self.values[:, chosen],
            group=self.group[chosen],
            system=tuple(name for name, kept in zip(self.system, chosen, strict=False) if kept),
            quality={name: each[chosen] for name, each in self.quality.items()},
            remarks=(*self.remarks, remark),
        )
