"""Measures of content: frequencies, key concepts, selection, surprise."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from itertools import chain
from statistics import fmean
from typing import Any

from weps._expressions import Value
from weps._files import word_list
from weps._formatting import quote_text
from weps._text import singular_form, split_words
from weps.errors import ValuesError
from weps_eval.stats.arrays import Floats
from weps_eval.tables.columns import locate_errors
from weps_eval.text.declarations.base import (
    BETA_NUMBER,
    Choice,
    Compare,
    Family,
    Need,
    Switch,
    Texts,
    Whole,
    compare_each,
    each_pair,
    overlap_parts,
    plain_words,
    read_both,
    tagged_words,
)
from weps_eval.text.measures.overlap import words_of
from weps_eval.text.measures.perplexity import perplexity_similarity
from weps_eval.text.measures.synthesis import (
    Concept,
    answer_share,
    concept_similarity,
    documents_by_sentence,
    documents_of,
    empty_similarity,
    most_frequent,
    set_overlap,
    truncated_similarity,
    vector_similarity,
)
from weps_eval.text.measures.topic import TopicTexts, key_terms_of
from weps_eval.text.testbed import Text


def _content_words(topic_texts: TopicTexts, text: Text, unit: object) -> tuple[str, ...]:
    """The lemmas or words of a text in order, without English stop words."""
    if unit == "word":
        return words_of(plain_words(topic_texts, text, stop=True))

    def read() -> tuple[str, ...]:
        stop = word_list("stopwords/english.txt")
        words = chain.from_iterable(tagged_words(topic_texts, text))
        return tuple(
            word.lemma for word in words if stop.isdisjoint((word.lemma, word.form.lower()))
        )

    return topic_texts.cached(("content words", text), read)


def _singular_words(topic_texts: TopicTexts, text: Text) -> tuple[str, ...]:
    """All words of a text in lower case, plurals undone: the form in which concepts are found."""

    def read() -> tuple[str, ...]:
        return tuple(chain.from_iterable(map(_concept, topic_texts.sentences(text))))

    return topic_texts.cached(("singulars", text), read)


def _concept(phrase: str) -> Concept:
    return tuple(map(singular_form, split_words(phrase)))


def _phrases(topic_texts: TopicTexts, where: object, most: int) -> tuple[str, ...]:
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


_2004 = "Amigó, Gonzalo, Peinado, Peñas and Verdejo 2004, An empirical study of information "
_SYNTHESIS = f"{_2004}synthesis tasks, section"
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
_INVERTED = Switch("swap output and reference")
_CONCEPTS = Choice(
    ("given", "references", "sources"),
    "concepts of the topic, or key terms of its references or sources",
)
_MOST_TERMS = Whole(20, 1, 1000, "maximum number of key terms")


def _vectors(topic_texts: TopicTexts, outputs: Texts, references: Texts, *, unit: Value) -> Floats:
    read = partial(_content_words, topic_texts, unit=unit)
    return each_pair(vector_similarity, *read_both(read, outputs, references))


def _truncated(
    topic_texts: TopicTexts, outputs: Texts, references: Texts, **values: Value
) -> Floats:
    read, most = partial(_content_words, topic_texts, unit=values["unit"]), int(values["n"])
    units = read_both(read, outputs, references)
    if values["of"] == "sources":
        terms = most_frequent(chain.from_iterable(map(read, _sources(topic_texts))), most)
        with locate_errors("the sources"):
            return each_pair(partial(truncated_similarity, terms=terms), *units)

    def by_own_terms(output: Sequence[str], reference: Sequence[str]) -> float:
        if not (output and reference):
            return empty_similarity(output, reference)
        return truncated_similarity(output, reference, most_frequent(reference, most))

    return each_pair(by_own_terms, *units, inverted=bool(values["inverted"]))


def _nicos(
    topic_texts: TopicTexts, outputs: Texts, references: Texts, *, concepts: Value, n: Value
) -> Floats:
    phrases = _phrases(topic_texts, concepts, int(n))
    compare = partial(concept_similarity, concepts=tuple(map(_concept, phrases)))
    return compare_each(_singular_words, compare)(topic_texts, outputs, references)


def _answers(
    topic_texts: TopicTexts, outputs: Texts, references: Texts, *, match: Value, **source: Value
) -> Floats:
    answers = list(map(_folded, _phrases(topic_texts, source["concepts"], int(source["n"]))))

    def shares(text: Text, *, exact: bool) -> list[float]:
        sentences = list(map(_folded, topic_texts.sentences(text)))
        return [answer_share(sentences, each, exact=exact) for each in answers]

    given = {text: shares(text, exact=match == "exact") for text in dict.fromkeys(outputs)}
    asked = {text: shares(text, exact=True) for text in dict.fromkeys(references)}

    def compare(output: Text, reference: Text) -> float:
        both = zip(given[output], asked[reference], strict=True)
        if found := [share for share, holds in both if holds]:
            return fmean(found)
        return float(plain_words(topic_texts, output) == plain_words(topic_texts, reference))

    return each_pair(compare, outputs, references)


def _folded(text: str) -> str:
    return " ".join(text.lower().split())


def _perplexity(
    topic_texts: TopicTexts, outputs: Texts, references: Texts, *, n: Value, inverted: Value
) -> Floats:
    tokens = read_both(partial(plain_words, topic_texts), outputs, references)
    return each_pair(partial(perplexity_similarity, n=int(n)), *tokens, inverted=bool(inverted))


def _documents(
    topic_texts: TopicTexts, outputs: Texts, references: Texts, *, part: Value, beta: Value
) -> Floats:
    read = partial(plain_words, topic_texts)
    documents = topic_texts.cached(
        documents_by_sentence,
        lambda: documents_by_sentence(list(map(read, _sources(topic_texts)))),
    )

    def find(text: Text) -> frozenset[int]:
        sentences = read(text)
        with locate_errors(topic_texts.name(text)):
            return documents_of(sentences, documents)

    ours, theirs = read_both(find, outputs, references)
    return overlap_parts(
        [[set_overlap(one, other) for other in theirs] for one in ours], part, beta
    )


def _sentences(
    topic_texts: TopicTexts, outputs: Texts, references: Texts, *, part: Value, beta: Value
) -> Floats:
    ours, theirs = read_both(partial(plain_words, topic_texts), outputs, references)
    overlaps = [[set_overlap(set(one), set(other)) for other in theirs] for one in ours]
    return overlap_parts(overlaps, part, beta)


def _family(name: str, compare: Compare, description: str, formula: str, **fields: Any) -> Family:
    return Family(
        name=name,
        group="information synthesis",
        description=description,
        formula=formula,
        compare=compare,
        **fields,
    )


SYNTHESIS_FAMILIES = (
    _family(
        "tvm",
        _truncated,
        "how often texts use the most frequent terms (TruncatedVectModel)",
        "vectors = share of each of the n most frequent terms in all lemmas or words of a text, "
        f"without stop words; {_CLOSE}",
        source=f"{_DUC}: terms of the sources; {_QARLA}: terms of the reference",
        own={
            "n": Whole(None, 1, 1_000_000, "terms, or all if there are fewer"),
            "of": Choice(("reference", "sources"), "the texts whose most frequent terms are used"),
            "inverted": _INVERTED,
            "unit": _UNIT,
        },
        needs_when={("unit", "lemma"): Need.TAGS, ("of", "sources"): Need.SOURCES},
    ),
    _family(
        "vectmodel",
        _vectors,
        "how often texts use each of their words (VectModelSim)",
        f"vectors = share of each lemma or word in all of a text, without stop words; {_CLOSE}",
        source=_QARLA,
        own={"unit": _UNIT},
        needs_when={("unit", "lemma"): Need.TAGS},
    ),
    _family(
        "nicos",
        _nicos,
        "how often texts name key concepts (nuclear informative concept similarity)",
        "vectors = occurrences of each key concept / words of the text, both in lower case, with "
        f"plurals reduced to singulars; {_CLOSE}",
        source=f"{_SYNTHESIS} 3.2.5; {_QARLA}",
        own={"concepts": _CONCEPTS, "n": _MOST_TERMS},
        needs_when={("concepts", "given"): Need.CONCEPTS, ("concepts", "sources"): Need.SOURCES},
    ),
    _family(
        "answers",
        _answers,
        "answers of the reference that the output gives too (pseudo question answering)",
        "mean, over the key concepts that the reference contains (used in place of answers marked "
        "by its author), of: 1 if a sentence of the output contains the concept, else 0 (exact); "
        "or the maximum over sentences of the output of (length of the sentence − its edit "
        "distance from the concept) / length of the concept, in lower-case characters, at least 0 "
        "(edit); if the reference contains none, 1 for the same words, else 0",
        source="Hirao, Okumura, Yasuda and Isozaki 2007, Supervised automatic evaluation for "
        "summarization with voted regression model, sections 2.2.1 and 2.2.2; Text Summarization "
        "Challenge 3",
        own={
            "match": Choice(("edit", "exact"), "match concepts by edit distance, or exactly"),
            "concepts": _CONCEPTS,
            "n": _MOST_TERMS,
        },
        needs_when={("concepts", "given"): Need.CONCEPTS, ("concepts", "sources"): Need.SOURCES},
    ),
    _family(
        "docsim",
        _documents,
        "source documents from which both texts take sentences (DocSim)",
        "matches = documents that contain a sentence of the output and one of the reference; "
        "recall is matches / documents of the reference, precision matches / documents of the "
        "output; sentences are the same if their words are; a text with no sentence in any source "
        "is rejected",
        source=f"{_SYNTHESIS} 3.2.1 (recall); {_QARLA} (precision)",
        own={"part": _PART, "beta": BETA_NUMBER},
        needs=frozenset({Need.SOURCES}),
    ),
    _family(
        "sentencesim",
        _sentences,
        "sentences in common (SentenceSim)",
        "matches = sentences in both texts; sentences with the same words are the same and counted "
        "once; recall is matches / reference, precision matches / output",
        source=f"{_SYNTHESIS} 3.2.2",
        own={"part": _PART, "beta": BETA_NUMBER},
    ),
    _family(
        "perplexity",
        _perplexity,
        "how well the reference predicts the words of the output (PerplexitySim)",
        "1 / perplexity of the output's words under the n-gram model of the reference, with "
        "Good-Turing discounts for counts up to 7 and Katz's back-off; less than 1 for the "
        "reference itself",
        source=f"{_SYNTHESIS} 3.2.3; Katz 1987",
        own={"n": Whole(3, 1, 9, "length of the longest n-grams"), "inverted": _INVERTED},
    ),
)
