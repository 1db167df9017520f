"""ROUGE-L: words in common in the same order.

The table of lengths t[i, j] of longest common subsequences is held as one integer per row, whose
bit j is 0 where t grows from j to j + 1 (Hyyrö, Bit-parallel LCS-length computation revisited,
2004): a row costs a few operations on integers as long as the sentence.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from eval.text.overlap import Overlap, Text, words_of
from weps.errors import ValuesError

__all__ = ["rouge_l", "rouge_l_summary"]

Words = tuple[str, ...]

_MOST_PAIRS = 8_000_000
"""So many pairs of sentences of 20 words take about a minute."""
_BLOCK = 256
"""So many rows of a table are held at once, besides the first of each block."""


def rouge_l(output: Text, reference: Text) -> Overlap:
    """ROUGE-L of the texts as one sentence each (Lin 2004, section 3.1).

    The length of a longest common subsequence, in tokens. It is rouge-score's ``rougeL``.
    """
    first, second = words_of(output), words_of(reference)
    return Overlap(_Columns.of(first).common(second), len(first), len(second))


def rouge_l_summary(output: Text, reference: Text) -> Overlap:
    """ROUGE-L of summaries (Lin 2004, section 3.2): union of subsequences.

    A token of the reference matches if it is in the longest common subsequence of its sentence
    with any sentence of the output, and a word as often at most as it is in the output. The paper
    does not limit it, but both published scorers do, rouge-score as ``rougeLsum`` and ROUGE-1.5.5.
    Of several longest subsequences the one is taken that they take.

    Precision is not the recall of the texts swapped: the unions are of the reference's sentences.

    Raises:
        ValuesError: if the texts have so many sentences that it would take minutes.
    """
    if len(output) * len(reference) > _MOST_PAIRS:
        what = f"ROUGE-L of {len(output):,} and {len(reference):,} sentences would take too long"
        remedy = "compare shorter texts, or each as one sentence: level=text"
        raise ValuesError(what, remedy=remedy)
    sentences = [_Columns.of(sentence) for sentence in output]
    united = Counter(word for sentence in reference for word in _union(sentence, sentences))
    words = Counter(words_of(output))
    matches = sum(min(count, words[word]) for word, count in united.items())
    return Overlap(matches, words.total(), sum(map(len, reference)))


def _union(sentence: Words, others: list[_Columns]) -> list[str]:
    """The tokens of a sentence that are in its common subsequence with any of the others."""
    marked = {place for other in others for place in other.subsequence(sentence)}
    return [sentence[place] for place in marked]


@dataclass(frozen=True, slots=True)
class _Columns:
    """The sentence whose words are the columns of the table."""

    number: int
    places: dict[str, int]
    """Word → an integer with a bit for every place where it stands."""
    ones: int
    """The row before the first word of the other sentence."""

    @classmethod
    def of(cls, words: Words) -> _Columns:
        places: dict[str, int] = {}
        for place, word in enumerate(words):
            places[word] = places.get(word, 0) | 1 << place
        return cls(len(words), places, (1 << len(words)) - 1)

    def common(self, other: Words) -> int:
        """Length of a longest common subsequence."""
        known = [self.places[word] for word in other if word in self.places]
        return _length(_last(self._rows(known, self.ones)), self.number)

    def subsequence(self, other: Words) -> Iterator[int]:
        """Places in the other sentence of a longest common subsequence, from the last.

        Of several, the one that the published scorers take: last words that are the same match;
        otherwise the other sentence loses its last word, or, if that one is needed, this one.
        """
        known = {
            place: self.places[word] for place, word in enumerate(other) if word in self.places
        }
        rows, columns = self._backwards([*known.values()]), self.number
        length = _length(next(rows), columns)
        for place, above in zip(reversed(known), rows, strict=True):
            last = (known[place] & (1 << columns) - 1).bit_length()
            if last and (last == columns or _length(above, columns) < length):
                columns, length = last - 1, length - 1
                yield place

    def _rows(self, known: Sequence[int], row: int) -> Iterator[int]:
        """A row of the table, and the row after each further word of the other sentence."""
        yield row
        for places in known:
            matches = row & places
            row = (row + matches | row - matches) & self.ones
            yield row

    def _backwards(self, known: Sequence[int]) -> Iterator[int]:
        """All rows of the table from the last; computed twice where there are many."""
        firsts = [self.ones]
        starts = range(0, len(known), _BLOCK)
        for start in starts[:-1]:
            firsts.append(_last(self._rows(known[start : start + _BLOCK], firsts[-1])))
        for start, first in zip(reversed(starts), reversed(firsts), strict=False):
            yield from [*self._rows(known[start : start + _BLOCK], first)][:0:-1]
        yield self.ones


def _length(row: int, columns: int) -> int:
    """Length of a longest common subsequence with the first so many columns."""
    return columns - (row & (1 << columns) - 1).bit_count()


def _last(rows: Iterable[int]) -> int:
    return deque(rows, maxlen=1)[0]
