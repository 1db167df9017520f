"""The pairs of pages of a corpus as instances (EMNLP 2009, section 4.1)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from eval.studies.features.trees import Combination, whole_families
from eval.tables.instances import Instances
from weps.errors import SourceError
from weps.features.registry import FAMILIES, Feature
from weps.similarity import PAPER_MEASURES, Similarity, dice_similarity
from weps.systems import FEATURE_SETS
from weps.training.examples import Example

__all__ = [
    "by_feature",
    "compared_by_all",
    "feature_combinations",
    "incomplete_sets",
    "instances_of",
]


def compared_by_all(features: Sequence[Feature]) -> tuple[Similarity, ...]:
    """The features under each of the measures; flags as they are."""
    return tuple(
        similarity
        for each in features
        for similarity in (
            [Similarity(each)] if each.flag else [Similarity(each, name) for name in PAPER_MEASURES]
        )
    )


def instances_of(examples: Mapping[str, Example], similarities: Sequence[Similarity]) -> Instances:
    """The judged pairs of pages; coreferent ones are positive, the names are the groups.

    Args:
        examples: name → its pairs, with these similarities as columns.
        similarities: the measures.

    Raises:
        SourceError: if the key judges no two pages, or all alike.
    """
    values, positive, group = [], [], []
    for number, example in enumerate(examples.values()):
        judged, coreferent = example.judged()
        values.append(example.values[judged].T)
        positive.append(coreferent[judged])
        group.append(np.full(int(judged.sum()), number, dtype=np.int32))
    found = Instances(
        tuple(map(str, similarities)),
        np.concatenate(values, axis=1),
        np.concatenate(positive),
        np.concatenate(group),
        tuple(examples),
    ).without_empty_groups()
    if 0 in found.counts[:2]:
        raise SourceError(
            f"of {found.counts.total:,} judged pairs of pages {found.counts.positive:,} are "
            "coreferent",
            remedy="give names whose pages are about several people, some with several pages",
        )
    return found


def by_feature(instances: Instances, features: Sequence[Feature]) -> Instances:
    """Each feature compared by Dice, or the flag that it is, called like the feature."""
    chosen = instances.only([str(dice_similarity(each)) for each in features])
    names = tuple(map(str, features))
    return Instances(names, chosen.values, chosen.positive, chosen.group, chosen.groups)


def feature_combinations(features: Sequence[Feature], base: str) -> tuple[Combination, ...]:
    """The feature sets, then the families alone and beside the base; those that have members."""
    sets = [
        Combination(each.name, "set", tuple(str(f) for f in each.features() if f in features))
        for each in FEATURE_SETS.values()
        if not each.further
    ]
    families = {
        family: [str(each) for each in features if each.family == family] for family in FAMILIES
    }
    named = {family: members for family, members in families.items() if members}
    return (*(each for each in sets if each.measures), *whole_families(named, base))


def incomplete_sets(features: Sequence[Feature]) -> Iterator[str]:
    """A remark for every feature set of which only some members are studied."""
    for each in FEATURE_SETS.values():
        members = () if each.further else each.features()
        left = sum(member in features for member in members)
        if 0 < left < len(members):
            yield f"Of the feature set {each.name}, {left} of {len(members)} features are studied."
