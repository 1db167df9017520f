"""SentenceSim and DocSim: which sentences, and whose, two extracts have chosen."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import TypeAlias

from eval.text.overlap import Overlap, Text
from weps.errors import ValuesError

__all__ = ["Sentence", "document_overlap", "documents_of", "holders", "sentence_overlap"]

Sentence: TypeAlias = tuple[str, ...]


def sentence_overlap(output: Text, reference: Text) -> Overlap:
    """SentenceSim R and P (ACL 2004, section 3.2.2): sets of sentences.

    Sentences are the same if all their tokens are, so that the caller brings them into one form.
    A repeated sentence counts once, one without tokens not at all. QARLA, section 4, swaps the
    denominators of the two; the overlap's precision and recall are those of 2004.
    """
    return _of_sets(*(set(filter(None, text)) for text in (output, reference)))


def document_overlap(
    output: Text, reference: Text, documents: Mapping[Sentence, AbstractSet[int]]
) -> Overlap:
    """DocSim (ACL 2004, section 3.2.1): sets of documents from which the sentences are taken.

    The paper's measure is the overlap's recall; QARLA, section 4, relates the documents in common
    to those of the contrastive text, which is its precision.

    Args:
        output: an extract.
        reference: another.
        documents: sentence → documents that hold it, see :func:`holders`.

    Raises:
        ValuesError: if no sentence of a text is in any document.
    """
    return _of_sets(*(documents_of(text, documents) for text in (output, reference)))


def documents_of(sentences: Text, documents: Mapping[Sentence, AbstractSet[int]]) -> frozenset[int]:
    """The documents that a text represents: those that hold one of its sentences at least.

    The paper does not say from which of them a sentence is that several documents hold; here it
    is from all. Sentences that are in no document represent none. A text without sentences is
    from no document.

    Raises:
        ValuesError: if the text has sentences, and none is in any document.
    """
    filled = list(filter(None, sentences))
    found = frozenset[int]().union(*(documents.get(each, frozenset()) for each in filled))
    if filled and not found:
        raise ValuesError(
            "no sentence of a text is in any document, so that it is no extract of them",
            remedy="choose a measure that does not look for documents",
        )
    return found


def holders(documents: Sequence[Text]) -> dict[Sentence, frozenset[int]]:
    """Sentence → numbers of the documents that hold it, from 0."""
    found = defaultdict[Sentence, set[int]](set)
    for number, sentences in enumerate(documents):
        for sentence in filter(None, sentences):
            found[sentence].add(number)
    return {sentence: frozenset(numbers) for sentence, numbers in found.items()}


def _of_sets(output: AbstractSet[object], reference: AbstractSet[object]) -> Overlap:
    return Overlap(len(output & reference), len(output), len(reference))
