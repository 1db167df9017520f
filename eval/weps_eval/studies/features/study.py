"""``weps study features``: rank, compare and combine what pages, or anything, are compared by.

Pairs of pages of corpora are instances (EMNLP 2009, section 4.1), or the rows of a table are.
"""

from __future__ import annotations

import argparse
import hashlib
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from weps._expressions import split_items
from weps._formatting import count_of
from weps.cli.console import Console
from weps.cli.options import add_json, check_writable, reader_from_options
from weps.cli.pace import TimedProgress
from weps.errors import FeatureError, OutputError, SourceError, ValuesError
from weps.features.plugins import load_named_plugins
from weps.features.registry import Feature
from weps.language.analysis import Layer
from weps.language.spacy_pipeline import pipeline_name, pipeline_version
from weps.page_forms import PageForm, available_similarities
from weps.similarity.columns import Similarity, dice_similarity, required_layers
from weps.systems import FEATURE_SETS, similarities_of
from weps.training.examples import Example
from weps_eval.benchmark.corpus import FORM_TITLES, Corpus, open_corpus
from weps_eval.benchmark.options import add_corpus_options, load_corpus
from weps_eval.report.claims import claims_with_figures, judge_claims
from weps_eval.report.document import write_table
from weps_eval.report.tables import Table
from weps_eval.studies.base import Result, Study
from weps_eval.studies.features.claims import CLAIMS, sample_size
from weps_eval.studies.features.findings import (
    Findings,
    Plan,
    compare_similarities,
    compared_by_all,
    compute_findings,
)
from weps_eval.studies.features.report import data, document, tables
from weps_eval.studies.features.trees import (
    TreeConfidences,
    TreeSettings,
    comparable_by_trees,
    cross_validate_trees,
    feature_combinations,
    transfer_trees,
)
from weps_eval.studies.options import add_number
from weps_eval.tables.columns import ending_of
from weps_eval.tables.files import WRITERS, TableRead, read_instances, write_instances
from weps_eval.tables.instances import Instances, join_instances

_MOST_GROUPS = 1_000
"""More are no groups but names of instances; a pair count has groups² cells."""
_OF_CORPORA = ("test", "features", "form", "instances", "exclude", "language_2")
"""Options that do not apply to a table."""
_BASE = "token"
_BOUND_REMARK = (
    "MaxPWA bounds the PWA of everything that rises with each of the measures; what may fall with "
    "one of them, as a tree may, can do better, but seldom does if high values speak for positives."
)


def _add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "corpus", metavar="CORPUS", type=Path, nargs="?", help="names with pages and keys"
    )
    parser.add_argument(
        "--out",
        dest="report",
        type=Path,
        default=Path("weps-study"),
        metavar="DIR",
        help="folder of the document (default: weps-study)",
    )
    add_json(parser)
    parser.add_argument(
        "--base",
        metavar="FEATURE",
        help="feature that the others are compared with (default: token, or else the first)",
    )
    meaning = "random combinations over which bounds and trees are compared (default: 40)"
    add_number(parser, "--combinations", meaning, 40)
    meaning = "search all subsets of up to K for the best (default: 2)"
    add_number(parser, "--exhaustive", meaning, 2, "K")
    group = parser.add_argument_group("corpora")
    group.add_argument(
        "--test",
        type=Path,
        metavar="CORPUS",
        help="test trees on these names instead of cross-validating",
    )
    group.add_argument(
        "--features",
        metavar="SET",
        help="features to study, see `weps features` (default: all)",
    )
    group.add_argument(
        "--language-2",
        default="",
        metavar="NAME",
        help="spaCy pipeline that recognises the entities of fine_entity, since the paper had two "
        "recognisers (default: that of --language)",
    )
    group.add_argument(
        "--form",
        type=PageForm,
        choices=list(PageForm),
        help="use only this much of the pages (default: the most that every corpus has)",
    )
    group.add_argument(
        "--instances",
        type=Path,
        metavar="FILE",
        help="also write the pairs as a table (.npz, .csv)",
    )
    add_corpus_options(parser)
    group = parser.add_argument_group("your own data instead of a corpus")
    group.add_argument(
        "--table",
        type=Path,
        metavar="FILE",
        help="table of instances × measures with a column of labels (.csv, .tsv, .parquet, .npz)",
    )
    group.add_argument(
        "--label", default="label", metavar="COLUMN", help="column of labels (default: label)"
    )
    group.add_argument(
        "--group",
        metavar="COLUMN",
        help="column of groups, such as topics, that are resampled and held out",
    )
    group.add_argument(
        "--measures",
        metavar="COLUMN,COLUMN",
        help="columns of measures (default: all with numbers)",
    )


@dataclass(frozen=True, slots=True)
class Scope:
    """What is studied."""

    corpora: dict[str, Corpus]
    """Title → corpus, with the names that have pages of the form. The last one tests trees."""
    left_out: dict[str, list[str]]
    """Title → names of which less is available."""
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
        training, test = (each.forms.keys() for each in opened)
        if shared := sorted(training & test):
            raise SourceError(
                f"{len(shared)} names stand in both corpora, {shared[0]} is the first",
                where=opened[-1].source.root,
                remedy="leave them out of the first with --exclude, or study it without --test",
            )
    form = options.form or max((each.richest_form for each in opened), key=list(PageForm).index)
    titles = [corpus.title for corpus in opened]
    if len(set(titles)) < len(titles):
        ends = ("training", "test")
        titles = [f"{title} ({end})" for title, end in zip(titles, ends, strict=True)]
    similarities = similarities_of(load_named_plugins(options.features or "all"))
    wanted, features = (
        tuple(dict.fromkeys(each.feature for each in some))
        for some in (similarities, available_similarities(similarities, form))
    )
    corpora, left_out = {}, {}
    for title, corpus in zip(titles, opened, strict=True):
        corpora[title], left_out[title] = _restrict(corpus, form)
    base = _base(options.base, list(map(str, features)))
    return Scope(corpora, left_out, form, wanted, features, base)


def scope_remarks(scope: Scope) -> Iterator[str]:
    """Remarks on how the study was made."""
    titles, pages = list(scope.corpora), FORM_TITLES[scope.form]
    how = (
        f"fitted on {titles[0]} and judged on {titles[-1]}, where MaxPWA is computed too"
        if len(titles) > 1
        else "fitted on half of the names and judged on the other half, in "
        f"{TreeSettings().repeats} divisions"
    )
    yield f"What is studied of the pages: {pages}. Decision trees are {how}. {_BOUND_REMARK}"
    for corpus, names in scope.left_out.items():
        if names:
            listed = ", ".join(names)
            yield f"Left out of {corpus}, because only less of their pages is available: {listed}."
    functions = {each.function for each in scope.features}
    absent = dict.fromkeys(
        str(each) if each.function in functions else each.function
        for each in scope.wanted
        if each not in scope.features
    )
    if absent:
        yield f"Not studied, because {pages} do not have them: {', '.join(absent)}."
    for each in FEATURE_SETS.values():
        members = () if each.further else each.features()
        left = sum(member in scope.features for member in members)
        if 0 < left < len(members):
            yield f"Of the feature set {each.name}, {left} of {len(members)} features are studied."


def _restrict(corpus: Corpus, form: PageForm) -> tuple[Corpus, list[str]]:
    """The corpus without the names whose pages are not available in that form, and these names."""
    names = corpus.names_with(form)
    if not names:
        raise SourceError(
            f"no name has its pages as {form}",
            where=corpus.source.root,
            remedy=f"use --form {corpus.richest_form}",
        )
    kept = {name: each for name, each in corpus.forms.items() if name in names}
    return replace(corpus, forms=kept), [name for name in corpus.forms if name not in names]


def _base(requested: str | None, features: list[str]) -> str:
    base = requested or (_BASE if _BASE in features or not features else features[0])
    if base not in features:
        raise FeatureError(
            f"{base!r} is not among the features studied",
            remedy=f"choose from: {', '.join(features) or 'none, the pages lack them all'}",
        )
    return base


def instances_of(examples: Mapping[str, Example], similarities: Sequence[Similarity]) -> Instances:
    """The judged pairs of pages; coreferent ones are positive, the names are the groups.

    The examples of the names have the similarities as columns.

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


def _check(options: argparse.Namespace) -> None:
    if (options.corpus is None) == (options.table is None):
        raise SourceError(
            "unclear what to study",
            remedy="use `study features CORPUS`, with or without `--test CORPUS`, "
            "or `study features --table FILE`",
        )
    of_corpora = [f"--{name.replace('_', '-')}" for name in _OF_CORPORA if getattr(options, name)]
    if options.table and of_corpora:
        raise SourceError(
            f"{', '.join(of_corpora)} has no meaning for a table",
            where=options.table,
            remedy="leave it out",
        )
    check_writable(options.instances)
    if options.instances:
        ending_of(options.instances, WRITERS, OutputError)


def _find(options: argparse.Namespace, console: Console) -> Result[Findings]:
    return _study_corpora(options, console) if options.corpus else _study_table(options, console)


def _study_corpora(options: argparse.Namespace, console: Console) -> Result[Findings]:
    """Study the features of one corpus, or of one and of another to judge trees on."""
    scope = scope_of(options)
    similarities, pairs = compared_by_all(scope.features), []
    pipelines = _pipelines(options, required_layers(similarities))
    for corpus in scope.corpora.values():
        reader = reader_from_options(options)
        loaded = load_corpus(corpus, similarities, {scope.form}, reader, options.jobs, console)
        examples = {name: by_form[scope.form] for name, by_form in loaded.items()}
        pairs.append(instances_of(examples, similarities))
    every = join_instances(pairs)
    if options.instances:
        write_instances(every, options.instances)
    by_dice = [str(dice_similarity(each)) for each in scope.features]
    names = tuple(map(str, scope.features))
    ours = [replace(each.only(by_dice), measures=names) for each in pairs]
    *training, tested = ours
    settings = TreeSettings(seed=options.seed)

    def trees(measures: Sequence[str]) -> list[TreeConfidences]:
        if training:
            return transfer_trees(training[0].only(measures), tested.only(measures), settings)
        return cross_validate_trees(tested.only(measures), settings)

    combinations = feature_combinations(scope.features, scope.base)
    progress = TimedProgress(console)
    plan = Plan(scope.base, combinations, options.combinations, options.exhaustive, options.seed)
    found = compute_findings(join_instances(ours), tested, trees, plan, progress)
    console.write_status("Dice, cosine, overlap")
    findings = replace(
        found,
        corpora=dict(zip(scope.corpora, ours, strict=True)),
        comparison=compare_similarities(every, scope.features, options.seed),
        recognisers=tuple(pipelines.values()),
    )
    digests = (each.source.digest(sorted(each.forms))[:8] for each in scope.corpora.values())
    return Result.of(
        options,
        findings,
        judge_claims(CLAIMS, findings, sample_size),
        [*scope_remarks(scope), *_recogniser_remarks(findings.recognisers)],
        title=" and ".join(scope.corpora),
        digest="|".join(f"corpus:sha256-{digest}" for digest in digests),
        sample="names",
        language=" and ".join(pipelines) or None,
        form=scope.form,
        features=options.features or "all",
        base=scope.base,
        combinations=options.combinations,
        exhaustive=options.exhaustive,
    )


def _pipelines(options: argparse.Namespace, layers: Collection[Layer]) -> dict[str, str]:
    """Version → name of the pipelines that make the layers, the second recogniser last.

    Raises:
        LanguageError: if one is missing.
    """
    reader = reader_from_options(options)
    used = [reader.language] if layers else []
    if Layer.ENTITIES in layers and reader.second_language:
        used.append(reader.second_language)
    return {pipeline_version(each): pipeline_name(each) for each in used}


def _recogniser_remarks(recognisers: Sequence[str]) -> Iterator[str]:
    if len(recognisers) > 1:
        first, second = recognisers
        yield f"The entities of entity are recognised by {first}, those of fine_entity by {second}."


def _study_table(options: argparse.Namespace, console: Console) -> Result[Findings]:
    measures = split_items(options.measures) if options.measures else None
    read = read_instances(options.table, options.label, options.group, measures)
    instances = read.instances.without_empty_groups()
    if len(instances.groups) > _MOST_GROUPS:
        raise ValuesError(
            f"the column {options.group!r} makes {len(instances.groups):,} groups of "
            f"{instances.counts.total:,} instances",
            remedy=f"choose one that makes at most {_MOST_GROUPS:,}, or leave out --group",
        )
    base = options.base or instances.measures[0]
    instances.column(base)  # or there is no such base
    remarks = list(_table_remarks(read, base))
    for remark in remarks:
        console.write_status(remark)
    # A leaf holds a hundredth of the instances, at most as many as in a system's tree.
    leaf = max(1, min(TreeSettings().leaf, instances.counts.total // 100))
    settings = TreeSettings(leaf=leaf, seed=options.seed)
    ranked = comparable_by_trees(instances)
    plan = Plan(base, (), options.combinations, options.exhaustive, options.seed)
    findings = compute_findings(
        instances,
        instances,
        lambda measures: cross_validate_trees(ranked.only(measures), settings),
        plan,
        TimedProgress(console),
    )
    digest = hashlib.sha256(repr((instances.measures, instances.groups)).encode())
    for array in (instances.values, instances.positive, instances.group):
        digest.update(array.tobytes())
    return Result.of(
        options,
        findings,
        [],
        remarks,
        title=options.table.name,
        digest=f"table:sha256-{digest.hexdigest()[:8]}",
        sample="groups",
        base=base,
        combinations=options.combinations,
        exhaustive=options.exhaustive,
    )


def _table_remarks(read: TableRead, base: str) -> Iterator[str]:
    instances, counts = read.instances, read.instances.counts
    yield (
        f"{counts.total:,} instances, {counts.positive:,} of them positive; "
        f"{count_of(len(instances.measures), 'measure')}, compared with {base}."
    )
    if read.left_out:
        yield f"Left out, because they hold no numbers: {', '.join(read.left_out)}."
    if len(instances.groups) > 1:
        yield f"{len(instances.groups)} groups are resampled, and held out together from trees."
    else:
        yield "Without groups there are no intervals; trees are judged on instances held out."
    yield _BOUND_REMARK


def _show(result: Result[Findings], shown: Iterable[Table], console: Console) -> None:
    """Print the verdicts with their figures; tables only if details are wanted."""
    if result.judged:
        write_table(claims_with_figures(result.judged), console)
    for table in () if console.quiet else shown:
        console.write()
        write_table(table, console)


STUDY = Study(_add_options, _find, tables, document, data, show=_show, written="study")
add_arguments = STUDY.add_options


def run_command(options: argparse.Namespace, console: Console) -> int:
    """Study corpora or a table; write the document."""
    _check(options)
    return STUDY.run(options, console)
