"""The corrections of one name: their kinds, contradictions among them, their file, and their pages.

A file has one correction a line, see :data:`CORRECTION_KINDS`; ``#`` begins a comment. Lines
``page`` identify the page of a rank, so that it is found again when ranks have changed; a file may
omit them. Lines of notes, tags and checks remember what a user said of pages and people, and change
no answer.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict, deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain, count, islice
from pathlib import Path
from typing import Literal, NamedTuple

import numpy as np

from weps._files import atomic_write, read_bytes
from weps._formatting import cut_text, quote_text, short_repr
from weps.errors import CorrectionsError
from weps.records import FINGERPRINT_PATTERN, NonEmpty, Page, in_schema, page_fingerprint

Ranks = tuple[int, ...]
CORRECTIONS_SUFFIX = ".corrections.txt"
"""Suffix of the file name after the name."""
MAX_NAME_LENGTH, MAX_NOTE_LENGTH, MAX_TAG_LENGTH = 200, 2_000, 60
"""Characters of the name of a person, of a note and of a tag."""
_MAX_ADDRESS_LENGTH = 500
_MAX_QUOTE = 40
_MAX_REPORTED = 20
MAX_BYTES = 1 << 20
"""Bytes of a file."""
_HEADER = "# Corrections for "
_HEADER_END = ". One per line; numbers are ranks of pages. weps writes and reads this file."
_REMEDY = "choose the file that weps wrote beside the results"
_RANK = re.compile(r"[0-9]{1,9}")
_PROBABILITY = re.compile(r"0?\.[0-9]{1,30}|[01](\.0{0,30})?")
_CONTROLS = re.compile(r"[\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f\ud800-\udfff]")
"""Control characters that are no white space, and halves of characters."""


class CorrectionKind(NamedTuple):
    """The syntax of a kind of correction, and the meaning of its groups of pages."""

    usage: str
    min_groups: int
    """Smallest number of groups of pages."""
    max_groups: int
    same_groups: tuple[int, ...] = ()
    """Numbers of the groups that together are one person."""
    separates: bool = False
    """Whether its first and its second group share no person."""
    longest: int = 0
    """Characters of its text, 0 where it has none."""
    marks: Literal["", "page", "person"] = ""
    """What it marks, the pages or their people; empty where the answer obeys it."""


CORRECTION_KINDS = {
    "same": CorrectionKind("same PAGES", 1, 1, same_groups=(0,)),
    "join": CorrectionKind("join PAGES", 1, 1, same_groups=(0,)),
    "different": CorrectionKind("different PAGES / OTHERS", 2, 2, separates=True),
    "apart": CorrectionKind("apart PAGES / OTHERS", 2, 2, separates=True),
    "split": CorrectionKind("split PAGES / OTHERS", 2, 2, same_groups=(0,), separates=True),
    "move": CorrectionKind(
        "move PAGES / OTHERS / TARGET", 3, 3, same_groups=(0, 2), separates=True
    ),
    "confirm": CorrectionKind("confirm PAGES or confirm PAGES / OTHERS", 1, 2, same_groups=(0, 1)),
    "called": CorrectionKind("called PAGE NAME", 1, 1, longest=MAX_NAME_LENGTH),
    "keep": CorrectionKind("keep PAGES", 1, 1),
    "exclude": CorrectionKind("exclude PAGES", 1, 1),
    "unclear": CorrectionKind("unclear PAGES", 1, 1),
    "threshold": CorrectionKind("threshold PROBABILITY", 0, 0),
    "learn": CorrectionKind("learn", 0, 0),
    "note": CorrectionKind("note PAGES: TEXT", 1, 1, longest=MAX_NOTE_LENGTH, marks="page"),
    "tag": CorrectionKind("tag PAGES: TAG", 1, 1, longest=MAX_TAG_LENGTH, marks="page"),
    "checked": CorrectionKind("checked PAGES", 1, 1, marks="page"),
    "person-note": CorrectionKind(
        "person-note PAGES: TEXT", 1, 1, longest=MAX_NOTE_LENGTH, marks="person"
    ),
    "person-tag": CorrectionKind(
        "person-tag PAGES: TAG", 1, 1, longest=MAX_TAG_LENGTH, marks="person"
    ),
    "person-checked": CorrectionKind("person-checked PAGES", 1, 1, marks="person"),
}
"""The kinds of corrections.

``same``: all these pages are about one person. ``join``: and so are the other pages of their
people. ``different``: the pages share no person with the others. ``apart``: the same, but nothing
is learnt from it, see :mod:`weps.corrections.edits`. ``split``: the pages are one person, who is
not among the others. ``move``: the pages and the target are one person, who is not among the
others. ``confirm``: the pages are placed correctly, with one another and the others. ``called``:
the name of a page's person. ``exclude``: the pages are about nobody of the name, and set aside.
``unclear``: the pages do not say about whom they are, and are set aside. ``keep``: the pages are
not set aside, as any other correction of a page says. Of these three the last on a page applies.
``threshold``: the lowest calibrated probability at which clusters merge, the position of the slider
that the user chose; the last applies. ``learn``: other pages follow what the corrections teach
about them. ``note``, ``tag`` and ``checked`` mark the pages, ``person-note``, ``person-tag`` and
``person-checked`` the people of the pages; they change no answer.
"""
_PLACING_KINDS = ("keep", "exclude", "unclear")


@dataclass(frozen=True, slots=True)
class Correction:
    """One correction: a line of a corrections file."""

    kind: str
    """Key of :data:`CORRECTION_KINDS`."""
    groups: tuple[Ranks, ...]
    """Ranks, ascending and without repeats in each group."""
    name: str = ""
    """Name of the person, of kind ``called``; the text of a note or tag."""
    threshold: float | None = None
    """Probability, of kind ``threshold``."""
    notes: tuple[str, ...] = ()
    """Comments before it in its file, without ``#``."""
    line: int = field(default=0, compare=False)
    """Its line in its file, from 1; 0 without a file."""

    @property
    def same(self) -> Ranks:
        """The ranks that are one person; empty if there are none."""
        ours = (
            self.groups[place]
            for place in CORRECTION_KINDS[self.kind].same_groups
            if place < len(self.groups)
        )
        return tuple(sorted(frozenset().union(*ours)))

    @property
    def different(self) -> tuple[Ranks, ...]:
        """Two sides that share no person; empty for other kinds."""
        return self.groups[:2] if CORRECTION_KINDS[self.kind].separates else ()

    @property
    def ranks(self) -> frozenset[int]:
        """All ranks that it mentions."""
        return frozenset().union(*self.groups)

    def __str__(self) -> str:
        """Its line in a file."""
        parts = " / ".join(" ".join(map(str, group)) for group in self.groups)
        parts += ":" * (self.name != "" and self.kind != "called")
        number = "" if self.threshold is None else threshold_text(self.threshold)
        return " ".join(filter(None, (self.kind, parts, self.name, number)))


def threshold_text(threshold: float) -> str:
    """The shortest decimal number that is read as this one, without an exponent."""
    return np.format_float_positional(threshold, trim="-")


@dataclass(frozen=True, slots=True)
class PageIdentity:
    """Identifies a page among the others of its name, whatever its rank."""

    fingerprint: str
    """See :func:`weps.records.page_fingerprint`."""
    url: str = ""


@dataclass(frozen=True, kw_only=True)
class Marked:
    """What users noted of a page or a person."""

    notes: tuple[NonEmpty, ...] = ()
    """What users noted, oldest first; absent where they noted nothing."""
    tags: tuple[NonEmpty, ...] = ()
    """Tags that users gave, oldest first; absent where there are none."""
    checked: bool = field(default=False, metadata=in_schema(const=True))
    """Present where a user has checked the page or the person."""


@dataclass(frozen=True, slots=True)
class Corrections:
    """The corrections of the pages of one name, oldest first.

    Example:
        >>> pages = ["Ann Lee paints.", "Ann Lee sails."]
        >>> answer = weps.cluster(pages, name="Ann Lee").correct("different", [1, 2])
        >>> answer.corrections.different
        (((1,), (2,)),)
    """

    entries: tuple[Correction, ...] = ()
    pages: Mapping[int, PageIdentity] = field(default_factory=dict)
    """Rank → identity of the page: of the pages mentioned, as far as it is known."""
    notes: tuple[str, ...] = ()
    """Comments at the end of the file."""

    def __repr__(self) -> str:
        return short_repr(self, "", *map(str, self.entries))

    @property
    def obeyed(self) -> Corrections:
        """Those that may change the answer: without notes, tags and checks."""
        kept = tuple(each for each in self.entries if not CORRECTION_KINDS[each.kind].marks)
        return self if len(kept) == len(self.entries) else replace(self, entries=kept)

    def marks(self, of: Literal["page", "person"]) -> Callable[[Iterable[int]], Marked]:
        """A function from the ranks of pages to what is noted of them, or of their people."""
        by_rank = defaultdict[int, list[int]](list)
        for place, entry in enumerate(self.entries):
            for rank in entry.groups[0] if CORRECTION_KINDS[entry.kind].marks == of else ():
                by_rank[rank].append(place)

        def marks_of(pages: Iterable[int]) -> Marked:
            places = sorted({place for rank in pages for place in by_rank.get(rank, ())})
            kinds = defaultdict[str, list[str]](list)
            for entry in map(self.entries.__getitem__, places):
                kinds[entry.kind.removeprefix("person-")].append(entry.name)
            notes, tags = (tuple(dict.fromkeys(kinds[kind])) for kind in ("note", "tag"))
            return Marked(notes=notes, tags=tags, checked="checked" in kinds)

        return marks_of

    @property
    def same(self) -> tuple[Ranks, ...]:
        """Sets of ranks, each of pages of one person."""
        return tuple(each.same for each in self.entries if each.same)

    @property
    def different(self) -> tuple[tuple[Ranks, ...], ...]:
        """Pairs of sets of ranks that share no person."""
        return tuple(each.different for each in self.entries if each.different)

    @property
    def assigned_names(self) -> tuple[tuple[int, str], ...]:
        """Rank and name of the person of that page; the last one applies."""
        return tuple(
            (each.groups[0][0], each.name) for each in self.entries if each.kind == "called"
        )

    @property
    def threshold(self) -> float | None:
        """The threshold that a user chose, the last one; None if none did."""
        return next(
            (each.threshold for each in reversed(self.entries) if each.kind == "threshold"), None
        )

    @property
    def learn(self) -> bool:
        """Whether other pages follow what the corrections teach about them."""
        return any(each.kind == "learn" for each in self.entries)

    def learning(self, *, wanted: bool = True) -> Corrections:
        """These and, if that is wanted, ``learn``; unless there is nothing to learn from."""
        if self.learn or not (wanted and self.obeyed.entries):
            return self
        return replace(self, entries=(*self.entries, Correction("learn", ())))

    @property
    def confirmed(self) -> frozenset[int]:
        """Ranks of confirmed pages."""
        return frozenset().union(
            *(each.groups[0] for each in self.entries if each.kind == "confirm")
        )

    @property
    def ranks(self) -> frozenset[int]:
        """All ranks that are mentioned."""
        return frozenset().union(*(each.ranks for each in self.entries))

    def __len__(self) -> int:
        return len(self.entries)


def check_consistency(corrections: Sequence[Correction], where: object = None) -> None:
    """Check that the corrections do not contradict one another.

    Args:
        corrections: oldest first.
        where: the file, for the message.

    Raises:
        CorrectionsError: if some contradict one another; all contradictions are reported, each with
            the shortest chain of corrections that links the pages.
    """
    person, excluded = person_numbers(corrections), excluded_pages(corrections)
    contradictions = []
    for entry in corrections:
        left, right = defaultdict[int, set[int]](set), defaultdict[int, set[int]](set)
        for by_person, side in zip((left, right), entry.different, strict=False):
            for rank in side:
                by_person[person[rank]].add(rank)
        contradictions += [(entry, left[each], right[each]) for each in left if each in right]
    placed = [
        (rank, entry, excluded[rank])
        for entry in corrections
        if len(entry.same) > 1 or entry.kind == "called"
        for rank in entry.same or entry.groups[0]
        if rank in excluded
    ]
    if contradictions or placed:
        lines = defaultdict[int, list[Correction]](list)
        for each in corrections:
            for rank in each.same:
                lines[rank].append(each)
        faults = [
            _describe_contradiction(*each, lines) for each in contradictions[: _MAX_REPORTED + 1]
        ]
        faults += [
            f"page {rank} is about a person of this name by {_quote_correction(by)}, but set aside "
            f"by {_quote_correction(against)}"
            for rank, by, against in placed
        ]
        raise CorrectionsError(
            _join_faults(faults, len(contradictions) + len(placed)),
            where=where,
            remedy="remove one of the corrections of each contradiction",
        )


def person_numbers(corrections: Sequence[Correction]) -> dict[int, int]:
    """For every mentioned rank the number of its person, closed under *same*; not negative."""
    from scipy.cluster.hierarchy import DisjointSet  # noqa: PLC0415 - only corrections need it

    persons = DisjointSet(sorted({rank for entry in corrections for rank in entry.ranks}))
    for entry in corrections:
        for rank in entry.same:
            persons.merge(entry.same[0], rank)
    return {rank: persons[rank] for rank in persons}


def excluded_pages(corrections: Iterable[Correction]) -> dict[int, Correction]:
    """Rank → the *exclude* or *unclear* that sets the page aside; a later *keep* undoes it."""
    latest = {
        rank: entry
        for entry in corrections
        if entry.kind in _PLACING_KINDS
        for rank in entry.groups[0]
    }
    return {rank: entry for rank, entry in latest.items() if entry.kind != "keep"}


def _describe_contradiction(
    entry: Correction, left: set[int], right: set[int], lines: Mapping[int, Sequence[Correction]]
) -> str:
    """One sentence, with the shortest chain of corrections that link both sides of an entry.

    Args:
        entry: that separates pages of one person.
        left: its pages of the person on one side.
        right: those on the other side.
        lines: rank → the corrections that link it to others.
    """
    before: dict[int, tuple[int, Correction] | None] = dict.fromkeys(sorted(left))
    used: set[int] = set()
    waiting = deque(before)
    while (rank := waiting.popleft()) not in right:
        for line in lines[rank]:
            if id(line) not in used:
                used.add(id(line))
                found = [other for other in line.same if other not in before]
                before |= dict.fromkeys(found, (rank, line))
                waiting += found
    end, path = rank, deque[Correction]()
    while step := before[rank]:
        rank, line = step
        path.appendleft(line)
    two = _quote_correction(entry)
    if rank == end:
        return f"page {rank} is on both sides of {two}"
    by = [*map(_quote_correction, islice(path, _MAX_REPORTED))]
    by += [f"{len(path) - _MAX_REPORTED} more"] if len(path) > _MAX_REPORTED else []
    return f"pages {rank} and {end} are one person by {' and '.join(by)}, but two by {two}"


def _join_faults(faults: Sequence[str], number: int) -> str:
    """The first of a number of faults, joined by semicolons, and how many others there are."""
    shown = "; ".join(faults[:_MAX_REPORTED])
    return shown if number <= _MAX_REPORTED else f"{shown}; and {number - _MAX_REPORTED} more"


def _quote_correction(correction: Correction) -> str:
    return f"“{cut_text(str(correction), _MAX_QUOTE)}”" + (
        f" (line {correction.line})" if correction.line else ""
    )


class FaultyLineError(ValueError):
    """A faulty line; the message says what is wrong."""


def parse_line(line: str) -> Correction:
    """Parse the correction of a line; raises a FaultyLineError if it is none."""
    kind, _, rest = line.partition(" ")
    if kind not in CORRECTION_KINDS:
        raise FaultyLineError(
            f"{quote_text(kind)} is not a correction: a line begins with "
            f"{', '.join(CORRECTION_KINDS)}"
        )
    if kind == "called":
        rest, name = _split_first_word(rest)
    elif CORRECTION_KINDS[kind].longest:
        rest, _, name = rest.partition(":")
        name = name.strip(" ")
    else:
        rest, name = rest.partition("#")[0], ""
    if kind == "threshold":
        if not _PROBABILITY.fullmatch(rest.strip()):
            raise FaultyLineError(
                f"it should read “{CORRECTION_KINDS[kind].usage}”, with a number from 0 to 1"
            )
        return Correction(kind, (), threshold=float(rest))
    groups = []
    for group in rest.split("/") if rest.strip() else ():
        words = group.replace(",", " ").split()
        if faulty := [word for word in words if not _RANK.fullmatch(word)]:
            raise FaultyLineError(f"{quote_text(faulty[0])} is not a rank of a page")
        groups.append(tuple(sorted(set(map(int, words)))))
    parsed = Correction(kind, tuple(groups), name=name)
    if what := correction_fault(parsed):
        raise FaultyLineError(what)
    return parsed


def correction_fault(correction: Correction) -> str:
    """The fault of a correction by itself; empty if there is none."""
    kind, groups, name = CORRECTION_KINDS[correction.kind], correction.groups, correction.name
    usage = f"it should read “{kind.usage}”"
    numbered = kind.min_groups <= len(groups) <= kind.max_groups and all(groups)
    called, twice = correction.kind == "called", _repeated_ranks(groups)
    text = "name" if called else "text"
    faults = {
        usage: not numbered,
        f"page {twice[0] if twice else ''} is on two sides of “/”": bool(twice),
        "at least two pages are needed": len(correction.same) == 1 and not kind.separates,
        f"{usage}, with the number of one page": called
        and (len(correction.ranks) != 1 or not name),
        f"{usage}, with a text": bool(kind.longest) and not name,
        f"the {text} has control characters or needless white space": name != one_line(name),
        "the name has no letter and no digit": called and not any(map(str.isalnum, name)),
        f"the {text} is longer than {kind.longest:,} characters": len(name) > kind.longest,
    }
    return next((what for what, found in faults.items() if found), "")


def one_line(text: str) -> str:
    """A text without control characters, white space folded to blanks."""
    return " ".join(_CONTROLS.sub("", text).split())


def _repeated_ranks(groups: Sequence[Ranks]) -> list[int]:
    """The ranks that occur more than once in the groups."""
    return [rank for rank, times in sorted(Counter(chain(*groups)).items()) if times > 1]


def _split_first_word(text: str) -> tuple[str, str]:
    """The first word, and the rest."""
    first, _, rest = text.strip(" ").partition(" ")
    return first, rest.strip(" ")


def read_corrections(path: Path | str) -> Corrections:
    """Read a corrections file.

    Raises:
        CorrectionsError: if it cannot be read, lines are faulty, or corrections contradict one
            another; one message lists all faulty lines, or all contradictions.
    """
    path = Path(path)
    raw = read_bytes(path, MAX_BYTES, CorrectionsError, _REMEDY)
    try:
        text = raw.decode()
    except UnicodeDecodeError as error:
        number = raw.count(b"\n", 0, error.start) + 1
        raise CorrectionsError(
            "this is not UTF-8 text", where=f"{path}, line {number}", remedy="save it as UTF-8"
        ) from error
    return parse_corrections(text, path)


def parse_corrections(text: str, where: object = None) -> Corrections:
    """Parse the text of a corrections file, for messages named ``where``.

    Raises:
        CorrectionsError: see :func:`read_corrections`.
    """
    parsed, pages = list[Correction](), dict[int, PageIdentity]()
    notes, faults = list[str](), list[str]()
    for number, raw in enumerate(text.removeprefix("\ufeff").split("\n"), start=1):
        line = " ".join(raw.split())
        try:
            if not line or (number == 1 and line.startswith(_HEADER)):
                continue
            if line.startswith("#"):
                notes.append(one_line(line[1:]))
            elif line.startswith("page "):
                rank, rest = _split_first_word(line.partition(" ")[2])
                fingerprint, url = _split_first_word(rest)
                if not (_RANK.fullmatch(rank) and re.fullmatch(FINGERPRINT_PATTERN, fingerprint)):
                    raise FaultyLineError(
                        "it should read “page RANK FINGERPRINT URL”, with 12 hex digits"
                    )
                pages[int(rank)] = PageIdentity(fingerprint, url)
            else:
                parsed.append(replace(parse_line(line), notes=tuple(notes), line=number))
                notes.clear()
        except FaultyLineError as fault:
            faults.append(f"line {number}: {fault}")
    if faults:
        raise CorrectionsError(
            _join_faults(faults, len(faults)),
            where=where,
            remedy="correct the lines, or begin them with “#” to ignore them",
        )
    check_consistency(parsed, where)
    return Corrections(tuple(parsed), pages, tuple(notes))


def corrections_text(corrections: Corrections, name: str = "") -> str:
    """The text of a corrections file, the inverse of :func:`parse_corrections`."""
    lines = [_HEADER + (one_line(name) or "a name") + _HEADER_END]
    for entry in corrections.entries:
        lines += [*_comment_lines(entry.notes), str(entry)]
    lines += _comment_lines(corrections.notes)
    lines += (
        one_line(f"page {rank} {mark.fingerprint} {mark.url}")
        for rank, mark in sorted(corrections.pages.items())
    )
    return "".join(f"{line}\n" for line in lines)


def write_corrections(corrections: Corrections, path: Path | str, name: str = "") -> None:
    """Write a corrections file atomically; the name is for its first line.

    Raises:
        OutputError: if it cannot be written.
    """
    atomic_write({Path(path): corrections_text(corrections, name).encode()}, private=True)


def _comment_lines(notes: Iterable[str]) -> list[str]:
    return [f"# {one_line(note)}".rstrip() for note in notes]


def page_identities(
    pages: Sequence[Page], fingerprints: Iterable[str] | None = None
) -> dict[int, PageIdentity]:
    """Rank → identity of the page; fingerprints that are not given are computed."""
    return {
        page.rank: PageIdentity(fingerprint, one_line(page.url)[:_MAX_ADDRESS_LENGTH].rstrip())
        for page, fingerprint in zip(
            pages, fingerprints or map(page_fingerprint, pages), strict=True
        )
    }


def match_pages(
    corrections: Corrections, pages: Mapping[int, PageIdentity], where: object = None
) -> tuple[Corrections, tuple[str, ...]]:
    """The corrections in terms of the current pages, and warnings.

    A page is recognised by its fingerprint, else by an address that no other page has; one that the
    corrections identify in no other way, by its rank. A missing page keeps its identity
    under a rank that no page has: its corrections are kept, and apply again when it is back.

    Returns:
        The corrections, with the identities of all pages they mention; and one sentence for each
        missing page, with the first line that mentions it.

    Raises:
        CorrectionsError: if one of them refers to a page twice, by its current rank and by an
            earlier one, as its identity shows.
    """
    now = _current_ranks(corrections, pages)
    lost = sorted(corrections.ranks - now.keys())
    unused = count(max((0, *pages, *corrections.ranks)) + 1)
    rank_of = now | {rank: next(unused) if rank in pages else rank for rank in lost}
    marks = {rank_of[rank]: corrections.pages[rank] for rank in lost if rank in corrections.pages}
    marks |= {rank: pages[rank] for rank in now.values()}
    entries = []
    for entry in corrections.entries:
        groups = tuple(tuple(sorted(rank_of[rank] for rank in group)) for group in entry.groups)
        if twice := _repeated_ranks(groups):
            was = next(rank for rank in entry.ranks if rank_of[rank] == twice[0] != rank)
            raise CorrectionsError(
                f"{_line_prefix(entry)}ranks {twice[0]} and {was} mean the same page, "
                f"which was {was} before",
                where=where,
                remedy="remove one of them from the line",
            )
        entries.append(replace(entry, groups=groups))
    found = replace(corrections, entries=tuple(entries), pages=dict(sorted(marks.items())))
    warnings = []
    for rank in lost:
        first = next(each for each in corrections.entries if rank in each.ranks)
        mark = corrections.pages.get(rank)
        address = f" ({mark.url})" if mark and mark.url else ""
        warnings.append(
            f"{_line_prefix(first)}page {rank}{address} is not among the pages; the correction is "
            "kept but has no effect: bring the page back, or remove the line"
        )
    return found, tuple(warnings)


def _current_ranks(corrections: Corrections, pages: Mapping[int, PageIdentity]) -> dict[int, int]:
    """Earlier rank → current rank, of the pages that are not missing."""
    known = {rank: mark for rank, mark in corrections.pages.items() if rank in corrections.ranks}
    times = Counter(mark.url for mark in pages.values())
    now: dict[int, int] = {}
    for key in (
        lambda rank, mark: (rank, mark.fingerprint),  # several pages may be equal
        lambda _, mark: mark.fingerprint,
        lambda _, mark: mark.url if times[mark.url] == 1 else "",
    ):
        free = defaultdict(list)
        for rank in sorted(pages.keys() - now.values(), reverse=True):
            free[key(rank, pages[rank])].append(rank)
        for rank in sorted(known.keys() - now.keys()):
            value = key(rank, known[rank])
            if value and free[value]:
                now[rank] = free[value].pop()
    return {rank: rank for rank in corrections.ranks - known.keys() if rank in pages} | now


def _line_prefix(correction: Correction) -> str:
    return f"line {correction.line}: " if correction.line else ""
