"""Named entities and quantities: by capitals, from word lists, and as a recogniser finds them.

EMNLP 2009, section 3.2: ``entity`` takes the place of the Stanford recogniser, ``fine_entity`` that
of OAK; the latter are those of a second recogniser if the pages were read by one. Word lists
(places, occupations): section 4.3.1.

The OAK system knows some hundred kinds; most are too sparse to be a feature, so they are "merged in
coarser groups". The kinds here are named and grouped after Sekine's extended hierarchy (LREC 2008).
Two of its decisions may surprise: institutions that have a building to enter (schools, museums,
hospitals) are facilities, and prizes and newspapers are products.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, MutableSequence
from functools import cache, lru_cache
from itertools import dropwhile, pairwise, takewhile

import numpy as np

from weps._files import gazetteer_names
from weps._text import singular_form, split_tokens, split_words
from weps.features.bags import Bags, bags_from_marks, stop_words
from weps.features.registry import register_feature
from weps.language.analysis import Analysis, Layer, Marks, cached_for_features
from weps.language.annotation import CARDINALS, MONTHS


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
    dropped = stop_words().union(analysis.name_words)
    lower_case = np.array([word if word.islower() else "\0" for word in table.surface], object)
    bounds = np.searchsorted(table.document[table.sentence], np.arange(len(analysis.documents) + 1))
    # For each document its tokens between blanks, with capitalised ones masked.
    plain = [f" {' '.join(lower_case[table.token[a:b]])} " for a, b in pairwise(bounds)]
    words_of = [frozenset(text.split(" ")) for text in plain]
    lower = np.array([word.lower() for word in table.surface], dtype=object)
    phrases = []
    lookups: list[dict[str, bool]] = [{} for _ in analysis.documents]
    capital = np.array([word[0].isupper() for word in table.surface], dtype=bool)[table.token]
    inside = capital[1:] & capital[:-1] & (table.sentence[1:] == table.sentence[:-1])
    edges = np.diff(np.concatenate([[False], inside, [False]]).astype(np.int8))
    starts, ends = np.flatnonzero(edges == 1), np.flatnonzero(edges == -1) + 1
    # Two or more capitalised tokens, as long as they are.
    for start, end, row, mentioning in zip(
        starts.tolist(),
        ends.tolist(),
        table.document[table.sentence[starts]].tolist(),
        table.mentions[table.sentence[starts]].tolist(),
        strict=True,
    ):
        words = lower[table.token[start:end]].tolist()
        phrase, known = " ".join(words), lookups[row]
        # Most phrases fail the first test for lower case, which costs a hundredth of the second.
        searched = words_of[row].issuperset(words) and len(known) < _MAX_LOOKUPS
        if searched and phrase not in known:
            known[phrase] = f" {phrase} " in plain[row]
        if not dropped.issuperset(words) and not known.get(phrase):
            phrases.append((row, mentioning, phrase))
    return phrases


_LISTS = {"place": ("cities", "states", "countries"), "occupation": ("occupations",)}
_CASE_SENSITIVE = frozenset({"place"})
"""Lists whose names must be written as they are there, or all in capitals: Turkey, no turkey."""


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
    table, searched = analysis.tokens, analysis.name_words
    bags: tuple[MutableSequence[str], ...] = tuple([] for _ in analysis.documents)
    names, lengths = _listed_names(list)
    forms = [form if list in _CASE_SENSITIVE else form.lower() for form in table.surface]
    text = [forms[token] for token in table.token.tolist()]
    sentences = table.sentence.tolist()
    opening = np.array([form in lengths for form in forms], dtype=bool)
    free = 0
    for at in np.flatnonzero(opening[table.token]).tolist():
        for length in lengths[text[at]] if at >= free else ():
            end, sentence = at + length, sentences[at]
            name = names.get(tuple(text[at:end]))
            if name and sentences[end - 1 : end] == [sentence]:
                if not searched.issuperset(split_words(name)) and (
                    table.mentions[sentence] or not local
                ):
                    bags[table.document[sentence]].append(name)
                free = end
                break
    return Bags.of(bags)


@cache
def _listed_names(listed: str) -> tuple[dict[tuple[str, ...], str], dict[str, list[int]]]:
    """The tokens of each name of a list → what it counts as; first token → lengths of names."""
    names = {
        tuple(split_tokens(spelled)): counted.lower()
        for name, counted in gazetteer_names(*_LISTS[listed]).items()
        for spelled in ((name, name.upper()) if listed in _CASE_SENSITIVE else (name.lower(),))
    }
    lengths: defaultdict[str, set[int]] = defaultdict(set)
    for spelled in names:
        lengths[spelled[0]].add(len(spelled))
    return names, {first: sorted(each, reverse=True) for first, each in lengths.items()}


_RULE_GROUPS = frozenset({"period", "time", "number"})


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
    return _entity_bags(analysis, analysis.layer(Layer.ENTITIES), type, grouped=False, local=local)


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
    marks = analysis.second_entities
    if marks is None or type in _RULE_GROUPS:
        marks = analysis.layer(Layer.QUANTITIES if type in _RULE_GROUPS else Layer.ENTITIES)
    return _entity_bags(analysis, marks, type, grouped=True, local=local)


def _entity_bags(
    analysis: Analysis, marks: Marks, wanted: str, *, grouped: bool, local: bool
) -> Bags:
    """Normal forms of one kind, or group of kinds."""
    kept = [
        form if kind == wanted and is_distinctive(form, analysis.name_words) else ""
        for kind, form in _normal_forms(marks, grouped=grouped)
    ]
    return bags_from_marks(analysis, marks, kept, local=local)


@lru_cache(maxsize=3)
def _normal_forms(marks: Marks, *, grouped: bool) -> list[tuple[str, str]]:
    """For each distinct entry of a layer its kind or group, and its normal form."""
    forms = []
    for text, kind in zip(marks.texts, marks.kinds, strict=True):
        if (group := group_of(kind)) in _RULE_GROUPS:
            forms.append((group, quantity_form(text, kind)))
        elif grouped:
            finest = fine_kind(text, kind)
            forms.append((group_of(finest), entity_form(text, finest)))
        else:
            forms.append((kind, entity_form(text, kind)))
    return forms


_TITLES = frozenset(
    "mr mrs ms miss dr doctor prof professor sir dame lady lord rev reverend fr father sister"
    " senator sen representative rep congressman governor gov president judge justice hon captain"
    " capt colonel col general gen lieutenant lt major maj sergeant sgt admiral mayor".split()
)
_AFTER_NAMES = frozenset("phd ph d md m esq ba ma bsc msc mba jd cpa frs obe mbe cbe".split())
JUNIORS = frozenset("jr sr ii iii iv".split())
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


def is_distinctive(form: str, name: frozenset[str]) -> bool:
    """Whether anything is left of an entity besides the name searched for and stop words.

    An initial counts: Thomas J. Baker is not every Thomas Baker.
    """
    return any(
        word not in name and (len(word) == 1 or word not in stop_words()) for word in form.split()
    )


def _without_article(text: str) -> list[str]:
    spelled = split_words(text)
    return spelled[1:] if spelled[:1] == ["the"] else spelled


def _person_words(text: str) -> list[str]:
    last, _, rest = text.partition(",")
    after = split_words(rest)
    inverted = not JUNIORS.union(_AFTER_NAMES).issuperset(after)  # Lee, Ann; not Ann Lee, Jr.
    spelled = [*after, *split_words(last)] if inverted else split_words(text)
    trimmed = _trim_words(spelled, _TITLES, _AFTER_NAMES)
    return trimmed if len(trimmed) > 1 else []


def _place_words(text: str) -> list[str]:
    """``U.S.``, ``USA`` and ``the United States`` are one country."""
    spelled = _without_article(text)
    return _places()[1].get(" ".join(spelled), spelled)


def _trim_words(spelled: list[str], before: Collection[str], after: Collection[str]) -> list[str]:
    """The words without those at either end that are in the lists."""
    kept = list(dropwhile(before.__contains__, spelled))
    while len(kept) > 1 and kept[-1] in after:
        kept.pop()
    return kept


_NORMALISERS: dict[str, Callable[[str], list[str]]] = {
    "country": _place_words,
    "location": _place_words,
    "person": _person_words,
    "state": _place_words,
    **dict.fromkeys(
        ("organisation", "company"),
        lambda text: _trim_words(_without_article(text), (), _LEGAL_FORMS),
    ),
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
    place = _places()[0].get(" ".join(spelled))
    return place or next((_KIND_OF_HEAD[word] for word in head if word in _KIND_OF_HEAD), "")


def _head_first(spelled: list[str]) -> list[str]:
    """The words before the first preposition, last first, as English puts the head last."""
    bare = spelled[1:] if spelled[:1] == ["the"] else spelled
    return list(takewhile(lambda word: word not in _PREPOSITIONS, bare))[::-1]


@cache
def _places() -> tuple[dict[str, str], dict[str, list[str]]]:
    """Place in lower case → city, state or country; country or state → words of its first name."""
    kinds = {
        " ".join(split_words(name)): kind
        for kind, listed in (("city", "cities"), ("state", "states"), ("country", "countries"))
        for name in gazetteer_names(listed)
        if not name.startswith(",")
    }
    names = gazetteer_names("countries", "states").items()
    return kinds, {" ".join(split_words(name)): split_words(first) for name, first in names}


_MONTH = {month[:3].lower(): number for number, month in enumerate(MONTHS, start=1)}
_LINKING_WORDS = frozenset("to until till through and of us per sterling".split())
_SYNONYMS = (
    "$=dollar usd=dollar £=pound gbp=pound €=euro eur=euro ¥=yen jpy=yen %=percent cent=percent"
    " k=thousand m=million mn=million bn=billion kilometre=km kilometer=km meter=metre feet=foot"
    " ft=foot now=present today=present date=present current=present sept=sep"
    " thirty=30 forty=40 fifty=50 sixty=60"
)
_NORMAL_WORDS = (
    {word: str(number) for number, word in enumerate(CARDINALS, start=1)}
    | {month.lower(): month[:3].lower() for month in MONTHS}
    | dict(pair.split("=") for pair in _SYNONYMS.split())
)
"""Word in the singular → the one word or figure for it."""
_TENS_AND_UNITS = re.compile(
    rf"\b(twenty|thirty|forty|fifty|sixty)[ -]({'|'.join(CARDINALS[:9])})(?:st|nd|rd|th)?\b"
)
_PARTS = re.compile(r"[a-z]+|[0-9]+(?:[.,][0-9]+)*(?:st|nd|rd|th|s)?|[^\w\s,.:/–—-]")
_FIGURES = re.compile(r"[0-9]+")


def quantity_form(text: str, kind: str) -> str:
    """The normal form of a quantity.

    Args:
        text: as written.
        kind: its fine-grained kind, see :func:`weps.language.annotation.find_quantities`.

    Returns:
        Dates as ISO 8601 where they are unambiguous (``1998-05-03``, ``1998-05``, ``--05-03``),
        clock times as ``15:30``, telephone numbers as their last ten digits, sums as number and
        currency, anything else as its numbers and words, in figures and the singular.
    """
    return _QUANTITY_FORMS.get(kind, _plain_form)(text.lower())


def _normal_parts(text: str) -> Iterator[str]:
    """Words in the singular and numbers in figures, without linking words."""
    in_figures = _TENS_AND_UNITS.sub(  # twenty-two → 22
        lambda match: f"{_NORMAL_WORDS[match[1]][0]}{_NORMAL_WORDS[match[2]]}", text
    )
    for part in _PARTS.findall(in_figures):
        if part[0].isdigit():
            word = part.replace(",", "").removesuffix(".00")
        else:
            word = part.removesuffix("s") if len(part) == len("yrs") else singular_form(part)
        if part not in _LINKING_WORDS:
            yield _NORMAL_WORDS.get(word, word)


def _plain_form(text: str) -> str:
    return " ".join(_normal_parts(text))


def _age_form(text: str) -> str:
    """``aged 42``, ``42 years old`` and ``42-year-old`` are one age."""
    parts = list(_normal_parts(text))
    number = next((part for part in parts if part[0].isdigit()), parts[0])
    unit = next((part for part in parts if part in {"month", "week"}), "year")
    return f"age {number} {unit}"


def _years_form(text: str) -> str:
    """``1981-82`` and ``1981-1982`` are the same years."""
    first, *rest = _normal_parts(text)
    return " ".join([first, *(f"{first[:2]}{part}" if len(part) == 2 else part for part in rest)])


def _clock_form(text: str) -> str:
    half = text.replace(".", "")[-2:]
    if half not in {"am", "pm"}:
        return {"noon": "12:00", "midnight": "00:00"}.get(text, text)
    hour, *rest = _FIGURES.findall(text)
    return ":".join([f"{int(hour) % 12 + 12 * (half == 'pm'):02}", *(rest or ["00"])])


def _date_form(text: str) -> str:
    """As ISO 8601; the text if day and month, or the century, are ambiguous."""
    figures = _FIGURES.findall(text)
    months = [_MONTH[word[:3]] for word in re.findall(r"[a-z]+", text) if word[:3] in _MONTH]
    if months:
        year = next((each for each in figures if len(each) == 4), "")
        others = [each for each in figures if each != year]
        if len(others) == 2:  # two figures of a year stay two
            year = others.pop()
        return "-".join([year or "-", f"{months[0]:02}", *(f"{int(day):02}" for day in others)])
    first, second, year = figures
    if len(first) == 4:
        return "-".join(figures)
    month, day = sorted((int(first), int(second)))
    ambiguous = len(year) < 4 or month > 12 or (day <= 12 and day != month)
    return text if ambiguous else f"{year}-{month:02}-{day:02}"


_QUANTITY_FORMS: dict[str, Callable[[str], str]] = {
    "age": _age_form,
    "clock": _clock_form,
    "date": _date_form,
    "decade": lambda text: _plain_form(text.replace("'", "").replace("’", "")),
    "measure": lambda text: _plain_form(text).replace("pound", "lb"),
    "money": lambda text: " ".join(  # number and currency, in this order
        sorted(_normal_parts(text), key=lambda part: (not part[0].isdigit(), part))
    ),
    # The last digits are alike with and without country code and trunk zero.
    "phone": lambda text: "".join(_FIGURES.findall(text.replace("(0)", "")))[-10:],
    "postal_code": str.upper,
    "years": _years_form,
}
