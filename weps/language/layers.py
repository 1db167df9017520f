"""Layers of language processing, and the marks that each leaves on the sentences."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import count
from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["Layer", "Mark", "Marks"]

Mark = tuple[int, str, str]
"""Sentence, text, kind."""


class Layer(StrEnum):
    """One kind of language processing. Features name the layers that they need."""

    LEMMAS = "lemmas"
    """Every word's dictionary form, in lower case."""
    PHRASES = "phrases"
    """Noun phrases as written, white space folded."""
    ENTITIES = "entities"
    """Named entities as written, each of a kind: person, location, organisation, event, product."""
    QUANTITIES = "quantities"
    """Periods, times and numbers found by rule, each of a fine-grained kind (date, money, …)."""
    TAGS = "tags"
    """Every token as written, punctuation included; its kind is its universal part of speech."""


@dataclass(frozen=True, slots=True, eq=False)
class Marks:
    """What one layer finds, in reading order: k marks, d of them distinct."""

    texts: tuple[str, ...]
    """d texts."""
    kinds: tuple[str, ...]
    """d kinds; empty strings in a layer without kinds."""
    entry: NDArray[np.int32]
    """Shape (k,): index into ``texts`` and ``kinds``."""
    sentence: NDArray[np.int32]
    """Shape (k,): sentence, never decreasing; of its page, or of the token table once joined."""

    @classmethod
    def of(cls, marks: Iterable[Mark]) -> Marks:
        """Number the distinct texts and kinds."""
        numbers: defaultdict[tuple[str, str], int] = defaultdict(count().__next__)
        entry, sentence = [], []
        for number, text, kind in marks:
            entry.append(numbers[text, kind])
            sentence.append(number)
        texts, kinds = zip(*numbers, strict=True) if numbers else ((), ())
        return cls(texts, kinds, np.array(entry, np.int32), np.array(sentence, np.int32))

    @classmethod
    def joined(cls, pages: Sequence[Marks], first: Sequence[int]) -> Marks:
        """The marks of all pages of a name.

        Args:
            pages: the marks of each page.
            first: for each page the number of its first sentence among all pages' sentences.
        """
        numbers: defaultdict[tuple[str, str], int] = defaultdict(count().__next__)
        entry, sentence = [np.empty(0, np.int32)], [np.empty(0, np.int32)]
        for page, start in zip(pages, first, strict=True):
            distinct = map(numbers.__getitem__, zip(page.texts, page.kinds, strict=True))
            entry.append(np.fromiter(distinct, np.int32, len(page.texts))[page.entry])
            sentence.append(page.sentence + np.int32(start))
        texts, kinds = zip(*numbers, strict=True) if numbers else ((), ())
        return cls(texts, kinds, np.concatenate(entry), np.concatenate(sentence))

    def __iter__(self) -> Iterator[Mark]:
        """Each mark: sentence, text, kind."""
        for at, entry in zip(self.sentence.tolist(), self.entry.tolist(), strict=True):
            yield at, self.texts[entry], self.kinds[entry]

    def __len__(self) -> int:
        return len(self.entry)

    def to_data(self) -> dict[str, Any]:
        """The marks as JSON knows them."""
        return {
            "texts": self.texts,
            "kinds": self.kinds,
            "entry": self.entry.tolist(),
            "sentence": self.sentence.tolist(),
        }

    @classmethod
    def from_data(cls, data: dict[str, Any]) -> Marks:
        """The marks that :meth:`to_data` wrote."""
        entry, sentence = (np.array(data[key], np.int32) for key in ("entry", "sentence"))
        return cls(tuple(data["texts"]), tuple(data["kinds"]), entry, sentence)
