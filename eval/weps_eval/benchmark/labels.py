"""What annotators wrote down about people, and how often the labels of answers agree with it.

Keys of WePS-2 describe people in words; the files ``attributes`` of WePS-1 and WePS-2 have facts
about them page by page.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from math import isnan
from pathlib import Path
from typing import Any

import numpy as np

from weps._files import first_existing, read_bytes
from weps._text import PersonName, singular_form, split_words
from weps.errors import KeyFileError
from weps.features.bags import content_words
from weps.records import Clustering
from weps.sources.xml import parse_rank
from weps_eval.stats.estimate import Estimate, estimate_instance_share

SIZES = (1, 2, 3)
"""Fewest pages of the people that a share is over."""


@dataclass(frozen=True, slots=True)
class LabelledPerson:
    """A person of an answer whom the key describes in words."""

    pages: int
    """Of the answer's person."""
    agrees: bool
    """Whether the label and the description share a content word."""


@dataclass(frozen=True, slots=True)
class LabelQuality:
    """The labels of people with so many pages or more."""

    pages: int
    people: int
    share: Estimate
    """Of them, those whose label agrees; the interval is bootstrapped over names."""


def compare_labels(answer: Clustering, key: Clustering, name: str) -> list[LabelledPerson]:
    """Compare each person of an answer with the person of the key with most of the same pages.

    Of several such the one with fewest other pages counts, of these the first. People are left out
    whose pages the key has in no group, or in one that it does not describe. A label agrees if it
    has a content word of the description: stop words and the name searched for count for nothing,
    and plurals are undone. No label agrees with nothing.

    Args:
        answer: groups with or without labels.
        key: groups with descriptions; people without one are left out.
        name: as searched for, or its identifier, ``Thomas_Baker``.
    """
    searched = PersonName.parse(name.replace("_", " "))
    descriptions = [_content_words(text, searched) for text in key.labels]
    found = []
    for group, label in answer.labelled_groups:
        if described := _describing_words(group, key.groups, descriptions):
            agrees = not described.isdisjoint(_content_words(label, searched))
            found.append(LabelledPerson(len(group), agrees))
    return found


def _describing_words(
    group: frozenset[int], people: Sequence[frozenset[int]], descriptions: Sequence[set[str]]
) -> set[str]:
    """The words that describe whom a group is about; none without a description."""
    if not descriptions:
        return set()
    nearest = max(range(len(people)), key=lambda at: (len(group & people[at]), -len(people[at])))
    return descriptions[nearest] if group & people[nearest] else set()


def _content_words(text: str, name: PersonName) -> set[str]:
    return set(map(singular_form, content_words(split_words(text), name)))


def label_quality(names: Sequence[Sequence[LabelledPerson]]) -> tuple[LabelQuality, ...]:
    """The shares of labels that agree, for each of :data:`SIZES`; those without people left out.

    Args:
        names: the people of each name, see :func:`compare_labels`.
    """
    found = []
    for least in SIZES:
        chosen = [[each.agrees for each in people if each.pages >= least] for people in names]
        agreeing, total = (np.array(list(map(count, chosen)), dtype=float) for count in (sum, len))
        if total.any():
            share = estimate_instance_share(agreeing, total)
            found.append(LabelQuality(least, int(total.sum()), share))
    return tuple(found)


def labels_line(system: str, found: Sequence[LabelQuality]) -> str:
    """What is printed of a system's labels."""
    shares = ", ".join(
        f"{each.share.value:.2f} of {each.people}"
        + (f" with {each.pages} or more pages" if each.pages > 1 else "")
        for each in found
    )
    return f"{system}: labels that share a word with people's descriptions: {shares}"


def labels_data(found: Sequence[LabelQuality]) -> list[dict[str, Any]]:
    """The shares in JSON form (docs/output.md)."""
    return [
        {
            "pages": each.pages,
            "people": each.people,
            "share": each.share.value,
            "interval": None if isnan(each.share.low) else [each.share.low, each.share.high],
        }
        for each in found
    ]


Attributes = dict[int, dict[str, tuple[str, ...]]]
"""Rank of a page → attribute (``dateofbirth``) → its values there, in order, none twice."""
_MAX_BYTES = 16 * 1024 * 1024
"""An official file holds some 100 kB."""


def attributes_of(root: Path, name: str) -> Attributes | None:
    """The attributes of one name of a corpus; None without annotations.

    Args:
        root: the folder of the corpus, or any other that has a folder ``attributes``.
        name: the name's identifier, as in the names of files.

    Raises:
        KeyFileError: see :func:`read_attributes`.
    """
    found = first_existing([root / "attributes" / f"{name}.txt"])
    return read_attributes(found) if found else None


def read_attributes(path: Path) -> Attributes:
    """Read a file of attributes; each line reads rank TAB attribute TAB value, TAB further values.

    Attributes are called alike whatever their case and blanks: ``Date of birth`` and
    ``dateofbirth``. A line without a value states that there is none. Bytes that are not UTF-8 are
    taken for the Windows code page.

    Raises:
        KeyFileError: not readable, or a line without a rank or an attribute.
    """
    data = read_bytes(path, _MAX_BYTES, KeyFileError)
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = data.decode("cp1252", errors="replace")
    found: defaultdict[int, defaultdict[str, dict[str, None]]]
    found = defaultdict(lambda: defaultdict(dict))
    for number, line in enumerate(text.split("\n"), start=1):
        if line.strip():
            rank, attribute, values = _parse_line(line, f"{path}, line {number}")
            found[rank][attribute].update(dict.fromkeys(values))
    return {
        rank: {attribute: tuple(values) for attribute, values in page.items() if values}
        for rank, page in sorted(found.items())
    }


def _parse_line(line: str, where: str) -> tuple[int, str, list[str]]:
    first, *others = line.split("\t")
    rank = parse_rank(first)
    attribute = "".join(others[0].lower().split()) if others else ""
    if rank is None or not attribute:
        what = f"{first.strip()[:40]!r} is not a rank" if rank is None else "has no attribute"
        remedy = "each line reads rank TAB attribute TAB value, further values after further TABs"
        raise KeyFileError(what, where=where, remedy=remedy)
    return rank, attribute, [folded for value in others[1:] if (folded := " ".join(value.split()))]
