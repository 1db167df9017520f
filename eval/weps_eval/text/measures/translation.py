"""BLEU, chrF, TER by sacrebleu, NIST, METEOR by nltk; WER, PER and the general text matcher.

A score is a function of one output and its references; :func:`score_every_pair` and
:func:`score_pooled` apply it to all outputs, and define what empty texts have. Making one raises a
LanguageError if its library is not installed. Texts are tokenised here where the library has no
rule of its own.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from heapq import heapify, heappop, heappush
from typing import Any, Self, TypeAlias

import numpy as np

from weps._text import split_tokens
from weps.errors import ValuesError
from weps_eval.stats.arrays import Floats
from weps_eval.text.measures.overlap import Overlap, import_optional
from weps_eval.text.wordnet import WordNet, senses_of

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


def folded_characters(text: str) -> str:
    """The characters of a text, white space as single blanks: what ``unit=character`` edits."""
    return " ".join(text.split())


def edit_distance(one: Sequence[str], other: Sequence[str]) -> int:
    """The fewest units inserted, deleted and replaced that make the one of the other.

    By bits that say where neighbouring cells of the usual table differ (Myers 1999; Hyyrö 2003):
    a column of the table is an integer, so that texts of 1,000 words take 10 ms.
    """
    if not one:
        return len(other)
    places = defaultdict[str, int](int)
    for number, unit in enumerate(one):
        places[unit] |= 1 << number
    every, last, distance = (1 << len(one)) - 1, 1 << len(one) - 1, len(one)
    rising, falling = every, 0
    for unit in other:
        equal = places.get(unit, 0)
        diagonal = equal | falling
        across = ((equal & rising) + rising) ^ rising | equal
        more, fewer = falling | every & ~(across | rising), rising & across
        distance += bool(more & last) - bool(fewer & last)
        more, fewer = (more << 1 | 1) & every, fewer << 1 & every
        rising, falling = fewer | every & ~(diagonal | more), more & diagonal
    return distance


def edits_without_order(one: Sequence[str], other: Sequence[str]) -> int:
    """The fewest words inserted, deleted and replaced if order is nothing: longer less shared."""
    return max(len(one), len(other)) - (Counter(one) & Counter(other)).total()


def edit_score(
    edits: Callable[[Sequence[str], Sequence[str]], int],
    units: Callable[[str], Sequence[str]] = lower_tokens,
    *,
    closest: bool = False,
) -> Score:
    """1 − edits / units of the reference: 1 for the same text, below 0 for many edits.

    With :func:`edit_distance` it is 1 − WER (Nießen and others 2000), with
    :func:`edits_without_order` 1 − PER (Tillmann and others 1997). Of several references, the one
    with the fewest edits counts, over the mean length of all, or over its own if ``closest``, which
    of two that are as close is the shorter one (Leusch, Ueffing, Vilar and Ney 2005 compare these).
    """

    def score(output: str, references: Sequence[str]) -> float:
        others = list(map(units, references))
        fewest, length = min((edits(units(output), each), len(each)) for each in others)
        return 1 - fewest / (length if closest else sum(map(len, others)) / len(others))

    return score


MOST_PAIRS = 1_000_000
"""The most pairs of equal words in which runs are sought: seconds."""


def matched_runs(output: Sequence[str], reference: Sequence[str]) -> Iterator[int]:
    """The lengths of runs of words that both texts have, the longest one that is left each time.

    A word is in one run at most; of runs as long, the first one of the output. The matching whose
    runs are longest for an exponent above 1 is not known to be found in polynomial time; this is
    the approximation of Turian, Shen and Melamed 2003. It has not always as many words as can be
    matched.

    Raises:
        ValuesError: if there are more than :data:`MOST_PAIRS` pairs of equal words.
    """
    places = defaultdict[str, list[int]](list)
    for number, word in enumerate(reference):
        places[word].append(number)
    if (pairs := sum(len(places.get(word, ())) for word in output)) > MOST_PAIRS:
        what = f"runs of words in {pairs:,} pairs of equal words would take too long"
        raise ValuesError(what, remedy="cut texts, or take gtm(exponent=1)")
    before: dict[int, int] = {}
    longest = []
    for number, word in enumerate(output):
        ending = {place: before.pop(place - 1, 0) + 1 for place in places.get(word, ())}
        longest += [(-n, number - n, place - n + 1) for place, n in before.items()]
        before = ending
    longest += [(-n, len(output) - n, place - n + 1) for place, n in before.items()]
    return _disjoint_runs(longest)


def _disjoint_runs(runs: list[tuple[int, int, int]]) -> Iterator[int]:
    """Runs are (− length, start in the output, start in the reference)."""
    taken: tuple[set[int], set[int]] = set(), set()
    heapify(runs)
    while runs:
        length, *starts = heappop(runs)
        free = [
            all(start + step not in used for start, used in zip(starts, taken, strict=True))
            for step in range(-length)
        ]
        if all(free):
            yield -length
            for start, used in zip(starts, taken, strict=True):
                used.update(range(start, start - length))
            continue
        begin = 0
        for step in range(len(free) + 1):  # the rests go back
            if step == len(free) or not free[step]:
                if step > begin:
                    heappush(runs, (begin - step, starts[0] + begin, starts[1] + begin))
                begin = step + 1


def match_overlap(output: Sequence[str], reference: Sequence[str], exponent: float) -> Overlap:
    """The size of the match of two texts, over the words of each (general text matcher).

    Size is the sum over runs of their lengths to the power of the exponent, and of that the root
    (Melamed, Green and Turian 2003). With exponent 1 it is the number of words in common.

    Args:
        output: its words.
        reference: its words.
        exponent: at least 1; the greater, the more long runs count.
    """
    if exponent == 1:
        size = float((Counter(output) & Counter(reference)).total())
    elif runs := list(matched_runs(output, reference)):  # by the longest: n is n, 10⁶ to the 10th
        size = runs[0] * sum((run / runs[0]) ** exponent for run in runs) ** (1 / exponent)
    else:
        size = 0.0
    return Overlap(size, len(output), len(reference))


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
