"""ROUGE-L and ROUGE-W: words in common in the same order, consecutive ones counting more in W.

The table of lengths t[i, j] of longest common subsequences is stored as one integer per row, whose
bit j is 0 where t grows from j to j + 1 (Hyyrö, Bit-parallel LCS-length computation revisited,
2004): a row costs a few operations on integers as long as the sentence.
"""

from __future__ import annotations

from collections import Counter, defaultdict, deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from eval.stats.arrays import Floats
from eval.text.measures.overlap import Overlap, Tokens, words_of
from weps.errors import ValuesError

__all__ = ["rouge_l", "rouge_l_summary", "rouge_w"]

Words = tuple[str, ...]

_MOST_PAIRS = 8_000_000
"""So many pairs of sentences of 20 words take about a minute."""
_BLOCK = 256
"""So many rows of a table are held at once, besides the first of each block."""


def rouge_l(output: Tokens, reference: Tokens) -> Overlap:
    """ROUGE-L of the texts as one sentence each (Lin 2004, section 3.1).

    The length of a longest common subsequence, in tokens. It is rouge-score's ``rougeL``.
    """
    first, second = words_of(output), words_of(reference)
    return Overlap(_Columns.of(first).common(second), len(first), len(second))


def rouge_l_summary(output: Tokens, reference: Tokens) -> Overlap:
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


_MOST = 10
_MOST_MATCHES = 30_000_000
"""So many equal words at any places of both texts take about a minute."""
_Run = tuple[int, np.float64]
"""How many consecutive matches, and the weighted length before the first of them."""


def rouge_w(output: Tokens, reference: Tokens, weight: float = 1.2) -> Overlap:
    """ROUGE-W of the texts as one sentence each (Lin 2004, section 4).

    A run of k consecutive matches weighs f(k), k to the power of ``weight``; with 1 it is
    ROUGE-L. The matches are f⁻¹(WLCS), in tokens, so that precision and recall are the paper's
    f⁻¹(WLCS / f(length)). WLCS is the paper's recurrence, which matches equal words wherever it
    meets them, and so need not find the heaviest subsequence.

    Raises:
        ValuesError: if the weight is not from 1 to 10, or texts of some 50,000 words are so alike
            that it would take minutes.
    """
    if not 1 <= weight <= _MOST:
        raise ValuesError(f"ROUGE-W of weight {weight}", remedy=f"weights are from 1 to {_MOST}")
    first, second = words_of(output), words_of(reference)
    _check_matches(Counter(first), Counter(second))
    shorter, longer = sorted((first, second), key=len)
    weights = np.arange(len(shorter) + 1) ** np.float64(weight)
    share = _weighted_length(shorter, longer, weights) / max(float(weights[-1]), 1.0)
    return Overlap(len(shorter) * share ** (1 / weight), len(first), len(second))


def _check_matches(first: Counter[str], second: Counter[str]) -> None:
    matches = sum(count * second[word] for word, count in first.items())
    if matches > _MOST_MATCHES:
        raise ValuesError(
            f"ROUGE-W of texts of {first.total():,} and {second.total():,} words would take too "
            "long",
            remedy="compare shorter texts, or choose rouge_l(level=text)",
        )


def _weighted_length(rows: Words, columns: Words, weights: Floats) -> float:
    """The last cell of the table c of the paper; only two rows are held."""
    places = defaultdict(list)
    for place, word in enumerate(columns):
        places[word].append(place)
    row, runs = np.zeros(len(columns) + 1), dict[int, _Run]()
    for word in rows:
        runs = {place: _run(place, row, runs) for place in places.get(word, ())}
        row = _next_row(row, runs, weights)
    return float(row[-1])


def _run(place: int, above: Floats, runs: dict[int, _Run]) -> _Run:
    """The run that the match at a place ends."""
    length, before = runs.get(place - 1, (0, above[place]))
    return length + 1, before


def _next_row(above: Floats, runs: dict[int, _Run], weights: Floats) -> Floats:
    """Between matches a cell is the larger of those above it and left of it."""
    row = above.copy()
    for place, (length, before) in runs.items():
        row[place + 1] = before + weights[length]
    for start, end in pairwise([0, *(place + 1 for place in runs), len(row)]):
        np.maximum.accumulate(row[start:end], out=row[start:end])
    return row
