"""METEOR and NIST by nltk, with the version and the settings of the library.

METEOR matches words, stems and synonyms (in WordNet) in few chunks; NIST weighs n-grams by their
information.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType
from typing import Any

from eval.stats.arrays import Floats
from eval.text.measures.overlap import import_optional
from eval.text.measures.sacrebleu_measures import (
    Score,
    bleu_metric,
    chrf_metric,
    lower_tokens,
    metric_signature,
    score_every_pair,
    score_pooled,
    ter_metric,
)
from eval.text.wordnet.database import WordNet, senses_of
from weps._formatting import join_items
from weps.errors import FeatureError, ValuesError

__all__ = ["Lemma", "SynonymLookup", "Synset", "library_signature", "meteor", "nist", "nist_pooled"]

_MOST = 10


def nist(outputs: Sequence[str], references: Sequence[str], n: int = 5) -> Floats:
    """The NIST score of single texts (Doddington 2002) with each reference alone.

    Tokens are words and punctuation marks in lower case. The information of an n-gram, in bits, is
    counted in the reference itself, where Doddington counts in those of a whole corpus. Orders that
    the output is too short for add nothing.

    Args:
        outputs: texts.
        references: texts.
        n: the longest n-grams.

    Returns: Shape (outputs, references), at least 0, without upper bound: of the same text it grows
        with the text's length, and is 0 if that is one word, which has no information. Of two empty
        texts it is 1.

    Raises:
        ValuesError: if n is not from 1 to 10.
        LanguageError: if nltk is not installed.
    """
    return score_every_pair(outputs, references, _score(n))


def nist_pooled(outputs: Sequence[str], references: Sequence[str], n: int = 5) -> Floats:
    """The NIST score with all references at once, as nltk has it.

    N-grams are counted in all references. For each order the reference that fits best is taken, and
    the length penalty is by the lengths of these; Doddington matches n-grams of any reference, and
    takes the mean of their lengths.

    Returns:
        Shape (outputs,), at least 0.

    Raises:
        ValuesError: as :func:`nist`, or if there are no references.
        LanguageError: if nltk is not installed.
    """
    return score_pooled(outputs, references, _score(n))


def _score(n: int) -> Score:
    if not 1 <= n <= _MOST:
        raise ValuesError(f"NIST of {n}-grams", remedy=f"n is from 1 to {_MOST}")
    corpus_nist: Callable[..., Any] = import_optional("nltk.translate.nist_score").corpus_nist

    def score(output: str, references: Sequence[str]) -> float:
        words = lower_tokens(output)
        others = [lower_tokens(reference) for reference in references]
        return float(corpus_nist([others], [words], min(n, len(words))))

    return score


_SACREBLEU: Mapping[str, Callable[..., Any]] = MappingProxyType(
    {"bleu": bleu_metric, "chrf": chrf_metric, "ter": ter_metric}
)
_NLTK = ("meteor", "nist")


def library_signature(measure: str, **settings: object) -> str:
    """The provenance of a measure's scores: ``sacrebleu case:mixed|eff:yes|…|version:2.6.0``.

    Args:
        measure: ``bleu``, ``chrf``, ``ter``, ``meteor`` or ``nist``.
        settings: those of the measure's function. Of sacrebleu's they are given as far as sacrebleu
            does, which leaves out BLEU's order; of nltk's there is the version alone.

    Raises:
        FeatureError: if there is no such measure.
        LanguageError: if the library is not installed.
    """
    if measure in _SACREBLEU:
        return f"sacrebleu {metric_signature(_SACREBLEU[measure](**settings))}"
    if measure in _NLTK:
        return f"nltk version:{import_optional('nltk').__version__}"
    raise FeatureError(
        f"{measure!r} is not a measure of another library",
        remedy=f"choose from {join_items(sorted((*_SACREBLEU, *_NLTK)))}",
    )


@dataclass(frozen=True, slots=True)
class Lemma:
    """A word of a synset."""

    word: str

    def name(self) -> str:
        """The word as WordNet's index has it, in lower case; nltk's own reader keeps capitals."""
        return self.word


@dataclass(frozen=True, slots=True)
class Synset:
    """Words that mean the same."""

    words: tuple[Lemma, ...]

    def lemmas(self) -> tuple[Lemma, ...]:
        """The words, compounds with underscores among them."""
        return self.words


@dataclass(frozen=True, slots=True)
class SynonymLookup:
    """The synsets of words; none of any word without WordNet."""

    wordnet: WordNet | None = None

    def synsets(self, word: str) -> tuple[Synset, ...]:
        """What a word in any form may stand for, in any part of speech."""
        return _synsets(word, self.wordnet) if self.wordnet is not None else ()


@lru_cache(1 << 14)
def _synsets(word: str, wordnet: WordNet) -> tuple[Synset, ...]:
    known = _known(wordnet)
    return tuple(known[synset] for synset in senses_of(word, wordnet))


@lru_cache(1)
def _known(wordnet: WordNet) -> tuple[Synset, ...]:
    """The synsets in the order of their numbers."""
    words: list[list[Lemma]] = [[] for _ in wordnet.synsets]
    for (lemma, _), synsets in wordnet.senses.items():
        for synset in synsets:
            words[synset].append(Lemma(lemma))
    return tuple(Synset(tuple(each)) for each in words)


def meteor(  # noqa: PLR0913 - the parameters of the measure
    outputs: Sequence[str],
    references: Sequence[str],
    wordnet: WordNet | None = None,
    *,
    alpha: float = 0.9,
    beta: float = 3.0,
    gamma: float = 0.5,
) -> Floats:
    """METEOR with each reference alone; its own rule for several is the maximum over them.

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
        outputs: texts.
        references: texts.
        wordnet: where synonyms are; None for none.
        alpha: how much recall counts, from 0 to 1.
        beta: how the penalty grows with the number of chunks, at least 0.
        gamma: the largest penalty, from 0 to 1.

    Returns:
        Shape (outputs, references), in [0, 1].

    Raises:
        ValuesError: if a parameter is out of its range.
        LanguageError: if nltk is not installed.
    """
    if not (0 <= alpha <= 1 and beta >= 0 and 0 <= gamma <= 1):
        raise ValuesError(
            f"METEOR with alpha={alpha}, beta={beta}, gamma={gamma}",
            remedy="alpha and gamma are from 0 to 1, beta is at least 0",
        )
    synonyms = SynonymLookup(wordnet)
    settings: dict[str, Any] = {"alpha": alpha, "beta": beta, "gamma": gamma, "wordnet": synonyms}
    meteor_score = import_optional("nltk.translate.meteor_score").meteor_score

    def score(output: str, references: Sequence[str]) -> float:
        others = [lower_tokens(reference) for reference in references]
        return float(meteor_score(others, lower_tokens(output), **settings))

    return score_every_pair(outputs, references, score)
