"""Where words stand: how far from a verb, in subjects, in heads or modifiers (2004 paper, 4)."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from itertools import count

import numpy as np
from numpy.typing import NDArray

from weps.features.vocabulary import is_content, stop_words
from weps.language import Analysis, Layer, Marks
from weps.syntax.chunking import ChunkKind
from weps.syntax.clauses import Clauses
from weps.syntax.heads import noun_heads
from weps.syntax.letters import BREAK, letter
from weps.words import words

__all__ = ["Positions", "positions"]

Integers = NDArray[np.int32]
Flags = NDArray[np.bool_]

_FAR = np.iinfo(np.int16).max


@dataclass(frozen=True, slots=True, eq=False)
class Positions:
    """The T words of a name's documents, in reading order, without punctuation.

    Words are those of :mod:`weps.words`, in lower case.
    """

    forms: tuple[str, ...]
    """Distinct words."""
    form: Integers
    """Shape (T,): index into ``forms``."""
    document: Integers
    """Shape (T,): row of the document."""
    content: Flags
    """Shape (T,): no stop word, two characters or more, no part of the person's name."""
    distance: NDArray[np.int16]
    """Shape (T,): from the nearest verb of the clause, in content words: −1 immediately before it,
    1 immediately after; of two equally near, the verb that follows counts. 0 for words of verbs,
    for words without content, and in a clause without a verb."""
    subject: Flags
    """Shape (T,): in a sequence [N][Mod]* immediately before the verb of a main clause."""
    head: Flags
    """Shape (T,): in the head of a subject."""
    modifier: Flags
    """Shape (T,): in a modifier of a subject; every word of a subject is in one or the other."""
    noun_phrase: Flags
    """Shape (T,): in any [N] or [Mod] chunk."""

    def __len__(self) -> int:
        return len(self.form)


def positions(analysis: Analysis, *, compounds: bool = False) -> Positions:
    """Where the words of a name's documents stand.

    Args:
        analysis: the documents, tagged.
        compounds: heads as English has them. The paper takes [N] for the head and [Mod]* for the
            modifiers of a subject, since Spanish modifiers follow their noun. English ones also
            stand before it (*the Haiti talks*): then only the last noun or name of an [N] is its
            head, and all else in it modifies.

    Raises:
        FeatureError: if the documents were read without tags.
    """
    marks = analysis.layer(Layer.TAGS)
    entry, document = _with_breaks(marks, analysis)
    letters = _letters(marks, entry)
    clauses = Clauses.of(letters)
    forms, form, place = _words(marks, entry)
    chunk = np.searchsorted(clauses.bounds[:, 0], place, side="right") - 1
    dropped = stop_words().union(analysis.name.tokens)
    content = np.array([is_content(each, dropped) for each in forms], dtype=bool)[form]
    subject_heads, subject_modifiers = clauses.subjects()
    subject = (subject_heads | subject_modifiers)[chunk]
    head = subject_heads[chunk]
    if compounds:
        head &= noun_heads(letters, clauses.bounds[subject_heads].tolist())[place]
    kinds = [ChunkKind.NOUN, ChunkKind.MODIFIER]
    return Positions(
        forms=forms,
        form=form,
        document=document[place],
        content=content,
        distance=_distances(clauses, chunk, content),
        subject=subject,
        head=head,
        modifier=subject & ~head,
        noun_phrase=np.isin(clauses.kind, kinds)[chunk],
    )


def _with_breaks(marks: Marks, analysis: Analysis) -> tuple[Integers, Integers]:
    """Entry and document of each mark, and of a break (one more entry) between two sentences."""
    ends = np.flatnonzero(np.diff(marks.sentence)) + 1
    document = analysis.tokens.document[marks.sentence]
    broken = np.insert(marks.entry, ends, len(marks.texts))
    return broken, np.insert(document, ends, document[ends])


def _letters(marks: Marks, entry: Integers) -> str:
    distinct = [letter(*each) for each in zip(marks.texts, marks.kinds, strict=True)]
    each = np.array([*distinct, BREAK], dtype="S1")[entry]
    return each.tobytes().decode("ascii")


def _words(marks: Marks, entry: Integers) -> tuple[tuple[str, ...], Integers, NDArray[np.intp]]:
    """The distinct words; for each word its index among them, and the place of its mark."""
    numbers: defaultdict[str, int] = defaultdict(count().__next__)
    inside = [[numbers[word] for word in words(text)] for text in marks.texts]
    sizes = np.array([*map(len, inside), 0])
    starts = np.cumsum(sizes) - sizes
    flat = np.array([number for each in inside for number in each], dtype=np.int32)
    place = np.repeat(np.arange(len(entry)), sizes[entry])
    first = np.searchsorted(place, place)
    form = flat[starts[entry][place] + np.arange(len(place)) - first]
    return tuple(numbers), form, place


def _distances(clauses: Clauses, chunk: NDArray[np.intp], content: Flags) -> NDArray[np.int16]:
    counted = content & (clauses.kind != ChunkKind.VERB)[chunk]
    inside = np.bincount(chunk[counted], minlength=len(clauses))
    passed = np.cumsum(inside) - inside
    here = np.cumsum(counted) - counted
    earlier, later = (verb[chunk] for verb in clauses.verbs_around())
    after = np.where(earlier >= 0, here - passed[earlier] + 1, _FAR).clip(max=_FAR)
    before = np.where(later >= 0, passed[later] - here, _FAR).clip(max=_FAR)
    nearest = np.where(before <= after, -before, after)
    known = counted & ((earlier >= 0) | (later >= 0))
    return np.where(known, nearest, 0).astype(np.int16)
