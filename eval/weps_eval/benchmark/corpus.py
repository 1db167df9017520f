"""Names with keys for training and tests, and folders of answers by one or several systems.

Keys that are filed under two names are detected, since one of them is wrong for its pages.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path

from weps._files import real_path
from weps.errors import SourceError
from weps.page_forms import Origin, PageForm, page_origin, richest_form
from weps.records import Clustering
from weps.results.stored import is_part, result_folder
from weps.sources.base import Source, select_names
from weps.sources.corpora import read_clustering
from weps.sources.opening import open_source
from weps.training.examples import forms_up_to, make_folds
from weps_eval.benchmark.sources import MixedName, MixedSource, combine_sources, mixed_names

_SUFFIXES = (".clust.xml", ".xml")


def systems_in(folder: Path) -> dict[str, Path]:
    """The systems whose answers a folder holds, by name: itself, or its subfolders.

    Raises:
        SourceError: if there are no answers.
    """
    try:
        systems = {below.name: below for below in sorted(folder.iterdir()) if below.is_dir()}
        if any(folder.glob("*.xml")) or any(map(is_part, systems)):
            return {real_path(folder).name: folder}
    except OSError as error:
        raise SourceError(
            f"the answers cannot be read ({error.strerror})",
            where=folder,
            remedy="give the folder with NAME.clust.xml files",
        ) from None
    systems = {
        name: below
        for name, below in systems.items()
        if any(below.glob("*.xml")) or any(is_part(each.name) for each in below.iterdir())
    }
    if not systems:
        raise SourceError(
            "no answers found",
            where=folder,
            remedy="give a folder of NAME.clust.xml files, or a folder of such folders",
        )
    return systems


def read_answer(folder: Path, name: str) -> Clustering | None:
    """The answer of the system for a name, None if there is none.

    Raises:
        KeyFileError: if its file is malformed.
    """
    places = (folder, result_folder(folder, name))
    candidates = (place / f"{name}{suffix}" for place in places for suffix in _SUFFIXES)
    path = next((path for path in candidates if path.is_file()), None)
    return read_clustering(path) if path else None


FORM_TITLES = {
    PageForm.PAGES: "whole pages",
    PageForm.TOKENS: "content words without case",
    PageForm.RESULTS: "search results only",
}
"""Form of pages → what is available of them, in words."""
_TITLES = {
    "weps-1": "WePS-1",
    "weps-2": "WePS-2",
    "folder": "saved pages",
    "collected": "downloaded pages",
}
_FEWEST_NAMES = 2
"""Names that cross-validation needs."""


@dataclass(frozen=True, slots=True)
class Corpus:
    """A source and those of its names that have a key."""

    source: Source
    forms: dict[str, PageForm]
    """Name → the richest form of its pages."""

    @property
    def title(self) -> str:
        """Name of the corpus in print."""
        return _TITLES[self.source.layout]

    @property
    def names(self) -> list[str]:
        """Its names, sorted."""
        return sorted(self.forms)

    @property
    def richest_form(self) -> PageForm:
        """The richest form that any name has."""
        return next(form for form in PageForm if form in self.forms.values())

    def names_with(self, form: PageForm) -> list[str]:
        """The names whose pages are available in that form, or in a richer one, sorted."""
        return [name for name in self.names if form in forms_up_to(self.forms[name])]

    @property
    def mixed_sizes(self) -> dict[str, int]:
        """Mixed name → its pages, by increasing size."""
        sizes = {
            name: len(self.source.ranks(name))
            for name in self.names
            if len(self.source.component_names(name)) > 1
        }
        return dict(sorted(sizes.items(), key=lambda item: item[1]))

    @property
    def digest(self) -> str:
        """See :meth:`weps.sources.base.Source.digest`."""
        return self.source.digest(self.names)


def open_corpus(paths: Path | Sequence[Path], exclude: Sequence[str] = ()) -> Corpus:
    """Find out which names of a corpus have a key, and what their pages offer.

    Args:
        paths: where the corpus is, or several, which are taken as one.
        exclude: names to leave out.

    Raises:
        SourceError: if a corpus cannot be read, if several do not fit together, or if too few of
            the names have a key.
    """
    given = [paths] if isinstance(paths, Path) else paths
    source = combine_sources([open_source(path) for path in given])
    left_out = set(select_names(source, exclude)) if exclude else set()
    forms = {
        name: richest_form(source.search(name))
        for name in source.names
        if name not in left_out and (key := source.key(name)) is not None and key.groups
    }
    if len(forms) < _FEWEST_NAMES:
        raise SourceError(
            f"{len(forms)} of the names have a key, {_FEWEST_NAMES} are needed",
            where=" and ".join(map(str, given)),
            remedy="give a corpus with its gold standard (truth_files or gold_standard)",
        )
    return Corpus(source, forms)


def with_mixed_names(corpus: Corpus, sizes: Sequence[int], groups: int, seed: int) -> Corpus:
    """The corpus and mixed names of its names, see :mod:`weps_eval.benchmark.sources`.

    Names of each form are divided into groups at random. If all of them together have too few
    pages for a size, there is no mixed name of that size.

    Args:
        corpus: of names with keys.
        sizes: numbers of pages.
        groups: number of groups.
        seed: of the division and of the pages.
    """
    mixed: dict[MixedName, PageForm] = {}
    for form in count_forms(corpus.forms.values()):
        names = [name for name in corpus.names if corpus.forms[name] is form]
        divided = [[names[at] for at in part] for part in make_folds(len(names), groups, seed)]
        mixed |= dict.fromkeys(mixed_names(corpus.source, divided, sizes, seed), form)
    if not mixed:
        return corpus
    made = MixedSource.of(corpus.source, mixed)
    forms = {
        each.identifier: form
        for each, form in mixed.items()
        if (key := made.key(each.identifier)) and key.groups
    }
    return Corpus(combine_sources([corpus.source, made]), corpus.forms | forms)


def count_forms(forms: Iterable[PageForm]) -> dict[PageForm, int]:
    """Form → how often it occurs, richest first."""
    counts = Counter(forms)
    return {form: counts[form] for form in PageForm if form in counts}


def check_origins(corpus: Corpus) -> None:
    """Make sure that names of every form can be answered by what names of other origins teach.

    Raises:
        SourceError: if not.
    """
    origins: dict[PageForm, set[Origin]] = {form: set() for form in corpus.forms.values()}
    for name, richest in corpus.forms.items():
        origin = page_origin(corpus.source.search(name))
        for form in set(forms_up_to(richest)) & set(origins):
            origins[form].add(origin)
    for form, found in origins.items():
        if len(found) == 1:
            raise SourceError(
                f"all names with {FORM_TITLES[form]} are of one origin ({', '.join(found)}), so "
                "there is no other to learn from",
                where=corpus.source.root,
                remedy="give a corpus with names of several origins, or use --cv 5",
            )


_SMALLEST_GROUP = 3
"""Ranks in a group by which keys are distinguished; smaller groups are alike by chance."""


def duplicate_keys(keys: Mapping[str, Clustering]) -> Iterator[tuple[str, str]]:
    """Pairs of names, of those with these keys, whose keys mostly group the same ranks."""
    informative = {
        name: {group for group in key.groups if len(group) >= _SMALLEST_GROUP}
        for name, key in keys.items()
    }
    for first, second in combinations(sorted(informative), 2):
        one, other = informative[first], informative[second]
        if len(one & other) >= _FEWEST_NAMES and 2 * len(one & other) > max(len(one), len(other)):
            yield first, second
