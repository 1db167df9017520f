"""Context entities: people, organisations and places mentioned near the name, page by page.

They are normalised for display: three kinds, one spelling each, no page layout.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import NamedTuple

import numpy as np
import scipy

from weps._cache import Cache
from weps._files import word_list
from weps._text import is_alphabetic
from weps.errors import LanguageError
from weps.features.bags import membership_matrix, stop_words
from weps.features.entities import JUNIORS, entity_form, fine_kind, group_of
from weps.language.analysis import (
    Analysis,
    Layer,
    TokenTable,
    first_sentences,
    nearest_sentences,
    sentence_texts,
)
from weps.name.mentions import matcher
from weps.name.person_name import PersonName

_INSTITUTIONS = frozenset(
    "school university museum library hospital theatre worship hotel laboratory newspaper journal"
    " programme".split()
)
"""Kinds of facilities and products that are organisations."""
_KIND_OF_GROUP = {
    "facility": "location",
    "location": "location",
    "organisation": "organisation",
    "person": "person",
}
"""Group of fine-grained kinds → kind."""
_NO_NAME = re.compile(r"[;|:<>\[\]{}=@\\*_#•›»~^]|\s[-–—]\s")
"""Characters of lists and addresses that do not occur in names."""
_TRIMMED_CHARACTERS = " ,'\"“”‘()&-–—/!?"
_MIN_LENGTH, _MAX_LENGTH = 3, 50
"""Characters."""
_MAX_INITIALS, _MAX_CAPITALS = 2, 5
"""Letters; longer words in capitals are spelled as others, and of persons all but initials."""


def normalise_entity(
    text: str, kind: str, name: PersonName, words: frozenset[str]
) -> tuple[str, str, str] | None:
    """The kind, the form and the text for display of a recognised entity.

    The kind is person, organisation or location; the form, in lower case, is the key of all
    spellings; the text is without words in capitals, persons first name first, trimmed.

    None for the name searched for, whole, in part or with further given names; for persons of one
    word; for what begins in lower case; for page layout; for events, laws and the like.

    Args:
        text: as written.
        kind: according to the recogniser.
        name: the name searched for.
        words: its words in all spellings of the pages.
    """
    spelled = text.replace("’", "'").strip(_TRIMMED_CHARACTERS).removesuffix("'s").split()
    while spelled and spelled[-1].islower() and spelled[-1] in stop_words():
        spelled.pop()
    tidy = " ".join(spelled).rstrip(_TRIMMED_CHARACTERS)
    fine = fine_kind(tidy, kind)
    kind = "organisation" if fine in _INSTITUTIONS else _KIND_OF_GROUP.get(group_of(fine), "")
    if not kind or len(tidy) > _MAX_LENGTH or tidy[:1].islower() or _NO_NAME.search(tidy):
        return None
    form = entity_form(tidy, kind)
    if kind == "person":
        fit = _is_other_person(form.split(), name, words.union(filter(str.islower, tidy.split())))
    else:
        fit = _is_informative(form.split(), words)
    if not fit:
        return None
    last, comma, rest = tidy.partition(", ")
    if comma and kind == "person" and not form.startswith(last.lower()):
        tidy = f"{rest} {last}"
    longest = _MAX_INITIALS if kind == "person" else _MAX_CAPITALS
    shown = (
        word.capitalize() if word.isupper() and len(word) > longest and word.isalpha() else word
        for word in tidy.split()
    )
    return kind, form, " ".join(shown)


def _is_other_person(spelled: Sequence[str], name: PersonName, words: frozenset[str]) -> bool:
    """Whether this is a person with given and last name, and not the one searched for."""
    full = [word for word in spelled if word not in JUNIORS]
    if len(full) < 2 or len(full[-1]) == 1 or not all(map(_is_spelled, full)):
        return False
    is_same = any(mention.is_whole for mention in matcher(name).find(" ".join(full)))
    return not is_same and any(len(word) > 1 and word not in words for word in full)


def _is_informative(spelled: Sequence[str], words: frozenset[str]) -> bool:
    """Whether anything is left besides the name, single letters and page layout."""
    left = [word for word in spelled if word not in words and word not in stop_words()]
    return (
        sum(map(len, left)) >= _MIN_LENGTH
        and any(len(word) > 1 and _is_spelled(word) for word in left)
        and left[0] not in word_list("stopwords/labels.txt")
    )


def _is_spelled(word: str) -> bool:
    return is_alphabetic(word.replace("'", ""))


_MAX_WORDS = 250
"""Words of a page that are read, nearest to the name: reading takes a tenth of a millisecond
a word."""
_MAX_SENTENCES = 2
"""Before and after a mention."""


class Statement(NamedTuple):
    """One thing that a page states of the person."""

    attribute: str
    """A key of :data:`weps.people.facts.ATTRIBUTES`."""
    key: str
    """Key that different texts for the same thing have in common."""
    value: str
    """As it is to be shown; dates are ISO 8601."""
    sentence: str = ""
    """The part of the page that states it."""
    detail: str = ""
    """What a relative is to the person."""
    way: str = "beside"
    """How it is stated: ``beside``, ``sentence``, ``profile``, ``name`` or ``data``."""


@dataclass(frozen=True, slots=True, eq=False)
class ContextEntities:
    """The d people, organisations and places mentioned near the name."""

    texts: tuple[str, ...]
    """d names in their most frequent spelling."""
    kinds: tuple[str, ...]
    """d kinds: person, organisation or location."""
    present: scipy.sparse.csr_array
    """Shape (documents, d), int32: 1 where the page has it near the name."""
    problem: str = ""
    """Why no entities were extracted; empty if they were."""
    statements: dict[str, tuple[Statement, ...]] = field(default_factory=dict, repr=False)
    """Digest of a page → what it states. :func:`weps.people.statements.page_statements` takes from
    it what was kept of pages that have not changed, and leaves what these pages state."""


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
    nothing = scipy.sparse.csr_array((len(analysis.documents), 0), dtype=np.int32)
    if analysis.tokens.is_word_list:
        return ContextEntities((), (), nothing, "the pages are lists of words, without names")
    from weps.language.annotation import mark_layers  # noqa: PLC0415 - only layers need it

    near = sentences_near_name(analysis)
    try:
        near = mark_layers(near, [Layer.ENTITIES], language, cache, jobs)
    except LanguageError as error:
        return ContextEntities((), (), nothing, str(error))
    return _collect_entities(near, analysis.tokens if analysis.tokens.surface else near.tokens)


def sentences_near_name(analysis: Analysis) -> Analysis:
    """The pages reduced to sentences near the name, one block for each, without mentions and marks.

    Of a page without any, title and snippet are left.
    """
    table, documents = analysis.tokens, analysis.documents
    sizes = np.bincount(table.sentence, minlength=len(table.document))
    first = first_sentences(table, len(documents))
    tokens_of = pairwise(np.searchsorted(table.sentence, first).tolist())
    reduced = []
    for document, bounds, tokens in zip(documents, pairwise(first), tokens_of, strict=True):
        page = slice(*bounds)
        near = np.flatnonzero(
            nearest_sentences(sizes[page], table.mentions[page], _MAX_WORDS, _MAX_SENTENCES)
        )
        blocks: tuple[str, ...] = (document.title, document.snippet)
        if len(near):
            numbers, block = table.sentence[slice(*tokens)] - np.int32(bounds[0]), table.block[page]
            split = np.unique(block[near])  # only these blocks are split again
            read = np.isin(block, split)
            numbers = numbers[read[numbers]]
            texts = sentence_texts(map(document.blocks.__getitem__, split), numbers.tolist())
            blocks = tuple(np.array(texts, object)[np.isin(np.flatnonzero(read), near)])
        reduced.append(replace(document, blocks=blocks))
    found = (), analysis.name_words
    return replace(analysis, documents=tuple(reduced), marks={}, _found=[found], _tables=[])


def _collect_entities(marked: Analysis, table: TokenTable) -> ContextEntities:
    """The entities in order of appearance, but for those made of common words alone.

    Args:
        marked: the sentences near the name.
        table: the words of the pages, which tell the common ones.
    """
    marks = marked.layer(Layer.ENTITIES)
    entities = [
        normalise_entity(text, kind, marked.name, marked.name_words)
        for text, kind in zip(marks.texts, marks.kinds, strict=True)
    ]
    balance: Counter[str] = Counter()  # by how much words stand more often in lower case
    times = np.bincount(table.token, minlength=len(table.surface)).tolist()
    for word, count in zip(table.surface, times, strict=True):
        balance[word.lower()] += count if word.islower() else -count
    found: defaultdict[str, list[tuple[str, str, int]]] = defaultdict(list)
    documents = marked.tokens.document[marks.sentence].tolist()
    for row, entry in zip(documents, marks.entry.tolist(), strict=True):
        kind, form, text = entities[entry] or ("", "", "")
        if kind and not all(balance[word] > 0 for word in form.split()):
            found[form].append((text, kind, row))
    occurrences = [tuple(zip(*each, strict=True)) for each in found.values()]
    return ContextEntities(
        tuple(_usual_spelling(Counter(texts)) for texts, _, _ in occurrences),
        tuple(_usual_spelling(Counter(kinds)) for _, kinds, _ in occurrences),
        membership_matrix([rows for _, _, rows in occurrences], len(marked.documents)).T.tocsr(),
    )


def _usual_spelling(ways: Counter[str]) -> str:
    """The most frequent spelling; ties prefer full to abbreviated, lower case to capitals."""
    return max(ways, key=lambda way: (sum(map(str.isalpha, way)) > 3, ways[way], way))
