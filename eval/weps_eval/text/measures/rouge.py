"""ROUGE (Lin 2004): n-grams, skip-bigrams and common subsequences; words in common in any order.

ROUGE-L stores the table of lengths t[i, j] of longest common subsequences as one integer per row,
whose bit j is 0 where t grows from j to j + 1 (Hyyrö, Bit-parallel LCS-length computation
revisited, 2004): a row costs a few operations on integers as long as the sentence.

Lexical overlap is the O_l of Giménez and Màrquez (Linguistic measures for automatic machine
translation evaluation, 2010; the toolkit Asiya), as used in Corroborating text evaluation results
with heterogeneous measures (2011), section 4.2: "the lexical overlap without considering word
ordering".

ROUGE-WE compares n-grams by the cosine of products of their words' vectors (Ng and Abrecht 2015).
The paper does not say which n-grams are compared with which, and its program adds up similarities
in the order of Perl's hashes, which is random. Here n-grams are matched one to one, so that the sum
of their similarities is greatest; where all are 0 or 1, that is ROUGE.

The cosine of binary vectors is the baseline of the semantic textual similarity task of
SemEval 2012, over the distinct words between blanks.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from itertools import pairwise
from math import sqrt
from typing import Any

import numpy as np

from weps.errors import ValuesError
from weps_eval.stats import safe_divide
from weps_eval.text.declaration import (
    BETA,
    PART,
    Function,
    Need,
    Overlap,
    clipped_matches,
    measure,
    one_of,
    or_wholes,
    pooled_overlap,
    real_number,
    true_or_false,
    whole_number,
)
from weps_eval.text.testbed import Text, whole_text
from weps_eval.text.topic import Tokens, TopicTexts, Vectored, words_of

_POOLED = "the sum of matches divided by the sum of totals, as in ROUGE-1.5.5 by default"
_SKIP = whole_number("any", 0, 1000, "maximum number of tokens between the two", "any")
_UNICODE = true_or_false("letters and digits of all scripts, not only a to z")
_INVERTED = true_or_false(
    "take the unions over the output's sentences instead of the reference's: precision is then "
    "the recall of the swapped texts"
)


def _measure(  # noqa: PLR0913 - the facts in which they differ
    description: str,
    formula: str,
    section: str,
    *,
    name: str = "",
    joined: str = _POOLED,
    aliases: Mapping[str, str],
    **own: Any,
) -> Callable[[Function], Function]:
    """Declare a ROUGE, with the parameters that all have."""
    return measure(
        "ROUGE",
        description,
        formula=f"{formula}; recall is matches / reference, precision matches / output",
        source="Lin 2004, ROUGE: a package for automatic evaluation of summaries, section "
        f"{section}",
        name=name,
        read=TopicTexts.tokens,
        joined=joined,
        needs_when={("stem", True): Need.NLTK},
        aliases=aliases,
        **own,
        part=PART,
        beta=BETA,
        stop=true_or_false(
            "leave out English stop words: the list of weps, or SMART's with official=true"
        ),
        stem=true_or_false(
            "Porter stems of words longer than three letters: by nltk, as in rouge-score; with "
            "official=true as in ROUGE-1.5.5, after WordNet's irregular forms and without nltk"
        ),
        unicode=_UNICODE,
        official=true_or_false(
            "compute as the Perl package ROUGE-1.5.5, to the last digit that it prints"
        ),
    )


@_measure(
    "n-grams in common, each as often as both texts have it",
    "matches = Σ over n-grams of min(count in output, count in reference)",
    "2",
    name="rouge",
    aliases={"rouge{}": "n={}"},
    n=whole_number(None, 1, 100, "length of the n-grams"),
)
def rouge_n(output: Tokens, reference: Tokens, n: int = 1, *, official: bool = False) -> Overlap:
    """ROUGE-N (Lin 2004, section 2); the paper has recall alone.

    An n-gram matches as often as it is in both texts. N-grams run across sentences, as in both
    published scorers. Where neither text has n tokens, the texts match as wholes; both scorers
    give them 0, and so does the ``official`` one.
    """
    ours, theirs = (
        Counter[Hashable](zip(*(words_of(text)[at:] for at in range(n)), strict=False))
        for text in (output, reference)
    )
    return or_wholes(clipped_matches(ours, theirs), output, reference, official=official)


Words = tuple[str, ...]

_MOST_PAIRS = 8_000_000
"""So many pairs of sentences of 20 words take about a minute."""


@_measure(
    "words in common in the same order",
    "matches = length of the longest common subsequence of the texts, or of its union over the "
    "sentences of the output, for each sentence of the reference",
    "3",
    aliases={"rougeLsum": "level=summary"},
    level=one_of(("summary", "text"), "sentence by sentence, or each text as one sentence"),
    inverted=_INVERTED,
)
def rouge_l(
    output: Tokens, reference: Tokens, level: str = "text", *, official: bool = False
) -> Overlap:
    """ROUGE-L of the texts as one sentence each (Lin 2004, section 3.1), or of summaries.

    The length of a longest common subsequence, in tokens; on the level ``text`` it is rouge-score's
    ``rougeL``. The level ``summary`` is that of :func:`_rouge_l_summary`.
    """
    first, second = words_of(output), words_of(reference)
    if official and not (first or second):
        return or_wholes(Overlap(0, 0, 0), output, reference, official=True)
    if level == "summary":
        return _rouge_l_summary(output, reference)
    rows = _table(bits_of_places(first), len(first), second)
    return Overlap(_length(rows[-1], len(first)), len(first), len(second))


def _rouge_l_summary(output: Tokens, reference: Tokens) -> Overlap:
    """ROUGE-L of summaries (Lin 2004, section 3.2): union of subsequences.

    A token of the reference matches if it is in the longest common subsequence of its sentence
    with any sentence of the output, and a word as often at most as it is in the output. The paper
    does not limit it, but both published scorers do, rouge-score as ``rougeLsum`` and ROUGE-1.5.5.
    Of several longest subsequences the one is taken that they take.

    Precision is not the recall of the texts swapped: the unions are of the reference's sentences.
    """
    if len(output) * len(reference) > _MOST_PAIRS:
        raise ValuesError(
            f"ROUGE-L of {len(output):,} and {len(reference):,} sentences would take too long",
            remedy="compare shorter texts, or each as one sentence: level=text",
        )
    sentences = [(bits_of_places(sentence), len(sentence)) for sentence in output]
    united = Counter[str]()
    for sentence in reference:
        places = {place for other in sentences for place in _subsequence(*other, sentence)}
        united.update(map(sentence.__getitem__, places))
    words = Counter(words_of(output))
    return Overlap((united & words).total(), words.total(), sum(map(len, reference)))


def bits_of_places(words: Sequence[str]) -> dict[str, int]:
    """Word → an integer with a bit for every place where it stands."""
    places = defaultdict[str, int](int)
    for place, word in enumerate(words):
        places[word] |= 1 << place
    return dict(places)


def _table(places: Mapping[str, int], columns: int, words: Words) -> list[int]:
    """The row before the first word, and the row after each word."""
    every = (1 << columns) - 1
    rows = [every]
    for word in words:
        row = rows[-1]
        matches = row & places.get(word, 0)
        rows.append((row + matches | row - matches) & every)
    return rows


def _length(row: int, columns: int) -> int:
    """Length of a longest common subsequence with the first so many columns."""
    return columns - (row & (1 << columns) - 1).bit_count()


def _subsequence(places: Mapping[str, int], columns: int, words: Words) -> Iterator[int]:
    """Places of words in a longest common subsequence with a sentence, from the last.

    Of several, the one that the published scorers take: last words that are the same match;
    otherwise these words lose the last one, or, if that one is needed, the sentence does.
    """
    rows = _table(places, columns, words)
    length = _length(rows[-1], columns)
    for place in reversed(range(len(words))):
        last = (places.get(words[place], 0) & (1 << columns) - 1).bit_length()
        if last and (last == columns or _length(rows[place], columns) < length):
            columns, length = last - 1, length - 1
            yield place


_MOST_MATCHES = 30_000_000
"""So many equal words at any places of both texts take about a minute."""
_MOST_CELLS = 60_000_000
"""So many cells of whole tables take about ten seconds, and a byte each."""


@_measure(
    "words in common in the same order; consecutive words count more",
    "matches = f⁻¹(weighted length of the common subsequence of the texts as one sentence "
    "each), f(k) = k to the power of weight. This is the paper's formula; ROUGE-1.5.5 has "
    "another, official=true: matches = f⁻¹(Σ over runs of k tokens in the union of the "
    "subsequences with the output's sentences, for each sentence of the reference, of f(k)), "
    "with Σ f(tokens of a sentence) for reference, so a text compared with itself has less "
    "than 1",
    "4",
    joined=f"{_POOLED} with official=true; matches and totals are weights",
    aliases={"rouge_w{}": "weight={}"},
    weight=real_number(1.2, 1, 10, "power of the length of a run; 1 is rouge_l(level=text)"),
    inverted=_INVERTED,
)
def rouge_w(
    output: Tokens, reference: Tokens, weight: float = 1.2, *, official: bool = False
) -> Overlap:
    """ROUGE-W of the texts as one sentence each (Lin 2004, section 4).

    The ``official`` one is that of :func:`_rouge_w_official`.

    A run of k consecutive matches weighs f(k), k to the power of ``weight``; with 1 it is
    ROUGE-L. The matches are f⁻¹(WLCS), in tokens, so that precision and recall are the paper's
    f⁻¹(WLCS / f(length)). WLCS is the paper's recurrence, which matches equal words wherever it
    meets them, and so need not find the heaviest subsequence.

    Raises:
        ValuesError: if texts of some 50,000 words are so alike that it would take minutes.
    """
    if official:
        return _rouge_w_official(output, reference, weight)
    first, second = words_of(output), words_of(reference)
    if sum(map(Counter(second).__getitem__, first)) > _MOST_MATCHES:
        raise ValuesError(
            f"ROUGE-W of texts of {len(first):,} and {len(second):,} words would take too long",
            remedy="compare shorter texts, or choose rouge_l(level=text)",
        )
    shorter, longer = sorted((first, second), key=len)
    weights = np.arange(len(shorter) + 1) ** np.float64(weight)
    # The table c of the paper, of which only two rows are in memory.
    places = defaultdict(list)
    for place, word in enumerate(longer):
        places[word].append(place)
    row = np.zeros(len(longer) + 1)
    # Place → how many consecutive matches, and the weighted length before the first of them.
    runs: dict[int, tuple[int, np.float64]] = {}
    for word in shorter:
        runs = {
            place: (length + 1, before)
            for place in places.get(word, ())
            for length, before in [runs.get(place - 1, (0, row[place]))]
        }
        row = row.copy()
        for place, (length, before) in runs.items():
            row[place + 1] = before + weights[length]
        # Between matches a cell is the larger of those above it and left of it.
        for start, end in pairwise([0, *(place + 1 for place in runs), len(row)]):
            np.maximum.accumulate(row[start:end], out=row[start:end])
    share = float(row[-1]) / max(float(weights[-1]), 1.0)
    return Overlap(len(shorter) * share ** (1 / weight), len(first), len(second))


def _rouge_w_official(output: Tokens, reference: Tokens, weight: float = 1.2) -> Overlap:
    """ROUGE-W of summaries as ROUGE-1.5.5 computes it, which no paper describes.

    As :func:`_rouge_l_summary` the tokens of a reference's sentence match that are in its weighted
    common subsequence with any sentence of the output, and a word as often at most as it is in the
    output. What weighs f(k) is a run of k matching tokens of the union. A run whose last token is
    one too many does not end there: it grows by the sentence's next run, and is lost without one.

    The weight of the runs is divided by f(tokens) for precision, but by f(Σ f(tokens of a sentence
    of the reference)) for recall, so that a text has less than 1 with itself.
    """
    words = Counter(words_of(output))
    size, total = words.total(), sum(map(len, reference))
    if not (size or total):
        return or_wholes(Overlap(0, 0, 0, weight), output, reference, official=True)
    if size * total > _MOST_CELLS:
        raise ValuesError(
            f"ROUGE-W of texts of {size:,} and {total:,} words would take too long",
            remedy="compare shorter texts",
        )
    longest = max(map(len, (*output, *reference)), default=0)
    weights = [float(length) ** weight for length in range(longest + 1)]
    heavy = 0.0
    for sentence in reference:
        united = {place for each in output for place in _heaviest(sentence, each, weights)}
        runs, run = [], 0
        for place in sorted(united):
            if words[sentence[place]] > 0:
                words[sentence[place]] -= 1
                run += 1
                if place + 1 not in united:
                    runs.append(run)
                    run = 0
        heavy += sum(weights[each] for each in runs)
    base = sum(weights[len(sentence)] for sentence in reference)
    return Overlap(heavy ** (1 / weight), size, base, weight)


_UP, _LEFT, _MATCH = range(3)


def _heaviest(sentence: Words, other: Words, weights: Sequence[float]) -> Iterator[int]:
    """Places in the sentence of the subsequence that the table of Lin 2004, section 4, leads to.

    Where a cell is as high as the one beside it, the sentence loses its last word first. Sums are
    in the paper's order, as rounding decides between equals.
    """
    sources = []  # where each cell comes from
    above, runs_above = [0.0] * (len(other) + 1), [0] * (len(other) + 1)
    for word in sentence:
        source, row, runs = bytearray(len(other)), [0.0], [0]
        for place, counterpart in enumerate(other):
            run, length = 0, above[place + 1]
            if word == counterpart:
                run = runs_above[place] + 1
                length = above[place] + weights[run] - weights[run - 1]
                source[place] = _MATCH
            elif length < row[place]:
                length = row[place]
                source[place] = _LEFT
            row.append(length)
            runs.append(run)
        above, runs_above = row, runs
        sources.append(source)
    size = len(other)
    for place in reversed(range(len(sentence))):
        while size and sources[place][size - 1] == _LEFT:
            size -= 1
        if size and sources[place][size - 1] == _MATCH:
            size -= 1
            yield place


_CELLS = 1 << 20
"""Cells of a table of words by positions that are in memory at once."""


@_measure(
    "pairs of words in common, in their order, with words between them",
    "matches = Σ over skip-bigrams of min(count in output, count in reference)",
    "5",
    aliases={"rouge_s{}": "skip={}", "rouge_s*": ""},
    skip=_SKIP,
)
def rouge_s(
    output: Tokens, reference: Tokens, skip: int | str = "any", *, official: bool = False
) -> Overlap:
    """ROUGE-S (Lin 2004, section 5).

    A skip-bigram is two tokens of a text with at most ``skip`` tokens between them, or any number;
    0 is ROUGE-2. It matches as often as it is in both texts, and runs across sentences, as in
    ROUGE-1.5.5. Where neither text has two tokens, the texts match as wholes; the ``official`` one,
    as ROUGE-1.5.5, gives them 0.
    """
    pairs = _skip_bigrams(words_of(output), words_of(reference), skip)
    return or_wholes(pairs, output, reference, official=official)


@_measure(
    "pairs of words, and single words, in common",
    "as rouge_s, with single words added to the skip-bigrams, including the last word of the "
    "text, which ROUGE-1.5.5 (official=true) leaves out",
    "5.1",
    aliases={"rouge_su{}": "skip={}", "rouge_su*": ""},
    skip=_SKIP,
)
def rouge_su(
    output: Tokens, reference: Tokens, skip: int | str = "any", *, official: bool = False
) -> Overlap:
    """ROUGE-SU: the skip-bigrams of :func:`rouge_s` and the tokens (Lin 2004, section 5.1).

    The ``official`` one is as ROUGE-1.5.5 computes it, which does not count the last token of a
    text as one.
    """
    first, second = words_of(output), words_of(reference)
    pairs = _skip_bigrams(first, second, skip)
    if not official:
        return pooled_overlap([pairs, rouge_n(output, reference)])
    words = clipped_matches(Counter(first[:-1]), Counter(second[:-1]))
    return or_wholes(pooled_overlap([pairs, words]), output, reference, official=True)


def _skip_bigrams(output: Words, reference: Words, skip: int | str) -> Overlap:
    if skip != "any" and int(skip) < max(len(output), len(reference)) - 2:
        pairs = (
            Counter[Hashable](
                pair
                for distance in range(1, int(skip) + 2)
                for pair in zip(words, words[distance:], strict=False)
            )
            for words in (output, reference)
        )
        return clipped_matches(*pairs)
    # Pairs at any distance are counted without being listed: only words in both texts matter.
    shared = {word: code for code, word in enumerate(sorted({*output} & {*reference}))}
    sides = [
        np.array([shared[word] for word in words if word in shared], dtype=np.int64)
        for words in (output, reference)
    ]
    block = max(1, _CELLS // max(1, *map(len, sides)))
    matches = 0
    for start in range(0, len(shared), block):
        ends = np.arange(start, min(start + block, len(shared)))[:, None]
        counts = []  # how often each word stands before each of the ends
        for codes in sides:
            stands, cells = codes == ends, (ends - start) * len(shared) + codes
            after = stands[:, ::-1].cumsum(axis=1)[:, ::-1] - stands
            counts.append(np.bincount(cells.ravel(), after.ravel(), len(ends) * len(shared)))
        matches += int(np.minimum(*counts).sum())
    return Overlap(matches, *(len(words) * (len(words) - 1) // 2 for words in (output, reference)))


_MOST_COMPARED = 10_000_000
"""Largest number of pairs of n-grams that are compared, which takes some seconds."""


@measure(
    "ROUGE",
    "n-grams in common, or with similar vectors of words",
    formula="matches = the greatest sum of similarities of n-grams matched one to one; similarity "
    "= cosine of the products of the vectors of their words, but at least 0; with skip, single "
    "words are matched with single words, and pairs with pairs; recall is matches / reference, "
    "precision matches / output",
    source="Ng and Abrecht 2015, Better summarization evaluation with word embeddings for ROUGE, "
    "section 3; the paper leaves the matching open",
    read=lambda texts, text, *, stop, unicode: texts.tools.vectors.of(
        texts.tokens(text, stop=stop, unicode=unicode)
    ),
    joined=_POOLED,
    needs=(Need.VECTORS,),
    aliases={"rouge_we{}": "n={}", "rouge_we_su{}": "n=2, skip={}"},
    n=whole_number(None, 1, 100, "length of the n-grams"),
    skip=whole_number(
        "none", 0, 1000, "for n=2: maximum number of words between the two; adds words", "none"
    ),
    unknown=one_of(
        ("same", "none"),
        "what an n-gram with a word without a vector matches: the same n-gram or, as in the paper, "
        "nothing",
    ),
    part=PART,
    beta=BETA,
    stop=true_or_false("leave out English stop words"),
    unicode=_UNICODE,
)
def rouge_we(
    output: Vectored, reference: Vectored, n: int = 1, skip: int | str = "none", *, unknown: str
) -> Overlap:
    """ROUGE-WE-N, or -SU with ``skip`` (Ng and Abrecht 2015, section 3).

    Raises:
        ValuesError: if texts of some 3,000 n-grams are compared, which would take minutes.
    """
    if skip != "none" and n != 2:
        raise ValuesError(f"{n}-grams that skip words", remedy="skip words between the two of n=2")
    kinds: list[list[tuple[int, ...]]] = (
        [[tuple(range(n))]]
        if skip == "none"
        else [[(0,)], [(0, distance) for distance in range(1, int(skip) + 2)]]
    )
    matched = [_match(output, reference, kind, unknown) for kind in kinds]
    return or_wholes(pooled_overlap(matched), output[:1], reference[:1])


def _match(
    output: Vectored, reference: Vectored, shapes: Sequence[tuple[int, ...]], unknown: str
) -> Overlap:
    """The matches of n-grams whose words stand at these distances from the first."""
    from scipy.optimize import linear_sum_assignment  # noqa: PLC0415 - it takes a tenth second

    sides = output, reference
    _, codes = np.unique([*output[0], *reference[0]], return_inverse=True)
    ours, theirs = (
        np.concatenate(
            [np.arange(max(0, len(words) - each[-1]))[:, None] + each for each in shapes]
        )
        for words, _ in sides
    )
    if len(ours) * len(theirs) > _MOST_COMPARED:
        raise ValuesError(
            f"ROUGE-WE of {len(ours):,} and {len(theirs):,} n-grams would take too long",
            remedy="compare shorter texts",
        )
    products = [
        vectors.astype(np.float64)[grams].prod(axis=1)
        for (_, vectors), grams in zip(sides, (ours, theirs), strict=True)
    ]
    lengths = (np.linalg.norm(each, axis=1) for each in products)
    alike = safe_divide(products[0] @ products[1].T, np.multiply.outer(*lengths), 0).clip(0, 1)
    if unknown == "same":
        alike[(codes[ours][:, None] == codes[len(output[0]) + theirs]).all(axis=2)] = 1
    best = linear_sum_assignment(alike, maximize=True)
    return Overlap(float(alike[best].sum()), len(ours), len(theirs))


_GROUP = "word overlap"
_TOKENS = one_of(
    ("words", "blanks"),
    "lower-case words of all scripts without punctuation, or unchanged strings between blanks",
)
_DISTINCT = true_or_false("count each word once, even if it is repeated")


def _read_words(topic_texts: TopicTexts, text: Text, *, tokens: str) -> Tokens:
    if tokens == "words":
        return topic_texts.plain_words(text)
    return (tuple(whole_text(text).split()),)


@measure(
    _GROUP,
    "words in common relative to those in either text (lexical overlap, Jaccard)",
    formula="|A ∩ B| / |A ∪ B| of the multisets of words, or of the sets",
    source="Giménez and Màrquez 2010, Linguistic measures for automatic machine translation "
    "evaluation (O_l); Amigó, Gonzalo, Giménez and Verdejo 2011, Corroborating text evaluation "
    "results with heterogeneous measures, section 4.2",
    name="overlap",
    read=_read_words,
    aliases={"O_l": "", "Jaccard": "", "lexical overlap": ""},
    tokens=_TOKENS,
    distinct=_DISTINCT,
)
def lexical_overlap(output: Tokens, reference: Tokens, *, distinct: bool = False) -> float:
    """|A ∩ B| / |A ∪ B|, in [0, 1], of multisets of words, or of sets if ``distinct``."""
    return words_in_common(output, reference, distinct=distinct).jaccard


@measure(
    _GROUP,
    "words in common relative to the total words of both texts",
    formula="2 |A ∩ B| / (|A| + |B|) of the multisets of words, or of the sets",
    source="Dice 1945, Measures of the amount of ecologic association between species",
    name="dice",
    read=_read_words,
    tokens=_TOKENS,
    distinct=_DISTINCT,
)
def words_in_common(output: Tokens, reference: Tokens, *, distinct: bool = False) -> Overlap:
    """The words that two texts share, repeated ones as often as both have them, or once."""
    ours, theirs = (
        Counter[Hashable](set(words) if distinct else words)
        for words in (words_of(output), words_of(reference))
    )
    return clipped_matches(ours, theirs)


@measure(
    _GROUP,
    "cosine of the binary vectors of the words of the texts",
    formula="|A ∩ B| / √(|A| · |B|) of the sets of words",
    source="Agirre and others 2012, SemEval-2012 task 6: a pilot on semantic textual similarity: "
    "the baseline, with tokens=blanks",
    name="cosine",
    read=_read_words,
    tokens=_TOKENS,
)
def cosine_similarity(output: Tokens, reference: Tokens) -> float:
    """|A ∩ B| / √(|A| |B|), in [0, 1], of sets of words: the cosine of their binary vectors."""
    shared = words_in_common(output, reference, distinct=True)
    return sqrt(shared.precision * shared.recall)
