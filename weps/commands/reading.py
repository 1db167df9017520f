"""From options to the model that answers and the way pages are read."""

from __future__ import annotations

import argparse
from pathlib import Path

from weps.cache import Cache, default_folder
from weps.errors import ModelError
from weps.language.pipeline import EMBEDDED
from weps.model import ModelSet, load
from weps.provided import DEFAULT, packaged
from weps.reading import Reader

__all__ = ["add_model", "cache_of", "model_of", "reader_of"]


def add_model(parser: argparse.ArgumentParser) -> None:
    """``--model FILE`` or ``--system SYSTEM``."""
    parser.add_argument("--model", type=Path, metavar="FILE", help="default: the packaged model")
    parser.add_argument(
        "--system",
        metavar="SYSTEM",
        help="which packaged model: default (the best of those that cost little), paper (EMNLP "
        "2009), or paper:features=all (with entities and phrases, slower)",
    )


def model_of(options: argparse.Namespace) -> ModelSet:
    """The model that is asked for.

    Raises:
        ModelError: if two are, or one that cannot be had.
    """
    if options.model is None:
        return packaged(options.system or DEFAULT)
    if options.system is not None:
        raise ModelError("--model and --system ask for two models", remedy="leave one of them out")
    return load(options.model)


def reader_of(options: argparse.Namespace, learnt_from: str = "", jobs: int = 1) -> Reader:
    """The reader that ``--language``, ``--cache`` and ``--no-cache`` ask for.

    Args:
        options: the parsed options.
        learnt_from: the language pipeline that a model has learnt from, used unless another is
            asked for.
        jobs: processes for the language of one name's pages.
    """
    return Reader(options.language or learnt_from or EMBEDDED, cache_of(options), jobs)


def cache_of(options: argparse.Namespace) -> Cache | None:
    """The cache that ``--cache`` and ``--no-cache`` ask for."""
    return None if options.no_cache else Cache(options.cache or default_folder())
