"""Whether a WePS corpus is whole: what its files say that there is, and what is there."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from weps._files import first_existing, list_entries
from weps._formatting import join_items
from weps.errors import SourceError, WepsError
from weps.sources.base import Source, as_identifier, page_paths, ranks_without_result
from weps.sources.corpora import Corpus, Weps1, read_tokens

WEBSITE = "http://nlp.uned.es/weps"
"""Where the corpora are available, by footnote 3 of Artiles, Amigó and Gonzalo (EMNLP 2009)."""


@dataclass(frozen=True, slots=True)
class Edition:
    """A corpus as it was published."""

    title: str
    names: int


_TRAINING = Edition("WePS-1 training", 49)
_TEST = Edition("WePS-1 test", 30)
_WEPS_2 = Edition("WePS-2 test", 30)


@dataclass(frozen=True, slots=True)
class NameState:
    """What there is of one name."""

    name: str
    results: int = 0
    pages: int = 0
    """Results with a saved page."""
    tokens: int = 0
    """Results with their words in a ``tokens`` file."""
    people: int = 0
    """In the key."""
    missing: tuple[str, ...] = ()
    """What is not there, or cannot be read, in words."""


def edition_of(corpus: Corpus) -> Edition:
    """Which of the published corpora this is, or is a part of.

    Only the keys of the WePS-1 test names are by several annotators, each in a folder.
    """
    if not isinstance(corpus, Weps1):
        return _WEPS_2
    several = corpus.keys_folder() != corpus.root / "truth_files"
    return _TEST if several else _TRAINING


def require_corpus(source: Source) -> Corpus:
    """The source, if it is a WePS corpus.

    Raises:
        SourceError: if it is something else.
    """
    if isinstance(source, Corpus):
        return source
    raise SourceError(
        "is not a WePS corpus",
        where=source.root,
        remedy="give a folder with description_files (WePS-1) or metadata (WePS-2)",
    )


def name_states(corpus: Corpus) -> Iterator[NameState]:
    """What there is of each name, and of names that only other folders know."""
    for name in corpus.names:
        try:
            yield _name_state(corpus, name)
        except WepsError as error:
            yield NameState(name, missing=(error.describe(),))
    known = {as_identifier(name).casefold() for name in corpus.names}
    folders = (corpus.keys_folder(), corpus.root / "web_pages", corpus.root / "tokens")
    others = {
        entry.name.split(".")[0]
        for folder in folders
        if folder.is_dir()
        for entry in list_entries(folder)
        if not entry.name.startswith(".")
    }
    for name in sorted(others):
        if as_identifier(name).casefold() not in known:
            yield NameState(name, missing=(f"its file in {corpus.results_folder}",))


def _name_state(corpus: Corpus, name: str) -> NameState:
    ranks, key = set(corpus.ranks(name)), corpus.key(name)
    folder, words = corpus.root / "web_pages" / name, corpus.root / "tokens" / f"{name}.txt"
    pages = {rank for rank in ranks if first_existing(page_paths(folder, rank))}
    tokens = ranks.intersection(read_tokens(words)) if first_existing([words]) else set()
    missing = [] if ranks else [f"its results in {corpus.results_folder}"]
    clustered = key.ranks & ranks if key else ranks  # pages that the key discards do not count
    if key is None:
        missing.append("its key")
    elif strange := ranks_without_result(key, ranks):
        missing.append(f"results that the key names: {join_items(strange)}")
    if without := sorted(clustered - pages - tokens):
        missing.append(f"{len(without)} of {len(clustered)} pages ({join_items(without)})")
    return NameState(
        name,
        len(ranks),
        len(pages),
        len(tokens),
        len(key.groups) if key else 0,
        tuple(missing),
    )
