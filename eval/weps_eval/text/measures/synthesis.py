"""Measures of information synthesis (ACL 2004) and of QARLA (2005).

NICOS compares frequencies of key concepts; VectModelSim, TruncatedVectModel and GRAMSIM relative
frequencies of words, terms and part-of-speech tags; SentenceSim and DocSim the sentences that two
extracts select; AVLS lengths of sentences. Answers to questions are those of Hirao and others.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence, Sized
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from heapq import nsmallest

import numpy as np

from weps.errors import ValuesError
from weps_eval.stats.arrays import Ints
from weps_eval.text.measures.overlap import Overlap, Tokens, words_of
from weps_eval.text.measures.translation import edit_distance


def _closeness(differences: Iterable[float]) -> float:
    """1 / (1 + d), in (0, 1], of the Euclidean distance d, whatever the order of dimensions.

    The papers take "the inverse of the Euclidean distance", 1 / d, which divides by zero where
    two texts are the same. This orders all other pairs of texts as 1 / d does, and is 1 for
    distance 0 alone.
    """
    return 1 / (1 + math.sqrt(math.fsum(each * each for each in differences)))


def empty_similarity(output: Sized, reference: Sized) -> float:
    """The similarity of two texts of which one at least is empty.

    The papers are silent. As in :class:`~weps_eval.text.measures.overlap.Overlap`, two empty texts
    are the same, 1, and an empty one is like no other, 0.
    """
    return float(len(output) == len(reference))


Concept = tuple[str, ...]
"""One or more consecutive words, in the form (lemmas, lower case) that the words of texts have."""


def concept_similarity(
    output: Sequence[str], reference: Sequence[str], concepts: Iterable[Concept]
) -> float:
    """NICOS, nuclear informative concept similarity (ACL 2004, section 3.2.5); symmetric.

    kc(M)_i = freq(C_i, M) / |words(M)|, and the similarity is 1 / (1 + distance) of the vectors kc
    of both texts. A concept that is given twice counts once. As the formula has it, texts without
    any key concept score 1 whatever they are about: their vectors are the same, zero.

    Texts are words; concepts are what the people asked for the topic, or any extraction of key
    terms, named.

    Returns:
        In (0, 1]; of texts without words see :func:`empty_similarity`.

    Raises:
        ValuesError: if there are no concepts, or one has no words.
    """
    distinct = tuple(set(concepts))
    if not distinct:
        raise ValuesError("no key concepts to compare texts by", remedy="give one or more")
    counts = [count_occurrences(distinct, words) for words in (output, reference)]
    if not (output and reference):
        return empty_similarity(output, reference)
    return _closeness(counts[0] / len(output) - counts[1] / len(reference))


def count_occurrences(concepts: Sequence[Concept], words: Sequence[str]) -> Ints:
    """How often each concept stands in the words, consecutively; shape (concepts,).

    Occurrences may overlap, those of one concept as those of several: ``a a`` is twice in
    ``a a a``, and ``coup`` also counts within ``coup attempt``. On this the paper is silent. Ends
    of sentences are no words and part nothing.

    Raises:
        ValuesError: if a concept has no words.
    """
    tree = _Tree()
    ends = [tree.add(concept) for concept in concepts]
    for start in range(len(words)):
        tree.count(words, start)
    return np.array([end.visits for end in ends], dtype=np.int64)


@dataclass(slots=True, eq=False)
class _Tree:
    """Concepts by their first word, under it by their second, and so on."""

    visits: int = 0
    """How often the words that lead here were met."""
    following: dict[str, _Tree] = field(default_factory=dict)

    def add(self, concept: Concept) -> _Tree:
        """Where a concept ends."""
        if not concept:
            raise ValuesError("a key concept has no words", remedy="leave it out")
        place = self
        for word in concept:
            place = place.following.setdefault(word, _Tree())
        return place

    def count(self, words: Sequence[str], start: int) -> None:
        """Visit all places to which the words from there on lead."""
        place = self
        for number in range(start, len(words)):
            following = place.following.get(words[number])
            if following is None:
                break
            place = following
            place.visits += 1


def vector_similarity(output: Sequence[str], reference: Sequence[str]) -> float:
    """VectModelSim (QARLA, section 4): 1 / (1 + distance) of the relative frequencies of all units.

    The paper counts "all non-empty words", without stop words; the caller leaves out what is not
    to count. Of the part-of-speech tags of all tokens it is GRAMSIM; the paper has those of
    TreeTagger.

    Returns:
        In (0, 1], and 1 only for the same frequencies; of empty texts see :func:`empty_similarity`.
    """
    units = {*output, *reference}
    return truncated_similarity(output, reference, units) if units else 1.0


def truncated_similarity(
    output: Sequence[str], reference: Sequence[str], terms: Collection[str]
) -> float:
    """TVM-n (Evaluating DUC 2004 tasks, section 3.1): :func:`vector_similarity` by n terms only.

    The terms are the n most frequent lemmas but stop words: there those of the original
    documents, in QARLA, section 4, those of the reference. Either way :func:`most_frequent` finds
    them. The papers do not state in relation to what a frequency is; here to all units of its text.
    Texts without any of the terms have the same frequencies, and so score 1.

    Raises:
        ValuesError: if there are no terms.
    """
    if not terms:
        raise ValuesError("no terms to compare texts by", remedy="give one or more")
    if not (output and reference):
        return empty_similarity(output, reference)
    ours, theirs = Counter(output), Counter(reference)
    return _closeness(
        ours[term] / len(output) - theirs[term] / len(reference) for term in set(terms)
    )


def most_frequent(units: Iterable[str], n: int) -> tuple[str, ...]:
    """The n most frequent units, or all if there are fewer; ties in alphabetical order.

    Raises:
        ValuesError: if n is less than 1.
    """
    if n < 1:
        raise ValuesError(f"the {n} most frequent terms", remedy="take 1 or more")
    found = nsmallest(n, ((-count, unit) for unit, count in Counter(units).items()))
    return tuple(unit for _, unit in found)


Sentence = tuple[str, ...]


def set_overlap(output: AbstractSet[object], reference: AbstractSet[object]) -> Overlap:
    """The overlap of two sets, for SentenceSim and DocSim (ACL 2004, sections 3.2.2 and 3.2.1).

    SentenceSim is of the sentences of two extracts, which are the same if all their tokens are.
    DocSim is of the documents that they represent, see :func:`documents_of`; the paper's measure is
    its recall. QARLA, section 4, swaps the denominators of SentenceSim, and has the precision of
    DocSim.
    """
    return Overlap(len(output & reference), len(output), len(reference))


def documents_of(
    sentences: Tokens, documents: Mapping[Sentence, AbstractSet[int]]
) -> frozenset[int]:
    """The documents that a text represents: those that hold one of its sentences at least.

    The paper does not state from which of them a sentence is that several documents hold; here it
    is from all. Sentences that are in no document represent none. A text without sentences is
    from no document.

    Raises:
        ValuesError: if the text has sentences, and none is in any document.
    """
    filled = list(filter(None, sentences))
    found = frozenset[int]().union(*(documents.get(each, frozenset()) for each in filled))
    if filled and not found:
        what = "no sentence of a text is in any document, so it is not an extract of them"
        raise ValuesError(what, remedy="choose a measure that needs no documents")
    return found


def documents_by_sentence(documents: Sequence[Tokens]) -> dict[Sentence, frozenset[int]]:
    """Sentence → numbers of the documents that hold it, from 0."""
    found = defaultdict[Sentence, set[int]](set)
    for number, sentences in enumerate(documents):
        for sentence in filter(None, sentences):
            found[sentence].add(number)
    return {sentence: frozenset(numbers) for sentence, numbers in found.items()}


def sentence_length_similarity(output: Tokens, reference: Tokens) -> float:
    """AVLS: 1 / (1 + difference) of the average numbers of tokens in a sentence.

    The paper states only that it "compares the average length of the sentences". Sentences without
    tokens are none.

    Returns:
        In (0, 1]; of texts without tokens see :func:`empty_similarity`.
    """
    words = [words_of(text) for text in (output, reference)]
    if not all(words):
        return empty_similarity(*words)
    ours, theirs = (len(words_of(text)) / sum(map(bool, text)) for text in (output, reference))
    return _closeness([ours - theirs])


def answer_share(sentences: Iterable[str], answer: str, *, exact: bool) -> float:
    """How much of an answer a text gives (Hirao and others 2007, sections 2.2.1 and 2.2.2).

    1 if a sentence holds the answer, else 0 if ``exact``. If not, the most that any sentence gives
    of (its length − its edit distance from the answer) / length of the answer, lengths and edits
    in characters, and not below 0: what of the answer stands in it in this order, whatever is
    between. So long sentences give much of short answers.

    Args:
        sentences: of the text, written as the answer is.
        answer: not empty.
        exact: whether all of it must be there.

    Returns:
        In [0, 1].
    """
    if exact:
        return float(any(answer in sentence for sentence in sentences))
    given = (max(0, len(each) - edit_distance(answer, each)) for each in sentences)
    return max(given, default=0) / len(answer)
