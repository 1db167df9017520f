"""Recognised entities as people want to read them: of three kinds, one form, no furniture."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from weps.features.entity_forms import entity_form
from weps.features.fine_kinds import fine_kind, group_of
from weps.features.vocabulary import stop_words
from weps.names import PersonName
from weps.resources import word_list

__all__ = ["KINDS", "Entity", "entity"]

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
