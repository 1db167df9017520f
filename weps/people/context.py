"""People, organisations and places that are named near the name, page by page.

Recognised entities as people want to read them: of three kinds, one form, no furniture.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Sequence, Set
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from weps._cache import Cache
from weps._files import word_list
from weps._text import PersonName
from weps.clustering.dendrogram import membership
from weps.errors import LanguageError
from weps.features.bags import stop_words
from weps.features.entity_types import entity_form, fine_kind, group_of
from weps.language.analysis import (
    Analysis,
    Layer,
    TokenTable,
    analyse,
    first_sentences,
    sentence_texts,
)
from weps.records import Document

__all__ = ["KINDS", "Around", "Entity", "around", "entity", "passages"]

KINDS = ("person", "organisation", "location")

_INSTITUTIONS = frozenset(
    "school university museum library hospital theatre worship hotel laboratory newspaper journal"
    " programme".split()
)
"""Kinds of facilities and products behind which people are."""
_GROUPS = {"facility": "location", **dict(zip(KINDS, KINDS, strict=True))}
"""Group of fine-grained kinds → kind."""
_JUNIORS = frozenset("jr sr ii iii iv".split())
_NO_NAME = re.compile(r"[;|:<>\[\]{}=@\\*_#•›»~^]|\s[-–—]\s")
"""What stands in lists and addresses, and not in names."""
_ENDS = " ,'\"“”‘()&-–—/!?"
_SHORTEST, _LONGEST = 3, 50
"""Characters."""
_SHOUTED = {"person": 2}
_ABBREVIATION = 5
"""Letters; longer words in capitals are spelled as others, and of persons all but initials."""
_FEWEST_WORDS = 2
"""Of a person's name."""


class Entity(NamedTuple):
    """Somebody or something that is named."""

    kind: str
    """person, organisation or location."""
    form: str
    """One for all spellings: words in lower case."""
    text: str
    """As written, but not shouted, persons first name first, and nothing besides at its ends."""


def entity(text: str, kind: str, name: PersonName) -> Entity | None:
    """What is to be shown of a recognised entity.

    None for the name searched for, whole, in part or with further given names; for persons of one
    word; for what begins in lower case; for site furniture; for events, laws and the like.

    Args:
        text: as written.
        kind: what the recogniser calls it.
        name: the name searched for.
    """
    tidy = _tidied(text)
    kind = _kind(tidy, kind)
    if not kind or len(tidy) > _LONGEST or tidy[:1].islower() or _NO_NAME.search(tidy):
        return None
    form = entity_form(tidy, kind)
    fit = _fit_person if kind == "person" else _fit
    return Entity(kind, form, _spelled(tidy, kind, form)) if fit(form.split(), name) else None


def _tidied(text: str) -> str:
    """The text without a possessive, and punctuation or small words at its end."""
    spelled = text.replace("’", "'").strip(_ENDS).removesuffix("'s").split()
    while spelled and spelled[-1].islower() and spelled[-1] in stop_words():
        spelled.pop()
    return " ".join(spelled).rstrip(_ENDS)


def _kind(text: str, kind: str) -> str:
    """One of three kinds; empty for all others."""
    fine = fine_kind(text, kind)
    return "organisation" if fine in _INSTITUTIONS else _GROUPS.get(group_of(fine), "")


def _spelled(text: str, kind: str, form: str) -> str:
    """The text without words that are shouted; ``Lee, Ann`` is turned round if the form is."""
    last, comma, rest = text.partition(", ")
    turned = comma and kind == "person" and not form.startswith(last.lower())
    longest = _SHOUTED.get(kind, _ABBREVIATION)
    return " ".join(
        word.capitalize() if word.isupper() and len(word) > longest and word.isalpha() else word
        for word in (f"{rest} {last}" if turned else text).split()
    )


def _fit_person(spelled: Sequence[str], name: PersonName) -> bool:
    """Whether this is a person with given and last name, and not the one searched for."""
    full = [word for word in spelled if word not in _JUNIORS]
    if len(full) < _FEWEST_WORDS or len(full[-1]) == 1 or not all(map(_is_spelled, full)):
        return False
    searched = bool(name.tokens) and {name.tokens[0], name.tokens[-1]}.issubset(full)
    return not searched and any(len(word) > 1 for word in _others(full, name))


def _fit(spelled: Sequence[str], name: PersonName) -> bool:
    """Whether anything is left besides the name, single letters and furniture."""
    telling = [word for word in _others(spelled, name) if word not in stop_words()]
    return (
        sum(map(len, telling)) >= _SHORTEST
        and any(map(_is_spelled, telling))
        and telling[0] not in word_list("stopwords/labels.txt")
    )


def _others(spelled: Sequence[str], name: PersonName) -> list[str]:
    """The words that are not the name's."""
    return [word for word in spelled if word not in name.tokens]


def _is_spelled(word: str) -> bool:
    return word.replace("'", "").isalpha()


_WORDS = 250
"""Of a page, those nearest to the name, that are read: reading takes a tenth of a millisecond
a word."""
_SENTENCES = 2
"""Before and after a mention."""
_ABBREVIATION_AROUND = 3
"""Letters."""


@dataclass(frozen=True, slots=True, eq=False)
class Around:
    """The d people, organisations and places that a name's pages name near the name."""

    texts: tuple[str, ...]
    """d names as they are mostly written."""
    kinds: tuple[str, ...]
    """d kinds: person, organisation or location."""
    present: sparse.csr_array
    """Shape (documents, d), int32: 1 where the page has it near the name."""
    problem: str = ""
    """Why nobody was looked for; empty if that was done."""


def around(analysis: Analysis, language: str, cache: Cache | None) -> Around:
    """Look for people, organisations and places in the sentences around the name.

    Of pages that do not mention it in their text, title and snippet are read. Where pages are
    lists of words, or the pipeline is missing or knows no entities, nobody is found, and
    :attr:`Around.problem` says why.

    Args:
        analysis: the pages of a name, of any form, with or without layers.
        language: the pipeline that recognises entities.
        cache: where it is kept what has been found in the same sentences; None for nowhere.
    """
    if _listed(analysis.tokens):
        return _nobody(analysis, "the pages are lists of words, without names")
    from weps.language.marking import mark  # noqa: PLC0415 - only layers need it

    near = passages(analysis)
    common = _common(analysis.tokens if analysis.tokens.surface else near.tokens)
    try:
        return _gathered(mark(near, [Layer.ENTITIES], language, cache), common)
    except LanguageError as error:
        return _nobody(analysis, str(error))


def _listed(table: TokenTable) -> bool:
    """Whether the pages are lists of words in lower case."""
    return any(map(str.islower, table.surface)) and not any(
        word[0].isupper() for word in table.surface
    )


def _nobody(analysis: Analysis, problem: str) -> Around:
    nothing = sparse.csr_array((len(analysis.documents), 0), dtype=np.int32)
    return Around((), (), nothing, problem)


def passages(analysis: Analysis) -> Analysis:
    """The pages without what is far from the name: one block for each sentence that is left.

    Sentences are told apart in the blocks around the name alone, which saves most of the time.
    """
    name = analysis.name
    rough = analyse(name.text, [_rough(each, name) for each in analysis.documents])
    table = rough.tokens
    sizes = np.bincount(table.sentence, minlength=len(table.document))
    reduced = []
    for document, bounds in zip(
        rough.documents, pairwise(first_sentences(table, len(rough.documents))), strict=True
    ):
        near = _near(sizes[slice(*bounds)], table.mentions[slice(*bounds)])
        reduced.append(replace(document, blocks=_blocks(document, table, bounds, near)))
    return analyse(name.text, reduced)


def _rough(document: Document, name: PersonName) -> Document:
    """The page with no blocks but those in which the last name may stand, and their neighbours."""
    last = name.tokens[-1] if name.tokens else "\0"
    found = [last in block.replace("’", "'").lower() for block in document.blocks]
    kept = (
        block
        for at, block in enumerate(document.blocks)
        if any(found[max(at - _SENTENCES, 0) : at + _SENTENCES + 1])
    )
    return replace(document, blocks=tuple(kept))


def _near(sizes: NDArray[np.intp], mentions: NDArray[np.bool_]) -> NDArray[np.intp]:
    """The sentences nearest to a mention, in order, as long as there is room.

    Args:
        sizes: shape (sentences,), tokens of each.
        mentions: shape (sentences,), whether it mentions the name.
    """
    distance, places = np.full(len(sizes), _SENTENCES + 1), np.flatnonzero(mentions)
    for far in range(_SENTENCES, -1, -1):
        at = np.concatenate([places - far, places + far])
        distance[at[(at >= 0) & (at < len(sizes))]] = far
    order = np.argsort(distance, kind="stable")
    order = order[(distance[order] <= _SENTENCES) & (sizes[order] <= _WORDS)]
    return np.sort(order[np.cumsum(sizes[order]) <= _WORDS])


def _blocks(
    document: Document, table: TokenTable, bounds: tuple[int, int], near: NDArray[np.intp]
) -> tuple[str, ...]:
    """The chosen ones of a page's sentences; where there are none, title and snippet."""
    if not len(near):
        return document.title, document.snippet
    start, stop = np.searchsorted(table.sentence, bounds)
    texts = sentence_texts(document, (table.sentence[start:stop] - bounds[0]).tolist())
    return tuple(texts[at] for at in near.tolist())


def _gathered(marked: Analysis, common: Set[str]) -> Around:
    """Who is named, in order of appearance, where, and how it is mostly written.

    Args:
        marked: the sentences near the name, with their entities.
        common: words in lower case; who is called by such words alone is nobody.
    """
    marks = marked.layer(Layer.ENTITIES)
    pairs = zip(marks.texts, marks.kinds, strict=True)
    entities = [entity(text, kind, marked.name) for text, kind in pairs]
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
    return Around(
        tuple(map(_commonest, ways.values())),
        tuple(map(_commonest, kinds.values())),
        membership(list(map(sorted, rows.values())), len(marked.documents)).T.tocsr(),
    )


def _commonest(ways: Counter[str]) -> str:
    """The one found most often, rather in full than abbreviated, rather small than in capitals."""
    return max(ways, key=lambda way: (_letters(way) > _ABBREVIATION_AROUND, ways[way], way))


def _letters(text: str) -> int:
    return sum(map(str.isalpha, text))


def _common(table: TokenTable) -> frozenset[str]:
    """The words in lower case that are written so more often than with a capital."""
    balance: Counter[str] = Counter()
    times = np.bincount(table.token, minlength=len(table.surface)).tolist()
    for word, count in zip(table.surface, times, strict=True):
        balance[word.lower()] += count if word.islower() else -count
    return frozenset(word for word, more in balance.items() if more > 0)
