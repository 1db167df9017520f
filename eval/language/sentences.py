"""The annotated sentence that every converter makes, and the spaCy document made of several."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from spacy.tokens import Doc
    from spacy.vocab import Vocab

__all__ = ["MISSING", "OUTSIDE", "Sentence", "annotated", "grouped", "iob", "recased"]

OUTSIDE = "O"
MISSING = ""
"""The entity tag of a word of which nobody said whether it belongs to a name."""

_GROUP = 120
"""Words of a document, about: enough that windows see across sentences, as in use."""


@dataclass(frozen=True, slots=True)
class Sentence:
    """Words and what is known of them; a layer that nobody annotated is empty.

    Attributes:
        words: the words.
        spaces: whether a space follows, per word.
        tags: Penn tags.
        pos: universal parts of speech.
        lemmas: lemmas.
        heads: index of the governing word in the sentence; the root's is its own.
        deps: universal dependency labels.
        entities: IOB tags such as ``B-PERSON``, :data:`OUTSIDE` or :data:`MISSING`.
    """

    words: tuple[str, ...]
    spaces: tuple[bool, ...]
    tags: tuple[str, ...] = ()
    pos: tuple[str, ...] = ()
    lemmas: tuple[str, ...] = ()
    heads: tuple[int, ...] = ()
    deps: tuple[str, ...] = ()
    entities: tuple[str, ...] = ()


def annotated(vocab: Vocab, sentences: Sequence[Sentence]) -> Doc:
    """One document with the layers that all its sentences have."""
    from spacy.tokens import Doc  # noqa: PLC0415 - importing spaCy takes half a second

    starts: list[bool | int | None] = list(
        chain.from_iterable(_starts(len(each.words)) for each in sentences)
    )
    offsets = [0]
    for each in sentences:
        offsets.append(offsets[-1] + len(each.words))
    heads = [o + head for o, each in zip(offsets, sentences, strict=False) for head in each.heads]
    return Doc(
        vocab,
        words=_joined(sentences, "words"),
        spaces=list(chain.from_iterable((*each.spaces[:-1], True) for each in sentences)),
        tags=_joined(sentences, "tags"),
        pos=_joined(sentences, "pos"),
        lemmas=_joined(sentences, "lemmas"),
        heads=heads or None,
        deps=_joined(sentences, "deps"),
        ents=_joined(sentences, "entities"),
        sent_starts=None if heads else starts,  # heads imply them
    )


def _starts(length: int) -> Iterator[bool]:
    return (index == 0 for index in range(length))


def _joined(sentences: Iterable[Sentence], layer: str) -> list[str] | None:
    return list(chain.from_iterable(getattr(each, layer) for each in sentences)) or None


def grouped(sentences: Iterable[Sentence], size: int = _GROUP) -> Iterator[list[Sentence]]:
    """Neighbouring sentences in groups of about ``size`` words."""
    group: list[Sentence] = []
    for each in sentences:
        group.append(each)
        if sum(len(member.words) for member in group) >= size:
            yield group
            group = []
    if group:
        yield group


def iob(length: int, spans: Iterable[tuple[int, int, str]], empty: str = OUTSIDE) -> list[str]:
    """The IOB tags of spans (start, end, label), which do not overlap."""
    tags = [empty] * length
    for start, end, label in spans:
        tags[start:end] = [f"B-{label}"] + [f"I-{label}"] * (end - start - 1)
    return tags


def recased(sentence: Sentence, case: Callable[[str], str]) -> Sentence:
    """The sentence as it would stand in a headline or a hasty note."""
    return replace(sentence, words=tuple(case(word) for word in sentence.words))
