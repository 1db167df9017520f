"""Descriptions and attributes of people by annotators, and agreement of labels with them.

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
from weps.sources.corpora import parse_rank
from weps_eval.stats import estimate_instance_share

SIZES = (1, 2, 3)
"""Minimum numbers of pages of the people that a share is over."""


@dataclass(frozen=True, slots=True)
class LabelledPerson:
    """A person of an answer whom the key describes in words."""

    pages: int
    """Number of pages of the answer's person."""
    agrees: bool
    """True if the label and the description share a content word."""


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

    def described(text: str) -> set[str]:
        return set(map(singular_form, content_words(split_words(text), searched)))

    people = list(zip(key.groups, map(described, key.labels), strict=False))
    labelled = []
    for group, label in answer.labelled_groups if people else ():
        nearest, words = max(people, key=lambda each: (len(group & each[0]), -len(each[0])))
        if group & nearest and words:
            labelled.append(LabelledPerson(len(group), not words.isdisjoint(described(label))))
    return labelled


def label_quality(names: Sequence[Sequence[LabelledPerson]]) -> list[dict[str, Any]]:
    """The shares of labels that agree, in JSON form (docs/output.md).

    Args:
        names: the people of each name, see :func:`compare_labels`.

    Returns:
        For each of :data:`SIZES` that people have, ``pages``, ``people`` of so many pages or more,
        ``share`` of them whose label agrees, and ``interval``, bootstrapped over names.
    """
    qualities = []
    for least in SIZES:
        agreed = [[each.agrees for each in people if each.pages >= least] for people in names]
        agreeing, total = (np.array(list(map(count, agreed)), dtype=float) for count in (sum, len))
        if total.any():
            value, low, high = estimate_instance_share(agreeing, total)
            interval = None if isnan(low) else [low, high]
            people = int(total.sum())
            qualities.append(
                {"pages": least, "people": people, "share": value, "interval": interval}
            )
    return qualities


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
    file = first_existing([root / "attributes" / f"{name}.txt"])
    return read_attributes(file) if file else None


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
    pages: defaultdict[int, defaultdict[str, dict[str, None]]]
    pages = defaultdict(lambda: defaultdict(dict))
    for number, line in enumerate(text.split("\n"), start=1):
        if line.strip():
            first, *others = line.split("\t")
            rank = parse_rank(first)
            attribute = "".join(others[0].lower().split()) if others else ""
            if rank is None or not attribute:
                is_rank = f"{first.strip()[:40]!r} is not a rank"
                raise KeyFileError(
                    is_rank if rank is None else "has no attribute",
                    where=f"{path}, line {number}",
                    remedy="each line reads rank TAB attribute TAB value, further values after "
                    "further TABs",
                )
            values = (" ".join(value.split()) for value in others[1:])
            pages[rank][attribute].update(dict.fromkeys(filter(None, values)))
    return {
        rank: {attribute: tuple(values) for attribute, values in page.items() if values}
        for rank, page in sorted(pages.items())
    }
