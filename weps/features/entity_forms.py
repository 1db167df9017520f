"""One spelling for entities that are the same: ``Dr. Ann Lee`` and ``LEE, Ann``."""

from __future__ import annotations

from collections.abc import Callable, Collection
from functools import cache

from weps.features.vocabulary import stop_words
from weps.names import PersonName
from weps.resources import gazetteer
from weps.words import words

__all__ = ["entity_form", "tells"]

_TITLES = frozenset(
    "mr mrs ms miss dr doctor prof professor sir dame lady lord rev reverend fr father sister"
    " senator sen representative rep congressman governor gov president judge justice hon captain"
    " capt colonel col general gen lieutenant lt major maj sergeant sgt admiral mayor".split()
)
_AFTER_NAMES = frozenset("phd ph d md m esq ba ma bsc msc mba jd cpa frs obe mbe cbe".split())
_JUNIORS = frozenset("jr sr ii iii iv".split())
"""They tell father from son, so they stay."""
_LEGAL = frozenset("inc incorporated corp corporation co ltd limited llc llp plc gmbh ag".split())


def entity_form(text: str, kind: str) -> str:
    """The normal form of an entity: lower case, no punctuation, possessive or article.

    Persons lose titles and degrees and stand first name first; one word alone is no person, since
    first names "significantly deteriorate the quality" (EMNLP 2009, section 3.2, footnote 5).
    Organisations lose the legal form.

    Args:
        text: as written.
        kind: person, location, organisation, event, product, or a fine-grained kind.

    Returns:
        The form; empty if the entity is to be discarded.
    """
    return " ".join(_FORMS.get(kind, _bare)(text))


def tells(form: str, name: PersonName) -> bool:
    """Whether anything is left of an entity besides the name searched for and stop words.

    An initial counts: Thomas J. Baker is not every Thomas Baker.
    """
    return any(
        word not in name.tokens and (len(word) == 1 or word not in stop_words())
        for word in form.split()
    )


def _bare(text: str) -> list[str]:
    spelled = words(text)
    return spelled[1:] if spelled[:1] == ["the"] else spelled


def _person(text: str) -> list[str]:
    spelled = _trimmed(_first_name_first(text), _TITLES, _AFTER_NAMES)
    return spelled if len(spelled) > 1 else []


def _first_name_first(text: str) -> list[str]:
    """``Lee, Ann`` → ``ann lee``; ``Ann Lee, Jr.`` and ``Ann Lee, PhD`` as they are."""
    last, _, rest = text.partition(",")
    after = words(rest)
    turned = after and not _JUNIORS.union(_AFTER_NAMES).issuperset(after)
    return [*after, *words(last)] if turned else words(text)


def _organisation(text: str) -> list[str]:
    return _trimmed(_bare(text), (), _LEGAL)


def _place(text: str) -> list[str]:
    """``U.S.``, ``USA`` and ``the United States`` are one country."""
    spelled = _bare(text)
    return _places().get(" ".join(spelled), spelled)


@cache
def _places() -> dict[str, list[str]]:
    """Every name of a country or state → the words of its first name."""
    names = gazetteer("countries", "states").items()
    return {" ".join(words(name)): words(first) for name, first in names}


def _trimmed(spelled: list[str], before: Collection[str], after: Collection[str]) -> list[str]:
    """The words without those at either end that are in the lists."""
    first, last = 0, len(spelled)
    while first < last and spelled[first] in before:
        first += 1
    while last > first + 1 and spelled[last - 1] in after:
        last -= 1
    return spelled[first:last]


_FORMS: dict[str, Callable[[str], list[str]]] = {
    "country": _place,
    "location": _place,
    "person": _person,
    "state": _place,
    "organisation": _organisation,
    "company": _organisation,
}
