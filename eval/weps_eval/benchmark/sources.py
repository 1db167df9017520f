"""Sources made of others: several as one, and mixed names, whose persons are all known.

A mixed name has pages of several names under one invented name. Keys exist for names with some
dozens of people at most; names with hundreds are made of them. Of every page the given and the last
name of its own person are replaced by those of the invented name, so that the name is mentioned
where it was, and its words tell pages apart no more than those of any common name do.

The recipe, for names with keys, a number of pages and a seed:

1. Each name gives the same number of pages, or all it has if these are fewer; what is missing is
   divided among the others. The last pages go to the first names.
2. The pages of a name are taken in the order of the SHA-256 of ``SEED/NAME/RANK``, and all pages
   are ranked from 1 in that order.
3. The invented name is one of :data:`GIVEN_NAMES` with one of :data:`LAST_NAMES`, by the seed.
4. The key has the groups of all the keys; people of different names are different people. Pages
   that a key discards, or does not mention, remain so.
5. Replaced are, in any case, the given and the last name as words, and the last name behind the
   given one or its initials (``thomasbaker``, ``tbaker``, ``tjbaker``), in title, snippet, text,
   mark-up, links and addresses. Capital letters remain. Short forms (Tom) and other names of the
   person remain.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import combinations
from pathlib import Path
from typing import Self

from weps._formatting import join_items
from weps.errors import SourceError
from weps.records import Clustering, Page, Search
from weps.sources.base import Source, as_identifier, as_name, select_names

GIVEN_NAMES = tuple(
    "Barbara Carol Jennifer Laura Linda Patricia Robert Steven Susan Walter".split()
)
LAST_NAMES = tuple(
    "Anderson Davis Jackson Martin Miller Moore Smith Taylor Williams Wilson".split()
)


@dataclass(frozen=True)
class MixedName:
    """An invented name, and the pages of other names that are put under it."""

    name: str
    """The name as a person would write it."""
    pages: tuple[tuple[str, int], ...]
    """For the ranks from 1: the identifier of the page's own name, and its rank there."""

    @property
    def identifier(self) -> str:
        """The name, the number of pages, and four hexadecimal digits of the choice of pages."""
        return f"{as_identifier(self.name)}_{len(self.pages)}_{_hash(self.pages).hex()[:4]}"

    @property
    def sources(self) -> frozenset[str]:
        """The names that the pages are of."""
        return frozenset(name for name, _ in self.pages)


def mix_names(source: Source, names: Sequence[str], size: int, seed: int = 0) -> MixedName:
    """Choose the pages of a mixed name.

    Args:
        source: of the names.
        names: with keys; their order is ignored.
        size: number of pages.
        seed: selects the pages and the invented name.

    Raises:
        SourceError: if the names have fewer pages.
    """
    order = cache(lambda page: _hash(seed, *page))
    ranked = [
        sorted(((name, rank) for rank in source.ranks(name)), key=order) for name in sorted(names)
    ]
    available = sum(map(len, ranked))
    if available < size:
        raise SourceError(
            f"a mixed name of {size} pages cannot be made of {len(ranked)} names that have "
            f"{available}",
            where=source.root,
            remedy="mix fewer pages, or give more names",
        )
    share, rest = _equal_shares([len(pages) for pages in ranked], size)
    chosen = [page for pages in ranked for page in pages[:share]]
    chosen += [pages[share] for pages in ranked if len(pages) > share][:rest]
    given, last = _hash(seed)[:2]
    invented = f"{GIVEN_NAMES[given % len(GIVEN_NAMES)]} {LAST_NAMES[last % len(LAST_NAMES)]}"
    return MixedName(invented, tuple(sorted(chosen, key=order)))


def _equal_shares(available: Sequence[int], size: int) -> tuple[int, int]:
    """The most pages that each gives so that all have no more than wanted, and what is missing."""
    share = 0
    while sum(min(each, share + 1) for each in available) <= size and share < max(available):
        share += 1
    return share, size - sum(min(each, share) for each in available)


def _hash(*parts: object) -> bytes:
    return hashlib.sha256("/".join(map(str, parts)).encode()).digest()


def mixed_names(
    source: Source, groups: Sequence[Sequence[str]], sizes: Iterable[int], seed: int = 0
) -> Iterator[MixedName]:
    """Mixed names of several sizes, none of which has names of two groups without need.

    For each size, groups are joined in their order until they have several names and enough
    pages; those that are left over at the end give no mixed name.

    Args:
        source: of the names.
        groups: of names with keys.
        sizes: numbers of pages, at least 2.
        seed: see :func:`mix_names`.
    """
    pages = {name: len(source.ranks(name)) for group in groups for name in group}
    for size in sizes:
        joined: list[str] = []
        for group in groups:
            joined += group
            if len(joined) > 1 and sum(pages[name] for name in joined) >= size:
                yield mix_names(source, joined, size, seed)
                joined = []


@dataclass(frozen=True, repr=False)
class MixedSource(Source):
    """Mixed names of a source."""

    source: Source
    mixed: tuple[MixedName, ...]
    """In the order of ``names``."""

    @classmethod
    def of(cls, source: Source, mixed: Iterable[MixedName]) -> Self:
        """The mixed names as a source of their own."""
        ordered = tuple(sorted(mixed, key=lambda each: each.identifier))
        return cls(source.root, tuple(each.identifier for each in ordered), source, ordered)

    @property
    def layout(self) -> str:
        """That of the source."""
        return self.source.layout

    def search(self, name: str) -> Search:
        """Read the pages and replace their persons' names."""
        mixed = self.mixed_name(name)
        rank_of = {page: rank for rank, page in enumerate(mixed.pages, start=1)}
        pages = []
        for each in sorted(mixed.sources):
            rename = name_replacer(as_name(each), mixed.name)
            pages += [
                replace(rename(page), rank=rank_of[each, page.rank])
                for page in self.source.search(each).pages
                if (each, page.rank) in rank_of
            ]
        return Search(mixed.name, tuple(sorted(pages, key=lambda page: page.rank)))

    def ranks(self, name: str) -> tuple[int, ...]:
        """Ranks from 1 to the number of pages."""
        return tuple(range(1, len(self.mixed_name(name).pages) + 1))

    def key(self, name: str) -> Clustering | None:
        """The groups of all the keys, as far as their pages are here."""
        mixed = self.mixed_name(name)
        groups: list[frozenset[int]] = []
        discarded: set[int] = set()
        for each in sorted(mixed.sources):
            if key := self.source.key(each):
                pages = enumerate(mixed.pages, start=1)
                rank_of = {rank: here for here, (owner, rank) in pages if owner == each}
                kept = [
                    frozenset(rank_of[rank] for rank in group & rank_of.keys())
                    for group in (*key.groups, key.discarded)
                ]
                groups += filter(None, kept[:-1])
                discarded |= kept[-1]
        return Clustering(tuple(groups), frozenset(discarded))

    def only(self, name: str) -> Self:
        """A source with this name only."""
        return self.of(self.source, [self.mixed_name(name)])

    def component_names(self, name: str) -> frozenset[str]:
        """The names that the pages are of."""
        return self.mixed_name(name).sources

    def warnings(self, name: str) -> tuple[str, ...]:
        """None: those of the source are told of its own names."""
        self.mixed_name(name)
        return ()

    def mixed_name(self, name: str) -> MixedName:
        """The recipe of a name."""
        (known,) = select_names(self, [name])
        return self.mixed[self.names.index(known)]


def name_replacer(name: str, invented: str) -> Callable[[Page], Page]:
    """A function that puts the words of the invented name in the place of those of the name.

    Mark-up is searched byte by byte, as if each byte were a character: the words of the name must
    be of ASCII letters there, and its charset must contain ASCII.
    """
    words, new_words = name.split(), invented.split()
    given, last = re.escape(words[0]), re.escape(words[-1])
    new_given, new_last = new_words[0], new_words[-1]
    letter = r"[^\W\d_]"
    pattern = (
        rf"(?<!{letter})(?:(?P<given>{given})(?:(?P<joined>{last})|(?!{letter}))"
        rf"|(?P<initials>{re.escape(name[0])}{letter}?)?(?P<last>{last})(?=s?(?!{letter})))"
    )
    in_text = re.compile(pattern, re.IGNORECASE)
    in_markup = re.compile(pattern, re.IGNORECASE | re.ASCII)

    def put(found: re.Match[str]) -> str:
        if found["given"]:
            joined = found["joined"] and _in_case(found["joined"], new_last)
            return _in_case(found["given"], new_given) + (joined or "")
        initials = found["initials"] or ""
        if initials:
            initials = _in_case(initials[0], new_given[0]) + initials[1:]
        return initials + _in_case(found["last"], new_last)

    def rename(page: Page) -> Page:
        content = page.read_content()
        if content is not None:
            content = in_markup.sub(put, content.decode("latin-1")).encode("latin-1")
        return replace(
            page,
            url=in_text.sub(put, page.url),
            title=in_text.sub(put, page.title),
            snippet=in_text.sub(put, page.snippet),
            content=content,
            text=page.text and in_text.sub(put, page.text),
        )

    return rename


def _in_case(model: str, word: str) -> str:
    """The word in capitals, lower case, or with a capital, as the model is."""
    if model.isupper() and len(model) > 1:
        return word.upper()
    return word if model[0].isupper() else word.lower()


@dataclass(frozen=True, repr=False)
class CombinedSource(Source):
    """Sources of one layout with no name in common; each name is read where it stands."""

    sources: tuple[Source, ...]

    @property
    def layout(self) -> str:
        """The layout of all of them."""
        return self.sources[0].layout

    def search(self, name: str) -> Search:
        """Read the pages of one name."""
        return self._source_of(name).search(name)

    def ranks(self, name: str) -> tuple[int, ...]:
        """Ranks of the results of one name, ascending."""
        return self._source_of(name).ranks(name)

    def key(self, name: str) -> Clustering | None:
        """Read the gold standard of one name; None where there is none."""
        return self._source_of(name).key(name)

    def only(self, name: str) -> Source:
        """The source that has the name, with no other."""
        return self._source_of(name).only(name)

    def component_names(self, name: str) -> frozenset[str]:
        """The names whose pages these are."""
        return self._source_of(name).component_names(name)

    def warnings(self, name: str) -> tuple[str, ...]:
        """Faults of the data of one name."""
        return self._source_of(name).warnings(name)

    def _source_of(self, name: str) -> Source:
        (known,) = select_names(self, [name])
        return next(source for source in self.sources if known in source.names)


def combine_sources(sources: Sequence[Source]) -> Source:
    """Combine several sources into one; a single one is returned unchanged.

    Raises:
        SourceError: two of them are of different layouts, or hold the same name.
    """
    if len(sources) == 1:
        return sources[0]
    for first, second in combinations(sources, 2):
        _check_compatible(first, second)
    names = sorted(name for source in sources for name in source.names)
    return CombinedSource(
        _common_folder([source.root for source in sources]), tuple(names), tuple(sources)
    )


def _check_compatible(first: Source, second: Source) -> None:
    if first.layout != second.layout:
        raise SourceError(
            f"is of the layout {second.layout}, but {first.root} is of {first.layout}, which is "
            "scored differently",
            where=second.root,
            remedy="give corpora of one layout, or one corpus alone",
        )
    known = {as_identifier(as_name(name)).casefold() for name in first.names}
    shared = [name for name in second.names if as_identifier(as_name(name)).casefold() in known]
    if shared:
        raise SourceError(
            f"has names that are also in {first.root}: {join_items(shared)}",
            where=second.root,
            remedy="give one of the two alone, or a copy of one without these names",
        )


def _common_folder(roots: Sequence[Path]) -> Path:
    """The innermost folder that all stand in, for messages; the first where there is none."""
    first, *others = roots
    for folder in first.parents:
        if all(root.is_relative_to(folder) for root in others):
            return folder
    return first
