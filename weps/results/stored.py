"""Stored results: their people, their pages and their provenance, found by any of their files."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path
from typing import Annotated, Any, NamedTuple, Self, TypeVar

from pydantic import AfterValidator, Field, ValidationError, model_validator

from weps._files import read_bytes
from weps._formatting import count_of, join_items, short_repr
from weps._schema import JsonModel, describe_faults
from weps.corrections.file import CORRECTIONS_SUFFIX
from weps.errors import SourceError
from weps.provenance import FINGERPRINT_PATTERN, Collection, Provenance
from weps.records import HtmlReader
from weps.results.places import RESULT_SUFFIX, result_names, result_path
from weps.sources.base import select_names

_OTHER_SUFFIXES = (".clust.xml", ".corrections.txt", ".csv", ".html")
"""Files beside ``NAME.json``."""


def find_result(path: Path, name: str | None = None) -> Path:
    """The ``NAME.json`` of a result.

    Args:
        path: the file itself, another file of the result, or a folder of results.
        name: of the person, required if a folder has several results.

    Raises:
        SourceError: if a folder has no result, or several to choose from.
    """
    if path.is_dir():
        return _result_in_folder(path, name)
    suffix = next((each for each in _OTHER_SUFFIXES if path.name.endswith(each)), "")
    return path.with_name(path.name.removesuffix(suffix) + RESULT_SUFFIX) if suffix else path


class _FolderResults(NamedTuple):
    root: Path
    names: tuple[str, ...]


def _result_in_folder(folder: Path, name: str | None) -> Path:
    names = result_names(folder)
    if not names:
        raise SourceError("has no results", where=folder, remedy="make one with `weps cluster`")
    chosen = select_names(_FolderResults(folder, names), [name] if name else [])
    if len(chosen) > 1:
        what = f"has the results of {len(chosen)} names ({join_items(chosen)})"
        raise SourceError(what, where=folder, remedy="choose one with --name")
    return result_path(folder, chosen[0])


_MAX_BYTES = 100 * 1024 * 1024
"""Largest file; a result of 200 pages has about 1 MB."""
_MAX_NUMBER = 10**9
_REMEDY = "make it again with `weps cluster`"
_REQUIRED = frozenset({"name", "people", "merges"})
_REQUIRED_FOR_UPDATES = ("collected", "settings")

Rank = Annotated[int, Field(ge=0, le=_MAX_NUMBER)]
PersonId = Annotated[int, Field(ge=1, le=_MAX_NUMBER)]


def _check_text(text: str) -> str:
    if "\0" in text:
        raise ValueError("expected text without null characters, as in paths")
    return text


Text = Annotated[str, AfterValidator(_check_text)]


class StoredPage(JsonModel, extra="ignore"):
    """A page; of this and the other parts of a result, other fields are ignored."""

    rank: Rank
    """Place of the page among the results of the search; as the source counts, from 0 or 1."""
    fingerprint: Annotated[str, Field(pattern=f"^{FINGERPRINT_PATTERN}$")] = ""
    """12 hexadecimal digits of the collected content, whatever its rank."""
    url: str = ""
    """As found, so not always a valid address; empty where none is known."""
    file: Text = ""
    """The saved copy, as the report links to it; empty where there is none."""


class StoredPerson(JsonModel, extra="ignore"):
    """A person."""

    id: PersonId
    """From 1 in the order of the list; kept when pages are added or corrections made."""
    label: str
    """The name that a user gave, else the terms joined by commas; empty without text."""
    pages: Annotated[tuple[StoredPage, ...], Field(fail_fast=True)]
    """In order of rank."""


class StoredCollection(JsonModel, extra="ignore"):
    """A source of pages."""

    path: Annotated[Text, Field(min_length=1)]
    """The source, relative to the folder of the result where both can be moved together."""
    name: Annotated[Text, Field(min_length=1)]
    """The identifier of the name within the source."""
    ranks: Annotated[tuple[tuple[Rank, Rank], ...] | None, Field(fail_fast=True)] = None
    """Rank in the source and rank in the result; absent where they are the same."""

    @model_validator(mode="after")
    def _check_ranks(self) -> Self:
        _check_unique("rank", (there for there, _ in self.ranks or ()))
        return self


class StoredSettings(JsonModel, extra="ignore"):
    """The settings, so that pages can be added in the same way."""

    system: Text
    """The value of --system; empty where it was not given."""
    model: Text
    """The file of the model; empty for the pretrained one."""
    threshold: Annotated[float, Field(ge=0, le=1)] | None
    """The value of --threshold; null where the model chose."""
    language: Text
    """The value of --language; empty where it was not given."""
    embeddings: Text = ""
    """The value of --embeddings, where it was given."""
    html: HtmlReader = HtmlReader.FAST
    """What read the mark-up of the pages, where that is not the fast reader."""
    keep_all: bool = False
    """Whether --keep-all was given: no page is set aside."""
    last_id: PersonId = 0
    """The greatest id that a person has ever had, where that is not a current one."""


class StoredFile(JsonModel, extra="ignore"):
    """The parts of ``NAME.json`` that are read."""

    name: Text
    """The name that was searched for."""
    people: Annotated[tuple[StoredPerson, ...], Field(fail_fast=True)]
    """Those with more pages first, those all of whose pages are unsure last. Every page of the
    search that is not set aside belongs to one of them."""
    set_aside: Annotated[tuple[StoredPage, ...], Field(fail_fast=True)] = ()
    """The pages that belong to nobody, in order of rank; absent where there are none."""
    merges: Any
    """The merges of groups of pages, most probable first, from all pages apart to all in one
    group; the answer keeps the first of them."""
    model: Text
    """Signature of the model."""
    signature: Text
    """How the answer was made, so that it can be made again: key:value pairs joined by |."""
    collected: Annotated[tuple[StoredCollection, ...], Field(fail_fast=True)]
    """The sources of the pages, in the order in which they were added; empty if unknown."""
    settings: StoredSettings

    @model_validator(mode="after")
    def _check_people(self) -> Self:
        _check_unique("person", (person.id for person in self.people))
        _check_unique("page", (page.rank for page in self.pages))
        return self

    @property
    def pages(self) -> Iterable[StoredPage]:
        """All pages of the search."""
        return chain(*(person.pages for person in self.people), self.set_aside)


def _check_unique(noun: str, numbers: Iterable[int]) -> None:
    seen: set[int] = set()
    for number in numbers:
        if number in seen:
            raise ValueError(f"{noun} {number} occurs twice")
        seen.add(number)


@dataclass(frozen=True, slots=True)
class StoredResult:
    """The parts of ``NAME.json`` that later commands need."""

    path: Path
    """The file."""
    name: str
    """The name that was searched for."""
    people: Mapping[int, frozenset[int]]
    """Ids, and the ranks of the pages of each; no page twice."""
    labels: Mapping[int, str]
    """The name or label of each person."""
    fingerprints: Mapping[int, str]
    """Rank → fingerprint of the page, empty where none was written."""
    provenance: Provenance
    model: str
    """Signature of the model."""
    signature: str
    """Provenance of the result."""
    addresses: frozenset[str] = frozenset()
    """Those of its pages, as found."""
    files: Mapping[int, str] = field(default_factory=dict)
    """Rank → saved copy, as the report links to it."""

    def __repr__(self) -> str:
        return short_repr(
            self, self.name, str(self.path), count_of(len(self.people), "person", "people")
        )

    @property
    def identifier(self) -> str:
        """The name as a file name."""
        return self.path.stem

    @property
    def folder(self) -> Path:
        """The folder of the result."""
        return self.path.parent

    @property
    def corrections_file(self) -> Path:
        """The file of the corrections, which may be missing."""
        return self.folder / f"{self.identifier}{CORRECTIONS_SUFFIX}"


File = TypeVar("File", bound=StoredFile)


def read_stored_file(path: Path, model: type[File]) -> File:
    """Read ``NAME.json`` as a model; raises a SourceError as :func:`read_result` does."""
    try:
        return model.model_validate_json(read_bytes(path, _MAX_BYTES, SourceError))
    except ValidationError as error:
        what, remedy = _describe_damage(error)
        raise SourceError(what, where=path, remedy=remedy) from None


def read_result(path: Path) -> StoredResult:
    """Read ``NAME.json``.

    Raises:
        SourceError: if it cannot be read, is not a result, or is of a version that did not record
            the sources of its pages.
    """
    file = read_stored_file(path, StoredFile)
    collections = (
        Collection(each.path, each.name, None if each.ranks is None else dict(each.ranks))
        for each in file.collected
    )
    return StoredResult(
        path,
        file.name,
        {each.id: frozenset(page.rank for page in each.pages) for each in file.people},
        {each.id: each.label for each in file.people},
        {page.rank: page.fingerprint for page in file.pages},
        Provenance(tuple(collections), **dict(file.settings)),
        file.model,
        file.signature,
        frozenset(page.url for page in file.pages if page.url),
        {page.rank: page.file for page in file.pages if page.file},
    )


def _describe_damage(error: ValidationError) -> tuple[str, str]:
    """What is wrong with a result, and what to do."""
    faults = error.errors(include_url=False)
    missing = {".".join(map(str, fault["loc"])) for fault in faults if fault["type"] == "missing"}
    if faults[0]["type"] == "json_invalid":
        return f"this is not a result of `weps cluster` ({describe_faults(error)})", _REMEDY
    if (faults[0]["type"] == "model_type" and not faults[0]["loc"]) or missing & _REQUIRED:
        what = "this is not a result of `weps cluster` for one name"
        return what, "give the NAME.json that it wrote"
    if places := [field for field in _REQUIRED_FOR_UPDATES if field in missing]:
        what = f"this result does not state where its pages are ({join_items(places)} missing): "
        return f"{what}it was written by another version of weps", _REMEDY
    return f"this result is damaged ({describe_faults(error)})", _REMEDY
