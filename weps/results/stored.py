"""Stored results: the JSON of one, where they are, and their pages, collected again with new ones.

One model of the JSON is written, read, and described by its schema,
``docs/schema/cluster.schema.json``, with the docstrings of its fields. A field that is at its
default is left out, unless it is always written. What no command reads is not checked when a result
is read, so that results of other versions can be updated.

Results are in their folder or, if there are very many, in parts of it: subfolders such as
``results-3f``, after the first byte of the SHA-256 of the name.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import MISSING, dataclass, field, fields, replace
from functools import cache
from itertools import chain
from pathlib import Path
from typing import Annotated, Any, ClassVar, TypeVar

from annotated_types import Ge, MaxLen, MinLen

from weps._files import as_path, list_entries, open_file, read_bytes, real_path
from weps._formatting import count_of, quote_text, short_repr
from weps.corrections.model import CORRECTIONS_SUFFIX, Marked
from weps.errors import SourceError
from weps.people.answer import ContextEntity, ExplainedMerge, PageScore, Part
from weps.people.answer import SetAsidePage as AsidePage
from weps.people.evidence import ExplainedPair
from weps.people.facts import ATTRIBUTES, Fact
from weps.records import (
    ALWAYS,
    FIRST_FAULT,
    Clustering,
    Collection,
    NonEmpty,
    PersonId,
    Probability,
    Provenance,
    Search,
    Settings,
    Unchecked,
    UnreadInput,
    in_schema,
    page_fingerprint,
    portable_path,
)
from weps.report.view import Query, Report
from weps.sources.base import KnownNames, Source, is_collected, select_names
from weps.sources.opening import open_source

_MAX_BYTES = 100 * 1024 * 1024
"""Largest file; a result of 200 pages has about 1 MB."""
Type = TypeVar("Type")
FILE_CONFIG = {"strict": True, "allow_inf_nan": False, "use_attribute_docstrings": True}
"""Configuration of a file for pydantic: no value is converted, docstrings describe fields."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Page(Marked, PageScore):
    """A page of a person."""

    unsure: bool = field(default=False, metadata=ALWAYS)
    """Whether the score is below 0.5."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SetAsidePage(Marked, AsidePage):
    """A page that belongs to nobody."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Person(Marked):
    """A person and the pages that are about them."""

    id: PersonId
    """From 1 in the order of the list; kept when pages are added or corrections made."""
    label: str
    """The name that a user gave, else the line, else the terms joined by commas; empty without
    text."""
    called: NonEmpty = ""
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
    """The person as one would tell them, with the first key terms: what pages state, else the title
    of one; absent where there is neither."""
    terms: Unchecked[Annotated[tuple[NonEmpty, ...], MaxLen(5)]] = field(
        default=(), metadata=ALWAYS
    )
    """Words and names that distinguish the person from the namesakes, best first."""
    words: Unchecked[Annotated[tuple[NonEmpty, ...], MaxLen(10)]] = field(
        default=(), metadata=ALWAYS
    )
    """Further key terms, best first."""
    names: Annotated[tuple[ContextEntity, ...], MaxLen(15)] = field(default=(), metadata=ALWAYS)
    """Names mentioned near the name, those on most of the person's pages first."""
    facts: tuple[Fact, ...] = ()
    """What the pages state of the person, by attribute, most certain first; absent where they state
    nothing."""
    refinement: Query | None = None
    """The query to type next time; absent where none is known to find the person better than the
    name alone."""
    parts: tuple[Part, ...] = ()
    """The probable people among the pages, those with more pages first; a page may be in none.
    Absent where no two are known, or a user has confirmed all pages."""
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
    also: tuple[NonEmpty, ...] = ()
    """Its other spellings; absent where none were given."""
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
    """What is to be said of the name, if few pages have it as typed, and differences from names and
    pages that models are trained on; absent where there is nothing."""
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


def result_file(report: Report) -> ResultFile:
    """Everything in the answer but its alternatives, with its provenance."""
    answer, provenance = report.answer, report.provenance
    last = provenance.last_id
    corrections = answer.corrections
    of_pages, of_people = corrections.marks("page"), corrections.marks("person")
    return ResultFile(
        digest=provenance.digest,
        name=answer.name,
        also=answer.also,
        people=tuple(
            Person(
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
                facts=about.facts,
                refinement=Query.of(answer.name, person.refinement, len(person.pages)),
                parts=person.parts,
                **vars(of_people(page.rank for page in person.pages)),
                pages=tuple(
                    _copied(Page, each, **vars(of_pages([each.rank]))) for each in person.pages
                ),
            )
            for person in answer.people
            for about in [person.description]
        ),
        merges=answer.merges,
        pairs=tuple(answer.pairs.values()),
        corrections=tuple(map(str, corrections.obeyed.entries)),
        model=answer.model,
        signature=answer.signature,
        absent_features=answer.missing_features,
        set_aside=tuple(
            _copied(SetAsidePage, each, **vars(of_pages([each.rank]))) for each in answer.set_aside
        ),
        cautions=answer.cautions,
        unread=answer.unread,
        collected=provenance.collections,
        settings=_copied(
            Settings,
            provenance,
            last_id=last * (last > max((p.id for p in answer.people), default=0)),
        ),
    )


def as_json(file: ResultFile) -> str:
    """The JSON of a result.

    Each entry of a list has a line: the length is two thirds of that of indented JSON.
    """
    members = (f' "{key}": {_lines(value)}' for key, value in _members(file).items())
    return "{\n" + ",\n".join(members) + "\n}\n"


def _lines(value: object) -> str:
    """A value as JSON; each entry of a list on a line of its own."""
    return (
        "[\n  " + ",\n  ".join(map(_ONE_LINE.encode, value)) + "\n ]"
        if value and isinstance(value, tuple)
        else _ONE_LINE.encode(value)
    )


def _members(record: Any) -> dict[str, Any]:
    """The fields of a record that are written: those at their defaults only where all are."""
    return {
        name: item
        for name, usual in _written_fields(type(record))  # type: ignore[arg-type]
        if (item := getattr(record, name)) != usual
    }


_ONE_LINE = json.JSONEncoder(
    ensure_ascii=False, allow_nan=False, check_circular=False, default=_members
)


def as_data(record: Any) -> Any:
    """A record as JSON data."""
    return json.loads(_ONE_LINE.encode(record))


@cache
def _written_fields(model: type) -> tuple[tuple[str, Any], ...]:
    """Each field that is written, and the value at which it is not."""
    return tuple(
        (each.name, MISSING if "always" in each.metadata else each.default)
        for each in fields(model)
        if "unwritten" not in each.metadata
    )


def _copied(model: type[Type], source: Any, **given: Any) -> Type:
    """A record with some fields as given, and the others from the attributes of these names."""
    names = (each.name for each in fields(model) if each.name not in given)  # type: ignore[arg-type]
    return model(**{name: getattr(source, name) for name in names}, **given)


def read_file(path: Path) -> ResultFile:
    """Read ``NAME.json``.

    Raises:
        SourceError: if it cannot be read, or is not a result.
    """
    from pydantic import ValidationError  # noqa: PLC0415 - what is only written needs none

    from weps._schema import describe_faults, json_reader  # noqa: PLC0415

    remedy = "make it again with `weps cluster`"
    try:
        file: ResultFile = json_reader(ResultFile).validate_json(
            read_bytes(path, _MAX_BYTES, SourceError)
        )
    except ValidationError as error:
        what = f"this result is damaged ({describe_faults(error)})"
        if any(len(fault["loc"]) < 2 for fault in error.errors(include_url=False)):
            what = f"this is not a result of `weps cluster` for one name ({describe_faults(error)})"
            remedy = "give the NAME.json that it wrote"
        raise SourceError(what, where=path, remedy=remedy) from None
    for what in _faults(file):
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
    stated = [(person, fact) for person in file.people for fact in person.facts]
    yield from (
        f"person {person.id}: facts have no attribute {quote_text(fact.attribute)}"
        for person, fact in stated
        if fact.attribute not in ATTRIBUTES
    )
    yield from (
        f"person {person.id} has facts of page {each}, but not that page"
        for person, fact in stated
        for each in {*fact.pages, *(source.page for source in fact.sources)}
        if all(page.rank != each for page in person.pages)
    )
    for noun, found in numbers.items():
        yield from (f"{noun} {each} occurs twice" for each, n in Counter(found).items() if n > 1)
    for place, text in texts.items():
        if isinstance(text, str) and "\0" in text:
            yield f"{place}: expected text without null characters, as in paths"


MOST_UNDIVIDED = 1_000
"""Names of a source whose results are in one folder."""
RESULT_SUFFIX = ".json"
_HEAD = '{\n "digest": "'
"""What a result begins with that ``weps cluster`` wrote."""


def _stable_hash(identifier: str) -> bytes:
    """The SHA-256 of an identifier: the same on every machine and in every run."""
    return hashlib.sha256(identifier.encode("utf-8", "surrogatepass")).digest()


def in_shard(identifier: str, shard: int, shards: int) -> bool:
    """Whether a name belongs to a shard (from 1) of so many, which depends on nothing else."""
    return int.from_bytes(_stable_hash(identifier)[:8], "big") % shards == shard - 1


def result_folder(folder: Path, identifier: str, *, divided: bool = False) -> Path:
    """The folder of the files of a result: where it is, else where it is to be.

    Args:
        folder: of all results.
        identifier: the name as a file name.
        divided: whether new results go to parts of the folder.
    """
    part = folder / f"results-{_stable_hash(identifier)[:1].hex()}"
    places = (part, folder) if divided else (folder, part)
    name = f"{identifier}{RESULT_SUFFIX}"
    return next((place for place in places if (place / name).is_file()), places[0])


def result_path(folder: Path, identifier: str) -> Path:
    """The path of the ``NAME.json`` of a result, which may be missing."""
    return result_folder(folder, identifier) / f"{identifier}{RESULT_SUFFIX}"


def is_part(name: str) -> bool:
    """Whether a folder of this name is a part of a folder of results."""
    return re.fullmatch(r"results-[0-9a-f]{2}", name) is not None


def results_root(folder: Path) -> Path:
    """The folder of all results, given that of one of them."""
    return folder.parent if is_part(folder.name) else folder


def result_paths(folder: Path) -> Iterator[Path]:
    """The ``NAME.json`` of the results in a folder and its parts, in order of the identifiers.

    Each has a report beside it, or says that it is a result.
    """
    entries = list_entries(folder)
    parts = (each for each in entries if is_part(each.name) and each.is_dir())
    every = chain(entries, *map(list_entries, parts))
    files = (each for each in every if each.suffix == RESULT_SUFFIX)
    for file in sorted(files, key=lambda each: each.stem):
        if file.with_suffix(".html").is_file() or is_finished(file):
            yield file


def result_names(folder: Path) -> tuple[str, ...]:
    """The identifiers of the results in a folder and its parts, sorted."""
    return tuple(path.stem for path in result_paths(folder))


def is_finished(path: Path, digest: str = "") -> bool:
    """Whether a ``NAME.json`` is there and was made from what has this digest; "" for any.

    The digest stands first in the file, so that nothing else of it is read.
    """
    head = (f'{_HEAD}{digest}",\n' if digest else _HEAD).encode()
    with suppress(OSError), open_file(path) as file:
        return file.read(len(head)) == head
    return False


def find_results(path: Path, names: Sequence[str] = ()) -> list[Path]:
    """The ``NAME.json`` of results, one at least.

    Args:
        path: one itself, or a folder of results.
        names: of the people whose results are wanted, for a folder; empty for all.

    Raises:
        SourceError: if a folder has no results, or not those that are wanted.
    """
    if not path.is_dir():
        return [path]
    known = result_names(path)
    if not known:
        raise SourceError("has no results", where=path, remedy="make one with `weps cluster`")
    return [result_path(path, each) for each in select_names(KnownNames(path, known), names)]


@dataclass(frozen=True, slots=True)
class StoredResult:
    """The parts of ``NAME.json`` that later commands need.

    Example:
        >>> weps.read_result(saved).name
        'Robin Averdale'
    """

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
    addresses: frozenset[str] = frozenset()
    """Addresses of its pages, as found."""
    files: Mapping[int, str] = field(default_factory=dict)
    """Rank → saved copy, as the report links to it."""
    also: tuple[str, ...] = ()
    """Other spellings of the name."""
    learnt: bool = False
    """Whether other pages followed what its corrections taught, as they did in every result that
    does not say otherwise."""

    def __repr__(self) -> str:
        return short_repr(
            self, self.name, str(self.path), count_of(len(self.people), "person", "people")
        )

    @property
    def clustering(self) -> Clustering:
        """The people as sets of ranks; pages that are set aside are discarded."""
        groups = tuple(self.people.values())
        return Clustering(groups, frozenset(self.fingerprints).difference(*groups))

    @property
    def identifier(self) -> str:
        """The name as a file name."""
        return self.path.stem

    @property
    def folder(self) -> Path:
        """The folder of the result."""
        return self.path.parent

    @property
    def places(self) -> tuple[Path, ...]:
        """The folders or files that its pages were read from."""
        roots = ((each.within(self.folder), each.name) for each in self.provenance.collections)
        return tuple(root / name if (root / name).is_dir() else root for root, name in roots)

    @property
    def corrections_file(self) -> Path:
        """The file of the corrections, which may be missing."""
        return self.folder / f"{self.identifier}{CORRECTIONS_SUFFIX}"


def read_result(path: Path | str) -> StoredResult:
    """Read ``NAME.json``.

    Raises:
        InputTypeError: if it is no path, such as an answer that was not saved.
        SourceError: if it cannot be read, or is not a result.

    Example:
        >>> weps.read_result(saved).name
        'Robin Averdale'
    """
    path = as_path(path, "a saved result, such as the NAME.json of answer.save(folder)")
    file = read_file(path)
    return StoredResult(
        path,
        file.name,
        {each.id: frozenset(page.rank for page in each.pages) for each in file.people},
        {each.id: each.label for each in file.people},
        {page.rank: page.fingerprint for page in file.pages},
        file.provenance,
        file.model,
        frozenset(page.url for page in file.pages if page.url),
        {page.rank: page.file for page in file.pages if page.file},
        file.also,
        bool(file.corrections) and "|others:unmoved|" not in file.signature,
    )


class _CollectedSource:
    """A source with its own ranks (*there*) and those of the result (*here*)."""

    def __init__(self, source: Source, name: str) -> None:
        self.source, self.name, self.search = source, name, source.search(name)
        self.pages = {page.rank: page for page in self.search.pages}
        self.fingerprints = {rank: page_fingerprint(page) for rank, page in self.pages.items()}
        self.ranks: dict[int, int] = {}
        """Rank there → rank here, of the pages found so far."""
        self.changed: list[int] = []
        """Ranks here."""

    def match_pages(self, expected: Mapping[int, int], fingerprints: Mapping[int, str]) -> None:
        """Find the pages of the result again: where they were, elsewhere, changed."""
        wanted = {there: here for there, here in expected.items() if here in fingerprints}
        for there, here in wanted.items():
            if there in self.pages and fingerprints[here] in {"", self.fingerprints[there]}:
                self.ranks[there] = here
        for here in sorted(set(wanted.values()) - set(self.ranks.values())):
            equal = (
                there
                for there, fingerprint in self.fingerprints.items()
                if fingerprint == fingerprints[here] and there not in self.ranks
            )
            if (place := next(equal, None)) is not None:
                self.ranks[place] = here
        missing = set(wanted.values()) - set(self.ranks.values())
        known = {"", *fingerprints.values()}
        for there, here in wanted.items():
            if here in missing and self.fingerprints.get(there, "") not in known:
                self.ranks[there] = here
                self.changed.append(here)

    def add_new_pages(
        self, places: Iterable[_CollectedSource], greatest: int
    ) -> tuple[tuple[int, ...], int]:
        """Assign a rank to each new page; also the number of known ones."""
        seen = {place.fingerprints[there] for place in places for there in place.ranks}
        new: list[int] = []
        for there in sorted(set(self.pages) - set(self.ranks)):
            if self.fingerprints[there] not in seen:
                seen.add(self.fingerprints[there])
                greatest = max(greatest + 1, there)
                self.ranks[there] = greatest
                new.append(greatest)
        return tuple(new), len(self.pages) - len(new)


@dataclass(frozen=True, slots=True)
class CollectedPages:
    """Old and new pages under the ranks that they have in the result."""

    search: Search
    collections: tuple[Collection, ...]
    """The sources of the pages."""
    new: tuple[int, ...]
    """Ranks of the pages that the result does not have yet, ascending."""
    known: int
    """Number of pages of the new source that the result had already."""
    changed: tuple[int, ...]
    """Ranks of pages whose content has changed; they keep their ranks."""
    gone: tuple[int, ...]
    """Ranks of missing pages; they are removed from the result."""
    notes: tuple[str, ...]
    """Faults of the sources, see :meth:`weps.sources.base.Source.warnings`."""


def collect_pages(stored: StoredResult, added: Path, folder: Path) -> CollectedPages:
    """Read the pages of a result again, together with new ones.

    A page is recognised by its fingerprint, at any rank of its source. If another page is
    at its rank, one unknown to the result, it has changed. New pages keep the rank
    of their source if it is above all others, else they are numbered consecutively.

    Args:
        stored: the result.
        added: a source of new pages; it may be a source of the result.
        folder: of the new result.

    Raises:
        SourceError: if a source cannot be read, does not have the name, or has none of the pages
            of the result unchanged.
    """
    collections, places = stored.provenance.collections, list[_CollectedSource]()
    stated = {here for each in collections for _, here in each.ranks or ()}
    rest = {rank: rank for rank in stored.fingerprints if rank not in stated}
    remedy = "put them back, or make the result again with `weps cluster`"
    lost = f"the pages of {stored.path.name} cannot be found again"
    for collection in collections:
        try:
            source = open_source(collection.within(stored.folder), collection.name)
            place = _CollectedSource(source, *select_names(source, [collection.name]))
        except SourceError as error:
            raise SourceError(f"{lost}: {error.what}", where=error.where, remedy=remedy) from None
        expected = rest if collection.ranks is None else dict(collection.ranks)
        place.match_pages(expected, stored.fingerprints)
        if expected and len(place.ranks) == len(place.changed):
            raise SourceError(
                f"{lost}: all of them are missing or have changed",
                where=source.root,
                remedy=remedy,
            )
        places.append(place)
    source = open_source(added, stored.name)
    earlier = (each.name for each in collections if each.name in source.names)
    (name,) = select_names(source, [next(earlier, stored.name)])
    root = real_path(source.root)
    alike = (each for each in places if real_path(each.source.root) == root)
    latest = next(alike, None) or _CollectedSource(source, name)
    new, known = latest.add_new_pages(places, max(stored.fingerprints, default=0))
    every = dict.fromkeys([*places, latest])
    used = [each for each in every if each.ranks]
    pages = {
        here: replace(each.pages[there], rank=here)
        for each in used
        for there, here in each.ranks.items()
    }
    sources = []
    for each in used:  # only the first may leave equal ranks out
        same = each is used[0] and all(there == here for there, here in each.ranks.items())
        ranks = None if same else tuple(sorted(each.ranks.items()))
        sources.append(Collection(portable_path(folder, each.source.root), each.name, ranks))
    unread = tuple(dict.fromkeys(unread for each in every for unread in each.search.unread))
    return CollectedPages(
        Search(stored.name, tuple(pages[rank] for rank in sorted(pages)), unread, stored.also),
        tuple(sources),
        new=new,
        known=known,
        changed=tuple(sorted(rank for each in places for rank in each.changed)),
        gone=tuple(sorted(set(stored.fingerprints) - set(pages))),
        notes=tuple(note for each in used for note in each.source.warnings(each.name)),
    )


def searched_folder(stored: StoredResult) -> Path | None:
    """The folder of a result's pages that a search downloaded; None if it has none."""
    return next(filter(is_collected, stored.places), None)


def pages_of_result(stored: StoredResult) -> Search:
    """The pages of a result, without new ones in the same folder.

    Raises:
        SourceError: if they cannot be read, or some have changed.
    """
    collections = stored.provenance.collections
    if not collections:
        raise SourceError("the result does not state where its pages are", where=stored.path)
    if not all(stored.fingerprints.values()):
        # A result made by others could expose any file in the folder that it names.
        raise SourceError(
            "the result has no fingerprints of its pages",
            where=stored.path,
            remedy="cluster the pages again",
        )
    collected = collect_pages(stored, collections[0].within(stored.folder), stored.folder)
    if collected.gone or collected.changed:
        raise SourceError(
            f"the pages have changed since this result was made: {len(collected.gone)} are gone, "
            f"{len(collected.changed)} have changed",
            where=stored.path,
            remedy="look at the report as it was saved, or cluster the pages again",
        )
    search, new = collected.search, set(collected.new)
    return replace(search, pages=tuple(page for page in search.pages if page.rank not in new))
