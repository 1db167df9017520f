"""Named entities: by capitals, from word lists, and as a recogniser finds them.

EMNLP 2009, section 3.2: ``entity`` takes the place of the Stanford recogniser, ``fine_entity`` that
of OAK, whose kinds are merged into groups; the latter are those of a second recogniser if the pages
were read by one. Word lists (places, occupations): section 4.3.1.
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
from weps.features.entity_types import (
    entity_form,
    fine_kind,
    group_of,
    is_distinctive,
    quantity_form,
)
from weps.features.registry import register_feature
from weps.language.analysis import Analysis, Layer, Marks, TokenTable, cached_for_features


@register_feature(
    "entity",
    "runs of two or more capitalised words in {where} (baseline recogniser)",
    wording="capitalised names",
    paper="section 3.2",
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


_MAX_LOOKUPS = 1_000
"""Phrases of a page that are searched in its text in lower case; others count as not found there.
Each search takes time in proportion to the page; no real page needs so many."""


@cached_for_features
def _capitalised_phrases(analysis: Analysis) -> list[tuple[int, bool, str]]:
    """For each phrase its document row, whether its sentence mentions the name, its words."""
    table = analysis.tokens
    dropped = stop_words().union(analysis.name.tokens)
    lower_case = np.array([word if word.islower() else "\0" for word in table.surface], object)
    bounds = np.searchsorted(table.document[table.sentence], np.arange(len(analysis.documents) + 1))
    # For each document its tokens between blanks, with capitalised ones masked.
    plain = [f" {' '.join(lower_case[table.token[a:b]])} " for a, b in pairwise(bounds)]
    words_of = [frozenset(text.split(" ")) for text in plain]
    lower = [form.lower() for form in table.surface]
    token, mentions, documents = (
        array.tolist() for array in (table.token, table.mentions, table.document)
    )
    phrases = []
    lookups: list[dict[str, bool]] = [{} for _ in analysis.documents]
    for sentence, start, end in _capital_runs(table):
        words = [lower[index] for index in token[start:end]]
        row = documents[sentence]
        phrase, known = " ".join(words), lookups[row]
        in_lower_case = False
        # Most phrases fail the first test for lower case, which costs a hundredth of the second.
        if words_of[row].issuperset(words) and (phrase in known or len(known) < _MAX_LOOKUPS):
            if phrase not in known:
                known[phrase] = f" {phrase} " in plain[row]
            in_lower_case = known[phrase]
        if not dropped.issuperset(words) and not in_lower_case:
            phrases.append((row, mentions[sentence], phrase))
    return phrases


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


Bag = list[str]

_LISTS = {"place": ("cities", "states", "countries"), "occupation": ("occupations",)}
_CASE_SENSITIVE = frozenset({"place"})
"""Lists whose names must be written as they are there, or all in capitals: Turkey, no turkey."""

NameTable = dict[tuple[str, ...], str]
"""The tokens of each name of a list → what it counts as."""


@register_feature(
    "gazetteer",
    "{list} names from word lists in {where}",
    wording="words in gazetteers",
    detail="{list} in gazetteers",
    paper="section 4.3.1",
    needs=["text", "case"],
    linguistic=True,
    list={"place": "places", "occupation": "occupations"},
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


_RULE_GROUPS = frozenset({"period", "time", "number"})

EntityForms = tuple[tuple[str, str], ...]
"""For each distinct entry of a layer its kind or group, and its normal form."""


@register_feature(
    "entity",
    "{type} names in {where} (statistical recogniser)",
    wording="people, places and organisations",
    detail="{type}",
    paper="section 3.2",
    needs=["text", "case", Layer.ENTITIES],
    type={"person": "people", "location": "places", "organisation": "organisations"},
    local=(False, True),
)
def entity(analysis: Analysis, *, type: str, local: bool = False) -> Bags:  # noqa: A002 - its name
    """Named entities of one type, the name searched for and persons of one word left out."""
    marks = analysis.layer(Layer.ENTITIES)
    return _entity_bags(analysis, marks, _normal_forms(marks, grouped=False), type, local=local)


@register_feature(
    "entity",
    "{type} entities in {where} (fine-grained kinds, merged)",
    wording="people, places and organisations by finer rules",
    detail="{type} by finer rules",
    paper="section 3.2",
    needs=["text", "case", Layer.ENTITIES, Layer.QUANTITIES],
    type={
        "event": "events",
        "facility": "buildings and institutions",
        "location": "places",
        "person": "people",
        "organisation": "organisations",
        "product": "products, works and prizes",
        "period": "periods",
        "time": "dates and times",
        "number": "figures",
    },
    local=(False, True),
)
def fine_entity(analysis: Analysis, *, type: str, local: bool = False) -> Bags:  # noqa: A002 - its name
    """Entities and quantities whose fine-grained kind belongs to one group."""
    if type in _RULE_GROUPS:
        marks = analysis.layer(Layer.QUANTITIES)
        return _entity_bags(analysis, marks, _quantity_forms(marks), type, local=local)
    second = analysis.second_entities
    marks = analysis.layer(Layer.ENTITIES) if second is None else second
    return _entity_bags(analysis, marks, _normal_forms(marks, grouped=True), type, local=local)


def _entity_bags(
    analysis: Analysis, marks: Marks, forms: EntityForms, wanted: str, *, local: bool
) -> Bags:
    kept = [
        form if kind == wanted and is_distinctive(form, analysis.name) else ""
        for kind, form in forms
    ]
    return bags_from_marks(analysis, marks, kept, local=local)


@lru_cache(maxsize=1)
def _quantity_forms(marks: Marks) -> EntityForms:
    found = zip(marks.texts, marks.kinds, strict=True)
    return tuple((group_of(kind), quantity_form(text, kind)) for text, kind in found)


@lru_cache(maxsize=2)
def _normal_forms(marks: Marks, *, grouped: bool) -> EntityForms:
    forms = []
    for text, kind in zip(marks.texts, marks.kinds, strict=True):
        finest = fine_kind(text, kind) if grouped else kind
        forms.append((group_of(finest) if grouped else kind, entity_form(text, finest)))
    return tuple(forms)
