"""From options to the way pages are read."""

from __future__ import annotations

import argparse

from weps.cache import Cache, default_folder
from weps.language.pipeline import EMBEDDED
from weps.reading import Reader

__all__ = ["reader_of"]


def reader_of(options: argparse.Namespace, learnt_from: str = "", jobs: int = 1) -> Reader:
    """The reader that ``--language``, ``--cache`` and ``--no-cache`` ask for.

    Args:
        options: the parsed options.
        learnt_from: the language pipeline that a model has learnt from, used unless another is
            asked for.
        jobs: processes for the language of one name's pages.
    """
    cache = None if options.no_cache else Cache(options.cache or default_folder())
    return Reader(options.language or learnt_from or EMBEDDED, cache, jobs)
