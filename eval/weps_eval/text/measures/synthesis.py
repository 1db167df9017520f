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
from functools import partial
from heapq import nsmallest
from itertools import chain
from statistics import fmean

import numpy as np

from weps._expressions import Value
from weps._files import word_list
from weps._formatting import quote_text
from weps._text import singular_form, split_words
from weps.errors import ValuesError
from weps.language.analysis import analyse_documents
from weps.records import Document
from weps_eval.stats.arrays import Floats, Ints
from weps_eval.tables.columns import locate_errors
from weps_eval.text.declaration import (
    BETA,
    Choice,
    Need,
    Overlap,
    Switch,
    Texts,
    Whole,
    each_pair,
    measure,
)
from weps_eval.text.measures.translation import edit_distance
from weps_eval.text.testbed import Text
from weps_eval.text.topic import Tokens, TopicTexts, words_of

_GROUP = "information synthesis"
_SYNTHESIS = (
    "Amigó, Gonzalo, Peinado, Peñas and Verdejo 2004, An empirical study of information synthesis "
    "tasks, section"
)
_QARLA = (
    "Amigó, Gonzalo, Peñas and Verdejo 2005, QARLA: a framework for the evaluation of text "
    "summarization systems, section 4"
)
_DUC = "Evaluating DUC 2004 tasks with the QARLA framework (2005), section 3.1"
_CLOSE = (
    "1 / (1 + Euclidean distance of the vectors); the papers have 1 / distance, which gives the "
    "same order, but no value for equal vectors"
)
_PART = Choice(("recall", "precision", "f"), "which of the three is computed")
_UNIT = Choice(("lemma", "word"), "what is counted: lemmas, or words in lower case")
_CONCEPTS = Choice(
    ("given", "references", "sources"),
    "concepts of the topic, or key terms of its references or sources",
)
_MOST_TERMS = Whole(20, 1, 1000, "maximum number of key terms")
_NEEDS_CONCEPTS: dict[tuple[str, Value], Need] = {
    ("concepts", "given"): Need.CONCEPTS,
    ("concepts", "sources"): Need.SOURCES,
}


def _content_words(topic_texts: TopicTexts, text: Text, *, unit: str) -> tuple[str, ...]:
    """The lemmas or words of a text in order, without English stop words."""
    if unit == "word":
        return words_of(topic_texts.plain_words(text, stop=True))

    def read() -> tuple[str, ...]:
        stop = word_list("stopwords/english.txt")
        words = chain.from_iterable(topic_texts.tagged_words(text))
        return tuple(
            word.lemma for word in words if stop.isdisjoint((word.lemma, word.form.lower()))
        )

    return topic_texts.cached(("content words", text), read)


def _tags(topic_texts: TopicTexts, text: Text) -> tuple[str, ...]:
    return tuple(
        word.tag
        for sentence in topic_texts.tagged_words(text, punctuation=True)
        for word in sentence
    )


def _sources(topic_texts: TopicTexts) -> Texts:
    """The source documents of the topic.

    Raises:
        ValuesError: if there are none.
    """
    if not topic_texts.topic.sources:
        what = "the topic has no source documents"
        raise ValuesError(what, where=_topic(topic_texts), remedy="choose measures that need none")
    return topic_texts.topic.sources


def _topic(topic_texts: TopicTexts) -> str:
    return f"topic {quote_text(topic_texts.topic.topic)}"


def _closeness(differences: Iterable[float]) -> float:
    """1 / (1 + d), in (0, 1], of the Euclidean distance d, whatever the order of dimensions.

    The papers take "the inverse of the Euclidean distance", 1 / d, which divides by zero where
    two texts are the same. This orders all other pairs of texts as 1 / d does, and is 1 for
    distance 0 alone.
    """
    return 1 / (1 + math.sqrt(math.fsum(each * each for each in differences)))


def empty_similarity(output: Sized, reference: Sized) -> float:
    """The similarity of two texts of which one at least is empty.

    The papers are silent. As in :class:`~weps_eval.text.declaration.Overlap`, two empty texts
    are the same, 1, and an empty one is like no other, 0.
    """
    return float(len(output) == len(reference))


@measure(
    "style",
    "how long sentences are (AveragedSentencelengthSim)",
    formula="1 / (1 + |difference of the average numbers of words in a sentence|)",
    source=_DUC,
    name="avls",
    read=TopicTexts.plain_words,
    aliases={"AveragedSentencelengthSim": ""},
)
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


@measure(
    _GROUP,
    "how often texts use the most frequent terms (TruncatedVectModel)",
    formula="vectors = share of each of the n most frequent terms in all lemmas or words of a "
    f"text, without stop words; {_CLOSE}",
    source=f"{_DUC}: terms of the sources; {_QARLA}: terms of the reference",
    name="tvm",
    read=None,
    needs_when={("unit", "lemma"): Need.TAGS, ("of", "sources"): Need.SOURCES},
    aliases={"tvm{}": "n={}", "TruncatedVectModel{}": "n={}"},
    n=Whole(None, 1, 1_000_000, "terms, or all if there are fewer"),
    of=Choice(("reference", "sources"), "the texts whose most frequent terms are used"),
    inverted=Switch("swap output and reference"),
    unit=_UNIT,
)
def truncated_scores(  # noqa: PLR0913 - texts and parameters
    topic_texts: TopicTexts,
    outputs: Texts,
    references: Texts,
    *,
    n: int,
    of: str,
    inverted: bool,
    unit: str,
) -> Floats:
    """TVM by the terms of the sources, or of each reference, shape (outputs, references)."""
    read = partial(_content_words, topic_texts, unit=unit)
    ours, theirs = list(map(read, outputs)), list(map(read, references))
    if of == "sources":
        terms = most_frequent(chain.from_iterable(map(read, _sources(topic_texts))), n)
        with locate_errors("the sources"):
            return each_pair(partial(truncated_similarity, terms=terms), ours, theirs)

    def by_own_terms(output: Sequence[str], reference: Sequence[str]) -> float:
        if not (output and reference):
            return empty_similarity(output, reference)
        return truncated_similarity(output, reference, most_frequent(reference, n))

    if inverted:
        return np.transpose(each_pair(by_own_terms, theirs, ours))
    return each_pair(by_own_terms, ours, theirs)


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


@measure(
    "style",
    "how often texts use each part of speech (GRAMSIM)",
    formula="vectors = share that each universal part of speech has in all tokens of a text, "
    "punctuation too, by the language pipeline (the paper has TreeTagger's tags); "
    "1 / (1 + Euclidean distance of the vectors), where the paper has 1 / distance",
    source=_DUC,
    name="gramsim",
    read=_tags,
    needs=(Need.TAGS,),
)
@measure(
    _GROUP,
    "how often texts use each of their words (VectModelSim)",
    formula=f"vectors = share of each lemma or word in all of a text, without stop words; {_CLOSE}",
    source=_QARLA,
    name="vectmodel",
    read=_content_words,
    needs_when={("unit", "lemma"): Need.TAGS},
    aliases={"VectModelSim": ""},
    unit=_UNIT,
)
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


Concept = tuple[str, ...]
"""One or more consecutive words, in the form (lemmas, lower case) that the words of texts have."""


def _concept(phrase: str) -> Concept:
    return tuple(map(singular_form, split_words(phrase)))


def _phrases(topic_texts: TopicTexts, where: str, most: int) -> tuple[str, ...]:
    """The key concepts of the topic as they are given, or the key terms of some of its texts.

    Raises:
        ValuesError: if there are none.
    """

    def find() -> tuple[str, ...]:
        found: Sequence[str] = topic_texts.topic.concepts
        if where != "given":
            references = [each.text for each in topic_texts.topic.references]
            texts = references if where == "references" else _sources(topic_texts)
            found = key_terms_of([topic_texts.sentences(text) for text in texts], most)
        phrases = tuple(filter(_concept, found))
        if not phrases:
            what = (
                "the topic has no key concepts" if where == "given" else f"no key terms in {where}"
            )
            raise ValuesError(what, where=_topic(topic_texts), remedy="give the topic concepts")
        return phrases

    return topic_texts.cached(("phrases", where, most), find)


def key_terms_of(texts: Sequence[Sequence[str]], most: int) -> list[str]:
    """The phrases that characterise texts (sentences each) together, best first.

    They are those of :func:`weps_eval.text.phrases.key_phrases`, found without tags. Stop words are
    English ones. There may be fewer than ``most``, or none.
    """
    from weps_eval.text.phrases import key_phrases  # noqa: PLC0415 - few measures need it

    documents = [Document(rank, blocks=tuple(text)) for rank, text in enumerate(texts, start=1)]
    analysis = analyse_documents("", documents)
    return [phrase for phrase, _ in key_phrases(analysis, most=most)]


@measure(
    _GROUP,
    "how often texts name key concepts (nuclear informative concept similarity)",
    formula="vectors = occurrences of each key concept / words of the text, both in lower case, "
    f"with plurals reduced to singulars; {_CLOSE}",
    source=f"{_SYNTHESIS} 3.2.5; {_QARLA}",
    name="nicos",
    read=None,
    needs_when=_NEEDS_CONCEPTS,
    concepts=_CONCEPTS,
    n=_MOST_TERMS,
)
def concept_scores(
    topic_texts: TopicTexts, outputs: Texts, references: Texts, *, concepts: str, n: int
) -> Floats:
    """NICOS by the key concepts of the topic, shape (outputs, references)."""
    phrases = tuple(map(_concept, _phrases(topic_texts, concepts, n)))

    def read(text: Text) -> tuple[str, ...]:
        words = chain.from_iterable(map(_concept, topic_texts.sentences(text)))
        return topic_texts.cached(("singulars", text), lambda: tuple(words))

    compare = partial(concept_similarity, concepts=phrases)
    return each_pair(compare, map(read, outputs), map(read, references))


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


@measure(
    _GROUP,
    "answers of the reference that the output gives too (pseudo question answering)",
    formula="mean, over the key concepts that the reference contains (used in place of answers "
    "marked by its author), of: 1 if a sentence of the output contains the concept, else 0 "
    "(exact); or the maximum over sentences of the output of (length of the sentence − its edit "
    "distance from the concept) / length of the concept, in lower-case characters, at least 0 "
    "(edit); if the reference contains none, 1 for the same words, else 0",
    source="Hirao, Okumura, Yasuda and Isozaki 2007, Supervised automatic evaluation for "
    "summarization with voted regression model, sections 2.2.1 and 2.2.2; Text Summarization "
    "Challenge 3",
    name="answers",
    read=None,
    needs_when=_NEEDS_CONCEPTS,
    match=Choice(("edit", "exact"), "match concepts by edit distance, or exactly"),
    concepts=_CONCEPTS,
    n=_MOST_TERMS,
)
def answer_scores(  # noqa: PLR0913 - texts and parameters
    topic_texts: TopicTexts,
    outputs: Texts,
    references: Texts,
    *,
    match: str,
    concepts: str,
    n: int,
) -> Floats:
    """The share of the reference's answers that the output gives, shape (outputs, references)."""

    def folded(text: str) -> str:
        return " ".join(text.lower().split())

    asked = list(map(folded, _phrases(topic_texts, concepts, n)))

    def shares(text: Text, *, exact: bool) -> list[float]:
        sentences = list(map(folded, topic_texts.sentences(text)))
        return [answer_share(sentences, answer, exact=exact) for answer in asked]

    given = {text: shares(text, exact=match == "exact") for text in dict.fromkeys(outputs)}
    wanted = {text: shares(text, exact=True) for text in dict.fromkeys(references)}

    def compare(output: Text, reference: Text) -> float:
        both = zip(given[output], wanted[reference], strict=True)
        if contained := [share for share, whole in both if whole]:
            return fmean(contained)
        return float(topic_texts.plain_words(output) == topic_texts.plain_words(reference))

    return each_pair(compare, outputs, references)


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


Sentence = tuple[str, ...]


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


def _read_documents(topic_texts: TopicTexts, text: Text) -> frozenset[int]:
    documents = topic_texts.cached(
        documents_by_sentence,
        lambda: documents_by_sentence(list(map(topic_texts.plain_words, _sources(topic_texts)))),
    )
    return documents_of(topic_texts.plain_words(text), documents)


def _read_sentences(topic_texts: TopicTexts, text: Text) -> frozenset[Sentence]:
    return frozenset(topic_texts.plain_words(text))


@measure(
    _GROUP,
    "sentences in common (SentenceSim)",
    formula="matches = sentences in both texts; sentences with the same words are the same and "
    "counted once; recall is matches / reference, precision matches / output",
    source=f"{_SYNTHESIS} 3.2.2",
    name="sentencesim",
    read=_read_sentences,
    part=_PART,
    beta=BETA,
)
@measure(
    _GROUP,
    "source documents from which both texts take sentences (DocSim)",
    formula="matches = documents that contain a sentence of the output and one of the reference; "
    "recall is matches / documents of the reference, precision matches / documents of the output; "
    "sentences are the same if their words are; a text with no sentence in any source is rejected",
    source=f"{_SYNTHESIS} 3.2.1 (recall); {_QARLA} (precision)",
    name="docsim",
    read=_read_documents,
    needs=(Need.SOURCES,),
    part=_PART,
    beta=BETA,
)
def set_overlap(output: AbstractSet[object], reference: AbstractSet[object]) -> Overlap:
    """The overlap of two sets, for SentenceSim and DocSim (ACL 2004, sections 3.2.2 and 3.2.1).

    SentenceSim is of the sentences of two extracts, which are the same if all their tokens are.
    DocSim is of the documents that they represent, see :func:`documents_of`; the paper's measure is
    its recall. QARLA, section 4, swaps the denominators of SentenceSim, and has the precision of
    DocSim.
    """
    return Overlap(len(output & reference), len(output), len(reference))
