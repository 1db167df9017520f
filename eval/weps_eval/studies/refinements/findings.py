"""From the pages and the key of a name to its people and their best refinements, and to means.

The paper takes a value's result to be the pages where annotators found it, and they looked for it
on pages about somebody. Whoever types it also gets the pages that hold the words for any other
reason, and those on which the annotators passed it over; so attributes are also looked up in the
text of every page, as a search engine would.

For WePS-2 the annotators looked at up to 100 pages of a name. The key sets the others aside with
a note; among them may be pages of any of the people, so that they count neither for nor against a
refinement.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cached_property
from itertools import islice
from typing import TypeAlias

import numpy as np
from scipy import sparse

from weps._text import split_words
from weps.errors import KeyFileError
from weps.features.bags import Bags, dropped_words
from weps.features.words import content_form
from weps.key_terms.refinement import suggest_refinements
from weps.language.analysis import Analysis
from weps.page_forms import PageForm
from weps.reading import Reader
from weps.records import Clustering
from weps.similarity.table import pair_table
from weps.sources.base import Source
from weps.sources.corpora import Weps2
from weps.sources.xml import parse_rank, read_xml
from weps_eval.benchmark.labels import Attributes, attributes_of
from weps_eval.stats.arrays import Floats
from weps_eval.stats.estimate import (
    Estimate,
    estimate_instance_share,
    resample_weights,
    safe_divide,
)
from weps_eval.studies.refinements.search import (
    REFINEMENT_KINDS,
    BestRefinement,
    RefinementFamily,
    RefinementKind,
    attribute_bags,
    best_of_kinds,
    best_refinements,
    kinds_for_form,
    layers_of_kinds,
)

ATTRIBUTES = (
    *("ae affiliation", "ae award", "ae birthplace", "ae degree", "ae email", "ae fax"),
    *("ae location", "ae major", "ae mentor", "ae nationality", "ae occupation", "ae phone"),
    *("ae relatives", "ae school", "ae work"),
)
"""Those that the paper studies."""
ATTRIBUTE_LOOKUP = "best-ae, looked up"


def look_up_attributes(
    analysis: Analysis, attributes: Sequence[Bags], targets: Sequence[Sequence[int]]
) -> list[BestRefinement | None]:
    """For each person the best value of any attribute annotated on one of their pages.

    Values are compared word by word as they stand; where pages are lists of content words, by
    those of their words that such lists keep. Values without any are no candidates. ``attributes``
    are the values of each, page by page; ``targets`` the rows of each person's pages.
    """
    reduced = _text_reduction(analysis)
    pages = [f" {' '.join(reduced(' '.join(each.blocks)))} " for each in analysis.documents]
    bests = []
    for annotated in attributes:
        values = [f" {' '.join(reduced(value))} " for value in annotated.strings]
        hits = [[not value.isspace() and value in page for value in values] for page in pages]
        counts = sparse.csr_array(np.array(hits, dtype=np.int32).reshape(annotated.counts.shape))
        bests.append(best_refinements(Bags(counts, annotated.strings), targets, annotated))
    return [best_of_kinds(each[place] for each in bests) for place in range(len(targets))]


def _text_reduction(analysis: Analysis) -> Callable[[str], list[str]]:
    if any(word[0].isupper() for word in analysis.tokens.surface):
        return split_words
    dropped = dropped_words(analysis.name)
    return lambda text: [
        form for word in split_words(text) if (form := content_form(word, dropped))
    ]


SIZES = ("1", "2", "≥3")
"""People by the number of their pages, as the paper divides them."""
_EXAMPLES = 3

FURTHER_ATTRIBUTES = ("ae dateofbirth", "ae othername", "ae website")
"""Attributes that were annotated too; the paper's tables leave them out."""
UNREFINED_NAME = "name alone"
"""No refinement: every page is returned."""
SUGGESTED = "suggested"
"""What the product shows, see :mod:`weps.key_terms.refinement`."""

_BY_FAMILY = {
    family: tuple(kind.name for kind in REFINEMENT_KINDS if kind.family is family)
    for family in RefinementFamily
} | {RefinementFamily.ATTRIBUTES: ATTRIBUTES}
AGGREGATES = {
    "best-ae": _BY_FAMILY[RefinementFamily.ATTRIBUTES],
    "best-all": tuple(kind for family in _BY_FAMILY.values() for kind in family),
    "best-ner": _BY_FAMILY[RefinementFamily.ENTITIES],
    "best-nl": _BY_FAMILY[RefinementFamily.WORDS],
}
"""What the paper takes together (section 3) → its kinds."""


@dataclass(frozen=True, slots=True)
class RefinementOutcome:
    """The best refinement of a kind."""

    precision: float
    recall: float
    f: float
    ties: int
    """How many reach this F."""
    examples: tuple[str, ...]
    """The first of them."""

    @classmethod
    def of(cls, best: BestRefinement | None) -> RefinementOutcome | None:
        """The figures and a few of the strings, without the pages; None if there is none."""
        if best is None:
            return None
        examples = tuple(islice(best.strings, _EXAMPLES))
        return cls(best.precision, best.recall, best.f, len(best.strings), examples)


@dataclass(frozen=True, slots=True)
class Person:
    """A person of the key."""

    name: str
    """The name searched for."""
    label: str
    """What the annotators call the person; empty where they do not."""
    ranks: tuple[int, ...]
    """Of the person's pages."""
    found: Mapping[str, RefinementOutcome | None]
    """Kind → its best refinement; None where there is no candidate. Kinds that could not be
    studied, such as attributes of names without annotations, are missing."""

    @property
    def size(self) -> str:
        """One of :data:`SIZES`."""
        return SIZES[min(len(self.ranks), len(SIZES)) - 1]

    def tied_for(self, aggregate: str) -> tuple[str, ...]:
        """The kinds that reach the best F of several kinds."""
        best = self.found.get(aggregate)
        if best is None:
            return ()
        kinds = {kind: self.found.get(kind) for kind in AGGREGATES[aggregate]}
        return tuple(kind for kind, each in kinds.items() if each and each.f == best.f)


def aggregate_kinds(bests: Mapping[str, BestRefinement | None]) -> dict[str, BestRefinement | None]:
    """The best of several kinds, for each of :data:`AGGREGATES` with a kind that was studied."""
    return {
        aggregate: best_of_kinds(bests[kind] for kind in kinds if kind in bests)
        for aggregate, kinds in AGGREGATES.items()
        if not bests.keys().isdisjoint(kinds)
    }


def size_in_words(size: str) -> str:
    """A size in words."""
    return f"{size} page{'s' * (size != SIZES[0])}"


_NOTE = "not included in annotation"


def unjudged_ranks(source: Source, name: str) -> frozenset[int]:
    """The ranks of pages that the key of a name sets aside unseen.

    Raises:
        KeyFileError: the key is malformed.
    """
    if not isinstance(source, Weps2):
        return frozenset()
    path = source.key_file(name)
    if path is None:
        return frozenset()
    parts = read_xml(path, "clustering", KeyFileError).descendants("discarded")
    unseen = (
        parse_rank(doc.get("rank"))
        for part in parts
        for doc in part.descendants("doc")
        if doc.get("notes").strip().lower() == _NOTE
    )
    return frozenset(rank for rank in unseen if rank is not None)


class CollectedResults(StrEnum):
    """Which of the results are taken to be there at all; only those can be returned."""

    ALL = "all"
    """Every result; those that the key does not group are nobody's."""
    JUDGED = "judged"
    """All but those that no annotator looked at, see ``studies.refinements.people``."""
    GROUPED = "grouped"
    """Only those that the key groups, none that it discards."""


@dataclass(frozen=True, slots=True)
class Plan:
    """How pages are read, and which count."""

    form: PageForm
    reader: Reader
    collected: CollectedResults = CollectedResults.JUDGED

    @property
    def kinds(self) -> tuple[RefinementKind, ...]:
        """The kinds that are found on the pages."""
        return kinds_for_form(self.form)


def people_of(name: str, source: Source, plan: Plan) -> list[Person]:
    """The people of a name with their best refinements, in the order of the key.

    A page about several people is each one's. People without a page among the results are left
    out.

    Raises:
        KeyFileError: if the name has no key.
    """
    key = source.key(name)
    if key is None:
        raise KeyFileError(f"{name} has no key", where=source.root, remedy="leave it out")
    analysis = _read(name, source, key, plan)
    row = {document.rank: row for row, document in enumerate(analysis.documents)}
    groups = ((label, tuple(sorted(group & row.keys()))) for group, label in key.labelled_groups)
    people = [(label, ranks) for label, ranks in groups if ranks]
    targets = [[row[rank] for rank in ranks] for _, ranks in people]
    found = _best_refinements(analysis, targets, attributes_of(source.root, name), plan.kinds)
    return [Person(name, *person, each) for person, each in zip(people, found, strict=True)]


def _read(name: str, source: Source, key: Clustering, plan: Plan) -> Analysis:
    found = source.search(name)
    ranks = {page.rank for page in found.pages}
    if plan.collected is CollectedResults.JUDGED:
        ranks -= unjudged_ranks(source, name)
    if plan.collected is CollectedResults.GROUPED:
        ranks &= key.ranks
    kept = tuple(page for page in found.pages if page.rank in ranks)
    return plan.reader.read(replace(found, pages=kept), plan.form, layers_of_kinds(plan.kinds))


def _best_refinements(
    analysis: Analysis,
    targets: Sequence[Sequence[int]],
    attributes: Attributes | None,
    kinds: Sequence[RefinementKind],
) -> list[dict[str, RefinementOutcome | None]]:
    bests = {kind.name: best_refinements(kind.extract(analysis), targets) for kind in kinds}
    if attributes is not None:
        bests |= _by_attribute(analysis, targets, attributes)
    shown = suggest_refinements(targets, pair_table(analysis, []))
    people: list[dict[str, RefinementOutcome | None]] = []
    for place, rows in enumerate(targets):
        own = {kind: several[place] for kind, several in bests.items()}
        everything = BestRefinement(len(rows), len(analysis.documents), len(rows), ("",))
        found = {**own, **aggregate_kinds(own), UNREFINED_NAME: everything}
        people.append({kind: RefinementOutcome.of(best) for kind, best in found.items()})
        people[-1][SUGGESTED] = (
            RefinementOutcome(given.precision, given.recall, given.f, 1, (given.text,))
            if (given := shown[place])
            else None
        )
    return people


def _by_attribute(
    analysis: Analysis, targets: Sequence[Sequence[int]], attributes: Attributes
) -> Mapping[str, list[BestRefinement | None]]:
    """Attribute → the best of each person, those of all attributes that may occur."""
    none: list[BestRefinement | None] = [None] * len(targets)
    bests = dict.fromkeys((*ATTRIBUTES, *FURTHER_ATTRIBUTES), none)
    bags = attribute_bags([document.rank for document in analysis.documents], attributes)
    named = {f"{RefinementFamily.ATTRIBUTES} {attribute}": each for attribute, each in bags.items()}
    known = {kind: each for kind, each in named.items() if kind in bests}
    bests |= {kind: best_refinements(each, targets) for kind, each in known.items()}
    studied = [each for kind, each in known.items() if kind in ATTRIBUTES]
    return bests | {ATTRIBUTE_LOOKUP: look_up_attributes(analysis, studied, targets)}


Values: TypeAlias = Iterable[tuple[Person, float]]
"""People with a value each."""


@dataclass(frozen=True, slots=True)
class RefinementMeans:
    """A row of the paper's Tables 1 to 6."""

    studied: int
    """People of names for which the kind was studied."""
    covered: int
    """Those of them who have a candidate; F, precision and recall are means over these."""
    f: Estimate
    precision: Estimate
    recall: Estimate
    coverage: Estimate


@dataclass(frozen=True)
class Findings:
    """What was found for the people of all names."""

    names: tuple[str, ...]
    """Those searched for, which are resampled."""
    people: tuple[Person, ...]
    seed: int = 0
    corpus: str = ""
    """Its title."""
    form: PageForm = PageForm.TOKENS
    """What the pages were read as."""

    @cached_property
    def by_size(self) -> dict[str, tuple[Person, ...]]:
        """Size → people."""
        return {
            size: tuple(person for person in self.people if person.size == size) for size in SIZES
        }

    @cached_property
    def kinds(self) -> frozenset[str]:
        """The kinds that were studied for any name."""
        return frozenset().union(*(person.found for person in self.people))

    def mean(self, values: Values) -> Estimate:
        """The mean of one value per person; nan if there are none."""
        return estimate_instance_share(*self._by_name(values), seed=self.seed)

    def difference_of_means(self, first: Values, second: Values) -> Estimate:
        """The mean of some people's values minus that of others', of the same resampled names."""
        names = len(self.names)
        times = resample_weights(names, self.seed) if names > 1 else np.zeros((1, 1))
        value, samples = 0.0, np.zeros(len(times))
        for sign, values in ((1, first), (-1, second)):
            sums, total = self._by_name(values)
            value += sign * float(safe_divide(sums.sum(), total.sum()))
            samples = samples + sign * safe_divide(times @ sums, times @ total)
        return Estimate.from_samples(value, samples)

    def refinement_means(self, kind: str, size: str) -> RefinementMeans:
        """The means of the best refinements of a kind, over people of one size."""
        covered = self.covered(kind, size)
        best = [(person, each) for person, _ in covered if (each := person.found[kind])]

        def over(value: Callable[[RefinementOutcome], float]) -> Estimate:
            return self.mean((person, value(each)) for person, each in best)

        return RefinementMeans(
            len(covered),
            len(best),
            over(lambda each: each.f),
            over(lambda each: each.precision),
            over(lambda each: each.recall),
            self.mean(covered),
        )

    def ahead(self, first: str, second: str, size: str) -> Estimate:
        """Mean of F with one kind minus F with another, over people of one size who have both."""
        pairs = (
            (person, person.found.get(first), person.found.get(second))
            for person in self.by_size[size]
        )
        return self.mean((person, one.f - other.f) for person, one, other in pairs if one and other)

    def share_above(self, kind: str, least: float, people: Sequence[Person]) -> Estimate:
        """Of the people who have a refinement of a kind, the share for whom F is high enough."""
        best = ((person, person.found.get(kind)) for person in people)
        return self.mean((person, float(each.f >= least)) for person, each in best if each)

    def covered(self, kind: str, size: str) -> list[tuple[Person, float]]:
        """For each person for whose name a kind was studied, 1 if there is a candidate, else 0."""
        return [
            (person, float(person.found[kind] is not None))
            for person in self.by_size[size]
            if kind in person.found
        ]

    def best_attributes(self, size: str) -> list[tuple[Person, str]]:
        """People, and attributes that give them the best refinement of all attributes (Table 7).

        Where several tie, each of them wins, as in the paper.
        """
        return [
            (person, kind) for person in self.by_size[size] for kind in person.tied_for("best-ae")
        ]

    def best_attribute_share(self, attribute: str, size: str) -> Estimate:
        """Of all wins the share that is an attribute's own."""
        won = self.best_attributes(size)
        return self.mean((person, float(kind == attribute)) for person, kind in won)

    def _by_name(self, values: Values) -> tuple[Floats, ...]:
        """Shapes (names,): the sum of the values of each name's people, and how many there are."""
        place = {name: at for at, name in enumerate(self.names)}
        sums, total = np.zeros((2, len(self.names)))
        for person, value in values:
            sums[place[person.name]] += value
            total[place[person.name]] += 1
        return sums, total
