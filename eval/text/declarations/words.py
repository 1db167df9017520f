"""Words in common in any order, and measures of style.

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

from eval.stats.arrays import Floats
from eval.text.declarations.base import (
    Choice,
    Compare,
    Family,
    Need,
    Parameter,
    Switch,
    Texts,
    compare_each,
    each_pair,
    plain_words,
    read_both,
)
from eval.text.measures.overlap import Overlap, Tokens, words_of
from eval.text.measures.rouge import clipped_matches
from eval.text.measures.synthesis import sentence_length_similarity, vector_similarity
from eval.text.measures.topic import TopicTexts
from eval.text.testbed import Text, whole_text
from weps._expressions import Value


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
    "words of all scripts in lower case without punctuation, or what stands between blanks, as it "
    "is",
)
_SHARED: dict[str, Parameter] = {
    "tokens": _TOKENS,
    "distinct": Switch("count a word once, however often it is repeated"),
}
WORD_FAMILIES = (
    Family(
        name="overlap",
        group="word overlap",
        description="words in common among those of either text (lexical overlap, Jaccard)",
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
        description="words in common among those of both texts together",
        formula="2 |A ∩ B| / (|A| + |B|) of the multisets of words, or of the sets",
        source="Dice 1945, Measures of the amount of ecologic association between species",
        compare=_compare_by(Overlap.f),
        own=_SHARED,
    ),
    Family(
        name="cosine",
        group="word overlap",
        description="cosine of the vectors that say which words a text has",
        formula="|A ∩ B| / √(|A| · |B|) of the sets of words",
        source=(
            "Agirre and others 2012, SemEval-2012 task 6: a pilot on semantic textual similarity: "
            "the baseline, with tokens=blanks"
        ),
        compare=_compare_by(cosine_similarity),
        own={"tokens": _TOKENS},
    ),
)
