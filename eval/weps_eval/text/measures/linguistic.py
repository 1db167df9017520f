"""Texts compared by their syntax and their named entities.

Head-word chains are those of Liu and Gildea (Syntactic features for evaluation of machine
translation, 2005, section 3.3). The overlaps are the families DP-O, SP-O and NE-O of Giménez and
Màrquez (Linguistic features for automatic evaluation of heterogenous MT systems, 2007; Linguistic
measures for automatic machine translation evaluation, 2010): each word counts together with what it
belongs to, and two texts are compared as multisets of such pairs. Their trees are of MINIPAR, their
chunks of Phreco, their entities of BIOS; here all are those of a language pipeline, with the
relations of Universal Dependencies. Words are in lower case, and punctuation marks are none.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from functools import reduce
from operator import attrgetter, or_
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from weps.language.analysis import Layer
from weps.language.annotation import read_documents
from weps.language.spacy_pipeline import ENTITY_KINDS
from weps_eval.text.measures.rouge import clipped_matches

if TYPE_CHECKING:
    from spacy.tokens import Doc


class ParsedWord(NamedTuple):
    """A word, and its place in a sentence."""

    form: str
    """In lower case."""
    tag: str
    """Its universal part of speech."""
    relation: str
    """To its head."""
    head: int
    """The number of its head among the words of the sentence; its own at the top."""
    chunk: str
    """The kind of phrase, without further ones in it, that it is in, as in CoNLL-2000: ``NP``."""
    entity: str
    """The kind of named entity that it is in, empty if in none."""


ParsedText: TypeAlias = tuple[tuple[ParsedWord, ...], ...]
"""Sentences of words."""

_LAYERS = frozenset({Layer.TAGS, Layer.PHRASES, Layer.ENTITIES})
_CHUNK_OF_TAG = {
    **dict.fromkeys(("VERB", "AUX", "PART"), "VP"),
    "ADP": "PP",
    "ADV": "ADVP",
    "ADJ": "ADJP",
    "SCONJ": "SBAR",
    "INTJ": "INTJ",
}
"""Of words outside noun phrases."""
_OUTSIDE = "O"


def parse_texts(texts: Sequence[Sequence[str]], language: str) -> list[ParsedText | None]:
    """The words of texts, given as sentences, by a language pipeline.

    Returns:
        For each text its sentences that have words; None if the pipeline fails on it.

    Raises:
        LanguageError: if the pipeline is missing or lacks tags, a parser or entities.
    """
    return read_documents(texts, _LAYERS, language, lambda found: tuple(_parsed_sentences(found)))


def _parsed_sentences(
    documents: Iterator[tuple[Doc, list[int]]],
) -> Iterator[tuple[ParsedWord, ...]]:
    for document, _ in documents:
        nominal = {token.i for phrase in document.noun_chunks for token in phrase}
        for sentence in document.sents:
            words = [token for token in sentence if any(map(str.isalnum, token.text))]
            place = {token.i: number for number, token in enumerate(words)}
            parsed = tuple(
                ParsedWord(
                    token.lower_,
                    token.pos_,
                    token.dep_,
                    next((place[each.i] for each in token.ancestors if each.i in place), number),
                    "NP" if token.i in nominal else _CHUNK_OF_TAG.get(token.pos_, _OUTSIDE),
                    ENTITY_KINDS.get(token.ent_type_, ""),
                )
                for number, token in enumerate(words)
            )
            if parsed:
                yield parsed


def forms_of(text: ParsedText) -> tuple[tuple[str, ...], ...]:
    """The words alone."""
    return tuple(tuple(word.form for word in sentence) for sentence in text)


Chains: TypeAlias = tuple[Counter[Hashable], ...]
"""The head-word chains of a text: how often there is each of one word, of two, and so on."""


def head_chains(text: ParsedText, length: int, of: str) -> Chains:
    """Chains of a word, its head, the head of that, and so on, of 1 to ``length`` words.

    Args:
        text: its parsed sentences.
        length: of the longest chains.
        of: what of a word counts: ``form``, ``tag`` or ``relation``.
    """
    label: Callable[[ParsedWord], str] = attrgetter(of)
    found = tuple(Counter[Hashable]() for _ in range(length))
    for sentence in text:
        for word in sentence:
            chain: tuple[str, ...] = ()
            for counter, node in zip(found, _path(word, sentence), strict=False):
                chain = (*chain, label(node))
                counter[chain] += 1
    return found


def chain_precision(output: Chains, references: Sequence[Chains]) -> float:
    """HWCM: the share of the output's chains that are in a reference, mean over their lengths.

    A chain counts as often as the reference that has it most often. The paper does not say what
    becomes of lengths that texts are too short for: they are left out if neither has any.

    Returns:
        In [0, 1].
    """
    shares = []
    for ours, *theirs in zip(output, *references, strict=True):
        overlap = clipped_matches(ours, reduce(or_, theirs))
        if overlap.output or overlap.reference:
            shares.append(overlap.precision)
    return sum(shares) / len(shares) if shares else 1.0


def _path(word: ParsedWord, sentence: Sequence[ParsedWord]) -> Iterator[ParsedWord]:
    """The word, its head, and so on to the top."""
    yield word
    while (head := sentence[word.head]) is not word:
        yield (word := head)


TypedWords: TypeAlias = Counter[Hashable]
"""What words belong to, and the words: how often each pair is there."""


def typed_words(text: ParsedText, by: str) -> TypedWords:
    """The words of a text with what they belong to, of which a word may have several or nothing.

    Args:
        text: its parsed sentences.
        by: ``relation``, every relation under which a word is: its own, that of its head, and so on
            (DP-Or); ``head``, the part of speech of its head (DP-Oc); ``level``, every level of the
            tree from the top, 1, to its own (DP-Ol, "at level l or deeper"); ``tag`` (SP-Op);
            ``chunk`` (SP-Oc); ``entity``, the kind of named entity (NE-Oe-*); ``all``, the same
            with words in none, which are one kind more (NE-Oe-**).
    """
    return Counter(
        (kind, word.form)
        for sentence in text
        for word in sentence
        for kind in _types(word, sentence, by)
    )


def _types(word: ParsedWord, sentence: Sequence[ParsedWord], by: str) -> Iterable[str | int]:
    match by:
        case "relation":
            return (node.relation for node in _path(word, sentence))
        case "level":
            return (level for level, _ in enumerate(_path(word, sentence), start=1))
        case "head":
            return () if sentence[word.head] is word else (sentence[word.head].tag,)
        case "entity":
            return (word.entity,) if word.entity else ()
        case "all":
            return (word.entity,)
        case _:
            return (str(getattr(word, by)),)
