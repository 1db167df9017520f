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
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from functools import reduce
from operator import attrgetter, or_
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from weps.language.analysis import Layer
from weps.language.annotation import read_documents
from weps.language.spacy_pipeline import ENTITY_KINDS
from weps_eval.text.declaration import (
    Function,
    Need,
    Parameter,
    clipped_matches,
    measure,
    one_of,
    or_wholes,
    whole_number,
)
from weps_eval.text.testbed import Text
from weps_eval.text.topic import Tokens, TopicTexts

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
"""Tag of words outside noun phrases."""
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


Chains: TypeAlias = tuple[Counter[Hashable], ...]
"""The head-word chains of a text: how often there is each of one word, of two, and so on."""


def _path(word: ParsedWord, sentence: Sequence[ParsedWord]) -> Iterator[ParsedWord]:
    """The word, its head, and so on to the top."""
    yield word
    while (head := sentence[word.head]) is not word:
        yield (word := head)


def head_chains(text: ParsedText, length: int, of: str) -> Chains:
    """Chains of a word, its head, the head of that, and so on, of 1 to ``length`` words.

    Args:
        text: its parsed sentences.
        length: of the longest chains.
        of: the counted attribute of a word: ``form``, ``tag`` or ``relation``.
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


def _read_chains(topic_texts: TopicTexts, text: Text, *, length: int, of: str) -> Chains:
    return head_chains(topic_texts.annotated(text, parse_texts), length, of)


@measure(
    "linguistic",
    "chains of words and their heads in common (head-word chain metric, DP-HWC)",
    formula="mean, over chain lengths from 1 to length words, each the head of the one before, of "
    "(chains of the output that are also in the reference, counted as often as both have them) / "
    "chains of the output; lengths for which neither text has chains are left out",
    source="Liu and Gildea 2005, Syntactic features for evaluation of machine translation, section "
    "3.3 (form); Giménez and Màrquez 2007 (DP-HWC of words, categories, relations)",
    name="hwcm",
    read=_read_chains,
    joined="as published: a chain matches as often as the reference that has it most often",
    usually="together",
    needs=(Need.PARSES,),
    aliases={"DP-HWC": "", "hwcm{}": "length={}"},
    length=whole_number(4, 1, 100, "length of the longest chains in words"),
    of=one_of(
        ("form", "tag", "relation"),
        "how words are represented in a chain: by lower-case form, part of speech, or relation to "
        "the head",
    ),
)
def chain_precision(output: Chains, *references: Chains) -> float:
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
    found = Counter[Hashable]()
    for sentence in text:
        for word in sentence:
            path = tuple(_path(word, sentence))
            kinds: Mapping[str, Iterable[str | int]] = {
                "relation": (node.relation for node in path),
                "head": (node.tag for node in path[1:2]),
                "level": range(1, len(path) + 1),
                "tag": (word.tag,),
                "chunk": (word.chunk,),
                "entity": filter(None, (word.entity,)),
                "all": (word.entity,),
            }
            found.update((kind, word.form) for kind in kinds[by])
    return found


def _declare(
    name: str, description: str, formula: str, by: Parameter, aliases: Mapping[str, str]
) -> Callable[[Function], Function]:
    return measure(
        "linguistic",
        description,
        formula="Σ of the lower count / Σ of the higher count, in either text, of pairs of "
        f"{formula}; if neither text has any, 1 for the same words, else 0",
        source="Giménez and Màrquez 2007, Linguistic features for automatic evaluation of "
        "heterogenous MT systems; 2010, Linguistic measures for automatic machine translation "
        "evaluation",
        name=name,
        read=_read_typed,
        needs=(Need.PARSES,),
        aliases=aliases,
        by=by,
    )


def _read_typed(topic_texts: TopicTexts, text: Text, *, by: str) -> tuple[TypedWords, Tokens]:
    parsed = topic_texts.annotated(text, parse_texts)
    forms = tuple(tuple(word.form for word in sentence) for sentence in parsed)
    return typed_words(parsed, by), forms


@_declare(
    "ne_o",
    "words in common in the same kind of named entity (NE-Oe)",
    "a word and the kind of entity that it is in: person, location, organisation, event, product",
    one_of(
        ("entity", "all"),
        "entity: only words in entities (NE-Oe-*); all: also words in none, as a further kind "
        "(NE-Oe-**)",
    ),
    {"NE-Oe": "", "NE-Oe-*": "", "NE-Oe-**": "by=all"},
)
@_declare(
    "sp_o",
    "words in common in the same kind of chunk, or of the same part of speech (SP-O)",
    "a word and its type",
    one_of(
        ("chunk", "tag"),
        "chunk: base noun phrases by the pipeline and, outside them, VP (verbs, auxiliaries, "
        "particles), PP (adpositions), ADVP, ADJP, SBAR, INTJ and the rest (SP-Oc); tag: universal "
        "parts of speech (SP-Op)",
    ),
    {"SP-Oc": "by=chunk", "SP-Op": "by=tag"},
)
@_declare(
    "dp_o",
    "words in common with the same position in the dependency trees (DP-O over all types)",
    "a word and its position in the tree",
    one_of(
        ("relation", "head", "level"),
        "relation: every relation on the path from the word to the root (DP-Or); head: the part of "
        "speech of its head (DP-Oc); level: every level from the root to the word (DP-Ol)",
    ),
    {"DP-Or": "by=relation", "DP-Oc": "by=head", "DP-Ol": "by=level"},
)
def typed_overlap(output: tuple[TypedWords, Tokens], reference: tuple[TypedWords, Tokens]) -> float:
    """Words in common that belong to the same: the families DP-O, SP-O and NE-O, in [0, 1]."""
    overlap = clipped_matches(output[0], reference[0])
    return or_wholes(overlap, output[1], reference[1]).jaccard
