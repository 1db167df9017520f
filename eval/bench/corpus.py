"""Names with keys: what a system learns from, and what it is tested on."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from weps.errors import SourceError
from weps.examples import forms_within
from weps.forms import Form, Origin, form_of, origin_of
from weps.sources import Source, joined, open_source, select

__all__ = ["PAGES", "Corpus", "check_origins", "counted", "open_corpus"]

PAGES = {
    Form.PAGES: "whole pages",
    Form.TOKENS: "content words without case",
    Form.RESULTS: "search results only",
}
"""What is at hand of pages of a form, in words."""
_TITLES = {"weps-1": "WePS-1", "weps-2": "WePS-2", "folder": "saved pages"}
_FEWEST = 2
"""Names that cross-validation needs."""


@dataclass(frozen=True, slots=True)
class Corpus:
    """A source and those of its names that have a key."""

    source: Source
    forms: dict[str, Form]
    """Name → the richest form of its pages."""

    @property
    def title(self) -> str:
        """What the corpus is called in print."""
        return _TITLES[self.source.layout]

    @property
    def names(self) -> list[str]:
        """Its names, sorted."""
        return sorted(self.forms)

    @property
    def digest(self) -> str:
        """See :meth:`weps.sources.Source.digest`."""
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
    source = joined([open_source(path) for path in given])
    left_out = set(select(source, exclude)) if exclude else set()
    forms = {
        name: form_of(source.search(name))
        for name in source.names
        if name not in left_out and (key := source.key(name)) is not None and key.groups
    }
    if len(forms) < _FEWEST:
        raise SourceError(
            f"{len(forms)} of the names have a key, {_FEWEST} are needed",
            where=" and ".join(map(str, given)),
            remedy="give a corpus with its gold standard (truth_files or gold_standard)",
        )
    return Corpus(source, forms)


def counted(forms: Iterable[Form]) -> dict[Form, int]:
    """Form → how often it occurs, richest first."""
    counts = Counter(forms)
    return {form: counts[form] for form in Form if form in counts}


def check_origins(corpus: Corpus) -> None:
    """Make sure that names of every form can be answered by what names of other origins teach.

    Raises:
        SourceError: if not.
    """
    origins: dict[Form, set[Origin]] = {form: set() for form in corpus.forms.values()}
    for name, richest in corpus.forms.items():
        origin = origin_of(corpus.source.search(name))
        for form in set(forms_within(richest)) & set(origins):
            origins[form].add(origin)
    for form, found in origins.items():
        if len(found) == 1:
            raise SourceError(
                f"all names with {PAGES[form]} are of one origin ({', '.join(found)}), so there "
                "is no other to learn from",
                where=corpus.source.root,
                remedy="give a corpus with names of several origins, or say --cv 5",
            )
