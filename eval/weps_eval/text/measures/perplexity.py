"""Perplexity of a text under a language model of the reference, with Good-Turing discounting.

ACL 2004, section 3.2.3: "Good-Turing discount" of the CMU-Cambridge toolkit (Clarkson and Rosenfeld
1997). What the paper leaves open follows the toolkit's defaults where it has some:

- N-grams are up to 3 words long by default; unseen ones back off to shorter ones (Katz 1987).
- Discounts are :func:`good_turing` for n-grams of two and more words. Single words have the rule of
  :func:`as_rare_as_singletons`.
- The vocabulary is that of both texts: a word of the output that is not in the reference is
  unknown, and each different one has the same probability. Were all of them one word, it would be
  a frequent one, and texts about something else hardly surprising.
- Where discounting leaves nothing after a context, the context counts as seen once more, with an
  n-gram that is not among those seen (after Doug Paul, as in the toolkits of CMU and SRI).
- A sentence begins with a context cue, which is known and never predicted. N-grams do not run
  across sentences, and ends of sentences are not predicted, so that the perplexity is that of
  words.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from weps.errors import ValuesError
from weps_eval.text.declaration import Switch, Whole, measure
from weps_eval.text.measures.synthesis import empty_similarity
from weps_eval.text.topic import Tokens, TopicTexts, words_of


def good_turing(counts: Iterable[int], cutoff: int = 7) -> tuple[float, ...]:
    """The ratios d_1 … d_k by which the counts 1 … k are to be multiplied, each in (0, 1].

    Katz 1987, Estimation of probabilities from sparse data for the language model component of a
    speech recognizer: with n_r n-grams counted r times, r* = (r + 1) n_{r+1} / n_r and
    A = (k + 1) n_{k+1} / n_1, d_r = (r* / r − A) / (1 − A). The counts so lose n_1 in all. Larger
    counts are reliable and keep their size.

    Of short texts the formula often makes no sense. As in the CMU-Cambridge toolkit, whose cut-off
    this is, k is then lowered until A < 1 and all ratios are in (0, 1]; the toolkit also takes
    ratios of 0, by which what was seen would be impossible.

    Returns:
        k ratios, none if there is no such k.
    """
    times = Counter(counts)
    return next(filter(None, (_ratios(times, k) for k in range(cutoff, 0, -1))), ())


def as_rare_as_singletons(counts: Iterable[int], unseen: int) -> tuple[float, ...]:
    """The ratio for words seen once by which each unseen word becomes as probable as they.

    n_1 / (n_1 + n_0) with n_0 unseen words, which gives them n_0 / (n_1 + n_0) of the n_1. The
    CMU-Cambridge toolkit so discounts single words by default, where Katz's formula needs k > 1.
    None if no word is seen once.
    """
    once = sum(count == 1 for count in counts)
    return (once / (once + unseen),) if once else ()


def _ratios(times: Mapping[int, int], k: int) -> tuple[float, ...]:
    """The ratios, or none where one makes no sense; both parts of the fraction times r n_1 n_r."""
    taken = (k + 1) * times[k + 1]
    kept = times[1] - taken
    if kept <= 0 or not all(times[r] for r in range(1, k + 1)):
        return ()
    ratios = tuple(
        (times[1] * (r + 1) * times[r + 1] - taken * r * times[r]) / (r * times[r] * kept)
        for r in range(1, k + 1)
    )
    return ratios if all(0 < ratio <= 1 for ratio in ratios) else ()


Gram = tuple[str | None, ...]
"""Consecutive words; None is the cue at the beginning of a sentence."""

_LONGEST = 9


@measure(
    "information synthesis",
    "how well the reference predicts the words of the output (PerplexitySim)",
    formula="1 / perplexity of the output's words under the n-gram model of the reference, with "
    "Good-Turing discounts for counts up to 7 and Katz's back-off; less than 1 for the reference "
    "itself",
    source="Amigó, Gonzalo, Peinado, Peñas and Verdejo 2004, An empirical study of information "
    "synthesis tasks, section 3.2.3; Katz 1987",
    name="perplexity",
    read=TopicTexts.plain_words,
    aliases={"PerplexitySim": ""},
    n=Whole(3, 1, 9, "length of the longest n-grams"),
    inverted=Switch("swap output and reference"),
)
def perplexity_similarity(output: Tokens, reference: Tokens, n: int = 3) -> float:
    """PerplexitySim: 1 / perplexity of the output under the model of the reference.

    It is not symmetric and does not ask how much of the reference is covered.

    Returns:
        In (0, 1), also for the reference itself; of texts without words as other measures.

    Raises:
        ValuesError: if n is not from 1 to 9.
    """
    words = [words_of(text) for text in (output, reference)]
    unknown = len(set(words[0]) - set(words[1]))
    model = LanguageModel.of(reference, n, max(unknown, 1))
    return 1 / model.perplexity(output) if all(words) else empty_similarity(*words)


@dataclass(frozen=True, slots=True, eq=False)
class LanguageModel:
    """Back-off n-gram model of a text: a distribution over its words and the unknown ones.

    After every context the probabilities of all words of the vocabulary add up to 1, and none
    is 0.
    """

    n: int
    """Words of the longest n-grams."""
    seen: Mapping[Gram, float]
    """n-gram → probability of its last word after the others."""
    left: Mapping[Gram, float]
    """Context → factor of the probability after the context without its first word.

    1 where it is missing. After no context there is nothing to back off to, and it is the
    probability of each unknown word.
    """

    @classmethod
    def of(cls, text: Tokens, n: int = 3, unknown: int = 1) -> LanguageModel:
        """The model of a text; of an empty one, all words are equally probable.

        The vocabulary has ``unknown`` words that are not in the text.

        Raises:
            ValuesError: if n is not from 1 to 9, or there is no unknown word.
        """
        if not 1 <= n <= _LONGEST:
            raise ValuesError(f"a model of {n}-grams", remedy=f"choose 1 to {_LONGEST}")
        if unknown < 1:
            raise ValuesError(f"a model for {unknown} unknown words", remedy="leave room for 1")
        words = Counter(_grams(text, 1))
        seen, shares = _katz_estimates(words, as_rare_as_singletons(words.values(), unknown), {})
        left: dict[Gram, float] = {(): shares.get((), 1.0) / unknown}  # shared by unknown words
        for length in range(2, n + 1):
            counts = Counter(_grams(text, length))
            longer, leaves = _katz_estimates(counts, good_turing(counts.values()), seen)
            seen |= longer
            left |= leaves
        return cls(n, seen, left)

    def probability(self, word: str, context: Gram = ()) -> float:
        """The probability of a word after a context, of which the last n − 1 words count."""
        share = 1.0
        for start in range(len(context) + 1):
            after = context[start:]
            if (found := self.seen.get((*after, word))) is not None:
                return share * found
            share *= self.left.get(after, 1.0)
        return share

    def perplexity(self, text: Tokens) -> float:
        """2 to the power of the cross-entropy in bits per word, at least 1.

        Raises:
            ValuesError: if the text has no words.
        """
        surprises = []
        for sentence in text:
            cued = (None, *sentence)
            for place, word in enumerate(sentence, 1):
                context = cued[max(place - self.n + 1, 0) : place]
                surprises.append(-math.log(self.probability(word, context)))
        if not surprises:
            raise ValuesError("the perplexity of a text without words")
        return math.exp(math.fsum(surprises) / len(surprises))


def _grams(text: Tokens, length: int) -> Iterator[Gram]:
    """The n-grams of that length; the cue is none by itself."""
    for sentence in text:
        cued: Gram = (None, *sentence) if length > 1 else sentence
        yield from zip(*(cued[start:] for start in range(length)), strict=False)


def _katz_estimates(
    counts: Mapping[Gram, int], ratios: Sequence[float], shorter: Mapping[Gram, float]
) -> tuple[dict[Gram, float], dict[Gram, float]]:
    """Katz's estimates for the n-grams of one length: probabilities, and factors of their contexts.

    Ratios are discounts of the counts 1, 2, …; contexts back off with the probabilities of n-grams
    one word ``shorter``.
    """
    factors = dict(enumerate(ratios, 1))
    kept = {gram: count * factors.get(count, 1.0) for gram, count in counts.items()}
    totals, taken = defaultdict[Gram, float](float), defaultdict[Gram, float](float)
    elsewhere = defaultdict[Gram, float](lambda: 1.0)
    for gram, count in counts.items():
        context = gram[:-1]
        totals[context] += count
        taken[context] += count - kept[gram]
        elsewhere[context] -= shorter.get(gram[1:], 0.0)
    for context in totals:
        if not taken[context]:
            totals[context], taken[context] = totals[context] + 1, 1.0
    return (
        {gram: size / totals[gram[:-1]] for gram, size in kept.items()},
        {each: taken[each] / total / elsewhere[each] for each, total in totals.items()},
    )
