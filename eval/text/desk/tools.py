"""What measures need besides texts; it is looked for when the first of them asks."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from eval.text.wordnet import Ranks, WordNet, wordnet
from weps.cache import Cache
from weps.language.pipeline import EMBEDDED

__all__ = ["Tools"]


@dataclass(frozen=True, slots=True)
class Tools:
    """A language pipeline and WordNet, each loaded once per process."""

    language: str = EMBEDDED
    """The pipeline that tags and lemmatises: the embedded one, or any that is installed."""
    wordnet: Path | None = None
    """The folder of WordNet's files; None looks where they are usually installed."""
    cache: Cache | None = None
    """Where walks through WordNet are kept from one run to the next."""

    def words(self) -> WordNet:
        """WordNet.

        Raises:
            SourceError: if it is not there, or its files are malformed.
        """
        return _wordnet(self.wordnet)

    def ranks(self) -> Ranks:
        """Walks through WordNet, those of all topics.

        Raises:
            SourceError: if WordNet is not there, or its files are malformed.
        """
        return _ranks(self.wordnet, None if self.cache is None else self.cache.folder)


@lru_cache(2)
def _wordnet(folder: Path | None) -> WordNet:
    return wordnet(folder)


@lru_cache(2)
def _ranks(folder: Path | None, cache: Path | None) -> Ranks:
    return Ranks(_wordnet(folder), cache=None if cache is None else Cache(cache))
