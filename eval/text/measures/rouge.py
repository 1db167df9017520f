"""ROUGE-N, ROUGE-S and ROUGE-SU: n-grams and skip-bigrams in common, and ROUGE's tokens."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import chain
from types import MappingProxyType

import numpy as np

from eval.stats.arrays import Ints
from eval.text.measures.overlap import Overlap, Tokens, import_optional, or_wholes, words_of
from weps._files import word_list
from weps.errors import ValuesError

__all__ = [
    "ROUGE_OPTIONS",
    "Preprocessing",
    "clipped_matches",
    "porter_stem",
    "rouge_n",
    "rouge_s",
    "rouge_su",
]


def rouge_n(output: Tokens, reference: Tokens, n: int = 1) -> Overlap:
    """ROUGE-N (Lin 2004, section 2); the paper has recall alone.

    An n-gram matches as often as it is in both texts. N-grams run across sentences, as in both
    published scorers. Where neither text has n tokens, the texts match as wholes.

    Raises:
        ValuesError: if n is less than 1.
    """
    if n < 1:
        raise ValuesError(f"ROUGE-N of {n}-grams", remedy="n is at least 1")
    overlap = clipped_matches(_ngrams(output, n), _ngrams(reference, n))
    return or_wholes(overlap, output, reference)


def clipped_matches(output: Counter[Hashable], reference: Counter[Hashable]) -> Overlap:
    """Every unit matches as often as it is on both sides."""
    matches = sum(min(output[unit], reference[unit]) for unit in output.keys() & reference.keys())
    return Overlap(matches, output.total(), reference.total())


def _ngrams(text: Tokens, n: int) -> Counter[Hashable]:
    words = words_of(text)
    return Counter(zip(*(words[start:] for start in range(n)), strict=False))


_LATIN, _ANY = re.compile("[a-z0-9]+"), re.compile(r"[^\W_]+")
_SHORTEST = 4
"""Shorter words are not stemmed."""
_STEMS = 1 << 17


@dataclass(frozen=True, slots=True)
class Preprocessing:
    """Which tokens of a text count, and in which form.

    Tokens are lower-case runs of the letters a to z and of digits, as in rouge-score; all else
    parts them.
    """

    stop: bool = False
    """Leave out English stop words."""
    stem: bool = False
    """Porter's stems of words longer than three letters, by nltk, as in rouge-score."""
    unicode: bool = False
    """Letters and digits of all scripts. Text that is not spaced is still one token."""

    def __call__(self, text: str | Sequence[str]) -> Tokens:
        """The tokens of every sentence that has some.

        Args:
            text: sentences, or a text with one sentence a line.

        Raises:
            ValuesError: if all words of the text are of other scripts.
            LanguageError: if stems are wanted and nltk is not installed.
        """
        lines = text.split("\n") if isinstance(text, str) else text
        sentences = [self._found(line) for line in lines]
        if not any(sentences):
            _refuse_other_scripts(lines)
        return tuple(filter(None, map(self._kept, sentences)))

    def _found(self, line: str) -> list[str]:
        return (_ANY if self.unicode else _LATIN).findall(line.lower())

    def _kept(self, words: Sequence[str]) -> tuple[str, ...]:
        dropped = word_list("stopwords/english.txt") if self.stop else frozenset()
        kept = (word for word in words if word not in dropped)
        return tuple(map(porter_stem, kept) if self.stem else kept)


ROUGE_OPTIONS: Mapping[str, Preprocessing] = MappingProxyType(
    {
        "a": Preprocessing(),
        "b": Preprocessing(stop=True),
        "c": Preprocessing(stop=True, stem=True),
    }
)
"""The options of Evaluating DUC 2004 tasks with the QARLA framework (2005), section 3.1."""


def _refuse_other_scripts(lines: Sequence[str]) -> None:
    if any(map(str.isalnum, "".join(lines))):
        raise ValuesError(
            "a text has no word in Latin letters",
            remedy="take letters of all scripts: unicode=true",
        )


@lru_cache(_STEMS)
def porter_stem(word: str) -> str:
    """Porter's stem of a word in lower case that is longer than three letters, by nltk.

    Raises:
        LanguageError: if nltk is not installed.
    """
    return _stemmer()(word) if len(word) >= _SHORTEST else word


@cache
def _stemmer() -> Callable[[str], str]:
    stem: Callable[[str], str] = import_optional("nltk.stem.porter").PorterStemmer().stem
    return stem


Words = tuple[str, ...]

_CELLS = 1 << 20
"""Cells of a table of words by positions that are held at once."""


def rouge_s(output: Tokens, reference: Tokens, skip: int | None = None) -> Overlap:
    """ROUGE-S (Lin 2004, section 5).

    A skip-bigram is two tokens of a text with at most ``skip`` tokens between them, any number
    where it is None; 0 is ROUGE-2. It matches as often as it is in both texts, and runs across
    sentences, as in ROUGE-1.5.5. Where neither text has two tokens, the texts match as wholes.

    Raises:
        ValuesError: if fewer than no tokens are to be skipped.
    """
    overlap = _skip_bigrams(words_of(output), words_of(reference), skip)
    return or_wholes(overlap, output, reference)


def rouge_su(output: Tokens, reference: Tokens, skip: int | None = None) -> Overlap:
    """ROUGE-SU: the skip-bigrams of :func:`rouge_s` and the tokens (Lin 2004, section 5.1).

    Raises:
        ValuesError: if fewer than no tokens are to be skipped.
    """
    pairs = _skip_bigrams(words_of(output), words_of(reference), skip)
    return pairs + rouge_n(output, reference)


def _skip_bigrams(output: Words, reference: Words, skip: int | None) -> Overlap:
    if skip is not None and skip < 0:
        raise ValuesError(f"skip-bigrams that skip {skip} tokens", remedy="skip 0 or more")
    if skip is None or skip >= max(len(output), len(reference)) - 2:
        return _unlimited(output, reference)
    return clipped_matches(_pairs(output, skip), _pairs(reference, skip))


def _pairs(words: Words, skip: int) -> Counter[Hashable]:
    distances = range(1, skip + 2)
    pairs = (zip(words, words[distance:], strict=False) for distance in distances)
    return Counter(chain.from_iterable(pairs))


def _unlimited(output: Words, reference: Words) -> Overlap:
    """Only words in both texts matter: pairs are counted without being listed."""
    shared = {word: code for code, word in enumerate(sorted({*output} & {*reference}))}
    codes = [_codes(words, shared) for words in (output, reference)]
    block = max(1, _CELLS // max(1, *map(len, codes)))
    matches = 0
    for start in range(0, len(shared), block):
        ends = np.arange(start, min(start + block, len(shared)))
        counts = (_pairs_ending_in(ends, each, len(shared)) for each in codes)
        matches += int(np.minimum(*counts).sum())
    return Overlap(matches, *(len(words) * (len(words) - 1) // 2 for words in (output, reference)))


def _codes(words: Words, shared: dict[str, int]) -> Ints:
    """The numbers of the shared words of a text, in its order."""
    return np.array([shared[word] for word in words if word in shared], dtype=np.int64)


def _pairs_ending_in(ends: Ints, codes: Ints, size: int) -> Ints:
    """How often each word stands before each of ``ends``, shape (ends × size,)."""
    stands = codes == ends[:, None]
    after = stands[:, ::-1].cumsum(axis=1)[:, ::-1] - stands
    cells = np.arange(len(ends))[:, None] * size + codes
    counts = np.bincount(cells.ravel(), weights=after.ravel(), minlength=len(ends) * size)
    return counts.astype(np.int64)
