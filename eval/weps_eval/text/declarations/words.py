"""Words in common in any order, alone or with their place in trees, and measures of style.

Lexical overlap is the O_l of Giménez and Màrquez (Linguistic measures for automatic machine
translation evaluation, 2010; the toolkit Asiya), as used in Corroborating text evaluation results
with heterogeneous measures (2011), section 4.2: "the lexical overlap without considering word
ordering". The cosine of binary vectors is the baseline of the semantic textual similarity task of
SemEval 2012, over the distinct words between blanks.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable
from functools import partial
from math import sqrt

import numpy as np

from weps._expressions import Value
from weps_eval.stats.arrays import Floats
from weps_eval.text.declarations.base import (
    Choice,
    Compare,
    Family,
    Need,
    Parameter,
    Switch,
    Texts,
    Whole,
    compare_each,
    each_pair,
    plain_words,
    read_both,
)
from weps_eval.text.measures.linguistic import (
    Chains,
    TypedWords,
    chain_precision,
    forms_of,
    head_chains,
    typed_words,
)
from weps_eval.text.measures.overlap import Overlap, Tokens, or_wholes, words_of
from weps_eval.text.measures.rouge import clipped_matches
from weps_eval.text.measures.synthesis import sentence_length_similarity, vector_similarity
from weps_eval.text.measures.topic import TopicTexts
from weps_eval.text.testbed import Text, whole_text


def words_in_common(output: Tokens, reference: Tokens, *, repeated: bool = True) -> Overlap:
    """The words that two texts share; what a word is, is up to the caller.

    A word counts as often as it is there if ``repeated``, so that the texts are multisets; else
    once.
    """
    ours, theirs = (
        Counter[Hashable](words if repeated else set(words))
        for words in (words_of(output), words_of(reference))
    )
    return clipped_matches(ours, theirs)


def jaccard_similarity(overlap: Overlap) -> float:
    """|A ∩ B| / |A ∪ B|, in [0, 1]: lexical overlap, of multisets if the words are repeated."""
    either = overlap.output + overlap.reference - overlap.matches
    return overlap.matches / either if either else 1.0


def cosine_similarity(overlap: Overlap) -> float:
    """|A ∩ B| / √(|A| |B|), in [0, 1]: of sets, the cosine of their binary vectors.

    Of multisets it is not the cosine of the vectors of counts.
    """
    return sqrt(overlap.precision * overlap.recall)


def _compare_by(similarity: Callable[[Overlap], float]) -> Compare:
    def compare(
        topic_texts: TopicTexts,
        outputs: Texts,
        references: Texts,
        tokens: Value,
        distinct: Value = True,
    ) -> Floats:
        def read(text: Text) -> Tokens:
            if tokens == "words":
                return plain_words(topic_texts, text)
            return (tuple(whole_text(text).split()),)

        shared = partial(words_in_common, repeated=not distinct)
        both = read_both(read, outputs, references)
        return each_pair(lambda one, other: similarity(shared(one, other)), *both)

    return compare


def _tags(topic_texts: TopicTexts, text: Text) -> tuple[str, ...]:
    return tuple(word.tag for sentence in topic_texts.words(text) for word in sentence)


_SOURCE = "Evaluating DUC 2004 tasks with the QARLA framework (2005), section 3.1"
STYLE_FAMILIES = (
    Family(
        name="avls",
        group="style",
        description="how long sentences are (AveragedSentencelengthSim)",
        formula="1 / (1 + |difference of the average numbers of words in a sentence|)",
        source=_SOURCE,
        compare=compare_each(plain_words, sentence_length_similarity),
    ),
    Family(
        name="gramsim",
        group="style",
        description="how often texts use each part of speech (GRAMSIM)",
        formula=(
            "vectors = share that each universal part of speech has in all tokens of a text, "
            "punctuation too, by the language pipeline (the paper has TreeTagger's tags); "
            "1 / (1 + Euclidean distance of the vectors), where the paper has 1 / distance"
        ),
        source=_SOURCE,
        compare=compare_each(_tags, vector_similarity),
        needs=frozenset({Need.TAGS}),
    ),
)

_TOKENS = Choice(
    ("words", "blanks"),
    "lower-case words of all scripts without punctuation, or unchanged strings between blanks",
)
_SHARED: dict[str, Parameter] = {
    "tokens": _TOKENS,
    "distinct": Switch("count each word once, even if it is repeated"),
}
WORD_FAMILIES = (
    Family(
        name="overlap",
        group="word overlap",
        description="words in common relative to those in either text (lexical overlap, Jaccard)",
        formula="|A ∩ B| / |A ∪ B| of the multisets of words, or of the sets",
        source=(
            "Giménez and Màrquez 2010, Linguistic measures for automatic machine translation "
            "evaluation (O_l); Amigó, Gonzalo, Giménez and Verdejo 2011, Corroborating text "
            "evaluation results with heterogeneous measures, section 4.2"
        ),
        compare=_compare_by(jaccard_similarity),
        own=_SHARED,
    ),
    Family(
        name="dice",
        group="word overlap",
        description="words in common relative to the total words of both texts",
        formula="2 |A ∩ B| / (|A| + |B|) of the multisets of words, or of the sets",
        source="Dice 1945, Measures of the amount of ecologic association between species",
        compare=_compare_by(Overlap.f),
        own=_SHARED,
    ),
    Family(
        name="cosine",
        group="word overlap",
        description="cosine of the binary vectors of the words of the texts",
        formula="|A ∩ B| / √(|A| · |B|) of the sets of words",
        source=(
            "Agirre and others 2012, SemEval-2012 task 6: a pilot on semantic textual similarity: "
            "the baseline, with tokens=blanks"
        ),
        compare=_compare_by(cosine_similarity),
        own={"tokens": _TOKENS},
    ),
)


def _read_chains(
    topic_texts: TopicTexts, outputs: Texts, references: Texts, length: Value, of: Value
) -> tuple[list[Chains], list[Chains]]:
    def read(text: Text) -> Chains:
        return head_chains(topic_texts.parses(text), int(length), str(of))

    return read_both(read, outputs, references)


def _chains(topic_texts: TopicTexts, outputs: Texts, references: Texts, **values: Value) -> Floats:
    both = _read_chains(topic_texts, outputs, references, **values)
    return each_pair(lambda one, other: chain_precision(one, [other]), *both)


def _chains_together(
    topic_texts: TopicTexts, outputs: Texts, references: Texts, **values: Value
) -> Floats:
    ours, theirs = _read_chains(topic_texts, outputs, references, **values)
    return np.array([chain_precision(each, theirs) for each in ours], np.float64)


def _typed_overlap(
    topic_texts: TopicTexts, outputs: Texts, references: Texts, *, by: Value
) -> Floats:
    def read(text: Text) -> tuple[TypedWords, Tokens]:
        parsed = topic_texts.parses(text)
        return typed_words(parsed, str(by)), forms_of(parsed)

    def compare(one: tuple[TypedWords, Tokens], other: tuple[TypedWords, Tokens]) -> float:
        overlap = clipped_matches(one[0], other[0])
        return jaccard_similarity(or_wholes(overlap, one[1], other[1]))

    return each_pair(compare, *read_both(read, outputs, references))


_GIMENEZ = (
    "Giménez and Màrquez 2007, Linguistic features for automatic evaluation of heterogenous MT "
    "systems; 2010, Linguistic measures for automatic machine translation evaluation"
)
_PAIRS = "Σ of the lower count / Σ of the higher count, in either text, of pairs of "


def _linguistic(  # a row of the table below
    name: str, description: str, formula: str, **own: Parameter
) -> Family:
    return Family(
        name=name,
        group="linguistic",
        description=description,
        formula=f"{_PAIRS}{formula}; if neither text has any, 1 for the same words, else 0",
        source=_GIMENEZ,
        compare=_typed_overlap,
        own=own,
        needs=frozenset({Need.PARSES}),
    )


LINGUISTIC_FAMILIES = (
    Family(
        name="hwcm",
        group="linguistic",
        description="chains of words and their heads in common (head-word chain metric, DP-HWC)",
        formula=(
            "mean, over chain lengths from 1 to length words, each the head of the one before, of "
            "(chains of the output that are also in the reference, counted as often as both have "
            "them) / chains of the output; lengths for which neither text has chains are left out"
        ),
        source=(
            "Liu and Gildea 2005, Syntactic features for evaluation of machine translation, "
            "section 3.3 (form); Giménez and Màrquez 2007 (DP-HWC of words, categories, relations)"
        ),
        compare=_chains,
        together=_chains_together,
        joined="as published: a chain matches as often as the reference that has it most often",
        usually="together",
        own={
            "length": Whole(4, 1, 100, "length of the longest chains in words"),
            "of": Choice(
                ("form", "tag", "relation"),
                "how words are represented in a chain: by lower-case form, part of speech, or "
                "relation to the head",
            ),
        },
        needs=frozenset({Need.PARSES}),
    ),
    _linguistic(
        "dp_o",
        "words in common with the same position in the dependency trees (DP-O over all types)",
        "a word and its position in the tree",
        by=Choice(
            ("relation", "head", "level"),
            "relation: every relation on the path from the word to the root (DP-Or); head: the "
            "part of speech of its head (DP-Oc); level: every level from the root to the word "
            "(DP-Ol)",
        ),
    ),
    _linguistic(
        "sp_o",
        "words in common in the same kind of chunk, or of the same part of speech (SP-O)",
        "a word and its type",
        by=Choice(
            ("chunk", "tag"),
            "chunk: base noun phrases by the pipeline and, outside them, VP (verbs, auxiliaries, "
            "particles), PP (adpositions), ADVP, ADJP, SBAR, INTJ and the rest (SP-Oc); tag: "
            "universal parts of speech (SP-Op)",
        ),
    ),
    _linguistic(
        "ne_o",
        "words in common in the same kind of named entity (NE-Oe)",
        "a word and the kind of entity that it is in: person, location, organisation, event, "
        "product",
        by=Choice(
            ("entity", "all"),
            "entity: only words in entities (NE-Oe-*); all: also words in none, as a further kind "
            "(NE-Oe-**)",
        ),
    ),
)
