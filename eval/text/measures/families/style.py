"""Measures of how texts are written."""

from __future__ import annotations

from functools import partial

from eval.text.desk import Desk
from eval.text.measures.families.pairs import Floats, Texts, both, each_pair, plain_words
from eval.text.measures.family import Family, Need
from eval.text.synthesis.style import gramsim, sentence_length_similarity
from eval.text.testbed import Text

__all__ = ["FAMILIES"]

_SOURCE = "Evaluating DUC 2004 tasks with the QARLA framework (2005), section 3.1"


def _lengths(desk: Desk, outputs: Texts, references: Texts) -> Floats:
    words = both(partial(plain_words, desk), outputs, references)
    return each_pair(sentence_length_similarity, *words)


def _grammar(desk: Desk, outputs: Texts, references: Texts) -> Floats:
    return each_pair(gramsim, *both(partial(_tags, desk), outputs, references))


def _tags(desk: Desk, text: Text) -> tuple[str, ...]:
    return tuple(word.tag for sentence in desk.words(text) for word in sentence)


FAMILIES = (
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
