"""Named entities: by capitals, from word lists, and as a recogniser finds them.

EMNLP 2009, section 3.2: ``entity`` takes the place of the Stanford recogniser, ``fine_entity`` that
of OAK, whose kinds are merged into groups. Word lists (places, occupations): section 4.3.1.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from functools import cache, lru_cache
from itertools import pairwise

import numpy as np

from weps._files import gazetteer_names as names_of
from weps._text import split_tokens, split_words
from weps.features.bags import Bags, bags_from_marks, stop_words
from weps.features.entity_types import KIND_GROUPS, entity_form, fine_kind, group_of, is_distinctive
from weps.features.quantities import quantity_form
from weps.features.registry import register_feature
from weps.language.analysis import Analysis, Layer, TokenTable

__all__ = ["capitalised", "entity", "fine_entity", "gazetteer"]


@register_feature(
    "entity",
    "runs of two or more capitalised words in {where} (baseline recogniser)",
    source="EMNLP 2009, section 3.2",
    needs=["text", "case"],
    local=(False, True),
)
def capitalised(analysis: Analysis, *, local: bool = False) -> Bags:
    """The longest runs of two or more capitalised tokens.

    Dropped: runs found in lower case in the same document, runs of stop words only, and the name
    itself, which every page has.
    """
    bags: list[list[str]] = [[] for _ in analysis.documents]
    for row, mentioning, phrase in _capitalised_phrases(analysis):
        if mentioning or not local:
            bags[row].append(phrase)
    return Bags.of(bags)


@lru_cache(maxsize=1)
def _capitalised_phrases(analysis: Analysis) -> list[tuple[int, bool, str]]:
    """For each phrase its document row, whether its sentence mentions the name, its words."""
    table = analysis.tokens
    dropped = stop_words().union(analysis.name.tokens)
    plain = [_LowerCaseText(text) for text in _lower_case_texts(table, len(analysis.documents))]
    lower = [form.lower() for form in table.surface]
    token, mentions, documents = (
        array.tolist() for array in (table.token, table.mentions, table.document)
    )
    phrases = []
    for sentence, start, end in _capital_runs(table):
        words = [lower[index] for index in token[start:end]]
        row = documents[sentence]
        if not dropped.issuperset(words) and not plain[row].contains(words):
            phrases.append((row, mentions[sentence], " ".join(words)))
    return phrases


class _LowerCaseText:
    """The tokens that occur in the document in lower case."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._words = frozenset(text.split(" "))

    def contains(self, words: list[str]) -> bool:
        """Whether the words occur there next to each other."""
        # Most phrases fail the first test, which costs a hundredth of the second.
        return self._words.issuperset(words) and f" {' '.join(words)} " in self._text


def _capital_runs(table: TokenTable) -> Iterator[tuple[int, int, int]]:
    """Sentence, begin and end of every longest run of two or more capitalised tokens."""
    is_capital = np.fromiter(
        (word[0].isupper() for word in table.surface), dtype=bool, count=len(table.surface)
    )
    capital = is_capital[table.token]
    inside = capital[1:] & capital[:-1] & (table.sentence[1:] == table.sentence[:-1])
    edges = np.diff(np.concatenate([[False], inside, [False]]).astype(np.int8))
    starts, ends = np.flatnonzero(edges == 1), np.flatnonzero(edges == -1) + 1
    return zip(table.sentence[starts].tolist(), starts.tolist(), ends.tolist(), strict=True)


def _lower_case_texts(table: TokenTable, documents: int) -> list[str]:
    """For each document its tokens between blanks, with capitalised ones masked."""
    plain = np.array([word if word.islower() else "\0" for word in table.surface], dtype=object)
    bounds = np.searchsorted(table.document[table.sentence], np.arange(documents + 1))
    return [f" {' '.join(plain[table.token[a:b]])} " for a, b in pairwise(bounds)]


Bag = list[str]

_LISTS = {
    "place": ("cities", "states", "countries"),
    "occupation": ("occupations",),
}
_CASE_SENSITIVE = frozenset({"place"})
"""Lists whose names must be written as they are there, or all in capitals: Turkey, no turkey."""

NameTable = dict[tuple[str, ...], str]
"""The tokens of each name of a list → what it counts as."""


@register_feature(
    "gazetteer",
    "{list} names from word lists in {where}",
    source="EMNLP 2009, section 4.3.1",
    needs=["text", "case"],
    linguistic=True,
    list=tuple(_LISTS),
    local=(False, True),
)
def gazetteer(analysis: Analysis, *, list: str, local: bool = False) -> Bags:  # noqa: A002 - its name
    """Names of a word list, longest match first, without those made of the searched name."""
    table, searched = analysis.tokens, frozenset(analysis.name.tokens)
    bags: tuple[Bag, ...] = tuple([] for _ in analysis.documents)
    for sentence, name in _name_matches(table, _listed_names(list), cased=list in _CASE_SENSITIVE):
        if not searched.issuperset(split_words(name)) and (table.mentions[sentence] or not local):
            bags[table.document[sentence]].append(name)
    return Bags.of(bags)


def _name_matches(table: TokenTable, names: NameTable, *, cased: bool) -> Iterator[tuple[int, str]]:
    """Sentence and name of each match, from left to right, none overlapping."""
    lengths = _name_lengths(names)
    forms = [form if cased else form.lower() for form in table.surface]
    text = [forms[token] for token in table.token.tolist()]
    sentences = table.sentence.tolist()
    opening = np.fromiter((form in lengths for form in forms), dtype=bool, count=len(forms))
    free = 0
    for at in np.flatnonzero(opening[table.token]).tolist():
        for length in lengths[text[at]] if at >= free else ():
            end = at + length
            name = names.get(tuple(text[at:end]))
            if name and sentences[end - 1 : end] == [sentences[at]]:
                yield sentences[at], name
                free = end
                break


def _name_lengths(names: NameTable) -> dict[str, list[int]]:
    """First token → how long the names are that begin with it, longest first."""
    found: defaultdict[str, set[int]] = defaultdict(set)
    for spelled in names:
        found[spelled[0]].add(len(spelled))
    return {first: sorted(lengths, reverse=True) for first, lengths in found.items()}


@cache
def _listed_names(listed: str) -> NameTable:
    """The names of a list, ready to be looked up."""
    cased = listed in _CASE_SENSITIVE
    return {
        tuple(split_tokens(spelled)): counted.lower()
        for name, counted in names_of(*_LISTS[listed]).items()
        for spelled in ((name, name.upper()) if cased else (name.lower(),))
    }


_SOURCE = "EMNLP 2009, section 3.2"
_RULE_GROUPS = frozenset({"period", "time", "number"})

EntityForms = tuple[tuple[str, str], ...]
"""For each distinct entry of a layer its kind or group, and its normal form."""


@register_feature(
    "entity",
    "{type} names in {where} (statistical recogniser)",
    source=_SOURCE,
    needs=["text", "case", Layer.ENTITIES],
    type=("person", "location", "organisation"),
    local=(False, True),
)
def entity(analysis: Analysis, *, type: str, local: bool = False) -> Bags:  # noqa: A002 - its name
    """Named entities of one type, the name searched for and persons of one word left out."""
    return _entity_bags(analysis, Layer.ENTITIES, _entity_forms(analysis), type, local=local)


@register_feature(
    "entity",
    "{type} entities in {where} (fine-grained kinds, merged)",
    source=_SOURCE,
    needs=["text", "case", Layer.ENTITIES, Layer.QUANTITIES],
    type=tuple(KIND_GROUPS),
    local=(False, True),
)
def fine_entity(analysis: Analysis, *, type: str, local: bool = False) -> Bags:  # noqa: A002 - its name
    """Entities and quantities whose fine-grained kind belongs to one group."""
    if type in _RULE_GROUPS:
        return _entity_bags(
            analysis, Layer.QUANTITIES, _quantity_forms(analysis), type, local=local
        )
    return _entity_bags(analysis, Layer.ENTITIES, _fine_entity_forms(analysis), type, local=local)


def _entity_bags(
    analysis: Analysis, layer: Layer, forms: EntityForms, wanted: str, *, local: bool
) -> Bags:
    kept = [
        form if kind == wanted and is_distinctive(form, analysis.name) else ""
        for kind, form in forms
    ]
    return bags_from_marks(analysis, layer, kept, local=local)


@lru_cache(maxsize=1)
def _entity_forms(analysis: Analysis) -> EntityForms:
    marks = analysis.layer(Layer.ENTITIES)
    pairs = zip(marks.texts, marks.kinds, strict=True)
    return tuple((kind, entity_form(text, kind)) for text, kind in pairs)


@lru_cache(maxsize=1)
def _fine_entity_forms(analysis: Analysis) -> EntityForms:
    marks = analysis.layer(Layer.ENTITIES)
    pairs = [
        (text, fine_kind(text, kind)) for text, kind in zip(marks.texts, marks.kinds, strict=True)
    ]
    return tuple((group_of(kind), entity_form(text, kind)) for text, kind in pairs)


@lru_cache(maxsize=1)
def _quantity_forms(analysis: Analysis) -> EntityForms:
    marks = analysis.layer(Layer.QUANTITIES)
    pairs = zip(marks.texts, marks.kinds, strict=True)
    return tuple((group_of(kind), quantity_form(text, kind)) for text, kind in pairs)
