"""The feature study of WePS corpora: read, compare, analyse."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from eval.bench.corpus import Corpus
from eval.commands.loading import load_corpus
from eval.commands.study_scope import Scope, remarks, scope_of
from eval.document import Document
from eval.feature_study.conclusions import judged
from eval.feature_study.corpus import (
    by_feature,
    compared_by_all,
    feature_combinations,
    instances_of,
)
from eval.feature_study.findings import Findings, Plan, analyse
from eval.feature_study.of_corpora import CorpusStudy, conclusions_table, document
from eval.feature_study.rivals import rival_measures
from eval.feature_study.trees import Judged, cross_validated, study_settings, transferred
from eval.instances import Instances, joined, write_instances
from weps.commands.console import Console
from weps.commands.reading import reader_of
from weps.language.pipeline import version as language_version
from weps.similarity import layers_of
from weps.tables import aligned
from weps.version import VERSION

__all__ = ["study_corpora"]


def study_corpora(options: argparse.Namespace, console: Console) -> Document:
    """Study the features of one corpus, or of one and of another to judge trees on."""
    scope = scope_of(options)
    pairs = [_pairs(corpus, scope, options, console) for corpus in scope.corpora.values()]
    if options.instances:
        write_instances(joined(pairs), options.instances)
    ours = [by_feature(each, scope.features) for each in pairs]
    findings = _findings(ours, scope, options, console)
    console.progress("Dice, cosine, overlap")
    rivals = rival_measures(joined(pairs), scope.features, options.seed)
    study = CorpusStudy(
        dict(zip(scope.corpora, ours, strict=True)),
        findings,
        rivals,
        tuple(judged(findings, rivals)),
        tuple(remarks(scope, options.seed)),
        _signature(scope, options),
        options.line,
    )
    rows = [row[:3] for row in conclusions_table(study).rows]
    console.say("\n".join(line.rstrip() for line in aligned(rows, left=3)))
    return document(study)


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

    def unseen(measures: Sequence[str]) -> list[Judged]:
        if training:
            return transferred(training[0].only(measures), tested.only(measures), settings)
        return cross_validated(tested.only(measures), settings)

    return analyse(joined(pairs), tested, unseen, plan, console.progress)


def _signature(scope: Scope, options: argparse.Namespace) -> str:
    """All that decides the figures, in one line."""
    digests = (each.source.digest(sorted(each.forms))[:8] for each in scope.corpora.values())
    parts = [f"corpus:sha256-{digest}" for digest in digests]
    parts += [f"form:{scope.form}", f"features:{options.features or 'all'}", f"base:{scope.base}"]
    parts += [f"{each}:{getattr(options, each)}" for each in ("combinations", "exhaustive", "seed")]
    if layers_of(compared_by_all(scope.features)):
        parts.append(f"language:{language_version(reader_of(options).language)}")
    return "|".join([*parts, f"weps:{VERSION}"])
