"""The feature study of WePS corpora: read, compare, analyse."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from dataclasses import replace

from eval.commands.loading import Corpus, load_corpus, open_corpus
from eval.commands.outcome import PAGES, title
from eval.feature_study.conclusions import judged
from eval.feature_study.corpus import (
    by_feature,
    compared_by_all,
    feature_combinations,
    incomplete_sets,
    instances_of,
)
from eval.feature_study.document import Document
from eval.feature_study.findings import Findings, Plan, analyse
from eval.feature_study.of_corpora import CorpusStudy, conclusions_table, document
from eval.feature_study.remarks import BOUND, rough_intervals
from eval.feature_study.rivals import rival_measures
from eval.feature_study.trees import Judged, cross_validated, study_settings, transferred
from eval.instances import Instances, joined, write_instances
from weps.commands.console import Console
from weps.commands.reading import reader_of
from weps.errors import FeatureError, SourceError
from weps.feature_sets import similarities_of
from weps.features import Feature
from weps.forms import Form, offered
from weps.language.pipeline import version as language_version
from weps.similarity import Similarity, layers_of
from weps.tables import aligned
from weps.version import VERSION

__all__ = ["study_corpora"]

_BASE = "token"
_FEATURES = "all"


def study_corpora(options: argparse.Namespace, console: Console) -> Document:
    """Study the features of one corpus, or of one and of another to judge trees on."""
    corpora = [open_corpus(options.corpus, options.exclude)]
    if options.test:
        corpora.append(open_corpus(options.test))
        _check_unseen(*corpora)
    form = options.form or max((_richest(corpus) for corpus in corpora), key=list(Form).index)
    features = _features(options, form)
    similarities = compared_by_all(features)
    pairs = [_pairs(corpus, form, similarities, options, console) for corpus in corpora]
    if options.instances:
        write_instances(joined(pairs), options.instances)
    ours = [by_feature(each, features) for each in pairs]
    findings = _findings(ours, features, options, console)
    console.progress("Dice, cosine, overlap")
    rivals = rival_measures(joined(pairs), features, options.seed)
    study = CorpusStudy(
        dict(zip(_titles(corpora), ours, strict=True)),
        findings,
        rivals,
        tuple(judged(findings, rivals)),
        tuple(_remarks(corpora, form, features, options)),
        _signature(corpora, form, findings.plan, options),
        options.line,
    )
    rows = [row[:3] for row in conclusions_table(study).rows]
    console.say("\n".join(line.rstrip() for line in aligned(rows, left=3)))
    return document(study)


def _check_unseen(training: Corpus, test: Corpus) -> None:
    """Make sure that trees do not judge what they have learnt from.

    Raises:
        SourceError: if a name stands in both corpora.
    """
    if shared := sorted(training.forms.keys() & test.forms.keys()):
        raise SourceError(
            f"{len(shared)} names stand in both corpora, {shared[0]} is the first",
            where=test.source.root,
            remedy="leave them out of the first with --exclude, or study it without --test",
        )


def _richest(corpus: Corpus) -> Form:
    """The richest form that any of its names has."""
    return min(corpus.forms.values(), key=list(Form).index)


def _features(options: argparse.Namespace, form: Form) -> list[Feature]:
    """The features to study: those asked for that pages of the form have.

    Raises:
        FeatureError: if there are none, or the base is not among them.
    """
    wanted = offered(similarities_of(options.features or _FEATURES), form)
    features = list(dict.fromkeys(each.feature for each in wanted))
    if not features or (options.base and options.base not in map(str, features)):
        raise FeatureError(
            f"{options.base or 'anything'!r} is not among the features studied",
            remedy=f"choose from: {', '.join(map(str, features)) or 'none, pages lack them all'}",
        )
    return features


def _base(options: argparse.Namespace, features: Sequence[Feature]) -> str:
    """The feature that the others are compared with."""
    names = list(map(str, features))
    return options.base or (_BASE if _BASE in names else names[0])


def _pairs(
    corpus: Corpus,
    form: Form,
    similarities: Sequence[Similarity],
    options: argparse.Namespace,
    console: Console,
) -> Instances:
    """The pairs of the names that have pages of the form.

    Raises:
        SourceError: if none has.
    """
    poorer = _poorer(corpus, form)
    kept = {name: each for name, each in corpus.forms.items() if name not in poorer}
    if not kept:
        raise SourceError(
            f"no name has its pages as {form}",
            where=corpus.source.root,
            remedy=f"say --form {_richest(corpus)}",
        )
    loaded = load_corpus(replace(corpus, forms=kept), similarities, {form}, options, console)
    return instances_of({name: by_form[form] for name, by_form in loaded.items()}, similarities)


def _poorer(corpus: Corpus, form: Form) -> list[str]:
    """The names whose pages are not at hand in that form."""
    order = list(Form)
    return [name for name, each in corpus.forms.items() if order.index(each) > order.index(form)]


def _findings(
    pairs: Sequence[Instances],
    features: Sequence[Feature],
    options: argparse.Namespace,
    console: Console,
) -> Findings:
    """Analyse the pairs of all corpora; trees and their bounds on the last one."""
    *training, tested = pairs
    settings, base = study_settings(options.seed), _base(options, features)
    plan = Plan(
        base,
        feature_combinations(features, base),
        options.combinations,
        options.exhaustive,
        options.seed,
    )

    def unseen(measures: Sequence[str]) -> list[Judged]:
        if training:
            return transferred(training[0].only(measures), tested.only(measures), settings)
        return cross_validated(tested.only(measures), settings)

    return analyse(joined(pairs), tested, unseen, plan, console.progress)


def _titles(corpora: Sequence[Corpus]) -> list[str]:
    """What the corpora are called, told apart."""
    names = [title(corpus) for corpus in corpora]
    if len(set(names)) < len(names):
        return [
            f"{name} ({place})" for name, place in zip(names, ("training", "test"), strict=True)
        ]
    return names


def _remarks(
    corpora: Sequence[Corpus], form: Form, features: Sequence[Feature], options: argparse.Namespace
) -> Iterator[str]:
    """What the reader must know of how it was made."""
    titles, settings = _titles(corpora), study_settings(options.seed)
    how = (
        f"grown on {titles[0]} and judged on {titles[-1]}, where MaxPWA is worked out too"
        if len(corpora) > 1
        else "grown on half of the names and judged on the other half, in "
        f"{settings.repeats} divisions"
    )
    yield f"What is studied of the pages: {PAGES[form]}. Decision trees are {how}. {BOUND}"
    for corpus, name in zip(corpora, titles, strict=True):
        if poorer := _poorer(corpus, form):
            yield f"Left out of {name}, because only less of their pages is at hand: " + ", ".join(
                poorer
            )
    if absent := list(_absent(options.features or _FEATURES, form)):
        yield f"Not studied, because {PAGES[form]} do not have them: {', '.join(absent)}."
    yield from incomplete_sets(features)
    yield from rough_intervals(sum(len(each.forms) for each in corpora))


def _absent(wanted: str, form: Form) -> Iterator[str]:
    """What pages of the form lack: whole functions where none of their features is left."""
    asked = list(dict.fromkeys(each.feature for each in similarities_of(wanted)))
    left = {each.feature for each in offered(similarities_of(wanted), form)}
    functions = {each.function for each in left}
    for each in dict.fromkeys(f if f.function in functions else f.function for f in asked):
        if each not in left:
            yield str(each)


def _signature(
    corpora: Sequence[Corpus], form: Form, plan: Plan, options: argparse.Namespace
) -> str:
    """All that decides the figures, in one line."""
    digests = (corpus.source.digest(sorted(corpus.forms))[:8] for corpus in corpora)
    wanted = options.features or _FEATURES
    parts = [f"corpus:sha256-{digest}" for digest in digests]
    parts += [f"form:{form}", f"features:{wanted}", f"base:{plan.base}"]
    parts += [f"combinations:{plan.random}", f"exhaustive:{plan.exhaustive}", f"seed:{plan.seed}"]
    if layers_of(offered(similarities_of(wanted), form)):
        parts.append(f"language:{language_version(reader_of(options).language)}")
    return "|".join([*parts, f"weps:{VERSION}"])
