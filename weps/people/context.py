"""Context entities: people, organisations and places mentioned near the name, page by page.

They are normalised for display: three kinds, one spelling each, no page layout.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Sequence, Set
from dataclasses import dataclass, replace
from itertools import compress, pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from weps._cache import Cache
from weps._files import word_list
from weps._sets import membership_matrix
from weps._text import PersonName
from weps.errors import LanguageError
from weps.features.bags import stop_words
from weps.features.entity_types import entity_form, fine_kind, group_of
from weps.language.analysis import (
    Analysis,
    Layer,
    TokenTable,
    analyse_documents,
    first_sentences,
    sentence_texts,
)
from weps.records import Document

CONTEXT_KINDS = ("person", "organisation", "location")

_INSTITUTIONS = frozenset(
    "school university museum library hospital theatre worship hotel laboratory newspaper journal"
    " programme".split()
)
"""Kinds of facilities and products that are organisations."""
_KIND_OF_GROUP = {"facility": "location", **dict(zip(CONTEXT_KINDS, CONTEXT_KINDS, strict=True))}
"""Group of fine-grained kinds → kind."""
_JUNIORS = frozenset("jr sr ii iii iv".split())
_NO_NAME = re.compile(r"[;|:<>\[\]{}=@\\*_#•›»~^]|\s[-–—]\s")
"""Characters of lists and addresses that do not occur in names."""
_TRIMMED_CHARACTERS = " ,'\"“”‘()&-–—/!?"
_MIN_LENGTH, _MAX_LENGTH = 3, 50
"""Characters."""
_MAX_CAPITALS_BY_KIND = {"person": 2}
_MAX_CAPITALS = 5
"""Letters; longer words in capitals are spelled as others, and of persons all but initials."""
_MIN_NAME_WORDS = 2
"""Of a person's name."""


class NormalisedEntity(NamedTuple):
    """A normalised entity."""

    kind: str
    """person, organisation or location."""
    form: str
    """Key of all spellings: words in lower case."""
    text: str
    """As written, without words in capitals, persons first name first, trimmed."""


def normalise_entity(text: str, kind: str, name: PersonName) -> NormalisedEntity | None:
    """Normalise a recognised entity for display.

    None for the name searched for, whole, in part or with further given names; for persons of one
    word; for what begins in lower case; for page layout; for events, laws and the like.

    Args:
        text: as written.
        kind: according to the recogniser.
        name: the name searched for.
    """
    tidy = _tidy_text(text)
    fine = fine_kind(tidy, kind)
    kind = "organisation" if fine in _INSTITUTIONS else _KIND_OF_GROUP.get(group_of(fine), "")
    if not kind or len(tidy) > _MAX_LENGTH or tidy[:1].islower() or _NO_NAME.search(tidy):
        return None
    form = entity_form(tidy, kind)
    fit = _is_other_person if kind == "person" else _is_informative
    if not fit(form.split(), name):
        return None
    return NormalisedEntity(kind, form, _normal_spelling(tidy, kind, form))


def _tidy_text(text: str) -> str:
    """The text without a possessive, and punctuation or small words at its end."""
    spelled = text.replace("’", "'").strip(_TRIMMED_CHARACTERS).removesuffix("'s").split()
    while spelled and spelled[-1].islower() and spelled[-1] in stop_words():
        spelled.pop()
    return " ".join(spelled).rstrip(_TRIMMED_CHARACTERS)


def _normal_spelling(text: str, kind: str, form: str) -> str:
    """The text without words in capitals; ``Lee, Ann`` is inverted if the form is."""
    last, comma, rest = text.partition(", ")
    turned = comma and kind == "person" and not form.startswith(last.lower())
    longest = _MAX_CAPITALS_BY_KIND.get(kind, _MAX_CAPITALS)
    return " ".join(
        word.capitalize() if word.isupper() and len(word) > longest and word.isalpha() else word
        for word in (f"{rest} {last}" if turned else text).split()
    )


def _is_other_person(spelled: Sequence[str], name: PersonName) -> bool:
    """Whether this is a person with given and last name, and not the one searched for."""
    full = [word for word in spelled if word not in _JUNIORS]
    if len(full) < _MIN_NAME_WORDS or len(full[-1]) == 1 or not all(map(_is_spelled, full)):
        return False
    searched = bool(name.tokens) and {name.tokens[0], name.tokens[-1]}.issubset(full)
    return not searched and any(len(word) > 1 and word not in name.tokens for word in full)


def _is_informative(spelled: Sequence[str], name: PersonName) -> bool:
    """Whether anything is left besides the name, single letters and page layout."""
    left = [word for word in spelled if word not in name.tokens and word not in stop_words()]
    return (
        sum(map(len, left)) >= _MIN_LENGTH
        and any(len(word) > 1 and _is_spelled(word) for word in left)
        and left[0] not in word_list("stopwords/labels.txt")
    )


def _is_spelled(word: str) -> bool:
    return word.replace("'", "").isalpha()


_MAX_WORDS = 250
"""Words of a page that are read, nearest to the name: reading takes a tenth of a millisecond
a word."""
_MAX_SENTENCES = 2
"""Before and after a mention."""
_MAX_ABBREVIATION = 3
"""Letters."""


@dataclass(frozen=True, slots=True, eq=False)
class ContextEntities:
    """The d people, organisations and places mentioned near the name."""

    texts: tuple[str, ...]
    """d names in their most frequent spelling."""
    kinds: tuple[str, ...]
    """d kinds: person, organisation or location."""
    present: sparse.csr_array
    """Shape (documents, d), int32: 1 where the page has it near the name."""
    problem: str = ""
    """Why no entities were extracted; empty if they were."""


def find_context_entities(
    analysis: Analysis, language: str, cache: Cache | None, jobs: int = 1
) -> ContextEntities:
    """Extract people, organisations and places from the sentences around the name.

    Of pages that do not mention it in their text, title and snippet are read. Where pages are
    lists of words, or the pipeline is missing or has no entities, none are found, and
    :attr:`ContextEntities.problem` says why.

    Args:
        analysis: the pages of a name, of any form, with or without layers.
        language: the pipeline that recognises entities.
        cache: of entities found in the same sentences; None for no cache.
        jobs: number of processes, -1 for one per core.
    """
    surface = analysis.tokens.surface
    if any(map(str.islower, surface)) and not any(word[0].isupper() for word in surface):
        return _no_entities(analysis, "the pages are lists of words, without names")
    from weps.language.marking import mark_layers  # noqa: PLC0415 - only layers need it

    near = sentences_near_name(analysis)
    try:
        marked = mark_layers(near, [Layer.ENTITIES], language, cache, jobs)
    except LanguageError as error:
        return _no_entities(analysis, str(error))
    return _collect_entities(marked, analysis.tokens if surface else near.tokens)


def _no_entities(analysis: Analysis, problem: str) -> ContextEntities:
    nothing = sparse.csr_array((len(analysis.documents), 0), dtype=np.int32)
    return ContextEntities((), (), nothing, problem)


def sentences_near_name(analysis: Analysis) -> Analysis:
    """The pages reduced to sentences near the name, one block for each."""
    table, documents = analysis.tokens, analysis.documents
    sizes = np.bincount(table.sentence, minlength=len(table.document))
    first = first_sentences(table, len(documents))
    begin = np.searchsorted(table.sentence, first).tolist()
    reduced = []
    for document, bounds, tokens in zip(documents, pairwise(first), pairwise(begin), strict=True):
        page = slice(*bounds)
        near = _nearest_sentences(sizes[page], table.mentions[page])
        numbers = table.sentence[slice(*tokens)] - np.int32(bounds[0])
        chosen = _chosen_blocks(document, numbers, table.block[page], near)
        reduced.append(replace(document, blocks=chosen))
    return analyse_documents(analysis.name.text, reduced)


def _nearest_sentences(sizes: NDArray[np.intp], mentions: NDArray[np.bool_]) -> NDArray[np.intp]:
    """The sentences nearest to a mention, in order, as long as their tokens fit."""
    distance, places = np.full(len(sizes), _MAX_SENTENCES + 1), np.flatnonzero(mentions)
    for far in range(_MAX_SENTENCES, -1, -1):
        at = np.concatenate([places - far, places + far])
        distance[at[(at >= 0) & (at < len(sizes))]] = far
    order = np.argsort(distance, kind="stable")
    order = order[(distance[order] <= _MAX_SENTENCES) & (sizes[order] <= _MAX_WORDS)]
    return np.sort(order[np.cumsum(sizes[order]) <= _MAX_WORDS])


def _chosen_blocks(
    document: Document,
    numbers: NDArray[np.int32],
    block: NDArray[np.int32],
    near: NDArray[np.intp],
) -> tuple[str, ...]:
    """The chosen sentences of a page; title and snippet if there are none.

    Args:
        document: the page.
        numbers: shape (tokens,), the sentence of each token, from 0.
        block: shape (sentences,), the block of each sentence.
        near: the sentences to choose.
    """
    if not len(near):
        return document.title, document.snippet
    split = np.unique(block[near])  # only these blocks are split again
    numbers = numbers[np.isin(block[numbers], split)]
    blocks = tuple(document.blocks[at] for at in split.tolist())
    texts = sentence_texts(replace(document, blocks=blocks), numbers.tolist())
    return tuple(compress(texts, np.isin(np.unique(numbers), near).tolist()))


def _collect_entities(marked: Analysis, table: TokenTable) -> ContextEntities:
    """The entities in order of appearance, but for those made of common words alone.

    Args:
        marked: the sentences near the name.
        table: the words of the pages, which tell the common ones.
    """
    marks = marked.layer(Layer.ENTITIES)
    pairs = zip(marks.texts, marks.kinds, strict=True)
    entities = [normalise_entity(text, kind, marked.name) for text, kind in pairs]
    spelled = frozenset(word for each in entities if each for word in each.form.split())
    common = _lower_case_words(table, spelled)
    kinds: defaultdict[str, Counter[str]] = defaultdict(Counter)
    ways: defaultdict[str, Counter[str]] = defaultdict(Counter)
    rows: defaultdict[str, set[int]] = defaultdict(set)
    documents = marked.tokens.document[marks.sentence].tolist()
    for row, entry in zip(documents, marks.entry.tolist(), strict=True):
        found = entities[entry]
        if found and not common >= set(found.form.split()):
            kinds[found.form][found.kind] += 1
            ways[found.form][found.text] += 1
            rows[found.form].add(row)
    return ContextEntities(
        tuple(map(_usual_spelling, ways.values())),
        tuple(map(_usual_spelling, kinds.values())),
        membership_matrix(list(map(sorted, rows.values())), len(marked.documents)).T.tocsr(),
    )


def _usual_spelling(ways: Counter[str]) -> str:
    """The most frequent spelling; ties prefer full to abbreviated, lower case to capitals."""

    def preference(way: str) -> tuple[bool, int, str]:
        return sum(map(str.isalpha, way)) > _MAX_ABBREVIATION, ways[way], way

    return max(ways, key=preference)


def _lower_case_words(table: TokenTable, words: Set[str]) -> frozenset[str]:
    """Those of the words in lower case that are written so more often than with a capital."""
    balance: Counter[str] = Counter()
    times = np.bincount(table.token, minlength=len(table.surface)).tolist()
    for word, count in zip(table.surface, times, strict=True):
        if (lowered := word.lower()) in words:
            balance[lowered] += count if word.islower() else -count
    return frozenset(word for word, more in balance.items() if more > 0)
