"""People, organisations and places that are named near the name, page by page."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Set
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from weps.cache import Cache
from weps.errors import LanguageError
from weps.language import Analysis, Layer, TokenTable, analyse
from weps.language.sentences import first_sentences, sentence_texts
from weps.membership import membership
from weps.names import PersonName
from weps.portraits.named import entity
from weps.records import Document

__all__ = ["Around", "around", "passages"]

_WORDS = 250
"""Of a page, those nearest to the name, that are read: reading takes a tenth of a millisecond
a word."""
_SENTENCES = 2
"""Before and after a mention."""
_ABBREVIATION = 3
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
    return max(ways, key=lambda way: (_letters(way) > _ABBREVIATION, ways[way], way))


def _letters(text: str) -> int:
    return sum(map(str.isalpha, text))


def _common(table: TokenTable) -> frozenset[str]:
    """The words in lower case that are written so more often than with a capital."""
    balance: Counter[str] = Counter()
    times = np.bincount(table.token, minlength=len(table.surface)).tolist()
    for word, count in zip(table.surface, times, strict=True):
        balance[word.lower()] += count if word.islower() else -count
    return frozenset(word for word, more in balance.items() if more > 0)
