"""Several sources as one, so that more can be learnt from."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING

from weps.errors import SourceError
from weps.sources.base import Source
from weps.sources.messages import listed
from weps.sources.selecting import as_identifier, as_name, select

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from weps.records import Clustering, Search

__all__ = ["Joined", "joined"]


@dataclass(frozen=True)
class Joined(Source):
    """Sources of one layout with no name in common; each name is read where it stands."""

    sources: tuple[Source, ...]

    @property
    def layout(self) -> str:
        """The layout of all of them."""
        return self.sources[0].layout

    def search(self, name: str) -> Search:
        """Read the pages of one name."""
        return self._holder(name).search(name)

    def ranks(self, name: str) -> tuple[int, ...]:
        """Ranks of the results of one name, ascending."""
        return self._holder(name).ranks(name)

    def key(self, name: str) -> Clustering | None:
        """Read the gold standard of one name; None where there is none."""
        return self._holder(name).key(name)

    def warnings(self, name: str) -> tuple[str, ...]:
        """Faults of the data of one name."""
        return self._holder(name).warnings(name)

    def _holder(self, name: str) -> Source:
        (known,) = select(self, [name])
        return next(source for source in self.sources if known in source.names)


def joined(sources: Sequence[Source]) -> Source:
    """Hold one or more sources as one; one alone is returned as it is.

    Raises:
        SourceError: two of them are of different layouts, or hold the same name.

    """
    if len(sources) == 1:
        return sources[0]
    for first, second in combinations(sources, 2):
        _check_layouts(first, second)
        _check_names(first, second)
    names = sorted(name for source in sources for name in source.names)
    return Joined(_around([source.root for source in sources]), tuple(names), tuple(sources))


def _check_layouts(first: Source, second: Source) -> None:
    if first.layout != second.layout:
        raise SourceError(
            f"is of the layout {second.layout}, but {first.root} is of {first.layout}, which is "
            "scored differently",
            where=second.root,
            remedy="give corpora of one layout, or one corpus alone",
        )


def _check_names(first: Source, second: Source) -> None:
    held = {_folded(name) for name in first.names}
    if shared := [name for name in second.names if _folded(name) in held]:
        raise SourceError(
            f"holds names that stand in {first.root} too: {listed(shared)}",
            where=second.root,
            remedy="give one of the two alone, or a copy of one without these names",
        )


def _folded(name: str) -> str:
    """What two spellings of a name have in common, so that no name is learnt from twice."""
    return as_identifier(as_name(name)).casefold()


def _around(roots: Sequence[Path]) -> Path:
    """The innermost folder that all stand in, for messages; the first where there is none."""
    first, *others = roots
    around = (
        folder for folder in first.parents if all(root.is_relative_to(folder) for root in others)
    )
    return next(around, first)
