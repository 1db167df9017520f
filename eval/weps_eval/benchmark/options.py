"""Corpora and systems for commands that train: options, progress, the examples of every name."""

from __future__ import annotations

import argparse
from collections.abc import Collection, Iterable, Sequence
from functools import partial

from weps._parallel import parallel_map
from weps.cli.console import Console
from weps.cli.options import (
    add_jobs,
    add_reading,
    number_parser,
    parse_whole_number,
    reader_from_options,
)
from weps.cli.pace import TimedProgress
from weps.language.sentence_encoder import require_encoder
from weps.page_forms import PageForm
from weps.similarity.columns import Similarity, need_encoder
from weps.sources.base import Source
from weps.systems import CONFIGURATIONS
from weps.training.examples import Example, TrainingSettings, read_examples
from weps_eval.benchmark.corpus import Corpus, duplicate_keys

_MIXED_SIZES = (2, 1_000)
_parse_size = number_parser(
    int,
    f"a number of pages from {_MIXED_SIZES[0]} to {_MIXED_SIZES[1]:,}",
    lambda size: _MIXED_SIZES[0] <= size <= _MIXED_SIZES[1],
)


def add_corpus_options(parser: argparse.ArgumentParser) -> None:
    """``--exclude``, ``--seed``, ``--jobs``, and how pages are read."""
    parser.add_argument(
        "--exclude",
        nargs="+",
        default=[],
        metavar="NAME",
        help="names to leave out (with --test: of training)",
    )
    parser.add_argument(
        "--seed", type=parse_whole_number, default=0, help="seed of folds and trees (default: 0)"
    )
    add_reading(parser)
    add_jobs(parser)


def add_mixed(parser: argparse.ArgumentParser) -> None:
    """``--mixed N …``."""
    parser.add_argument(
        "--mixed",
        type=_parse_size,
        nargs="+",
        default=[],
        metavar="N",
        help="also train on mixed names: N pages of several names each; mixed test names share no "
        "page with them (docs/benchmarks.md)",
    )
    parser.add_argument(
        "--learn-unmixed", action="store_true", help="test on mixed names without training on any"
    )


def training_settings(options: argparse.Namespace) -> TrainingSettings:
    """The settings that ``--seed`` and ``--learn-unmixed`` choose."""
    return TrainingSettings(seed=options.seed, learn_mixed=not options.learn_unmixed)


def add_systems(parser: argparse.ArgumentParser, action: str, meaning: str, default: str) -> None:
    """``--system TEXT`` and its shorthand ``--features SET``.

    Args:
        parser: where they are declared.
        action: ``append`` for several systems, ``store`` for one.
        meaning: what the system is for.
        default: what is used without it, in words.
    """
    parser.add_argument(
        "--system",
        action=action,
        metavar="TEXT",
        help=f"{meaning}: {', '.join(CONFIGURATIONS)}, or a variant of one, such as "
        "paper:features=all,link=average with any of features, classifier, link, stop, copies and "
        f"rules (default: {default})",
    )
    parser.add_argument(
        "--features",
        action=action,
        dest="system",
        type=_system_with_features,
        metavar="SET",
        help="short for --system paper:features=SET; a set may begin with the name of another "
        "system: default+mine.py:FUNCTION adds a feature of your own (docs/extending.md); see "
        "`weps features`",
    )


def _system_with_features(text: str) -> str:
    first = text.split("+", maxsplit=1)[0].strip()
    return f"{first if first in CONFIGURATIONS else 'paper'}:features={text}"


def encoder_of(options: argparse.Namespace, similarities: Sequence[Similarity]) -> str:
    """The identity of the sentence encoder, empty if no similarity needs one.

    Raises:
        LanguageError: if it is missing or damaged.
    """
    return require_encoder(options.embeddings) if need_encoder(similarities) else ""


def load_corpus(
    corpus: Corpus,
    similarities: Sequence[Similarity],
    forms: Collection[PageForm] | None,
    options: argparse.Namespace,
    console: Console,
) -> dict[str, dict[PageForm, Example]]:
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
    names, source, reader = corpus.names, corpus.source, reader_from_options(options)
    if reader.cache and reader.cache.problem:
        console.warn(reader.cache.problem)
    warn_of_duplicates(source, names, console)
    work = partial(
        read_examples, source=source, similarities=similarities, forms=forms, reader=reader
    )
    loaded = zip(names, parallel_map(work, names, options.jobs), strict=True)
    examples, progress = {}, TimedProgress(console, options.jobs)
    for number, (name, by_form) in enumerate(loaded, start=1):
        progress("reading and comparing pages", number, len(names))
        for warning in source.warnings(name):
            console.warn(warning)
        examples[name] = by_form
    return examples


def warn_of_duplicates(source: Source, names: Iterable[str], console: Console) -> None:
    """Warn of keys that are nearly the same, of which one is in the wrong file."""
    for first, second in duplicate_keys({name: key for name in names if (key := source.key(name))}):
        console.warn(
            f"the keys of {first} and {second} are nearly the same: one of them is in the wrong "
            "file; leave that name out with --exclude"
        )
