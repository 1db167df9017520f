"""How often words occur in a reference collection: what is common says little of a person."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from weps.errors import OutputError, SourceError, ValuesError
from weps.key_terms.occurrences import Occurrences, Position
from weps.resources import resource

__all__ = ["Reference"]

_PACKAGED = "reference/english.json"
_PARTS = ("made_from", "documents", "size", "words")


@dataclass(frozen=True, slots=True, eq=False)
class Reference:
    """Word counts of a collection of documents."""

    words: Mapping[str, tuple[int, int]]
    """Word in lower case → how often it occurs, and in how many documents; at least once each."""
    size: int
    """Content words of the whole collection, those that ``words`` leaves out among them."""
    documents: int
    made_from: Mapping[str, Any] = field(default_factory=dict)
    """What the collection is, for those who read the file."""

    def of_words(self, words: Sequence[str]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Shapes (k,): how often each of k words occurs, and in how many documents."""
        found = [self.words.get(word, (0, 0)) for word in words]
        counts, documents = np.array(found, dtype=np.float64).reshape(-1, 2).T
        return counts, documents

    def __add__(self, other: Reference) -> Reference:
        """The two collections, which share no document, taken as one."""
        return self.joined([self, other])

    def __sub__(self, part: Reference) -> Reference:
        """What is left of the collection without some of its documents.

        Raises:
            ValuesError: if these are no part of it.
        """
        left = dict(self.words)
        for word, (count, documents) in part.words.items():
            whole = left.pop(word, (0, 0))
            if min(whole[0] - count, whole[1] - documents) < 0:
                raise ValuesError(
                    f"{word!r} occurs more often in a part of the collection than in the whole",
                    remedy="take away only what was added",
                )
            if whole[0] > count:
                left[word] = whole[0] - count, whole[1] - documents
        return Reference(left, self.size - part.size, self.documents - part.documents)

    @classmethod
    def of(cls, occurrences: Occurrences, rows: Sequence[int] | None = None) -> Reference:
        """The counts of some documents, by default of all."""
        chosen = range(occurrences.documents) if rows is None else set(rows)
        counts = occurrences.at(Position.ANYWHERE)[sorted(chosen)]
        total = np.asarray(counts.sum(axis=0)).tolist()
        documents = np.bincount(counts.indices, minlength=len(total)).tolist()
        told = zip(occurrences.words, zip(total, documents, strict=True), strict=True)
        words = {word: numbers for word, numbers in told if numbers[0]}
        return cls(words, int(sum(total)), counts.shape[0])

    @classmethod
    def joined(cls, collections: Iterable[Reference], fewest: int = 1) -> Reference:
        """Collections that share no document, taken as one.

        Args:
            collections: any number of them, none is an empty collection.
            fewest: a word is kept if it occurs in at least so many of the collections; those left
                out still count in the size.
        """
        parts = list(collections)
        holders = Counter(word for part in parts for word in part.words)
        words = {word: (0, 0) for word in sorted(holders) if holders[word] >= fewest}
        for part in parts:
            for word, (count, documents) in part.words.items():
                if word in words:
                    known = words[word]
                    words[word] = known[0] + count, known[1] + documents
        return cls(words, sum(part.size for part in parts), sum(part.documents for part in parts))

    @classmethod
    def packaged(cls) -> Reference:
        """The words of English Web pages, which come with weps; read once."""
        return _packaged()

    @classmethod
    def read(cls, path: Path) -> Reference:
        """Read what :meth:`write` wrote.

        Raises:
            SourceError: if the file cannot be read, or is no such file.
        """
        try:
            data = json.loads(path.read_text("utf-8"))
            told = data["words"].items()
            words = {word: (int(count), int(documents)) for word, (count, documents) in told}
            return cls(words, int(data["size"]), int(data["documents"]), data["made_from"])
        except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
            raise SourceError(
                f"this is no reference collection ({type(error).__name__}: {error})",
                where=path,
                remedy="make one with `weps train-reference`",
            ) from error

    def write(self, path: Path) -> None:
        """Write the counts as JSON.

        Raises:
            OutputError: if the file cannot be written.
        """
        data = {name: getattr(self, name) for name in _PARTS}
        try:
            text = json.dumps(data, ensure_ascii=False, separators=(",", ":")) + "\n"
            path.write_text(text, "utf-8")
        except OSError as error:
            raise OutputError(
                f"the reference collection cannot be written ({error.strerror})",
                where=path,
                remedy="choose another file with --out",
            ) from None


@cache
def _packaged() -> Reference:
    return Reference.read(resource(_PACKAGED))
