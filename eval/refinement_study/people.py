"""From the pages and the key of a name to its people, each with the best refinements."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from eval.attributes import Attributes, attributes_of
from eval.refinement_study.looked_up import LOOKED_UP, looked_up
from eval.refinement_study.outcomes import (
    FURTHER,
    SUGGESTED,
    UNREFINED,
    Outcome,
    Person,
    aggregated,
)
from eval.refinement_study.paper import ATTRIBUTES
from eval.refinement_study.unjudged import unjudged
from weps.errors import KeyFileError
from weps.forms import Form
from weps.language import Analysis
from weps.reading import Reader
from weps.records import Clustering
from weps.refinement import (
    Best,
    Family,
    Refinement,
    attribute_bags,
    kinds_of,
    layers_of,
    search,
    suggestions,
)
from weps.refinement.kinds import Kind
from weps.similarity import pair_table
from weps.sources import Source

__all__ = ["Collected", "Plan", "people_of"]


class Collected(StrEnum):
    """Which of the results are taken to be there at all; only those can be returned."""

    ALL = "all"
    """Every result; those that the key does not group are nobody's."""
    JUDGED = "judged"
    """All but those that no annotator looked at, see :mod:`eval.refinement_study.unjudged`."""
    GROUPED = "grouped"
    """Only those that the key groups, none that it discards."""


@dataclass(frozen=True, slots=True)
class Plan:
    """How pages are read, and which count."""

    form: Form
    reader: Reader
    collected: Collected = Collected.JUDGED

    @property
    def kinds(self) -> tuple[Kind, ...]:
        """The kinds that are found on the pages."""
        return kinds_of(self.form)


def people_of(name: str, source: Source, plan: Plan) -> list[Person]:
    """The people of a name with their best refinements, in the order of the key.

    A page about several people is each one's. People without a page among the results are left
    out.

    Raises:
        KeyFileError: if the name has no key.
    """
    key = _key_of(name, source)
    analysis = _read(name, source, key, plan)
    row = {document.rank: row for row, document in enumerate(analysis.documents)}
    held = [sorted(group & row.keys()) for group in key.groups]
    chosen = [number for number, ranks in enumerate(held) if ranks]
    targets = [[row[rank] for rank in held[number]] for number in chosen]
    found = _found(analysis, targets, attributes_of(source.root, name), plan.kinds)
    labels = key.labels or ("",) * len(held)
    return [
        Person(name, labels[number], tuple(held[number]), found[place])
        for place, number in enumerate(chosen)
    ]


def _key_of(name: str, source: Source) -> Clustering:
    key = source.key(name)
    if key is None:
        raise KeyFileError(f"{name} has no key", where=source.root, remedy="leave it out")
    return key


def _read(name: str, source: Source, key: Clustering, plan: Plan) -> Analysis:
    """The pages that count."""
    found = source.search(name)
    ranks = {page.rank for page in found.pages}
    if plan.collected is Collected.JUDGED:
        ranks -= unjudged(source, name)
    if plan.collected is Collected.GROUPED:
        ranks &= key.ranks
    kept = tuple(page for page in found.pages if page.rank in ranks)
    return plan.reader.read(replace(found, pages=kept), plan.form, layers_of(plan.kinds))


def _found(
    analysis: Analysis,
    targets: Sequence[Sequence[int]],
    attributes: Attributes | None,
    kinds: Sequence[Kind],
) -> list[dict[str, Outcome | None]]:
    """For each person, kind → outcome."""
    bests = {kind.name: search(kind.extract(analysis), targets) for kind in kinds}
    if attributes is not None:
        bests |= _by_attribute(analysis, targets, attributes)
    shown = suggestions(targets, pair_table(analysis, []))
    return [
        _outcomes(
            {kind: several[place] for kind, several in bests.items()},
            Best(len(rows), len(analysis.documents), len(rows), ("",)),
            shown[place],
        )
        for place, rows in enumerate(targets)
    ]


def _outcomes(
    own: Mapping[str, Best | None], everything: Best, shown: Refinement | None
) -> dict[str, Outcome | None]:
    """Kind → outcome, for one person."""
    bests = {**own, **aggregated(own), UNREFINED: everything}
    found = {kind: Outcome.of(best) if best else None for kind, best in bests.items()}
    if shown is None:
        return {**found, SUGGESTED: None}
    suggested = Outcome(shown.precision, shown.recall, shown.f, 1, (shown.text,))
    return {**found, SUGGESTED: suggested}


def _by_attribute(
    analysis: Analysis, targets: Sequence[Sequence[int]], attributes: Attributes
) -> Mapping[str, list[Best | None]]:
    """Attribute → the best of each person, those of all attributes that may occur."""
    nobody: list[Best | None] = [None] * len(targets)
    bests = dict.fromkeys((*ATTRIBUTES, *FURTHER), nobody)
    bags = attribute_bags([document.rank for document in analysis.documents], attributes)
    named = {f"{Family.ATTRIBUTES} {attribute}": each for attribute, each in bags.items()}
    known = {kind: each for kind, each in named.items() if kind in bests}
    bests |= {kind: search(each, targets) for kind, each in known.items()}
    studied = [each for kind, each in known.items() if kind in ATTRIBUTES]
    return bests | {LOOKED_UP: looked_up(analysis, studied, targets)}
