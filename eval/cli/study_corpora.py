"""The feature study of WePS corpora: read, compare, analyse.

What a feature study of corpora is about: whose pages, in which form, compared by what.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from eval.benchmark.corpus import FORM_TITLES, Corpus, open_corpus
from eval.cli.options import load_corpus
from eval.report.claims import rough_intervals
from eval.report.document import Document
from eval.studies.features.claims import assess_claims
from eval.studies.features.findings import Findings, Plan, compute_findings
from eval.studies.features.pairs import (
    by_feature,
    compared_by_all,
    feature_combinations,
    incomplete_sets,
    instances_of,
)
from eval.studies.features.rankings import compare_similarities
from eval.studies.features.report import (
    BOUND_REMARK,
    CorpusStudy,
    conclusions_table,
    corpus_document,
)
from eval.studies.features.trees import (
    TreeConfidences,
    cross_validate_trees,
    study_settings,
    transfer_trees,
)
from eval.tables.instances import Instances, join_instances
from eval.tables.writing import write_instances
from weps._formatting import align_table
from weps._version import VERSION
from weps.cli.console import Console
from weps.cli.options import reader_from_options
from weps.errors import FeatureError, SourceError
from weps.features.registry import Feature
from weps.language.spacy_pipeline import pipeline_version as language_version
from weps.page_forms import PageForm, available_similarities
from weps.similarity import required_layers
from weps.systems import similarities_of

__all__ = ["Scope", "scope_of", "scope_remarks", "study_corpora"]

_BASE = "token"
_FEATURES = "all"
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
    similarities = similarities_of(options.features or _FEATURES)
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


def scope_remarks(scope: Scope, seed: int) -> Iterator[str]:
    """Remarks on how the study was made."""
    titles, pages = list(scope.corpora), FORM_TITLES[scope.form]
    how = (
        f"grown on {titles[0]} and judged on {titles[-1]}, where MaxPWA is worked out too"
        if len(titles) > 1
        else "grown on half of the names and judged on the other half, in "
        f"{study_settings(seed).repeats} divisions"
    )
    yield f"What is studied of the pages: {pages}. Decision trees are {how}. {BOUND_REMARK}"
    for corpus, names in scope.left_out.items():
        if names:
            told = ", ".join(names)
            yield f"Left out of {corpus}, because only less of their pages is at hand: {told}."
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


def study_corpora(options: argparse.Namespace, console: Console) -> Document:
    """Study the features of one corpus, or of one and of another to judge trees on."""
    scope = scope_of(options)
    pairs = [_pairs(corpus, scope, options, console) for corpus in scope.corpora.values()]
    if options.instances:
        write_instances(join_instances(pairs), options.instances)
    ours = [by_feature(each, scope.features) for each in pairs]
    findings = _findings(ours, scope, options, console)
    console.write_status("Dice, cosine, overlap")
    rivals = compare_similarities(join_instances(pairs), scope.features, options.seed)
    study = CorpusStudy(
        dict(zip(scope.corpora, ours, strict=True)),
        findings,
        rivals,
        tuple(assess_claims(findings, rivals)),
        tuple(scope_remarks(scope, options.seed)),
        _signature(scope, options),
        options.line,
    )
    rows = [row[:3] for row in conclusions_table(study).rows]
    console.write("\n".join(line.rstrip() for line in align_table(rows, left=3)))
    return corpus_document(study)


def _pairs(
    corpus: Corpus, scope: Scope, options: argparse.Namespace, console: Console
) -> Instances:
    """The pairs of pages of a corpus, compared by every measure."""
    similarities = compared_by_all(scope.features)
    loaded = load_corpus(corpus, similarities, {scope.form}, options, console)
    examples = {name: by_form[scope.form] for name, by_form in loaded.items()}
    return instances_of(examples, similarities)


def _findings(
    pairs: Sequence[Instances], scope: Scope, options: argparse.Namespace, console: Console
) -> Findings:
    """Analyse the pairs of all corpora; trees and their bounds on the last one."""
    *training, tested = pairs
    settings = study_settings(options.seed)
    plan = Plan(
        scope.base,
        feature_combinations(scope.features, scope.base),
        options.combinations,
        options.exhaustive,
        options.seed,
    )

    def unseen(measures: Sequence[str]) -> list[TreeConfidences]:
        if training:
            return transfer_trees(training[0].only(measures), tested.only(measures), settings)
        return cross_validate_trees(tested.only(measures), settings)

    return compute_findings(join_instances(pairs), tested, unseen, plan, console.write_status)


def _signature(scope: Scope, options: argparse.Namespace) -> str:
    """The settings that determine the figures, in one line."""
    digests = (each.source.digest(sorted(each.forms))[:8] for each in scope.corpora.values())
    parts = [f"corpus:sha256-{digest}" for digest in digests]
    parts += [f"form:{scope.form}", f"features:{options.features or 'all'}", f"base:{scope.base}"]
    parts += [f"{each}:{getattr(options, each)}" for each in ("combinations", "exhaustive", "seed")]
    if required_layers(compared_by_all(scope.features)):
        parts.append(f"language:{language_version(reader_from_options(options).language)}")
    return "|".join([*parts, f"weps:{VERSION}"])
