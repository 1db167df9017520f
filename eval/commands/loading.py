"""Corpora for commands that learn: options, progress, and the examples of every name."""

from __future__ import annotations

import argparse
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path

from eval.benchmark import load_examples
from weps.commands.console import Console
from weps.commands.options import add_jobs
from weps.errors import SourceError
from weps.forms import Form
from weps.similarity import Similarity
from weps.sources import Source, open_source, select
from weps.training import Example

__all__ = ["Corpus", "add_corpus_options", "load_corpus"]

_FEWEST = 2
"""Names that cross-validation needs."""


@dataclass(frozen=True, slots=True)
class Corpus:
    """A source and the examples of its names that have a key."""

    source: Source
    examples: dict[str, dict[Form, Example]]


def add_corpus_options(parser: argparse.ArgumentParser) -> None:
    """``--exclude``, ``--seed`` and ``--jobs``."""
    parser.add_argument(
        "--exclude", nargs="+", default=[], metavar="NAME", help="names to leave out of training"
    )
    parser.add_argument("--seed", type=int, default=0, help="for folds and trees (default: 0)")
    add_jobs(parser)


def load_corpus(  # noqa: PLR0913 - what is loaded, and how
    path: Path,
    options: argparse.Namespace,
    similarities: Sequence[Similarity],
    forms: Collection[Form] | None,
    console: Console,
    *,
    exclude: bool = True,
) -> Corpus:
    """Read, clean and compare the pages of every name of a corpus.

    Raises:
        SourceError: if the corpus cannot be read or too few of its names have a key.
    """
    source = open_source(path)
    left_out = set(select(source, options.exclude)) if exclude and options.exclude else set()
    names = [name for name in source.names if name not in left_out]
    examples = {}
    loaded = load_examples(source, names, similarities, forms, options.jobs)
    for number, (name, by_form) in enumerate(loaded, start=1):
        console.progress(f"[{number}/{len(names)}] {name}: {'read' if by_form else 'no key'}")
        for warning in source.warnings(name):
            console.warn(warning)
        if by_form:
            examples[name] = by_form
    if len(examples) < _FEWEST:
        raise SourceError(
            f"{len(examples)} of its names have a key, {_FEWEST} are needed",
            where=path,
            remedy="give a corpus with its gold standard (truth_files or gold_standard)",
        )
    return Corpus(source, examples)
