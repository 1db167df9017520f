"""The pairs of pages of corpora as instances (EMNLP 2009, section 4.1).

Whose pages are studied, in which form, and compared by what.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from eval.benchmark.corpus import FORM_TITLES, Corpus, open_corpus
from eval.report.claims import rough_intervals
from eval.studies.features.trees import Combination, TreeSettings
from eval.tables.instances import Instances
from weps.errors import FeatureError, SourceError
from weps.features.registry import FAMILIES, Feature
from weps.page_forms import PageForm, available_similarities
from weps.similarity import PAPER_MEASURES, Similarity, dice_similarity
from weps.systems import FEATURE_SETS, similarities_of
from weps.training.examples import Example

__all__ = [
    "BOUND_REMARK",
    "Scope",
    "by_feature",
    "compared_by_all",
    "feature_combinations",
    "incomplete_sets",
    "instances_of",
    "scope_of",
    "scope_remarks",
]

BOUND_REMARK = (
    "MaxPWA bounds the PWA of everything that rises with each of the measures; what may fall with "
    "one of them, as a tree may, can do better, but seldom does if high values speak for positives."
)
"""What the reader must know to take bounds for what they are."""
_BASE = "token"
_RICHEST_FIRST = list(PageForm)


@dataclass(frozen=True, slots=True)
class Scope:
    """What is studied."""

    corpora: dict[str, Corpus]
    """Title → corpus, with the names that have pages of the form. The last one tests trees."""
    left_out: dict[str, list[str]]
    """Title → names of which less is at hand."""
    form: PageForm
    wanted: tuple[Feature, ...]
    """The features asked for."""
    features: tuple[Feature, ...]
    """Those of them that pages of the form have."""
    base: str
    """The feature that the others are compared with."""


def scope_of(options: argparse.Namespace) -> Scope:
    """What the options ask for.

    Raises:
        SourceError: if a corpus cannot be read or has no pages of the form, or if names stand in
            both corpora, so that trees would judge what they have learnt from.
        FeatureError: if no feature is left, or the base is not among them.
    """
    opened = [open_corpus(options.corpus, options.exclude)]
    if options.test:
        opened.append(open_corpus(options.test))
        _check_unseen(*opened)
    form = options.form or max(map(_richest_form, opened), key=_RICHEST_FIRST.index)
    titles = _titles(opened)
    similarities = similarities_of(options.features or "all")
    wanted, features = (
        tuple(dict.fromkeys(each.feature for each in some))
        for some in (similarities, available_similarities(similarities, form))
    )
    return Scope(
        corpora={name: _restricted(each, form) for name, each in zip(titles, opened, strict=True)},
        left_out={
            name: _names_without(each, form) for name, each in zip(titles, opened, strict=True)
        },
        form=form,
        wanted=wanted,
        features=features,
        base=_base(options.base, list(map(str, features))),
    )


def scope_remarks(scope: Scope) -> Iterator[str]:
    """Remarks on how the study was made."""
    titles, pages = list(scope.corpora), FORM_TITLES[scope.form]
    how = (
        f"grown on {titles[0]} and judged on {titles[-1]}, where MaxPWA is worked out too"
        if len(titles) > 1
        else "grown on half of the names and judged on the other half, in "
        f"{TreeSettings().repeats} divisions"
    )
    yield f"What is studied of the pages: {pages}. Decision trees are {how}. {BOUND_REMARK}"
    for corpus, names in scope.left_out.items():
        if names:
            listed = ", ".join(names)
            yield f"Left out of {corpus}, because only less of their pages is at hand: {listed}."
    if absent := list(_missing_features(scope)):
        yield f"Not studied, because {pages} do not have them: {', '.join(absent)}."
    yield from incomplete_sets(scope.features)
    yield from rough_intervals(sum(len(each.forms) for each in scope.corpora.values()))


def _check_unseen(training: Corpus, test: Corpus) -> None:
    if shared := sorted(training.forms.keys() & test.forms.keys()):
        raise SourceError(
            f"{len(shared)} names stand in both corpora, {shared[0]} is the first",
            where=test.source.root,
            remedy="leave them out of the first with --exclude, or study it without --test",
        )


def _richest_form(corpus: Corpus) -> PageForm:
    """The richest form that any of its names has."""
    return min(corpus.forms.values(), key=_RICHEST_FIRST.index)


def _names_without(corpus: Corpus, form: PageForm) -> list[str]:
    """The names whose pages are not at hand in that form."""
    least = _RICHEST_FIRST.index(form)
    return [name for name, each in corpus.forms.items() if _RICHEST_FIRST.index(each) > least]


def _restricted(corpus: Corpus, form: PageForm) -> Corpus:
    """The corpus without these names."""
    poorer = _names_without(corpus, form)
    kept = {name: each for name, each in corpus.forms.items() if name not in poorer}
    if not kept:
        raise SourceError(
            f"no name has its pages as {form}",
            where=corpus.source.root,
            remedy=f"use --form {_richest_form(corpus)}",
        )
    return replace(corpus, forms=kept)


def _titles(corpora: Sequence[Corpus]) -> list[str]:
    """Distinct titles of the corpora."""
    names = [corpus.title for corpus in corpora]
    if len(set(names)) == len(names):
        return names
    return [f"{name} ({place})" for name, place in zip(names, ("training", "test"), strict=True)]


def _base(requested: str | None, features: list[str]) -> str:
    base = requested or (_BASE if _BASE in features or not features else features[0])
    if base not in features:
        raise FeatureError(
            f"{base!r} is not among the features studied",
            remedy=f"choose from: {', '.join(features) or 'none, the pages lack them all'}",
        )
    return base


def _missing_features(scope: Scope) -> Iterator[str]:
    """What pages of the form lack: whole functions where none of their features is left."""
    functions = {each.function for each in scope.features}
    lacking = [each for each in scope.wanted if each not in scope.features]
    yield from dict.fromkeys(
        str(each) if each.function in functions else each.function for each in lacking
    )


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
    found = [
        Combination(each.name, "set", tuple(str(f) for f in each.features() if f in features))
        for each in FEATURE_SETS.values()
        if not each.further
    ]
    families = {
        family: tuple(str(each) for each in features if each.family == family)
        for family in FAMILIES
    }
    found += [Combination(family, "family", members) for family, members in families.items()]
    found += [
        Combination(f"{base} + {family}", "family and base", tuple(dict.fromkeys((base, *members))))
        for family, members in families.items()
        if members
    ]
    return tuple(each for each in found if each.measures)


def incomplete_sets(features: Sequence[Feature]) -> Iterator[str]:
    """A remark for every feature set of which only some members are studied."""
    for each in FEATURE_SETS.values():
        members = () if each.further else each.features()
        left = sum(member in features for member in members)
        if 0 < left < len(members):
            yield f"Of the feature set {each.name}, {left} of {len(members)} features are studied."
