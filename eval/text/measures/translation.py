"""BLEU, chrF and TER by sacrebleu, NIST and METEOR by nltk: scores of an output by references.

A score is a function of one output and its references; :func:`score_every_pair` and
:func:`score_pooled` apply it to all outputs, and define what empty texts have. Making one raises a
LanguageError if its library is not installed. Texts are tokenised here where the library has no
rule of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any, Self, TypeAlias

import numpy as np

from eval.stats.arrays import Floats
from eval.text.measures.overlap import import_optional
from eval.text.wordnet import WordNet, senses_of
from weps._text import split_tokens
from weps.errors import ValuesError

Score: TypeAlias = Callable[[str, Sequence[str]], float]
"""The score of an output by one or more references, none of them empty."""


def score_every_pair(outputs: Sequence[str], references: Sequence[str], score: Score) -> Floats:
    """Every output by every reference alone, shape (outputs, references)."""
    scores = [
        _score_by_rule(output, [reference], score) for output in outputs for reference in references
    ]
    return np.array(scores, dtype=np.float64).reshape(len(outputs), len(references))


def score_pooled(outputs: Sequence[str], references: Sequence[str], score: Score) -> Floats:
    """Every output by one reference or more together, shape (outputs,).

    Empty references are left out unless all are.
    """
    scores = [_score_by_rule(output, references, score) for output in outputs]
    return np.array(scores, dtype=np.float64)


def _score_by_rule(output: str, references: Sequence[str], score: Score) -> float:
    """An empty text is like another one (1), and like nothing else (0)."""
    filled = [reference for reference in references if reference.strip()]
    if not (output.strip() and filled):
        return float(not output.strip() and not filled)
    return score(output, filled)


def bleu_score(order: int = 4, *, lowercase: bool = False) -> Score:
    """BLEU of single texts, in [0, 1] (Papineni and others 2002).

    Texts are tokenised by 13a, the rules of NIST's mteval-v13a; scripts without spaces are not
    divided. The k-th order without a match counts as 1/2ᵏ of one, as in mteval-v13a ("exp"), but
    no match at all is 0. Orders that the output is too short for are left out ("effective
    order"), so that a single word can score 1. Published BLEU is of whole corpora and is not the
    mean of these.

    With several references, an n-gram matches as often as it is in the reference that has it most
    often; the brevity penalty is by the reference whose length is nearest, the shorter one of two.

    Args:
        order: the longest n-grams, 1 to 10.
        lowercase: whether case is ignored.
    """
    fixed = {"effective_order": True, "smooth_method": "exp", "tokenize": "13a"}
    bleu = import_optional("sacrebleu.metrics").BLEU
    return _unit_score(bleu(max_ngram_order=order, lowercase=lowercase, **fixed))


def chrf_score(words: int = 0, *, lowercase: bool = False) -> Score:
    """F₂ of n-grams of up to six characters, without blanks (Popović 2015), in any script.

    With n-grams of up to two words as well it is chrF++ (Popović 2017). Precision and recall are
    means over those orders that both texts are long enough for. Of several references the best
    counts.

    Args:
        words: the longest n-grams of words, up to 10; 0 is chrF, 2 is chrF++.
        lowercase: whether case is ignored.
    """
    chrf = import_optional("sacrebleu.metrics").CHRF
    return _unit_score(chrf(char_order=6, word_order=words, beta=2, lowercase=lowercase))


LONGEST_TEXT = 1000
"""The longest text that TER compares, in words: two such texts take up to a minute."""


def ter_score(*, normalized: bool = False) -> Score:
    """1 − TER (Snover and others 2006).

    TER is how many words must be inserted, deleted, replaced or shifted as a block, per word of the
    reference. 1 is the same text, 0 as many edits as the reference has words, and less than 0 more
    of them, without bound. Shifts are sought as Tercom seeks them, and so need not be the best.
    Case is ignored; words are what stands between blanks. With several references, it is the fewest
    edits over their mean length. Different texts of which one is longer than :data:`LONGEST_TEXT`
    raise a ValuesError.

    Punctuation marks are words of their own if ``normalized``, by the rules of Tercom.
    """
    metric = import_optional("sacrebleu.metrics").TER(normalized=normalized)

    def score(output: str, references: Sequence[str]) -> float:
        if output in references:
            return 1.0
        longest = max(len(metric.tokenizer(text).split()) for text in (output, *references))
        if longest > LONGEST_TEXT:
            remedy = f"cut texts to {LONGEST_TEXT:,} words, or choose another measure, such as chrf"
            what = f"TER of a text of {longest:,} words would take too long"
            raise ValuesError(what, remedy=remedy)
        return 1 - float(metric.sentence_score(output, references).score) / 100

    return score


def _unit_score(metric: Any) -> Score:
    """What the metric gives, of 1 instead of 100; the same text scores 1 without rounding."""

    def score(output: str, references: Sequence[str]) -> float:
        if output in references:
            return 1.0
        return min(float(metric.sentence_score(output, references).score) / 100, 1.0)

    return score


def lower_tokens(text: str) -> list[str]:
    """Words and punctuation marks in lower case; a text that is not all blanks has at least one."""
    return [token.lower() for token in split_tokens(text)]


def nist_score(n: int = 5) -> Score:
    """The NIST score of single texts (Doddington 2002), at least 0, without upper bound.

    Tokens are words and punctuation marks in lower case. The information of an n-gram, in bits, is
    counted in the references themselves, where Doddington counts in those of a whole corpus; so the
    score of the same text grows with its length, and is 0 if that is one word. Orders that the
    output is too short for add nothing.

    With several references, for each order the one that fits best is taken, and the length penalty
    is by the lengths of these; Doddington matches n-grams of any reference, and takes the mean of
    their lengths.

    Args:
        n: the longest n-grams, 1 to 10.
    """
    corpus_nist: Callable[..., Any] = import_optional("nltk.translate.nist_score").corpus_nist

    def score(output: str, references: Sequence[str]) -> float:
        words = lower_tokens(output)
        return float(
            corpus_nist([list(map(lower_tokens, references))], [words], min(n, len(words)))
        )

    return score


def meteor_score(
    wordnet: WordNet | None = None, *, alpha: float = 0.9, beta: float = 3.0, gamma: float = 0.5
) -> Score:
    """METEOR, in [0, 1]; of several references the best counts.

    (1 − γ (chunks / matches)^β) · PR / (αP + (1 − α)R), where P and R are the shares of the
    output's and the reference's tokens that match (Lavie and Agarwal 2007). With α = .9, β = 3 and
    γ = .5 it is that of Banerjee and Lavie 2005. Tokens are words and punctuation marks in lower
    case; those that are equal match first, then those with the same stem by Porter, then synonyms.
    Of the same text of n tokens it is 1 − γ / n^β: 0.5 for one word, 0.9995 for ten.

    Where it differs from the published METEOR:

    - Of several equal words the last ones match, where that has the fewest crossing lines or the
      fewest chunks, so that here there may be more chunks.
    - A word of the reference is a synonym if it is a lemma of a synset of the output's word; there,
      if the two have a synset in common.
    - nltk looks up not the words but their stems, and compares stems with lemmas, so that only
      lemmas that are their own stems are found: auto for car, but not automobile (automobil).
    - Later versions (1.3, 1.5) have paraphrases, function words and other parameters.

    Args:
        wordnet: where synonyms are; None for none.
        alpha: how much recall counts, from 0 to 1.
        beta: how the penalty grows with the number of chunks, at least 0.
        gamma: the largest penalty, from 0 to 1.
    """
    of_tokens: Callable[..., Any] = import_optional("nltk.translate.meteor_score").meteor_score
    settings = {"alpha": alpha, "beta": beta, "gamma": gamma, "wordnet": SynonymLookup(wordnet)}

    def score(output: str, references: Sequence[str]) -> float:
        others = list(map(lower_tokens, references))
        return float(of_tokens(others, lower_tokens(output), **settings))

    return score


class _Lemma(str):
    """A word as WordNet's index has it, in lower case; nltk's own reader keeps capitals."""

    __slots__ = ()

    def name(self) -> str:
        return self


class _Synset(tuple[_Lemma, ...]):
    """Words that mean the same, compounds with underscores among them."""

    __slots__ = ()

    def lemmas(self) -> Self:
        return self


class SynonymLookup:
    """What METEOR asks of nltk's reader of WordNet: the synsets of words, none without WordNet."""

    def __init__(self, wordnet: WordNet | None = None) -> None:
        self._wordnet = wordnet

    def synsets(self, word: str) -> tuple[_Synset, ...]:
        """What a word in any form may stand for, in any part of speech."""
        return _synsets(word, self._wordnet) if self._wordnet is not None else ()


@lru_cache(1 << 14)
def _synsets(word: str, wordnet: WordNet) -> tuple[_Synset, ...]:
    known = _all_synsets(wordnet)
    return tuple(known[synset] for synset in senses_of(word, wordnet))


@lru_cache(1)
def _all_synsets(wordnet: WordNet) -> tuple[_Synset, ...]:
    """In the order of their numbers."""
    words: list[list[_Lemma]] = [[] for _ in wordnet.synsets]
    for (lemma, _), synsets in wordnet.senses.items():
        for synset in synsets:
            words[synset].append(_Lemma(lemma))
    return tuple(map(_Synset, words))
