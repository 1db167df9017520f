"""Measures of machine translation.

BLEU, chrF and TER are by sacrebleu, NIST and METEOR by nltk; WER, PER and the general text matcher
are our own. Texts are tokenised here where the library has no rule of its own. A measure raises a
LanguageError if its library is not installed.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from functools import lru_cache
from heapq import heapify, heappop, heappush
from itertools import groupby
from statistics import fmean
from typing import Any, NamedTuple, Self

from weps._lazy import import_library
from weps._text import split_tokens
from weps.errors import LanguageError, ValuesError
from weps_eval.text import testbed, topic
from weps_eval.text.declaration import (
    BETA,
    PART,
    Need,
    Overlap,
    measure,
    one_of,
    real_number,
    true_or_false,
    whole_number,
)
from weps_eval.text.measures.rouge import bits_of_places
from weps_eval.text.measures.senses import WordNet, load_wordnet, senses_of

_GROUP = "translation"
_LOWERCASE = true_or_false("ignore case")
_FEWEST_EDITS = "the fewest edits to any reference, divided by the mean length of references"


@lru_cache(32)
def _metric(name: str, **settings: Any) -> Any:
    """A metric of sacrebleu."""
    return getattr(import_library("sacrebleu.metrics", "text", LanguageError), name)(**settings)


def _unit_score(metric: Any, output: str, references: Sequence[str]) -> float:
    """The score of a metric, of 1 instead of 100; the same text scores 1 without rounding."""
    if output in references:
        return 1.0
    return min(float(metric.sentence_score(output, references).score) / 100, 1.0)


@measure(
    _GROUP,
    "precision of n-grams up to a given length, with a penalty for brevity",
    formula="brevity penalty · geometric mean of the precisions for all lengths of n-grams for "
    "which the output is long enough, by sacrebleu: tokens of mteval-v13a, smoothing exp",
    source="Papineni, Roukos, Ward and Zhu 2002; Post 2018 (sacrebleu)",
    name="bleu",
    joined="as published: an n-gram matches as often as the reference that has it most often",
    usually="together",
    needs=(Need.SACREBLEU,),
    aliases={"bleu{}": "order={}"},
    order=whole_number(4, 1, 10, "length of the longest n-grams"),
    lowercase=_LOWERCASE,
)
def bleu_score(output: str, *references: str, order: int = 4, lowercase: bool = False) -> float:
    """BLEU of single texts, in [0, 1] (Papineni and others 2002).

    Texts are tokenised by 13a, the rules of NIST's mteval-v13a; scripts without spaces are not
    divided. The k-th order without a match counts as 1/2ᵏ of one, as in mteval-v13a ("exp"), but
    no match at all is 0. Orders that the output is too short for are left out ("effective
    order"), so that a single word can score 1. Published BLEU is of whole corpora and is not the
    mean of these.

    With several references, an n-gram matches as often as it is in the reference that has it most
    often; the brevity penalty is by the reference whose length is nearest, the shorter one of two.
    """
    fixed = {"effective_order": True, "smooth_method": "exp", "tokenize": "13a"}
    metric = _metric("BLEU", max_ngram_order=order, lowercase=lowercase, **fixed)
    return _unit_score(metric, output, references)


def _lower_tokens(text: str) -> list[str]:
    """Words and punctuation marks in lower case; a text that is not all blanks has at least one."""
    return [token.lower() for token in split_tokens(text)]


def _read_units(_: topic.TopicTexts, text: testbed.Text, *, unit: str = "word") -> Sequence[str]:
    """Tokens, or the characters of a text with white space as single blanks."""
    whole = testbed.whole_text(text)
    return _lower_tokens(whole) if unit == "word" else " ".join(whole.split())


@measure(
    _GROUP,
    "n-grams in common weighted by their information, with a penalty for brevity",
    formula="penalty · Σ over lengths of the information of the matched n-grams / n-grams of the "
    "output, by nltk: words and punctuation marks in lower case; no upper bound, and 0 for one "
    "word",
    source="Doddington 2002; nltk, which counts information in the references of the topic",
    name="nist",
    read=_read_units,
    joined="as in nltk: n-grams are counted in all references, and the best reference matches",
    usually="together",
    needs=(Need.NLTK,),
    aliases={"nist{}": "n={}"},
    n=whole_number(5, 1, 10, "length of the longest n-grams"),
)
def nist_score(output: Sequence[str], *references: Sequence[str], n: int = 5) -> float:
    """The NIST score of single texts (Doddington 2002), at least 0, without upper bound.

    Tokens are words and punctuation marks in lower case. The information of an n-gram, in bits, is
    counted in the references themselves, where Doddington counts in those of a whole corpus; so the
    score of the same text grows with its length, and is 0 if that is one word. Orders that the
    output is too short for add nothing.

    With several references, for each order the one that fits best is taken, and the length penalty
    is by the lengths of these; Doddington matches n-grams of any reference, and takes the mean of
    their lengths.
    """
    nist = import_library("nltk.translate.nist_score", "text", LanguageError)
    return float(nist.corpus_nist([references], [output], min(n, len(output))))


LONGEST_TEXT = 1000
"""The longest text that TER compares, in words: two such texts take up to a minute."""


@measure(
    _GROUP,
    "edits that turn the output into a reference (1 − TER)",
    formula="1 − (words inserted, deleted, replaced, and blocks shifted) / words of the reference, "
    "by sacrebleu; may be below 0; takes a fifth of a second for two texts of 60 words, and "
    "rejects those of more than 1,000",
    source="Snover, Dorr, Schwartz, Micciulla and Makhoul 2006; Post 2018 (sacrebleu)",
    name="ter",
    joined="as published: the fewest edits divided by the mean length of the references",
    usually="together",
    needs=(Need.SACREBLEU,),
    normalized=true_or_false("treat punctuation marks as separate words"),
)
def ter_score(output: str, *references: str, normalized: bool = False) -> float:
    """1 − TER (Snover and others 2006).

    TER is how many words must be inserted, deleted, replaced or shifted as a block, per word of the
    reference. 1 is the same text, 0 as many edits as the reference has words, and less than 0 more
    of them, without bound. Shifts are sought as Tercom seeks them, and so need not be the best.
    Case is ignored; words are what stands between blanks. With several references, it is the fewest
    edits over their mean length.

    Punctuation marks are words of their own if ``normalized``, by the rules of Tercom.

    Raises:
        ValuesError: if texts differ of which one is longer than :data:`LONGEST_TEXT`.
    """
    if output in references:
        return 1.0
    metric = _metric("TER", normalized=normalized)
    longest = max(len(metric.tokenizer(text).split()) for text in (output, *references))
    if longest > LONGEST_TEXT:
        raise ValuesError(
            f"TER of a text of {longest:,} words would take too long",
            remedy=f"cut texts to {LONGEST_TEXT:,} words, or choose another measure, such as chrf",
        )
    return 1 - float(metric.sentence_score(output, references).score) / 100


def edit_distance(one: Sequence[str], other: Sequence[str]) -> int:
    """The fewest units inserted, deleted and replaced that make the one of the other.

    By bits that say where neighbouring cells of the usual table differ (Myers 1999; Hyyrö 2003):
    a column of the table is an integer, so that texts of 1,000 words take 10 ms.
    """
    if not one:
        return len(other)
    places = bits_of_places(one)
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


@measure(
    _GROUP,
    "edits without shifts that turn the output into a reference (1 − WER)",
    formula="1 − (words inserted, deleted and replaced) / words of the reference, that is the edit "
    "distance; words and punctuation marks in lower case; may be below 0",
    source="Nießen, Och, Leusch and Ney 2000, An evaluation tool for machine translation; "
    "Leusch, Ueffing, Vilar and Ney 2005 (several references)",
    name="wer",
    read=_read_units,
    joined=_FEWEST_EDITS,
    usually="together",
    unit=one_of(("word", "character"), "the unit of edits; characters are compared as they are"),
)
def word_accuracy(output: Sequence[str], *references: Sequence[str]) -> float:
    """1 − WER (Nießen and others 2000): 1 for the same text, below 0 for many edits.

    Of several references, the one with the fewest edits counts, over the mean length of all (of two
    ways that Leusch, Ueffing, Vilar and Ney 2005 compare).
    """
    return 1 - min(edit_distance(output, each) for each in references) / fmean(map(len, references))


@measure(
    _GROUP,
    "edits that turn the output into a reference, ignoring word order (1 − PER)",
    formula="1 − (words of the longer text − words in common, each as often as both have it) / "
    "words of the reference; words and punctuation marks in lower case; may be below 0",
    source="Tillmann, Vogel, Ney, Zubiaga and Sawaf 1997, Accelerated DP based search for "
    "statistical translation; Leusch, Ueffing, Vilar and Ney 2005 (several references)",
    name="per",
    read=_read_units,
    joined=_FEWEST_EDITS,
    usually="together",
)
def bag_accuracy(output: Sequence[str], *references: Sequence[str]) -> float:
    """1 − PER (Tillmann and others 1997): :func:`word_accuracy` whatever the order of words."""
    edits = min(
        max(len(output), len(each)) - (Counter(output) & Counter(each)).total()
        for each in references
    )
    return 1 - edits / fmean(map(len, references))


MOST_PAIRS = 1_000_000
"""The most pairs of equal words in which runs are sought: seconds."""


def _matched_runs(output: Sequence[str], reference: Sequence[str]) -> Iterator[int]:
    """The lengths of runs of words that both texts have, the longest one that is left each time.

    A word is in one run at most; of runs as long, the first one of the output. The matching whose
    runs are longest for an exponent above 1 is not known to be found in polynomial time; this is
    the approximation of Turian, Shen and Melamed 2003. It has not always as many words as can be
    matched.
    """
    places = defaultdict[str, list[int]](list)
    for number, word in enumerate(reference):
        places[word].append(number)
    if (pairs := sum(len(places.get(word, ())) for word in output)) > MOST_PAIRS:
        raise ValuesError(
            f"runs of words in {pairs:,} pairs of equal words would take too long",
            remedy="cut texts, or take gtm(exponent=1)",
        )
    before: dict[int, int] = {}
    runs = []  # (− length, start in the output, start in the reference)
    for number, word in enumerate(output):
        ending = {place: before.pop(place - 1, 0) + 1 for place in places.get(word, ())}
        runs += [(-n, number - n, place - n + 1) for place, n in before.items()]
        before = ending
    runs += [(-n, len(output) - n, place - n + 1) for place, n in before.items()]
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
        for is_free, rest in groupby(range(-length), key=free.__getitem__):
            if is_free:  # it goes back
                begin, *others = rest
                heappush(runs, (-1 - len(others), starts[0] + begin, starts[1] + begin))


@measure(
    _GROUP,
    "runs of words in common; longer runs count more (general text matcher)",
    formula="size = (Σ over matched runs of (words of the run)ᵉ)^(1/e); no word is in two runs, "
    "and the longest run is matched first; recall is size / reference, precision size / output; "
    "words and punctuation marks in lower case; words in common in any order if e is 1",
    source="Melamed, Green and Turian 2003, Precision and recall of machine translation; "
    "Turian, Shen and Melamed 2003, Evaluation of machine translation and its evaluation",
    name="gtm",
    read=_read_units,
    usually="maximum",
    exponent=real_number(2.0, 1, 10, "e, the weight of long runs"),
    part=PART,
    beta=BETA,
)
def match_overlap(
    output: Sequence[str], reference: Sequence[str], exponent: float = 2.0
) -> Overlap:
    """The size of the match of two texts, over the words of each (general text matcher).

    Size is the sum over runs of their lengths to the power of the exponent, and of that the root
    (Melamed, Green and Turian 2003). With exponent 1 it is the number of words in common; the
    greater it is, the more long runs count.
    """
    if exponent == 1:
        size = float((Counter(output) & Counter(reference)).total())
    elif runs := list(_matched_runs(output, reference)):  # by the longest: n is n, 10⁶ to the 10th
        size = runs[0] * sum((run / runs[0]) ** exponent for run in runs) ** (1 / exponent)
    else:
        size = 0.0
    return Overlap(size, len(output), len(reference))


@measure(
    _GROUP,
    "n-grams of characters, and of words, in common",
    formula="F₂ of the mean precision and recall of n-grams of 1 to 6 characters without blanks, "
    "and of n-grams of words up to the length given by words, by sacrebleu",
    source="Popović 2015 (chrF); Popović 2017 (chrF++ is words=2); Post 2018 (sacrebleu)",
    name="chrf",
    usually="maximum",
    needs=(Need.SACREBLEU,),
    aliases={"chrF2": "", "chrF++": "words=2", "chrF2++": "words=2"},
    words=whole_number(0, 0, 10, "length of the longest n-grams of words; 0: none"),
    lowercase=_LOWERCASE,
)
def chrf_score(output: str, reference: str, *, words: int = 0, lowercase: bool = False) -> float:
    """F₂ of n-grams of up to six characters, without blanks (Popović 2015), in any script.

    With n-grams of up to two words as well it is chrF++ (Popović 2017). Precision and recall are
    means over those orders that both texts are long enough for.
    """
    metric = _metric("CHRF", char_order=6, word_order=words, beta=2, lowercase=lowercase)
    return _unit_score(metric, output, [reference])


@measure(
    _GROUP,
    "words, stems and synonyms in common, in few chunks",
    formula="(1 − γ · (chunks / matches)^β) · precision · recall / (α · precision + (1 − α) · "
    "recall), by nltk, which differs from the published measure in details "
    "(eval/weps_eval/text/measures/translation.py); 1 − γ / nᵝ for the same n words",
    source="Banerjee and Lavie 2005; Lavie and Agarwal 2007; nltk",
    name="meteor",
    read=lambda texts, text, *, synonyms: (
        _lower_tokens(testbed.whole_text(text)),
        SynonymLookup(load_wordnet(texts.tools.wordnet) if synonyms == "WordNet" else None),
    ),
    usually="maximum",
    needs=(Need.NLTK,),
    needs_when={("synonyms", "WordNet"): Need.WORDNET},
    synonyms=one_of(("none", "WordNet"), "source of synonyms"),
    alpha=real_number(0.9, 0, 1, "weight of recall"),
    beta=real_number(3.0, 0, 100, "how the penalty grows with the number of chunks"),
    gamma=real_number(0.5, 0, 1, "the largest penalty"),
)
def meteor_score(
    output: tuple[list[str], SynonymLookup],
    reference: tuple[list[str], SynonymLookup],
    alpha: float,
    beta: float,
    gamma: float,
) -> float:
    """METEOR of tokens by a look-up of synonyms, in [0, 1].

    (1 − γ (chunks / matches)^β) · PR / (αP + (1 − α)R), where P and R are the shares of the
    output's and the reference's tokens that match (Lavie and Agarwal 2007). With α = .9, β = 3 and
    γ = .5 it is that of Banerjee and Lavie 2005. Tokens are words and punctuation marks in lower
    case; those that are equal match first, then those with the same stem by Porter, then synonyms.
    Of the same text of n tokens it is 1 − γ / n^β: 0.5 for one word, 0.9995 for ten.

    Differences from the published METEOR:

    - Of several equal words the last ones match, where that has the fewest crossing lines or the
      fewest chunks, so that here there may be more chunks.
    - A word of the reference is a synonym if it is a lemma of a synset of the output's word; there,
      if the two have a synset in common.
    - nltk looks up not the words but their stems, and compares stems with lemmas, so that only
      lemmas that are their own stems are found: auto for car, but not automobile (automobil).
    - Later versions (1.3, 1.5) have paraphrases, function words and other parameters.
    """
    score = import_library("nltk.translate.meteor_score", "text", LanguageError).meteor_score
    (tokens, lookup), (others, _) = output, reference
    return float(score([others], tokens, wordnet=lookup, alpha=alpha, beta=beta, gamma=gamma))


class _Lemma(str):
    """A word as WordNet's index has it, in lower case; nltk's own reader keeps capitals.

    It is asked like a synset with one lemma, and like a lemma.
    """

    __slots__ = ()

    def lemmas(self) -> tuple[Self]:
        return (self,)

    def name(self) -> str:
        return self


class SynonymLookup(NamedTuple):
    """What METEOR asks of nltk's reader of WordNet: the synsets of words, none without WordNet."""

    wordnet: WordNet | None = None

    def synsets(self, word: str) -> list[_Lemma]:
        """All lemmas of what a word in any form may stand for, in any part of speech."""
        if self.wordnet is None:
            return []
        known = _lemmas_by_synset(self.wordnet)
        return [lemma for synset in senses_of(word, self.wordnet) for lemma in known[synset]]


@lru_cache(1)
def _lemmas_by_synset(wordnet: WordNet) -> list[list[_Lemma]]:
    """In the order of their numbers; compounds have underscores."""
    words: list[list[_Lemma]] = [[] for _ in wordnet.synsets]
    for (lemma, _), synsets in wordnet.senses.items():
        for synset in synsets:
            words[synset].append(_Lemma(lemma))
    return words
