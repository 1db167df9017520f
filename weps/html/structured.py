"""What pages state of people in structured data, for machines to read.

JSON-LD, microdata, RDFa, hCard (both kinds of microformats), Open Graph profiles and the infoboxes
of Wikipedia are read as *items*: dictionaries of properties by schema.org's names, as JSON-LD has
them. Properties of items that are a person with a name are facts. Structured data is as hostile as
any other text of a page: its size, depth and number are bounded, and its values are cleaned.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from html import unescape
from itertools import chain, islice
from typing import Any, Final

from weps.html.text import find_emails, fold_text, web_address
from weps.records import StatedFact

MAX_STATED: Final = 200
"""Facts of a page."""
_MAX_JSON: Final = 500_000
"""Characters of JSON of a page."""
_MAX_NODES: Final = 20_000
"""Values of a page that are looked at."""
_MAX_ITEMS: Final = 2_000
"""Items and properties in the tags of a page; as many are open at once as a hundredth of them."""
_MAX_VALUE: Final = 200
"""Characters of a value."""
_MAX_VALUES: Final = 20
"""Values of a property."""

PROPERTIES: Final = {
    "birthDate": "date of birth",
    "deathDate": "date of death",
    "birthPlace": "birth place",
    "nationality": "nationality",
    "alternateName": "other name",
    "jobTitle": "occupation",
    "hasOccupation": "occupation",
    "affiliation": "affiliation",
    "worksFor": "affiliation",
    "memberOf": "affiliation",
    "address": "location",
    "homeLocation": "location",
    "workLocation": "location",
    "work": "work",
    "award": "award",
    "alumniOf": "school",
    "hasCredential": "degree",
    "mentor": "mentor",
    "spouse": "relative",
    "parent": "relative",
    "children": "relative",
    "sibling": "relative",
    "relatedTo": "relative",
    "telephone": "phone",
    "faxNumber": "fax",
    "email": "e-mail",
    "url": "web site",
    "sameAs": "web site",
}
"""schema.org's property of a person → attribute of :data:`weps.people.facts.ATTRIBUTES`."""
_SYNONYMS: Final = {
    "awards": "award",
    "parents": "parent",
    "siblings": "sibling",
    "title": "jobTitle",
    "role": "jobTitle",
    "nick": "alternateName",
    "nickname": "alternateName",
    "mbox": "email",
    "phone": "telephone",
    "homepage": "url",
}
"""Property of earlier vocabularies (FOAF, data-vocabulary.org, schema.org) → that of today."""
_CARD: Final = {
    "fn": "name",
    "p-name": "name",
    "p-job-title": "jobTitle",
    "given-name": "givenName",
    "family-name": "familyName",
    "nickname": "alternateName",
    "title": "jobTitle",
    "role": "jobTitle",
    "org": "affiliation",
    "bday": "birthDate",
    "birthplace": "birthPlace",
    "deathdate": "deathDate",
    "tel": "telephone",
    "email": "email",
    "url": "url",
    "adr": "address",
    "locality": "addressLocality",
    "region": "addressRegion",
    "country-name": "addressCountry",
}
"""Class of hCard, in microformats 2 with a prefix, → property."""
_PREFIX = re.compile(r"^(?:p|u|dt|e)-")
_BOX: Final = {
    "born": "born",
    "died": "died",
    "nationality": "nationality",
    "citizenship": "nationality",
    "other names": "alternateName",
    "also known as": "alternateName",
    "birth name": "alternateName",
    "pen name": "alternateName",
    "occupation": "jobTitle",
    "profession": "jobTitle",
    "employer": "worksFor",
    "institutions": "affiliation",
    "political party": "affiliation",
    "residence": "homeLocation",
    "notable works": "work",
    "notable work": "work",
    "awards": "award",
    "notable awards": "award",
    "alma mater": "alumniOf",
    "education": "alumniOf",
    "doctoral advisor": "mentor",
    "academic advisors": "mentor",
    "spouse": "spouse",
    "parents": "parent",
    "parent": "parent",
    "children": "children",
    "relatives": "relatedTo",
}
"""Label of an infobox, without "(s)" → property."""
_ROLES: Final = frozenset("admin administrator author contributor member user".split())
"""What publishing software calls those who write with it."""
_PLACES: Final = ("streetAddress", "addressLocality", "addressRegion", "addressCountry")
_ADDRESSING: Final = frozenset({"url", "sameAs", "email", "mbox", "homepage"})
"""Properties whose value is where a link leads."""
_PROFILE: Final = {
    "profile:first_name": "givenName",
    "profile:last_name": "familyName",
    "profile:username": "alternateName",
}
_BREAK: Final = "\x01"  # see weps.html.cleaning
_MARKS: Final = ("itemscope", "typeof=", "vcard", "h-card", "infobox", '"profile:')
_JSON_BEGIN = re.compile(r"<script\b[^<>]{0,500}?ld\+json[^<>]{0,500}>", re.IGNORECASE)
_JSON_END = re.compile(r"</script", re.IGNORECASE)
_TAG = re.compile(r"<[^<>]{0,500}>")
_MAIL = re.compile("\x04[^\x04\x05]*+\x05?")
_NOTE = re.compile(r"\[[^\[\]]{1,20}\]|\s?\([^()]{0,200}\)")
_PHONE = re.compile(r"\+?\(?\d[\d\s()./-]{5,30}\d")

Item = dict[str, Any]
"""An item: property → values, each a text or an item; ``@type`` is what it is."""


def has_items(markup: str) -> bool:
    """Whether there may be structured data in the tags of a page; hardly costs any time."""
    return any(mark in markup for mark in _MARKS)


@dataclass(slots=True)
class _Open:
    """An element that is an item, or the value of properties of one."""

    depth: int
    begin: int
    """Number of parts of the text before it."""
    way: str
    """The syntax."""
    names: Sequence[str]
    item: Item | None = None
    value: str | None = None
    """A value that its attributes state."""
    link: str = ""
    """Where it leads."""


@dataclass(slots=True)
class ItemReader:
    """Collects the items of a page from the tags that the parser reports."""

    items: list[Item] = field(default_factory=lambda: [{"@type": "Person"}])
    """The first is that of an Open Graph profile."""
    _open: list[_Open] = field(default_factory=list)
    _inside: set[str] = field(default_factory=set)
    """The syntaxes of the items that are open."""
    _label: str = ""
    """What the next cell of an infobox has."""
    _read: int = 0

    def start(self, tag: str, attributes: Mapping[str, str], depth: int, begin: int) -> None:
        """An element begins, inside ``depth`` - 1 others and behind ``begin`` parts of the text."""
        classes = attributes.get("class", "")
        if not (
            "itemprop" in attributes
            or "itemscope" in attributes
            or "typeof" in attributes
            or "property" in attributes
            or (classes and ("hCard" in self._inside or "card" in classes or "infobox" in classes))
            or (tag in {"td", "th"} and "infobox" in self._inside)
        ):  # nearly all
            return
        for way, kind, names in self._roles(tag, attributes, classes.split()):
            self._read += 1
            if self._read > _MAX_ITEMS or len(self._open) >= _MAX_ITEMS // 100:
                return
            item = None if kind is None else {"@type": kind}
            keys = ("content", "datetime", *({"abbr": ["title"], "data": ["value"]}.get(tag, ())))
            value = next((attributes[key] for key in keys if key in attributes), None)
            link = attributes.get("href", "")
            self._open.append(_Open(depth, begin, way, names, item, value, link))
            self._inside = {each.way for each in self._open if each.item is not None}

    def _roles(
        self, tag: str, attributes: Mapping[str, str], classes: Sequence[str]
    ) -> Iterator[tuple[str, str | None, list[str]]]:
        """For each syntax, what kind of item the element is, if it is any, and whose properties."""
        inside = self._inside
        if "itemscope" in attributes or "itemprop" in attributes:
            kind = attributes.get("itemtype", "") if "itemscope" in attributes else None
            names = [each for each in attributes.get("itemprop", "").split() if each[0] != "@"]
            yield "microdata", kind, names
        if "typeof" in attributes or ("property" in attributes and "RDFa" in inside):
            words = (each.rpartition(":") for each in attributes.get("property", "").split())
            known = {"", "schema", "foaf", "v"}
            names = [name for prefix, _, name in words if prefix in known and name[:1] != "@"]
            yield "RDFa", attributes.get("typeof"), names
        elif (name := attributes.get("property", "")) in _PROFILE:
            self.items[0].setdefault(_PROFILE[name], attributes.get("content", ""))
        if "infobox" in classes:
            yield "infobox", "infobox", []
        elif "infobox" in inside and tag in {"th", "td"}:
            yield "infobox", None, ["@label", *filter(None, [_BOX.get(self._label)])]
            self._label = ""
        is_card = not {"vcard", "h-card"}.isdisjoint(classes)
        if is_card or (classes and "hCard" in inside):
            found = (_CARD.get(each, _CARD.get(_PREFIX.sub("", each))) for each in classes)
            names = [name for name in found if name]
            if is_card or names:
                yield "hCard", "Person" if is_card else "" if "address" in names else None, names

    def end(self, depth: int, parts: Sequence[str]) -> None:
        """The element at this depth ends; ``parts`` are those of the text so far."""
        while self._open and self._open[-1].depth >= depth:
            ended = self._open.pop()
            self._inside = {each.way for each in self._open if each.item is not None}
            owners = (e.item for e in reversed(self._open) if e.way == ended.way)
            owner = next((item for item in owners if item is not None), None)
            text = "".join(parts[ended.begin : ended.begin + 500])[:2_000]
            if ended.item is not None:
                ended.item.setdefault("@text", text)
            if "@label" in ended.names:
                self._label = _cleaned(text[:50]).lower().strip(" :").removesuffix("(s)")
            if owner is None and ended.item is not None:
                self.items.append(ended.item)
            if owner is None:
                continue
            for name in ended.names:
                leads = name in _ADDRESSING or ended.link.startswith(("mailto:", "tel:"))
                value = text if ended.value is None else ended.value
                value = ended.link if ended.link and leads else value
                owner.setdefault(name, []).append(ended.item or value)


def json_items(markup: str) -> Iterator[Any]:
    """The values of JSON-LD on a page; those that are no JSON are passed over."""
    if (at := markup.find("ld+json")) < 0:
        return
    left, at = _MAX_JSON, max(at - 600, 0)
    while begin := _JSON_BEGIN.search(markup, at):
        if not (end := _JSON_END.search(markup, begin.end())):
            return
        at = end.end()
        left -= end.start() - begin.end()
        if left < 0:
            return
        text = markup[begin.end() : end.start()].strip().removeprefix("<!--").removesuffix("-->")
        with suppress(ValueError, RecursionError):
            yield json.loads(text, strict=False)


def stated_facts(items: Iterable[Any], title: str) -> tuple[StatedFact, ...]:
    """What the items of a page state of people, in order, none twice.

    Args:
        items: of any form.
        title: of the page, which says whose an infobox is.
    """
    nodes: list[Item] = []
    pending = list(items)[::-1]
    seen = 0
    while pending and seen < _MAX_NODES:
        value, seen = pending.pop(), seen + 1
        if isinstance(value, dict):
            nodes.append(value)
            value = list(value.values())
        if isinstance(value, list):
            pending += [each for each in reversed(value) if isinstance(each, dict | list)]
    ids = ((node.get("@id"), node) for node in nodes if len(node) > 1)
    known = {name: node for name, node in ids if isinstance(name, str)}
    found = (fact for node in nodes for fact in _facts_of(node, known, title))
    return tuple(islice(dict.fromkeys(found), MAX_STATED))


def _facts_of(item: Item, known: Mapping[str, Item], title: str) -> Iterator[StatedFact]:
    """The facts of an item, if it is a person with a name."""
    kinds = (kind for kind in _listed(item.get("@type")) if isinstance(kind, str))
    types = {re.split(r"[/#:]", word)[-1] for kind in kinds for word in kind.split()[:_MAX_VALUES]}
    is_box = "infobox" in types and not item.keys().isdisjoint({"born", "died", "jobTitle"})
    if "Person" not in types and not is_box:
        return
    properties: dict[str, list[str]] = {}
    for key, value in islice(item.items(), _MAX_NODES):
        name = _SYNONYMS.get(short := key.rpartition(":")[2], short)
        values = chain.from_iterable(_texts(each, known, divided=is_box) for each in _listed(value))
        properties.setdefault(name, []).extend(islice(values, _MAX_VALUES))
    parts = chain.from_iterable(properties.get(key, ())[:1] for key in ("givenName", "familyName"))
    names = [title] if is_box else [*properties.get("name", ()), " ".join(parts)]
    subject = next(filter(None, names), "")[:_MAX_VALUE]
    if not subject or subject in properties.get("affiliation", ()):  # the card of a company
        return
    for event, of in (("born", "birth"), ("died", "death")):
        lines = properties.get(event, [])
        dated = next((i for i, line in enumerate(lines) if re.search(r"\d{4}", line)), None)
        if dated is not None:
            properties.setdefault(f"{of}Date", [lines[dated]])
            rest = lines[dated + 1 :]  # and the picture of a flag
            place = next((line for line in rest if ", " in line), ", ".join(rest))
            properties.setdefault(f"{of}Place", [place])
    for name, attribute in PROPERTIES.items():
        for text in properties.get(name, ()):
            is_fax = attribute == "phone" and text[:3].lower() == "fax"
            for value in _values(attribute, text):
                yield StatedFact(subject, "fax" if is_fax else attribute, value, name)


def _listed(value: Any) -> list[Any]:
    return value[:_MAX_VALUES] if isinstance(value, list) else [value]


def _texts(value: Any, known: Mapping[str, Item], *, divided: bool) -> Iterator[str]:
    """The texts of a value; of an item its name, its address, or its text."""
    if isinstance(value, dict):
        value = known.get(name, value) if isinstance(name := value.get("@id"), str) else value
        address = value.get("address")
        within = address if isinstance(address, dict) else value
        choices = (
            *map(_simple, map(value.get, ("name", "@value"))),
            [", ".join(text for key in _PLACES for text in _simple(within.get(key))[:1])],
            *map(_simple, (address, value.get("@text"))),
        )
        pieces = [next((texts[0] for texts in choices if any(texts)), "")]
    else:
        texts = _simple(value)
        pieces = _BREAK.join(texts).split(_BREAK) if divided else texts
    yield from filter(None, map(_cleaned, pieces))


def _simple(value: Any) -> list[str]:
    """The texts of a value that has no items but named ones."""
    plain = (each.get("name") if isinstance(each, dict) else each for each in _listed(value))
    return [each[:2_000] for each in plain if isinstance(each, str)]


def _cleaned(text: str) -> str:
    """A text without mark-up, as other text of pages."""
    text = _TAG.sub(" ", unescape(_MAIL.sub("", text)))
    return fold_text(re.sub(rf"(?:\s*{_BREAK}\s*)+", ", ", text)).strip(" ,;")


def _values(attribute: str, text: str) -> Iterable[str]:
    """The values of an attribute that a text states, by the form that they must have."""
    if attribute == "e-mail":
        return find_emails(text.removeprefix("mailto:"))[:1]
    if attribute == "web site":
        return filter(None, [web_address(text)])
    if attribute in {"phone", "fax"}:
        return (found[0] for found in [_PHONE.search(text)] if found)
    text = _NOTE.sub("", text).strip(" ,;")
    is_kind = str.isdigit if attribute.startswith("date") else str.isalpha
    is_number = attribute == "relative" and text[:1].isdigit()  # of children
    is_role = attribute == "occupation" and text.lower() in _ROLES
    fits = len(text) <= _MAX_VALUE and "://" not in text and any(map(is_kind, text))
    return [text] if fits and not (is_number or is_role) else []
