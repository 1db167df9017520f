"""Corpora for commands that learn: options, progress, and the examples of every name."""

from __future__ import annotations

import argparse
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path

from eval.benchmark import load_examples
from weps.commands.console import Console
from weps.commands.options import add_jobs, add_reading, whole_number
from weps.commands.reading import reader_of
from weps.errors import SourceError
from weps.forms import Form, form_of
from weps.similarity import Similarity
from weps.sources import Source, open_source, select
from weps.training import Example

__all__ = ["Corpus", "add_corpus_options", "load_corpus", "open_corpus"]

_FEWEST = 2
"""Names that cross-validation needs."""


@dataclass(frozen=True, slots=True)
class Corpus:
    """A source and those of its names that have a key."""

    source: Source
    forms: dict[str, Form]
    """Name → the richest form of its pages."""


def add_corpus_options(parser: argparse.ArgumentParser) -> None:
    """``--exclude``, ``--seed``, ``--jobs``, and how pages are read."""
    parser.add_argument(
        "--exclude", nargs="+", default=[], metavar="NAME", help="names to leave out of training"
    )
    parser.add_argument(
        "--seed", type=whole_number, default=0, help="for folds and trees (default: 0)"
    )
    add_reading(parser)
    add_jobs(parser)


def open_corpus(path: Path, exclude: Sequence[str] = ()) -> Corpus:
    """Find out which names of a corpus have a key, and what their pages offer.

    Raises:
        SourceError: if the corpus cannot be read or too few of its names have a key.
    """
    source = open_source(path)
    left_out = set(select(source, exclude)) if exclude else set()
    forms = {
        name: form_of(source.search(name))
        for name in source.names
        if name not in left_out and (key := source.key(name)) is not None and key.groups
    }
    if len(forms) < _FEWEST:
        raise SourceError(
            f"{len(forms)} of its names have a key, {_FEWEST} are needed",
            where=path,
            remedy="give a corpus with its gold standard (truth_files or gold_standard)",
        )
    return Corpus(source, forms)


def load_corpus(
    corpus: Corpus,
    similarities: Sequence[Similarity],
    forms: Collection[Form] | None,
    options: argparse.Namespace,
    console: Console,
) -> dict[str, dict[Form, Example]]:
    """Read, clean and compare the pages of every name: name → form → example.

    Args:
        corpus: where the names are.
        similarities: the columns wanted; a form has those that it offers.
        forms: the forms wanted; None for the richest that a name has.
        options: the parsed options.
        console: where progress and warnings go.

    Raises:
        LanguageError: if a similarity needs a language pipeline that is not there.
    """
    names, source, reader = sorted(corpus.forms), corpus.source, reader_of(options)
    if reader.cache and reader.cache.problem:
        console.warn(reader.cache.problem)
    loaded = load_examples(source, names, similarities, forms, reader=reader, jobs=options.jobs)
    examples = {}
    for number, (name, by_form) in enumerate(loaded, start=1):
        console.progress(f"[{number}/{len(names)}] {name}: read")
        for warning in source.warnings(name):
            console.warn(warning)
        examples[name] = by_form
    return examples
