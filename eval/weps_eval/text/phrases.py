"""Key phrases of documents.

They are noun phrases, scored by how often they stand by themselves, how early, and how rare their
words are elsewhere.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from itertools import chain, combinations, repeat
from operator import itemgetter
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from weps._text import singular_form
from weps.features.bags import is_content_word, stop_words
from weps.key_terms.labels import Reference
from weps.language.analysis import Analysis, Layer
from weps_eval.stats import Flags, Floats

Numbers: TypeAlias = NDArray[np.integer]

_MAX_WORDS = 4
"""Words of a key phrase."""
_PART, _EARLY, _RARE, _SEVERAL = 0.1, 0.15, 0.1, 1.16
"""See :func:`key_phrases`; chosen on Inspec and 500N-KPCrowd (docs/key-term-study.md)."""
_CLASSES = {"NOUN": "n", "PROPN": "n", "ADJ": "a"}
_HYPHENS = frozenset("-\N{HYPHEN}\N{NON-BREAKING HYPHEN}")


def key_phrases(
    analysis: Analysis,
    rows: Sequence[int] | None = None,
    most: int | None = None,
) -> list[tuple[str, float]]:
    """The key phrases of a set of documents with their scores, best first.

    A phrase has one to four words. With the layer of tags these are nouns with the nouns,
    adjectives and participles before them, else content words that no other token divides. It
    *stands alone* if no such word is next to it, but for participles before it. The score is

        rarity^0.1 · m · Σ (1 + times alone + 0.1 · times in longer ones) / (1 + words before)^0.15

    summed over the documents that have it; m is 1.16 for several words, 1 for one. The rarity of a
    word is (N + 1)/(n + 1) if n of the N documents of the built-in reference collection have it; a
    phrase has the geometric mean of its words. Phrases that differ in case, plurals or hyphens only
    are one, in their most frequent spelling; what is part of a better phrase is left out. Words of
    the person's name belong to none.

    Args:
        analysis: the documents, best with the layer of tags.
        rows: those of the set, by default all.
        most: how many phrases to return, by default all.
    """
    words = _Words.of(analysis, range(len(analysis.documents)) if rows is None else rows)
    reference = Reference.builtin()
    _, frequency = reference.counts_of([text.lower() for text in words.texts])
    log_rarity = np.log((reference.documents + 1) / (frequency + 1))
    found = (_score_phrases(words, length, log_rarity) for length in range(1, _MAX_WORDS + 1))
    best: list[tuple[str, float]] = []
    covered: set[tuple[str, ...]] = set()  # what is part of a better phrase, or is one
    for badness, forms, starts in sorted(chain(*found), key=itemgetter(0, 1)):
        if len(best) == most:
            break
        if forms not in covered:
            length = len(forms)
            covered |= {forms[i:j] for i, j in combinations(range(length + 1), 2)}
            best.append((words.spelling(starts, length), -badness))
    return best


class _Words(NamedTuple):
    """The t words of the runs that phrases are parts of, in reading order."""

    texts: Sequence[str]
    """Distinct words as written."""
    forms: Sequence[str]
    """Distinct words in lower case, plurals undone."""
    written: Numbers
    """Shape (t,): index into ``texts``."""
    form: Numbers
    """Shape (t,): index into ``forms``."""
    run: Numbers
    """Shape (t,): the number of its run, never decreasing."""
    document: Numbers
    """Shape (t,): row of the document."""
    before: Numbers
    """Shape (t,): words of the document before it."""
    opening: Flags
    """Shape (t,): whether at most participles stand before it in its run."""
    closing: Flags
    """Shape (t,): whether it is a noun, with which a phrase may end."""
    hyphen: Flags
    """Shape (t,): whether a hyphen joins it to the word before."""

    @classmethod
    def of(cls, analysis: Analysis, rows: Sequence[int]) -> _Words:
        """Find the runs of the documents in ``rows``."""
        if Layer.TAGS in analysis.marks:
            marks = analysis.layer(Layer.TAGS)
            texts, tags, entry, sentence = marks.texts, marks.kinds, marks.entry, marks.sentence
        else:
            table = analysis.tokens
            texts, entry, sentence = table.surface, table.token, table.sentence
            tags = ("",) * len(texts)
        classes = map(_class_letter, texts, tags, repeat(analysis.name.tokens))
        letter = np.array(list(classes), dtype="U1")[entry]
        document = analysis.tokens.document[sentence]
        hyphen = np.isin(texts, list(_HYPHENS))[entry]
        spoken = np.array([text[0].isalnum() for text in texts], dtype=bool)[entry]
        before = np.cumsum(spoken) - spoken
        before -= before[np.searchsorted(document, document)]
        chosen = np.flatnonzero(np.isin(document, list(rows)) & ~hyphen)
        inside = letter[chosen] != "."
        parted = np.diff(sentence[chosen], prepend=-1) != 0
        starts = inside & (parted | ~np.append(False, inside[:-1]))
        run, words = np.cumsum(starts)[inside], chosen[inside]
        full = np.cumsum(letter[words] != "v") - (letter[words] != "v")
        forms, form = np.unique(
            [singular_form(text.lower()) for text in texts], return_inverse=True
        )
        return cls(
            texts,
            forms.tolist(),
            entry[words],
            form[entry[words]],
            run,
            document[words],
            before[words],
            full == full[np.searchsorted(run, run)],
            letter[words] == "n",
            np.append(False, hyphen[:-1])[words],
        )

    def spelling(self, starts: Numbers, length: int) -> str:
        """The most frequent spelling of the phrase that begins at these places."""
        ways: Counter[str] = Counter()
        for start in starts.tolist():
            parts = (
                f"{'-' if self.hyphen[at] else ' '}{self.texts[self.written[at]]}"
                for at in range(start, start + length)
            )
            ways["".join(parts)[1:]] += 1
        return max(ways, key=lambda way: (ways[way], way))


def _class_letter(text: str, tag: str, name: Collection[str]) -> str:
    """The class of a word: n noun, a adjective, v participle, a point for all else.

    Without a tag every content word passes for a noun.
    """
    word = text.lower()
    if not is_content_word(word, name) or not any(map(str.isalpha, word)):
        return "."
    if word in stop_words():
        return "a" if tag in {"ADJ", "PROPN"} and text[0].isupper() else "."  # New York
    if tag == "VERB":
        return "v" if word.endswith(("ed", "ing")) else "."
    return _CLASSES.get(tag, ".") if tag else "n"


def _score_phrases(
    words: _Words, length: int, log_rarity: Floats
) -> Iterator[tuple[float, tuple[str, ...], Numbers]]:
    """The phrases of that length.

    Yields:
        For each its negative score, so that the best is the smallest, its forms, where it occurs.
    """
    last = words.run[length - 1 :]
    starts = np.flatnonzero((words.run[: len(last)] == last) & words.closing[length - 1 :])
    if not len(starts):
        return
    number = words.form[starts].astype(np.int64)
    for offset in range(1, length):
        number = number * len(words.forms) + words.form[starts + offset]
        _, number = np.unique(number, return_inverse=True)
    _, first, column = np.unique(number, return_index=True, return_inverse=True)
    noun = np.flatnonzero(words.closing)
    final = np.zeros(len(words.run), dtype=bool)
    final[noun] = np.diff(words.run[noun], append=-1) != 0
    alone = words.opening[starts] & final[starts + length - 1]
    _, begin, pair = np.unique(
        words.document[starts].astype(np.int64) * len(first) + column,
        return_index=True,
        return_inverse=True,
    )
    times = 1 + _PART * np.bincount(pair) + (1 - _PART) * np.bincount(pair, alone)
    early = times / (1 + words.before[starts[begin]]) ** _EARLY
    places = starts[first][:, np.newaxis] + np.arange(length)
    score = np.bincount(column[begin], early) * np.exp(
        _RARE * log_rarity[words.written[places]].mean(axis=1)
    )
    score *= _SEVERAL if length > 1 else 1
    order = np.argsort(column, kind="stable")
    grouped = np.split(starts[order], np.flatnonzero(np.diff(column[order])) + 1)
    for badness, each, where in zip(
        (-score).tolist(), words.form[places].tolist(), grouped, strict=True
    ):
        yield badness, tuple(words.forms[part] for part in each), where
