"""AVLS and GRAMSIM: how texts are written, not what about.

Evaluating DUC 2004 tasks with the QARLA framework (2005), section 3.1.
"""

from __future__ import annotations

from collections.abc import Sequence

from eval.text.overlap import Text, words_of
from eval.text.synthesis.closeness import closeness, of_empty
from eval.text.synthesis.frequencies import vector_similarity

__all__ = ["gramsim", "sentence_length_similarity"]


def sentence_length_similarity(output: Text, reference: Text) -> float:
    """AVLS: closeness of the average numbers of tokens in a sentence.

    The paper says only that it "compares the average length of the sentences"; here the distance
    is their absolute difference, in tokens, and sentences without tokens are none.

    Returns:
        In (0, 1]; of texts without tokens see :func:`eval.text.synthesis.closeness.of_empty`.
    """
    words = [words_of(text) for text in (output, reference)]
    if not all(words):
        return of_empty(*words)
    return closeness(abs(_average(output) - _average(reference)))


def gramsim(output: Sequence[str], reference: Sequence[str]) -> float:
    """GRAMSIM: closeness of the relative frequencies of part-of-speech tags.

    The paper has the tags of TreeTagger; which tags they are, and whether those of punctuation
    count, is the caller's choice.

    Args:
        output: the tags of all tokens of a text.
        reference: those of another; the measure is symmetric.

    Returns:
        In (0, 1]; of texts without tags see :func:`eval.text.synthesis.closeness.of_empty`.
    """
    return vector_similarity(output, reference)


def _average(text: Text) -> float:
    lengths = [len(sentence) for sentence in text if sentence]
    return sum(lengths) / len(lengths)
