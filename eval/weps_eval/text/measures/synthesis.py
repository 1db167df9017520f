"""Measures of information synthesis (ACL 2004) and of QARLA (2005).

NICOS compares frequencies of key concepts; VectModelSim, TruncatedVectModel and GRAMSIM relative
frequencies of words, terms and part-of-speech tags; SentenceSim and DocSim the sentences that two
extracts select; AVLS lengths of sentences. Answers to questions are those of Hirao and others.

PerplexitySim is the perplexity of a text under a language model of the reference (ACL 2004, section
3.2.3): "Good-Turing discount" of the CMU-Cambridge toolkit (Clarkson and Rosenfeld 1997). What the
paper leaves open follows the toolkit's defaults where it has some:

- N-grams are up to 3 words long by default; unseen ones back off to shorter ones (Katz 1987).
- Discounts are :func:`_good_turing` for n-grams of two and more words. Of single words, those seen
  once are discounted so that each unseen word is as probable as they are.
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
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Sized
from collections.abc import Set as AbstractSet
from heapq import nsmallest
from itertools import chain, compress
from statistics import fmean

import numpy as np

from weps._expressions import Value
from weps._files import word_list
from weps._formatting import quote_text
from weps._text import singular_form, split_words
from weps.errors import ValuesError
from weps.language.analysis import analyse_documents
from weps.records import Document
from weps_eval.stats import Ints
from weps_eval.text.declaration import (
    BETA,
    Need,
    Overlap,
    Texts,
    measure,
    one_of,
    true_or_false,
    whole_number,
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
_PART = one_of(("recall", "precision", "f"), "which of the three is computed")
_UNIT = one_of(("lemma", "word"), "what is counted: lemmas, or words in lower case")
_CONCEPTS = one_of(
    ("given", "references", "sources"),
    "concepts of the topic, or key terms of its references or sources",
)
_MOST_TERMS = whole_number(20, 1, 1000, "maximum number of key terms")
_NEEDS_CONCEPTS: dict[tuple[str, Value], Need] = {
    ("concepts", "given"): Need.CONCEPTS,
    ("concepts", "sources"): Need.SOURCES,
}


def _content_words(topic_texts: TopicTexts, text: Text, *, unit: str) -> tuple[str, ...]:
    """The lemmas or words of a text in order, without English stop words."""
    if unit == "word":
        return words_of(topic_texts.plain_words(text, stop=True))
    stop = word_list("stopwords/english.txt")
    return tuple(
        word.lemma
        for word in chain.from_iterable(topic_texts.tagged_words(text))
        if stop.isdisjoint((word.lemma, word.form.lower()))
    )


def _sources(topic_texts: TopicTexts) -> Texts:
    """The source documents of the topic."""
    if not topic_texts.topic.sources:
        raise ValuesError(
            "the topic has no source documents",
            where=f"topic {quote_text(topic_texts.topic.topic)}",
            remedy="choose measures that need none",
        )
    return topic_texts.topic.sources


def _closeness(differences: Iterable[float]) -> float:
    """1 / (1 + d), in (0, 1], of the Euclidean distance d, whatever the order of dimensions.

    The papers take "the inverse of the Euclidean distance", 1 / d, which divides by zero where
    two texts are the same. This orders all other pairs of texts as 1 / d does, and is 1 for
    distance 0 alone.
    """
    return 1 / (1 + math.sqrt(math.fsum(each * each for each in differences)))


def _empty_similarity(output: Sized, reference: Sized) -> float:
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
        In (0, 1]; of texts without tokens see :func:`_empty_similarity`.
    """
    words = [words_of(text) for text in (output, reference)]
    if not all(words):
        return _empty_similarity(*words)
    ours, theirs = (len(words_of(text)) / sum(map(bool, text)) for text in (output, reference))
    return _closeness([ours - theirs])


def _read_terms(
    topic_texts: TopicTexts, text: Text, *, n: int, of: str, unit: str
) -> tuple[Sequence[str], Sequence[str]]:
    """The units of a text, and the terms by which it is compared as a reference."""
    words = _content_words(topic_texts, text, unit=unit)
    if of == "reference":
        return words, _most_frequent(words, n)
    sources = (_content_words(topic_texts, each, unit=unit) for each in _sources(topic_texts))
    terms = topic_texts.cached(
        ("terms", n, unit), lambda: _most_frequent(chain.from_iterable(sources), n)
    )
    if not terms:
        raise ValuesError(
            "no terms to compare texts by", where="the sources", remedy="give one or more"
        )
    return words, terms


@measure(
    _GROUP,
    "how often texts use the most frequent terms (TruncatedVectModel)",
    formula="vectors = share of each of the n most frequent terms in all lemmas or words of a "
    f"text, without stop words; {_CLOSE}",
    source=f"{_DUC}: terms of the sources; {_QARLA}: terms of the reference",
    name="tvm",
    read=_read_terms,
    needs_when={("unit", "lemma"): Need.TAGS, ("of", "sources"): Need.SOURCES},
    aliases={"tvm{}": "n={}", "TruncatedVectModel{}": "n={}"},
    n=whole_number(None, 1, 1_000_000, "terms, or all if there are fewer"),
    of=one_of(("reference", "sources"), "the texts whose most frequent terms are used"),
    inverted=true_or_false("swap output and reference"),
    unit=_UNIT,
)
def truncated_similarity(
    output: tuple[Sequence[str], Iterable[str]], reference: tuple[Sequence[str], Iterable[str]]
) -> float:
    """TVM-n (Evaluating DUC 2004 tasks, section 3.1): :func:`vector_similarity` by n terms only.

    Texts are units, and the terms by which they are compared as a reference: the n most frequent
    lemmas but stop words, there those of the original documents, in QARLA, section 4, those of the
    reference; :func:`_most_frequent` finds either. The papers do not state in relation to what a
    frequency is; here to all units of its text. Texts without any of the terms have the same
    frequencies, and so score 1.
    """
    (ours, _), (theirs, terms) = output, reference
    if not (ours and theirs):
        return _empty_similarity(ours, theirs)
    here, there = Counter(ours), Counter(theirs)
    return _closeness(here[each] / len(ours) - there[each] / len(theirs) for each in set(terms))


def _most_frequent(units: Iterable[str], n: int) -> tuple[str, ...]:
    """The n most frequent units, or all if there are fewer; ties in alphabetical order."""
    counts = Counter(units)
    return tuple(nsmallest(n, counts, key=lambda unit: (-counts[unit], unit)))


@measure(
    "style",
    "how often texts use each part of speech (GRAMSIM)",
    formula="vectors = share that each universal part of speech has in all tokens of a text, "
    "punctuation too, by the language pipeline (the paper has TreeTagger's tags); "
    "1 / (1 + Euclidean distance of the vectors), where the paper has 1 / distance",
    source=_DUC,
    name="gramsim",
    read=lambda texts, text: [
        word.tag for words in texts.tagged_words(text, punctuation=True) for word in words
    ],
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
        In (0, 1], and 1 only for the same frequencies; of empty texts see
        :func:`_empty_similarity`.
    """
    return truncated_similarity((output, ()), (reference, {*output, *reference}))


Concept = tuple[str, ...]
"""One or more consecutive words, in the form (lemmas, lower case) that the words of texts have."""


def _concept(phrase: str) -> Concept:
    return tuple(map(singular_form, split_words(phrase)))


def _phrases(topic_texts: TopicTexts, where: str, most: int) -> tuple[str, ...]:
    """The key concepts of the topic as they are given, or the key terms of some of its texts.

    Key terms are those of :func:`weps_eval.text.phrases.key_phrases`, found without tags, without
    English stop words; there may be fewer than ``most``.
    """
    from weps_eval.text.phrases import key_phrases  # noqa: PLC0415 - few measures need it

    topic = topic_texts.topic

    def find() -> tuple[str, ...]:
        found: Iterable[str] = topic.concepts
        if where != "given":
            texts = (
                [each.text for each in topic.references]
                if where == "references"
                else _sources(topic_texts)
            )
            documents = [
                Document(rank, blocks=topic_texts.sentences(text))
                for rank, text in enumerate(texts, start=1)
            ]
            found = dict(key_phrases(analyse_documents("", documents), most=most))
        return tuple(filter(_concept, found))

    if phrases := topic_texts.cached(("phrases", where, most), find):
        return phrases
    missing = "the topic has no key concepts" if where == "given" else f"no key terms in {where}"
    raise ValuesError(
        missing, where=f"topic {quote_text(topic.topic)}", remedy="give the topic concepts"
    )


def _read_concepts(
    topic_texts: TopicTexts, text: Text, *, concepts: str, n: int
) -> tuple[Sequence[str], Sequence[Concept]]:
    """The words of a text, and the key concepts."""
    words = map(_concept, topic_texts.sentences(text))
    return tuple(chain(*words)), list(map(_concept, _phrases(topic_texts, concepts, n)))


@measure(
    _GROUP,
    "how often texts name key concepts (nuclear informative concept similarity)",
    formula="vectors = occurrences of each key concept / words of the text, both in lower case, "
    f"with plurals reduced to singulars; {_CLOSE}",
    source=f"{_SYNTHESIS} 3.2.5; {_QARLA}",
    name="nicos",
    read=_read_concepts,
    needs_when=_NEEDS_CONCEPTS,
    concepts=_CONCEPTS,
    n=_MOST_TERMS,
)
def concept_similarity(
    output: tuple[Sequence[str], Iterable[Concept]],
    reference: tuple[Sequence[str], Iterable[Concept]],
) -> float:
    """NICOS, nuclear informative concept similarity (ACL 2004, section 3.2.5); symmetric.

    kc(M)_i = freq(C_i, M) / |words(M)|, and the similarity is 1 / (1 + distance) of the vectors kc
    of both texts. A concept that is given twice counts once. As the formula has it, texts without
    any key concept score 1 whatever they are about: their vectors are the same, zero.

    Texts are words, and the concepts that the people asked for the topic, or any extraction of key
    terms, named.

    Returns:
        In (0, 1]; of texts without words see :func:`_empty_similarity`.
    """
    (ours, concepts), (theirs, _) = output, reference
    if not (ours and theirs):
        return _empty_similarity(ours, theirs)
    distinct = tuple(set(concepts))
    found, wanted = (_count_occurrences(distinct, words) / len(words) for words in (ours, theirs))
    return _closeness(found - wanted)


def _count_occurrences(concepts: Sequence[Concept], words: Sequence[str]) -> Ints:
    """How often each concept stands in the words, consecutively; shape (concepts,).

    Occurrences may overlap, those of one concept as those of several: ``a a`` is twice in
    ``a a a``, and ``coup`` also counts within ``coup attempt``. On this the paper is silent. Ends
    of sentences are no words and part nothing.
    """
    grams = {
        size: Counter(zip(*(words[start:] for start in range(size)), strict=False))
        for size in set(map(len, concepts))
    }
    return np.array([grams[len(concept)][concept] for concept in concepts], dtype=np.int64)


def _read_answers(
    topic_texts: TopicTexts, text: Text, *, match: str, concepts: str, n: int
) -> tuple[list[float], list[float], Tokens]:
    """How much a text gives of each answer, whether it holds it, and its words."""
    answers, sentences = (
        [" ".join(each.lower().split()) for each in texts]
        for texts in (_phrases(topic_texts, concepts, n), topic_texts.sentences(text))
    )
    held, given = (
        [_answer_share(sentences, answer, exact=exact) for answer in answers]
        for exact in (True, match == "exact")
    )
    return given, held, topic_texts.plain_words(text)


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
    read=_read_answers,
    needs_when=_NEEDS_CONCEPTS,
    match=one_of(("edit", "exact"), "match concepts by edit distance, or exactly"),
    concepts=_CONCEPTS,
    n=_MOST_TERMS,
)
def answers_given(
    output: tuple[list[float], list[float], Tokens],
    reference: tuple[list[float], list[float], Tokens],
) -> float:
    """The share of the reference's answers that the output gives."""
    contained = list(compress(output[0], reference[1]))
    return fmean(contained) if contained else float(output[2] == reference[2])


def _answer_share(sentences: Iterable[str], answer: str, *, exact: bool) -> float:
    """How much of an answer a text gives (Hirao and others 2007, sections 2.2.1 and 2.2.2).

    1 if a sentence holds the answer, else 0 if ``exact``. If not, the most that any sentence gives
    of (its length − its edit distance from the answer) / length of the answer, lengths and edits
    in characters, and not below 0: what of the answer stands in it in this order, whatever is
    between. So long sentences give much of short answers.

    Returns:
        In [0, 1].
    """
    if exact:
        return float(any(answer in sentence for sentence in sentences))
    given = (max(0, len(each) - edit_distance(answer, each)) for each in sentences)
    return max(given, default=0) / len(answer)


def _documents_of(
    sentences: Tokens, documents: Sequence[AbstractSet[tuple[str, ...]]]
) -> frozenset[int]:
    """The numbers of the documents that a text represents: those with one of its sentences.

    The paper does not state from which of them a sentence is that several documents hold; here it
    is from all. Sentences that are in no document represent none. A text without sentences is
    from no document.
    """
    found = frozenset(
        number for number, each in enumerate(documents) if not each.isdisjoint(sentences)
    )
    if sentences and not found:
        raise ValuesError(
            "no sentence of a text is in any document, so it is not an extract of them",
            remedy="choose a measure that needs no documents",
        )
    return found


def _read_documents(topic_texts: TopicTexts, text: Text) -> frozenset[int]:
    documents = map(topic_texts.plain_words, _sources(topic_texts))
    return _documents_of(topic_texts.plain_words(text), list(map(frozenset, documents)))


@measure(
    _GROUP,
    "sentences in common (SentenceSim)",
    formula="matches = sentences in both texts; sentences with the same words are the same and "
    "counted once; recall is matches / reference, precision matches / output",
    source=f"{_SYNTHESIS} 3.2.2",
    name="sentencesim",
    read=lambda texts, text: frozenset(texts.plain_words(text)),
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
    DocSim is of the documents that they represent, see :func:`_documents_of`; the paper's measure
    is its recall. QARLA, section 4, swaps the denominators of SentenceSim, and has the precision
    of DocSim.
    """
    return Overlap(len(output & reference), len(output), len(reference))


def _good_turing(counts: Iterable[int], cutoff: int = 7) -> tuple[float, ...]:
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
    for k in range(cutoff, 0, -1):
        taken = (k + 1) * times[k + 1]
        kept = times[1] - taken
        if kept > 0 and all(times[r] for r in range(1, k + 1)):
            ratios = tuple(  # both parts of the fraction times r n_1 n_r
                (times[1] * (r + 1) * times[r + 1] - taken * r * times[r]) / (r * times[r] * kept)
                for r in range(1, k + 1)
            )
            if all(0 < ratio <= 1 for ratio in ratios):
                return ratios
    return ()


Gram = tuple[str | None, ...]
"""Consecutive words; None is the cue at the beginning of a sentence."""


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
    n=whole_number(3, 1, 9, "length of the longest n-grams"),
    inverted=true_or_false("swap output and reference"),
)
def perplexity_similarity(output: Tokens, reference: Tokens, n: int = 3) -> float:
    """PerplexitySim: 1 / perplexity of the output under the model of the reference.

    It is not symmetric and does not ask how much of the reference is covered.

    Returns:
        In (0, 1), also for the reference itself; of texts without words as other measures.
    """
    words = [words_of(text) for text in (output, reference)]
    if not all(words):
        return _empty_similarity(*words)
    probability = _language_model(reference, n, max(1, len({*words[0]} - {*words[1]})))
    surprises = [
        -math.log(probability(word, (None, *sentence)[max(place - n + 1, 0) : place]))
        for sentence in output
        for place, word in enumerate(sentence, 1)
    ]
    return 1 / math.exp(math.fsum(surprises) / len(surprises))


def _language_model(text: Tokens, n: int = 3, unknown: int = 1) -> Callable[[str, Gram], float]:
    """Back-off n-gram model of a text: a distribution over its words and the unknown ones.

    After every context the probabilities of all words of the vocabulary add up to 1, and none
    is 0. The vocabulary has ``unknown`` words, 1 or more, that are not in the text; by the model of
    an empty one, all words are equally probable.

    The rule for words seen once gives n_0 unseen words n_0 / (n_1 + n_0) of the n_1. The
    CMU-Cambridge toolkit so discounts single words by default, where Katz's formula needs k > 1.

    Returns:
        The probability of a word after a context of at most n − 1 words.
    """
    words = Counter(_grams(text, 1))
    once = sum(count == 1 for count in words.values())
    # The probability of an n-gram's last word after the others; and of a context, the factor of the
    # probability after the context without its first word, 1 where it is missing. After no context
    # there is nothing to back off to, and it is the probability of each unknown word.
    seen, left = _katz_estimates(words, [once / (once + unknown)] if once else [], {})
    left = {(): left.get((), 1.0) / unknown}
    for length in range(2, n + 1):
        counts = Counter(_grams(text, length))
        longer, leaves = _katz_estimates(counts, _good_turing(counts.values()), seen)
        seen |= longer
        left |= leaves

    def probability(word: str, context: Gram) -> float:
        share = 1.0
        for start in range(len(context) + 1):
            after = context[start:]
            if (found := seen.get((*after, word))) is not None:
                return share * found
            share *= left.get(after, 1.0)
        return share

    return probability


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
