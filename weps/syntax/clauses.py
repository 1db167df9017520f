"""Chunks to clauses, and to the subjects in them (2004 paper, sections 4.1 and 4.2)."""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from weps.syntax.chunking import ChunkKind, spans

__all__ = ["Clauses"]

Integers = NDArray[np.intp]
Flags = NDArray[np.bool_]

_BREAK = ""
_NOT_FINITE = re.compile("[rt]*+[iz]")


@dataclass(frozen=True, slots=True, eq=False)
class Clauses:
    """K chunks of any number of sentences, in reading order; a break between two sentences is one.

    The paper divides sentences at [Sub] chunks. A comma may stand between subject and verb, so it
    divides only where it ends a subordinate clause. Hence a clause begins

    - with the sentence,
    - with a [Sub] chunk: it is a subordinate clause,
    - after the next punctuation mark that follows a [Sub] chunk,
    - after a mark that always divides (``.``, ``?``, ``!``, ``;``, ``:``, …).
    """

    kind: NDArray[np.str_]
    """Shape (K,): the labels; empty for breaks."""
    bounds: Integers
    """Shape (K, 2): position of the first letter, and after the last."""
    clause: Integers
    """Shape (K,): number of the clause, never decreasing."""
    subordinate: Flags
    """Shape (K,): whether the chunk stands in a subordinate clause."""
    finite: Flags
    """Shape (K,): the verbs, but for those that begin with *to* or with an English gerund."""

    @classmethod
    def of(cls, letters: str) -> Clauses:
        """Divide sentences.

        Args:
            letters: as for :func:`weps.syntax.chunking.spans`.
        """
        found = list(spans(letters))
        kind = np.array([each or _BREAK for each, _, _ in found], dtype="U3")
        bounds = np.array([span for _, *span in found], dtype=np.intp).reshape(-1, 2)
        first = np.frombuffer(letters.encode("ascii"), dtype="S1")[bounds[:, 0]]
        clause, subordinate = _divided(kind, first)
        finite = [
            each is ChunkKind.VERB and not _NOT_FINITE.match(letters, at) for each, at, _ in found
        ]
        return cls(kind, bounds, clause, subordinate, np.array(finite, dtype=bool))

    def __len__(self) -> int:
        return len(self.kind)

    def subjects(self) -> tuple[Flags, Flags]:
        """Shape (K,) each: the heads and the modifiers of subjects.

        A subject is a sequence [N][Mod]* immediately before a verb. Those of subordinate clauses
        are not taken, as in the paper; nor what stands before *to do* or *doing*, mostly the
        object of another verb. (The paper's language has such forms in [Mod] chunks.)
        """
        modifier = self.kind == ChunkKind.MODIFIER
        anchor = _last(~modifier)  # what a row of modifiers follows
        before = np.r_[-1, anchor[:-1]][self.finite & ~self.subordinate]
        head = np.zeros(len(self), dtype=bool)
        head[before[before >= 0]] = True
        head &= self.kind == ChunkKind.NOUN
        return head, modifier & (anchor >= 0) & head[anchor]

    def verbs_around(self) -> tuple[Integers, Integers]:
        """Shape (K,) each: the nearest verb chunk before and after within the clause, or −1."""
        verb = self.kind == ChunkKind.VERB
        before = _last(verb)
        after = len(self) - 1 - _last(verb[::-1])[::-1]
        return self._within(before), self._within(np.where(after < len(self), after, -1))

    def _within(self, chunk: Integers) -> Integers:
        """The chunks that stand in the same clause, −1 for the others."""
        same = (chunk >= 0) & (self.clause[chunk] == self.clause)
        return np.where(same, chunk, -1)


def _divided(kind: NDArray[np.str_], first: NDArray[np.bytes_]) -> tuple[Integers, Flags]:
    """Shape (K,) each: the number of the clause, and whether it is a subordinate one.

    Args:
        kind: shape (K,), the labels.
        first: shape (K,), the first letter of each chunk.
    """
    between, opening = kind == _BREAK, kind == ChunkKind.SUBORDINATOR
    mark = between | (kind == ChunkKind.PUNCTUATION) & (first != b"k")
    subordinate = _last(opening) > _last(mark)
    # The mark that ends a clause belongs to it.
    ends = between | (first == b".") | mark & np.r_[False, subordinate[:-1]]
    return np.cumsum(opening | np.r_[False, ends[:-1]]), subordinate


def _last(flags: Flags) -> Integers:
    """For each place the last one, itself included, that is flagged; −1 if there is none."""
    return np.maximum.accumulate(np.where(flags, np.arange(len(flags)), -1))
