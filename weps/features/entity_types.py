"""Fine-grained kinds of entities and quantities, their nine groups, and normalised spellings.

EMNLP 2009, section 3.2: the OAK system knows some hundred kinds; most are too sparse to be a
feature, so they are "merged in coarser groups". The kinds here are named and grouped after Sekine's
extended hierarchy (LREC 2008). Two of its decisions may surprise: institutions that have a building
to enter (schools, museums, hospitals) are facilities, and prizes and newspapers are products.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from functools import cache
from itertools import takewhile

from weps._files import gazetteer_names
from weps._text import PersonName, split_words
from weps.features.bags import stop_words

_TITLES = frozenset(
    "mr mrs ms miss dr doctor prof professor sir dame lady lord rev reverend fr father sister"
    " senator sen representative rep congressman governor gov president judge justice hon captain"
    " capt colonel col general gen lieutenant lt major maj sergeant sgt admiral mayor".split()
)
_AFTER_NAMES = frozenset("phd ph d md m esq ba ma bsc msc mba jd cpa frs obe mbe cbe".split())
_JUNIORS = frozenset("jr sr ii iii iv".split())
"""They distinguish father and son, so they are kept."""
_LEGAL_FORMS = frozenset(
    "inc incorporated corp corporation co ltd limited llc llp plc gmbh ag".split()
)


def entity_form(text: str, kind: str) -> str:
    """The normal form of an entity: lower case, no punctuation, possessive or article.

    Persons lose titles and degrees, first name first; one word alone is not a person, since
    first names "significantly deteriorate the quality" (EMNLP 2009, section 3.2, footnote 5).
    Organisations lose the legal form.

    Args:
        text: as written.
        kind: person, location, organisation, event, product, or a fine-grained kind.

    Returns:
        The form; empty if the entity is to be discarded.
    """
    return " ".join(_NORMALISERS.get(kind, _without_article)(text))


def is_distinctive(form: str, name: PersonName) -> bool:
    """Whether anything is left of an entity besides the name searched for and stop words.

    An initial counts: Thomas J. Baker is not every Thomas Baker.
    """
    return any(
        word not in name.tokens and (len(word) == 1 or word not in stop_words())
        for word in form.split()
    )


def _without_article(text: str) -> list[str]:
    spelled = split_words(text)
    return spelled[1:] if spelled[:1] == ["the"] else spelled


def _person_words(text: str) -> list[str]:
    last, _, rest = text.partition(",")
    after = split_words(rest)
    inverted = not _JUNIORS.union(_AFTER_NAMES).issuperset(after)  # Lee, Ann; not Ann Lee, Jr.
    spelled = [*after, *split_words(last)] if inverted else split_words(text)
    trimmed = _trim_words(spelled, _TITLES, _AFTER_NAMES)
    return trimmed if len(trimmed) > 1 else []


def _organisation_words(text: str) -> list[str]:
    return _trim_words(_without_article(text), (), _LEGAL_FORMS)


def _place_words(text: str) -> list[str]:
    """``U.S.``, ``USA`` and ``the United States`` are one country."""
    spelled = _without_article(text)
    return _canonical_places().get(" ".join(spelled), spelled)


@cache
def _canonical_places() -> dict[str, list[str]]:
    """Every name of a country or state → the words of its first name."""
    names = gazetteer_names("countries", "states").items()
    return {" ".join(split_words(name)): split_words(first) for name, first in names}


def _trim_words(spelled: list[str], before: Collection[str], after: Collection[str]) -> list[str]:
    """The words without those at either end that are in the lists."""
    first, last = 0, len(spelled)
    while first < last and spelled[first] in before:
        first += 1
    while last > first + 1 and spelled[last - 1] in after:
        last -= 1
    return spelled[first:last]


_NORMALISERS: dict[str, Callable[[str], list[str]]] = {
    "country": _place_words,
    "location": _place_words,
    "person": _person_words,
    "state": _place_words,
    "organisation": _organisation_words,
    "company": _organisation_words,
}

KIND_GROUPS = {
    "event": "event conference festival game war disaster",
    "facility": (
        "facility school university museum library hospital theatre worship park sports_ground"
        " hotel airport station port bridge road building monument cemetery laboratory"
    ),
    "location": "location city state country county region water mountain island",
    "person": "person",
    "organisation": (
        "organisation company bank association party government court military team band department"
    ),
    "product": "product award newspaper journal programme law",
    "period": "years dates duration",
    "time": "date year decade century weekday clock",
    "number": "phone postal_code money percent age measure ordinal count",
}
"""Group → its fine-grained kinds; the kinds of the last three are found by rule, not recognised."""

_GROUP_OF_KIND = {kind: group for group, kinds in KIND_GROUPS.items() for kind in kinds.split()}

_COMPANY_ENDINGS = frozenset(
    "inc incorporated corp corporation ltd limited llc llp plc gmbh ag kg sa nv bv oy ab".split()
)
"""Legal forms: at the end of a name they make it a company, whatever stands before."""

_HEADS = {
    "conference": "conference congress symposium workshop colloquium convention summit forum expo",
    "festival": "festival fair carnival parade exhibition biennale ceremony holiday",
    "game": "olympics games championship championships tournament marathon cup bowl race derby",
    "war": "war wars battle revolution rebellion siege invasion massacre crusade",
    "disaster": "hurricane earthquake tsunami flood famine plague tornado eruption",
    "school": "school schools academy college seminary conservatory kindergarten institute",
    "university": "university universität université universidad universiteit università",
    "museum": "museum museums gallery galleries zoo aquarium planetarium",
    "library": "library libraries archive archives",
    "hospital": "hospital hospitals clinic infirmary hospice sanatorium",
    "theatre": "theatre theater opera cinema auditorium playhouse",
    "worship": "church cathedral chapel abbey temple synagogue mosque minster priory monastery",
    "park": "park garden gardens reserve plaza",
    "sports_ground": "stadium arena racecourse speedway ballpark coliseum",
    "hotel": "hotel inn motel resort restaurant cafe café pub tavern casino",
    "airport": "airport airfield aerodrome heliport",
    "station": "station terminal depot railway railroad subway",
    "port": "harbour harbor docks marina pier",
    "bridge": "bridge tunnel viaduct dam canal",
    "road": "street avenue ave road rd lane boulevard blvd highway freeway motorway",
    "building": "building tower hall house palace castle mansion prison jail courthouse barracks",
    "monument": "monument memorial statue",
    "cemetery": "cemetery graveyard churchyard",
    "laboratory": "laboratory laboratories lab labs observatory",
    "county": "county parish borough township district prefecture",
    "region": "valley coast desert forest peninsula plain plateau",
    "water": "river lake ocean sea bay creek gulf strait falls fjord",
    "mountain": "mountain mountains mount hill hills peak volcano",
    "island": "island islands isle isles archipelago atoll",
    "company": (
        "company co holdings group enterprises industries partners associates consulting solutions"
        " systems technologies airlines motors pharmaceuticals insurance realty studios records"
        " brothers bros agency press publishing publishers publications verlag"
    ),
    "bank": "bank bancorp trust fund securities",
    "association": (
        "association society foundation club federation league council committee commission"
        " organization organisation network alliance coalition charity fraternity consortium union"
    ),
    "party": "party democrats republicans",
    "government": (
        "government ministry parliament senate assembly administration bureau authority embassy"
        " treasury cabinet"
    ),
    "court": "court tribunal",
    "military": "army navy force forces regiment battalion brigade squadron corps marines infantry",
    "team": "team fc afc rovers",
    "band": "band orchestra choir ensemble quartet quintet trio chorus philharmonic symphony",
    "department": "department dept faculty division",
    "award": "award awards prize medal fellowship scholarship trophy",
    "newspaper": (
        "newspaper times post herald tribune gazette chronicle guardian telegraph courier mirror"
    ),
    "journal": "journal magazine review quarterly bulletin proceedings transactions newsletter",
    "programme": "show series channel",
    "law": "act treaty bill constitution amendment agreement",
}
"""Fine-grained kind → words that head such names."""

_KIND_OF_HEAD = {head: kind for kind, heads in _HEADS.items() for head in heads.split()}

_PREPOSITIONS = frozenset("of for in at on the de della der des du für".split())
"""Where the head of a name ends: *Museum* of Modern Art."""

_SURNAME_HEADS = frozenset(
    "abbey battle bay books bowl castle chapel church co court creek fair falls flood forest fund"
    " garden gardens hall hill hills holiday house inn lab lake lane marina marsh minster mount"
    " parish park peak pier post power price race rd rivers sea show street temple times tower"
    " union valley wells".split()
)
"""Heads that end the names of persons too: Ann Hill is no mountain."""

_ALLOWED_GROUPS = {
    "product": {"product"},
    "event": {"event", "product"},
    "location": {"location", "facility"},
}
"""Kind → groups that the rules may assign; other kinds are unrestricted."""


def fine_kind(text: str, kind: str) -> str:
    """The fine-grained kind of an entity as written, whose kind a recogniser found."""
    spelled = split_words(text)
    if kind == "person":  # Greenup County is a place, Bill Lee is a person
        last = _head_first(spelled)[:1]
        doubtful = len(spelled) < 2 or not _SURNAME_HEADS.isdisjoint(last)
        return "person" if doubtful else _kind_by_rules(spelled, last) or "person"
    ruled = _kind_by_rules(spelled, _head_first(spelled))
    return ruled if group_of(ruled) in _ALLOWED_GROUPS.get(kind, KIND_GROUPS) else kind


def group_of(kind: str) -> str:
    """The group of a fine-grained kind; empty for a kind that is unknown."""
    return _GROUP_OF_KIND.get(kind, "")


def _kind_by_rules(spelled: list[str], head: list[str]) -> str:
    """The kind by legal form, word lists and head, in this order; empty if none applies."""
    if spelled and spelled[-1] in _COMPANY_ENDINGS:
        return "company"
    place = _place_kinds().get(" ".join(spelled))
    return place or next((_KIND_OF_HEAD[word] for word in head if word in _KIND_OF_HEAD), "")


def _head_first(spelled: list[str]) -> list[str]:
    """The words before the first preposition, last first, as English puts the head last."""
    bare = spelled[1:] if spelled[:1] == ["the"] else spelled
    return list(takewhile(lambda word: word not in _PREPOSITIONS, bare))[::-1]


@cache
def _place_kinds() -> dict[str, str]:
    """Place, its words in lower case → city, state or country."""
    return {
        " ".join(split_words(name)): kind
        for kind, listed in (("city", "cities"), ("state", "states"), ("country", "countries"))
        for name in gazetteer_names(listed)
        if not name.startswith(",")
    }
