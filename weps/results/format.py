"""The JSON of a result: one model that is written, read, and described by its schema.

A field that is at its default is left out, unless it is always written. What no command reads is
not checked when a result is read, so that results of other versions can be updated.
``docs/schema/cluster.schema.json`` is made from the model, with the docstrings of its fields.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, fields, is_dataclass
from functools import cache
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal, TypeVar

from annotated_types import Ge, MaxLen, MinLen

from weps._files import read_bytes
from weps._formatting import join_items
from weps.errors import SourceError
from weps.people import answer as answers
from weps.people.answer import ContextEntity, ExplainedMerge, RelatedPage
from weps.people.evidence import ExplainedPair
from weps.records import (
    ALWAYS,
    FINGERPRINT_PATTERN,
    FIRST_FAULT,
    Collection,
    NonEmpty,
    PersonId,
    Probability,
    Provenance,
    Rank,
    Settings,
    Share,
    Unchecked,
    UnreadInput,
    in_schema,
)
from weps.report.view import Query, Report

if TYPE_CHECKING:
    from pydantic import TypeAdapter

_MAX_BYTES = 100 * 1024 * 1024
"""Largest file; a result of 200 pages has about 1 MB."""
_REQUIRED = frozenset({"name", "people", "merges"})
_REQUIRED_FOR_UPDATES = ("collected", "settings")
Type = TypeVar("Type")
FILE_CONFIG = {"strict": True, "allow_inf_nan": False, "use_attribute_docstrings": True}
"""Configuration of a file for pydantic: no value is converted, docstrings describe fields."""
UNWRITTEN = {"unwritten": True}
"""Metadata of a field that is not part of the JSON."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """A page of a person."""

    rank: Rank
    """Place of the page among the results of the search; as the source counts, from 0 or 1."""
    url: str = field(default="", metadata=ALWAYS)
    """As found, so not always a valid address; empty where none is known."""
    title: str = field(default="", metadata=ALWAYS)
    """As found; empty where there is none."""
    score: Probability = field(default=0.0, metadata=ALWAYS)
    """Calibrated probability that the page is with the right person: that it belongs with most of
    the person's other pages; of a single page, that it belongs with no other."""
    unsure: bool = field(default=False, metadata=ALWAYS)
    """Whether the score is below 0.5."""
    confirmed: Unchecked[bool] = field(default=False, metadata=in_schema(const=True))
    """Present where corrections settle that the page is with the right person."""
    nearest: Unchecked[PersonId] | None = None
    """Id, for an unsure page, of the other person with whose pages it is most probably one
    person, on average over these pages; absent where the page is not unsure or there is nobody
    else."""
    note: Unchecked[NonEmpty] = ""
    """A fault of the page; absent where there is none."""
    caution: Unchecked[NonEmpty] = ""
    """Difference from the pages that models are trained on, so that the score is bounded by that of
    usual pages; absent where nothing is."""
    excerpt: Unchecked[NonEmpty] = ""
    """The search's snippet, else the text of the page around the name; absent where there is
    none."""
    closest: Unchecked[RelatedPage] | None = None
    """The most probable page of the same person; absent where there is no other."""
    rival: Unchecked[RelatedPage] | None = None
    """The most probable page of any other person; absent where there is nobody else."""
    fingerprint: str = field(default="", metadata={"pattern": f"^{FINGERPRINT_PATTERN}$"})
    """12 hexadecimal digits of the collected content, whatever its rank."""
    file: str = field(default="", metadata=in_schema(minLength=1))
    """The saved copy, relative to the folder of the result where both can be moved together; absent
    where there is none. Of a page in an archive, the archive."""
    fetched: Unchecked[NonEmpty] = ""
    """When the copy was made, an ISO 8601 date or time; absent where that is unknown."""
    copy_of: Unchecked[Rank] | None = None
    """Rank of the person's first page that is a near-duplicate of this one; absent where there is
    none before it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SetAsidePage:
    """A page that belongs to nobody."""

    rank: Rank
    """Place of the page among the results of the search; as the source counts, from 0 or 1."""
    url: str = field(default="", metadata=ALWAYS)
    """As found, so not always a valid address; empty where none is known."""
    title: Unchecked[str] = field(default="", metadata=ALWAYS)
    """As found; empty where there is none."""
    pile: Unchecked[Literal["other name", "cannot tell"]] = field(
        default="cannot tell", metadata=ALWAYS
    )
    """Whether it does not carry the name as that of a person, or nothing can be told from it."""
    reason: Unchecked[NonEmpty] = field(default="", metadata=ALWAYS)
    """One sentence."""
    note: Unchecked[NonEmpty] = ""
    """A fault of the page; absent where there is none."""
    excerpt: Unchecked[NonEmpty] = ""
    """The search's snippet, else the beginning of the text; absent where there is none."""
    fingerprint: str = field(default="", metadata={"pattern": f"^{FINGERPRINT_PATTERN}$"})
    """12 hexadecimal digits of the collected content, whatever its rank."""
    file: str = field(default="", metadata=in_schema(minLength=1))
    """The saved copy, relative to the folder of the result where both can be moved together; absent
    where there is none. Of a page in an archive, the archive."""
    fetched: Unchecked[NonEmpty] = ""
    """When the copy was made, an ISO 8601 date or time; absent where that is unknown."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Refinement:
    """A query that finds the person better."""

    query: NonEmpty
    """The name and what to add, each in quotation marks if it has several words."""
    precision: Share
    """Share of the collected pages with the added words that are the person's."""
    recall: Share
    """Share of the person's pages that contain the added words."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Person:
    """A person and the pages that are about them."""

    id: PersonId
    """From 1 in the order of the list; kept when pages are added or corrections made."""
    label: str
    """The name that a user gave, else the terms joined by commas; empty without text."""
    called: Unchecked[NonEmpty] = ""
    """The name that a user gave; absent where there is none."""
    confidence: Probability = field(default=0.0, metadata=ALWAYS)
    """Mean score of the pages: the share of them that is expected to be with the right person."""
    one_person: Probability = field(default=1.0, metadata=ALWAYS)
    """Calibrated probability that all pages are one person; 1 for a single page."""
    expected_people: Annotated[float, Ge(1)] = field(default=1.0, metadata=ALWAYS)
    """Expected number of people that the pages are about, at most the number of pages."""
    unsure: bool = field(default=False, metadata=ALWAYS)
    """Whether all pages are unsure."""
    line: Unchecked[NonEmpty] = ""
    """The person as one would tell them, with the first key terms; absent where the pages state
    nothing beside the name."""
    terms: Unchecked[Annotated[tuple[NonEmpty, ...], MaxLen(5)]] = field(
        default=(), metadata=ALWAYS
    )
    """Words and names that distinguish the person from the namesakes, best first."""
    words: Unchecked[Annotated[tuple[NonEmpty, ...], MaxLen(10)]] = field(
        default=(), metadata=ALWAYS
    )
    """Further key terms, best first."""
    names: Unchecked[Annotated[tuple[ContextEntity, ...], MaxLen(15)]] = field(
        default=(), metadata=ALWAYS
    )
    """Names mentioned near the name, those on most of the person's pages first."""
    refinement: Unchecked[Refinement] | None = None
    """The query to type next time; absent where none is known to find the person better than the
    name alone."""
    pages: tuple[Page, ...] = field(metadata=FIRST_FAULT | in_schema(minItems=1))
    """Pages in order of rank."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ResultFile:
    """Who is who among the pages found for one name."""

    __pydantic_config__: ClassVar = {"title": "weps cluster", **FILE_CONFIG}

    digest: str = field(default="", metadata={"pattern": "^[0-9a-f]{32}$"})
    """Digest of all that the result depends on, always first; absent where it is not known, as
    after corrections in the app."""
    name: str
    """The name that was searched for."""
    people: tuple[Person, ...] = field(metadata=FIRST_FAULT)
    """Everybody who was distinguished, those with more pages first, those all of whose pages are
    unsure last. Every page of the search that is not set aside belongs to one of them."""
    merges: Unchecked[tuple[ExplainedMerge, ...]]
    """The merges of groups of pages, most probable first, from all pages apart to all in one
    group; the answer keeps the first of them."""
    pairs: Unchecked[tuple[ExplainedPair, ...]] = field(default=(), metadata=ALWAYS)
    """The pairs that merges name, and each page with its closest and its rival."""
    corrections: tuple[NonEmpty, ...] = field(default=(), metadata=ALWAYS)
    """The corrections that the answer obeys, as lines of NAME.corrections.txt, oldest first."""
    model: str
    """Signature of the model."""
    signature: str
    """How the answer was made, so that it can be made again: key:value pairs joined by |."""
    absent_features: Unchecked[tuple[str, ...]] = field(default=(), metadata=ALWAYS)
    """Features that the model knows and pages of this form cannot have, such as capitals in word
    lists; they were not compared."""
    set_aside: Annotated[tuple[SetAsidePage, ...], MinLen(1)] = field(
        default=(), metadata=FIRST_FAULT
    )
    """The pages that belong to nobody, in order of rank; absent where there are none."""
    cautions: Annotated[tuple[NonEmpty, ...], MinLen(1)] = ()
    """Differences from names and pages that models are trained on; absent where there are none."""
    unread: Annotated[tuple[UnreadInput, ...], MinLen(1)] = ()
    """Inputs found with the pages that could not be read; absent where all could."""
    collected: tuple[Collection, ...] = field(metadata=FIRST_FAULT)
    """The sources of the pages, in the order in which they were added; empty if unknown."""
    settings: Settings

    @property
    def pages(self) -> Iterator[Page | SetAsidePage]:
        """All pages of the search."""
        return chain(*(person.pages for person in self.people), self.set_aside)

    @property
    def provenance(self) -> Provenance:
        """Sources and settings."""
        return _copied(Provenance, self.settings, collections=self.collected, digest="")


def as_json(report: Report) -> str:
    """Everything in the answer but its alternatives, with its provenance.

    Each entry of a list has a line: the length is two thirds of that of indented JSON.
    """
    answer, provenance = report.answer, report.provenance
    file = ResultFile(
        digest=provenance.digest,
        name=answer.name,
        people=tuple(_person(answer.name, person) for person in answer.people),
        merges=answer.merges,
        pairs=tuple(answer.pairs.values()),
        corrections=tuple(map(str, answer.corrections.entries)),
        model=answer.model,
        signature=answer.signature,
        absent_features=answer.missing_features,
        set_aside=tuple(_copied(SetAsidePage, each) for each in answer.set_aside),
        cautions=answer.cautions,
        unread=answer.unread,
        collected=provenance.collections,
        settings=_copied(Settings, provenance),
    )
    members = (f' "{key}": {_lines(value)}' for key, value in as_data(file).items())
    return "{\n" + ",\n".join(members) + "\n}\n"


def _lines(value: object) -> str:
    """A value as JSON; each entry of a list on a line of its own."""
    if not isinstance(value, list) or not value:
        return _ONE_LINE.encode(value)
    return "[\n  " + ",\n  ".join(map(_ONE_LINE.encode, value)) + "\n ]"


_ONE_LINE = json.JSONEncoder(ensure_ascii=False, allow_nan=False)


def as_data(value: Any) -> Any:
    """A record as JSON data; fields at their defaults only where they are always written."""
    if isinstance(value, tuple | list):
        return list(map(as_data, value))
    if not is_dataclass(value):
        return value
    items = ((each, getattr(value, each.name)) for each in fields(value))
    return {
        each.name: as_data(item)
        for each, item in items
        if (item != each.default or "always" in each.metadata) and "unwritten" not in each.metadata
    }


def _copied(model: type[Type], source: Any, **given: Any) -> Type:
    """A record with some fields as given, and the others from the attributes of these names."""
    names = (each.name for each in fields(model) if each.name not in given)  # type: ignore[arg-type]
    return model(**{name: getattr(source, name) for name in names}, **given)


def _person(name: str, person: answers.Person) -> Person:
    query, about = Query.of(name, person.refinement, len(person.pages)), person.description
    return Person(
        id=person.id,
        label=person.label,
        called=person.assigned_name,
        confidence=person.confidence,
        one_person=about.one_person,
        expected_people=about.expected_people,
        unsure=person.unsure,
        line=about.line,
        terms=person.terms,
        words=about.words,
        names=about.names,
        refinement=_copied(Refinement, query, query=query.text) if query else None,
        pages=tuple(_copied(Page, each) for each in person.pages),
    )


@cache
def _result_adapter() -> TypeAdapter[ResultFile]:
    """The reader of the JSON of a result."""
    from pydantic import TypeAdapter  # noqa: PLC0415 - what is only written needs none

    return TypeAdapter(ResultFile)


def read_file(path: Path) -> ResultFile:
    """Read ``NAME.json``.

    Raises:
        SourceError: if it cannot be read, is not a result, or is of a version that did not record
            the sources of its pages.
    """
    from pydantic import ValidationError  # noqa: PLC0415

    from weps._schema import describe_faults  # noqa: PLC0415

    remedy = "make it again with `weps cluster`"
    try:
        file = _result_adapter().validate_json(read_bytes(path, _MAX_BYTES, SourceError))
        what = next(_faults(file), "")
    except ValidationError as error:
        what, (first, *_) = describe_faults(error), error.errors(include_url=False)
        missing = {
            ".".join(map(str, fault["loc"]))
            for fault in error.errors(include_url=False)
            if fault["type"] == "missing"
        }
        if first["type"] == "json_invalid":
            what = f"this is not a result of `weps cluster` ({what})"
            raise SourceError(what, where=path, remedy=remedy) from None
        if (first["type"] == "dataclass_type" and not first["loc"]) or missing & _REQUIRED:
            what = "this is not a result of `weps cluster` for one name"
            remedy = "give the NAME.json that it wrote"
            raise SourceError(what, where=path, remedy=remedy) from None
        if places := [field for field in _REQUIRED_FOR_UPDATES if field in missing]:
            stated = f"where its pages are ({join_items(places)} missing)"
            what = f"this result does not state {stated}: it was written by another version of weps"
            raise SourceError(what, where=path, remedy=remedy) from None
    if what:
        raise SourceError(f"this result is damaged ({what})", where=path, remedy=remedy)
    return file


def _faults(file: ResultFile) -> Iterator[str]:
    """The faults that the types of fields do not tell."""
    numbers = {
        "person": [person.id for person in file.people],
        "page": [page.rank for page in file.pages],
    }
    texts = {"name": file.name, "model": file.model, "signature": file.signature}
    texts |= {f"settings.{name}": value for name, value in as_data(file.settings).items()}
    texts |= {f"page {page.rank}: file": page.file for page in file.pages}
    for number, each in enumerate(file.collected):
        numbers[f"collected[{number}]: rank"] = [rank for rank, _ in each.ranks or ()]
        texts |= {f"collected[{number}].path": each.path, f"collected[{number}].name": each.name}
    for noun, found in numbers.items():
        times = Counter(found).items()
        yield from (f"{noun} {number} occurs twice" for number, many in times if many > 1)
    for place, text in texts.items():
        if isinstance(text, str) and "\0" in text:
            yield f"{place}: expected text without null characters, as in paths"
