"""Words in common in any order, and measures of style.

Lexical overlap is the O_l of Giménez and Màrquez (Linguistic measures for automatic machine
translation evaluation, 2010; the toolkit Asiya), as used in Corroborating text evaluation results
with heterogeneous measures (2011), section 4.2: "the lexical overlap without considering word
ordering". The cosine of binary vectors is the baseline of the semantic textual similarity task of
SemEval 2012, over the distinct words between blanks. Two texts without a word, such as two of
punctuation marks that the caller leaves out, score 1; such a text scores 0 against any other.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable
from functools import partial
from math import sqrt

from eval.stats.arrays import Floats
from eval.text.declarations.base import Choice, Compare, Family, Need, Parameter, Switch
from eval.text.declarations.rouge import Texts, each_pair, plain_words, read_both
from eval.text.measures.overlap import Overlap, Tokens, words_of
from eval.text.measures.overlap import Tokens as Text_of_overlap
from eval.text.measures.rouge import clipped_matches
from eval.text.measures.synthesis import gramsim, sentence_length_similarity
from eval.text.measures.topic import TopicTexts
from eval.text.testbed import Text, whole_text
from weps._expressions import Value

__all__ = [
    "STYLE_FAMILIES",
    "WORD_FAMILIES",
    "cosine_similarity",
    "dice_similarity",
    "jaccard_similarity",
    "words_in_common",
]

_SOURCE = "Evaluating DUC 2004 tasks with the QARLA framework (2005), section 3.1"


def _lengths(topic_texts: TopicTexts, outputs: Texts, references: Texts) -> Floats:
    words = read_both(partial(plain_words, topic_texts), outputs, references)
    return each_pair(sentence_length_similarity, *words)


def _grammar(topic_texts: TopicTexts, outputs: Texts, references: Texts) -> Floats:
    return each_pair(gramsim, *read_both(partial(_tags, topic_texts), outputs, references))


def _tags(topic_texts: TopicTexts, text: Text) -> tuple[str, ...]:
    return tuple(word.tag for sentence in topic_texts.words(text) for word in sentence)


STYLE_FAMILIES = (
    Family(
        name="avls",
        group="style",
        description="how long sentences are (AveragedSentencelengthSim)",
        formula="1 / (1 + |difference of the average numbers of words in a sentence|)",
        source=_SOURCE,
        compare=_lengths,
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
        compare=_grammar,
        needs=frozenset({Need.TAGS}),
    ),
)


def words_in_common(
    output: Text_of_overlap, reference: Text_of_overlap, *, repeated: bool = True
) -> Overlap:
    """The words that two texts share; what a word is, is up to the caller.

    Args:
        output: tokens.
        reference: tokens.
        repeated: whether a word counts as often as it is there, so that the texts are multisets
            and it matches as often as it is in both; else once.

    Returns:
        The overlap, whose precision and recall are shares of the words of either text.
    """
    kept = Counter[Hashable] if repeated else _distinct_words
    return clipped_matches(kept(words_of(output)), kept(words_of(reference)))


def jaccard_similarity(overlap: Overlap) -> float:
    """|A ∩ B| / |A ∪ B|, in [0, 1]: lexical overlap, of multisets if the words are repeated."""
    either = overlap.output + overlap.reference - overlap.matches
    return overlap.matches / either if either else 1.0


def dice_similarity(overlap: Overlap) -> float:
    """2 |A ∩ B| / (|A| + |B|), in [0, 1]: F₁."""
    return overlap.f()


def cosine_similarity(overlap: Overlap) -> float:
    """|A ∩ B| / √(|A| |B|), in [0, 1]: of sets, the cosine of their binary vectors.

    Of multisets it is not the cosine of the vectors of counts.
    """
    return sqrt(overlap.precision * overlap.recall)


def _distinct_words(words: Iterable[Hashable]) -> Counter[Hashable]:
    return Counter(set(words))


_TOKENS = Choice(
    ("words", "blanks"),
    "words of all scripts in lower case without punctuation, or what stands between blanks, as it "
    "is",
)
_SHARED: dict[str, Parameter] = {
    "tokens": _TOKENS,
    "distinct": Switch("count a word once, however often it is repeated"),
}


def _overlap_compare(share: Callable[[Overlap], float]) -> Compare:
    def compare(
        topic_texts: TopicTexts,
        outputs: Texts,
        references: Texts,
        tokens: Value,
        distinct: Value = True,
    ) -> Floats:
        def of_pair(output: Tokens, reference: Tokens) -> float:
            return share(words_in_common(output, reference, repeated=not distinct))

        read = partial(_tokens, topic_texts, tokens=tokens)
        return each_pair(of_pair, *read_both(read, outputs, references))

    return compare


def _tokens(topic_texts: TopicTexts, text: Text, tokens: Value) -> Tokens:
    return (
        plain_words(topic_texts, text) if tokens == "words" else (tuple(whole_text(text).split()),)
    )


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
        compare=_overlap_compare(jaccard_similarity),
        own=_SHARED,
    ),
    Family(
        name="dice",
        group="word overlap",
        description="words in common among those of both texts together",
        formula="2 |A ∩ B| / (|A| + |B|) of the multisets of words, or of the sets",
        source="Dice 1945, Measures of the amount of ecologic association between species",
        compare=_overlap_compare(dice_similarity),
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
        compare=_overlap_compare(cosine_similarity),
        own={"tokens": _TOKENS},
    ),
)
