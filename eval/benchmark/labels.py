"""The quality of labels: how often they match the names of entities in WePS-2 keys."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import isnan
from typing import Any

import numpy as np

from eval.stats.estimate import Estimate, estimate_instance_share
from weps._text import PersonName, singular_form, split_words
from weps.features.bags import content_words
from weps.records import Clustering

__all__ = [
    "SIZES",
    "LabelQuality",
    "LabelledPerson",
    "compare_gold_labels",
    "compare_labels",
    "label_quality",
    "label_words",
    "labels_data",
    "labels_line",
]

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
    """Hold each person of an answer against the person of the key with most of the same pages.

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
    descriptions = [label_words(text, searched) for text in key.labels]
    labels = answer.labels or ("",) * len(answer.groups)
    found = []
    for group, label in zip(answer.groups, labels, strict=True):
        described = _describing_words(group, key.groups, descriptions)
        if described:
            found.append(
                LabelledPerson(len(group), not described.isdisjoint(label_words(label, searched)))
            )
    return found


def compare_gold_labels(
    labels: Iterable[Sequence[str]], key: Clustering, name: str
) -> list[LabelledPerson]:
    """Hold the labels given to the people of a key, each some terms, against the key.

    Args:
        labels: one for each group of the key, in its order.
        key: groups with descriptions.
        name: as searched for, or its identifier.
    """
    return compare_labels(Clustering(key.groups, labels=tuple(map(", ".join, labels))), key, name)


def _describing_words(
    group: frozenset[int], people: Sequence[frozenset[int]], descriptions: Sequence[set[str]]
) -> set[str]:
    """The words that describe whom a group is about; none without a description."""
    if not descriptions:
        return set()
    nearest = max(range(len(people)), key=lambda at: (len(group & people[at]), -len(people[at])))
    return descriptions[nearest] if group & people[nearest] else set()


def label_words(text: str, name: PersonName) -> set[str]:
    """The content words of a label, plurals undone."""
    return set(map(singular_form, content_words(split_words(text), name)))


def label_quality(names: Iterable[Sequence[LabelledPerson]]) -> tuple[LabelQuality, ...]:
    """The shares of labels that agree, for each of :data:`SIZES`; those without people left out.

    Args:
        names: the people of each name, see :func:`compare_labels`.
    """
    return tuple(_qualities([list(people) for people in names]))


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


def _qualities(names: Sequence[Sequence[LabelledPerson]]) -> Iterator[LabelQuality]:
    for least in SIZES:
        chosen = [[each.agrees for each in people if each.pages >= least] for people in names]
        agreeing, total = (
            np.array(list(map(count, chosen)), dtype=np.float64) for count in (sum, len)
        )
        if total.any():
            yield LabelQuality(least, int(total.sum()), estimate_instance_share(agreeing, total))
