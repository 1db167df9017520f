"""Training examples: pairs of pages with their labels, read from a source, and subsamples.

Most pairs of the WePS-1 training names are coreferent, most pairs of other names are not, so a
model fitted to the former alone joins too many of the latter. A subsample keeps a limited number of
pages per person; second-order similarities and the number of pages are computed again.
"""

from __future__ import annotations

import zlib
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from weps.people.pages import page_signs
from weps.reading import Origin, PageForm, Reader, available_similarities, page_origin, richest_form
from weps.records import Clustering
from weps.similarity.columns import Similarity, derive_similarity, pair_table, required_layers
from weps.similarity.pairs import pair_position
from weps.sources.base import Source


@dataclass(frozen=True, slots=True, eq=False)
class Example:
    """A training name: its pairs, and their labels."""

    name: str
    """Identifier of the name in its source."""
    ranks: tuple[int, ...]
    """Ranks of the n pages."""
    similarities: tuple[Similarity, ...]
    """The columns of ``values``."""
    values: NDArray[np.float32]
    """Shape (n(n-1)/2, similarities)."""
    key: Clustering
    origin: Origin = Origin.SEARCH
    components: frozenset[str] = frozenset()
    """The names that a mixed name is made of; empty for others."""

    @property
    def names(self) -> frozenset[str]:
        """The names whose pages these are."""
        return self.components or frozenset({self.name})

    def with_similarities(self, wanted: Sequence[Similarity]) -> Example:
        """The example with these of its columns."""
        places = [self.similarities.index(each) for each in wanted]
        return replace(self, similarities=tuple(wanted), values=self.values[:, places])

    def members(self) -> NDArray[np.bool_]:
        """Shape (n, groups of the key): which pages are in which group."""
        member = np.array([[rank in group for group in self.key.groups] for rank in self.ranks])
        return member.reshape(len(self.ranks), len(self.key.groups)).astype(bool)

    def judged(self) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
        """Shapes (n(n-1)/2,): which pairs the key judges, and which of these are coreferent.

        A pair is judged if both pages are in the key, and coreferent if they share a group of it
        (EMNLP 2009, section 4.1).
        """
        member = self.members().astype(np.int32)
        first, second = np.triu_indices(len(self.ranks), k=1)
        inside = member.sum(axis=1) > 0
        coreferent = (member @ member.T)[first, second] > 0
        return inside[first] & inside[second], coreferent


def forms_up_to(form: PageForm) -> tuple[PageForm, ...]:
    """The form and all poorer ones, richest first."""
    return tuple(PageForm)[tuple(PageForm).index(form) :]


def read_examples(
    name: str,
    source: Source,
    similarities: Sequence[Similarity],
    forms: Collection[PageForm] | None = None,
    reader: Reader | None = None,
) -> dict[PageForm, Example]:
    """The examples of one name, one for each form.

    Args:
        name: a name of the source.
        source: where its pages and its key are.
        similarities: the requested columns; a form has those that it supports.
        forms: the requested forms; those richer than the pages are left out. None means the
            richest. Empty if the name has no key.
        reader: how to read the pages.
    """
    reader = reader or Reader()
    key = source.key(name)
    if key is None or not key.groups:
        return {}
    search = source.search(name)
    richest, names = richest_form(search), source.component_names(name)
    components = names if len(names) > 1 else frozenset[str]()
    examples = {}
    for form in forms_up_to(richest):
        if form in (forms or {richest}):
            columns = available_similarities(similarities, form)
            analysis = reader.read(search, form, required_layers(columns))
            examples[form] = Example(
                name,
                tuple(document.rank for document in analysis.documents),
                columns,
                pair_table(analysis, columns).values,
                key,
                page_origin(search),
                components,
            )
    return examples


def read_signs(name: str, source: Source, reader: Reader | None = None) -> dict[int, str]:
    """Rank → the sign of the page, see :func:`weps.people.pages.page_signs`.

    Empty if the pages of the name are not whole.
    """
    search = source.search(name)
    if richest_form(search) is not PageForm.PAGES:
        return {}
    analysis = (reader or Reader()).read(search, PageForm.PAGES)
    ranks = (document.rank for document in analysis.documents)
    return dict(zip(ranks, page_signs(analysis), strict=True))


@dataclass(frozen=True, slots=True)
class TrainingSettings:
    """How training divides its names for cross-validation."""

    folds: int = 5
    """Number of folds; each is scored by a classifier that was fitted without it."""
    repeats: int = 3
    """Number of divisions into folds; a threshold fitted to one of them varies too much."""
    seed: int = 0
    learn_mixed: bool = True
    """Whether mixed names are learnt from."""


def make_folds(size: int, parts: int, seed: int) -> list[list[int]]:
    """Divide ``range(size)`` into at most ``parts`` parts at random, none empty."""
    shuffled = np.random.default_rng(seed).permutation(size)
    return [sorted(shuffled[part::parts].tolist()) for part in range(min(parts, size))]


def divide_examples(
    examples: Sequence[Example], parts: int, seed: int, fewest: int | None = None
) -> list[list[int]]:
    """Divide examples so that no two parts have pages of one name: their positions, none empty.

    Mixed names stay with the names that they are made of, small ones first, as long as that leaves
    enough parts. Those whose names are in several parts are in none.

    Args:
        examples: names and mixed names.
        parts: largest number of parts.
        seed: of the division.
        fewest: smallest number of parts for the sake of which mixed names are left out; None means
            ``parts``.
    """
    units = [each.names for each in examples if not each.components]
    for each in sorted((each for each in examples if each.components), key=lambda e: len(e.ranks)):
        joined = [unit for unit in units if unit & each.names]
        if len(units) - len(joined) + 1 >= (parts if fewest is None else fewest):
            units = [unit for unit in units if unit not in joined]
            units.append(each.names.union(*joined))
    divided = [
        frozenset[str]().union(*(units[at] for at in part))
        for part in make_folds(len(units), parts, seed)
    ]
    return [[i for i, each in enumerate(examples) if each.names <= part] for part in divided]


def examples_without(examples: Sequence[Example], held_out: Collection[int]) -> list[Example]:
    """The examples that have no page of the names at these positions."""
    names = frozenset[str]().union(*(examples[at].names for at in held_out))
    return [each for each in examples if names.isdisjoint(each.names)]


_PAGES_PER_PERSON = (1, 2, 3, 5, 8)
"""Largest number of pages of each person in a subsample; one of these, at random."""
_MIN_PAGES = 10
"""Fewest judged pages of a name to subsample."""
_MIN_PAIRS = 10
"""Fewest judged pairs of a usable subsample."""
_ATTEMPTS_PER_COPY = 3


def subsampled_copies(example: Example, copies: int, seed: int) -> list[Example]:
    """Subsamples of a name, fewer if it is small.

    Args:
        example: the name; it has the similarities that others of it are derived from.
        copies: number of subsamples.
        seed: the choice of pages depends only on it and on the name.
    """
    if example.members().any(axis=1).sum() < _MIN_PAGES:
        return []
    generator = np.random.default_rng([seed, zlib.crc32(example.name.encode())])
    member = example.members()
    inside = member.any(axis=1)
    outside = np.flatnonzero(~inside)
    usable: list[Example] = []
    for _ in range(_ATTEMPTS_PER_COPY * copies):
        # Some pages of each person, and the same share of the others.
        most = int(generator.choice(_PAGES_PER_PERSON))
        kept = np.zeros(len(member), dtype=bool)
        for person in member.T:
            pages = generator.permutation(np.flatnonzero(person))
            kept[pages[: max(0, most - int(kept[pages].sum()))]] = True
        kept[outside] = generator.random(len(outside)) < kept.sum() / inside.sum()
        sample = select_rows(example, np.flatnonzero(kept))
        if sample.judged()[0].sum() >= _MIN_PAIRS:
            usable.append(sample)
        if len(usable) == copies:
            break
    return usable


def select_rows(example: Example, rows: NDArray[np.intp]) -> Example:
    """The example restricted to these pages, given by their rows, ascending."""
    first, second = np.triu_indices(len(rows), k=1)
    values = example.values[pair_position(rows[first], rows[second], len(example.ranks))]
    column = {each: number for number, each in enumerate(example.similarities)}
    for each in sorted(example.similarities, key=lambda wanted: (wanted.relative, wanted.order)):
        if each.base:
            base = values[:, column[each.base]]
            values[:, column[each]] = derive_similarity(each, base, len(rows))
        elif each.feature.name == "few_pages":
            values[:, column[each]] = 1 / max(len(rows), 1)
    return replace(example, ranks=tuple(example.ranks[row] for row in rows), values=values)
