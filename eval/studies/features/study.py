"""``weps study features``: rank, compare and combine what pages, or anything, are compared by."""

from __future__ import annotations

import argparse
import hashlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from eval.benchmark.corpus import Corpus
from eval.benchmark.options import add_corpus_options, load_corpus
from eval.report.claims import judge_claims, rough_intervals
from eval.report.tables import Table
from eval.studies.base import Result, Study, study_signature
from eval.studies.features.claims import CLAIMS
from eval.studies.features.findings import Findings, Plan, compute_findings
from eval.studies.features.pairs import (
    BOUND_REMARK,
    Scope,
    by_feature,
    compared_by_all,
    feature_combinations,
    instances_of,
    scope_of,
    scope_remarks,
)
from eval.studies.features.rankings import compare_similarities
from eval.studies.features.report import conclusions_table, document
from eval.studies.features.trees import (
    TreeConfidences,
    TreeSettings,
    comparable_by_trees,
    cross_validate_trees,
    transfer_trees,
)
from eval.tables.columns import ending_of
from eval.tables.instances import Instances, join_instances
from eval.tables.reading import TableRead, read_instances
from eval.tables.writing import WRITERS, write_instances
from weps._expressions import split_items
from weps._formatting import count_of
from weps._version import VERSION
from weps.cli.console import Console
from weps.cli.options import check_writable, parse_whole_number, reader_from_options
from weps.errors import OutputError, SourceError, ValuesError
from weps.language.spacy_pipeline import pipeline_version as language_version
from weps.page_forms import PageForm
from weps.similarity import required_layers

__all__ = ["STUDY", "add_arguments", "run_command"]

_MOST_GROUPS = 1_000
"""More are no groups but names of instances; a pair count has groups² cells."""
_OF_CORPORA = ("test", "features", "form", "instances", "exclude")
"""Options that do not apply to a table."""
_COMBINATIONS = 40
_EXHAUSTIVE = 2


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
        help="default: weps-study",
    )
    parser.add_argument(
        "--base",
        metavar="FEATURE",
        help="what the others are compared with (default: token, else the first)",
    )
    parser.add_argument(
        "--combinations",
        type=parse_whole_number,
        default=_COMBINATIONS,
        metavar="N",
        help=f"random combinations to compare bounds and trees by (default: {_COMBINATIONS})",
    )
    parser.add_argument(
        "--exhaustive",
        type=parse_whole_number,
        default=_EXHAUSTIVE,
        metavar="K",
        help=f"search all subsets of up to K for the best (default: {_EXHAUSTIVE})",
    )
    _add_corpora(parser.add_argument_group("corpora"))
    add_corpus_options(parser)
    _add_table(parser.add_argument_group("one's own data instead of a corpus"))


def _add_corpora(group: argparse._ArgumentGroup) -> None:
    group.add_argument(
        "--test", type=Path, metavar="CORPUS", help="judge trees on these names, not by parts"
    )
    group.add_argument(
        "--features", metavar="SET", help="what to study, see `weps features` (default: all)"
    )
    group.add_argument(
        "--form",
        type=PageForm,
        choices=list(PageForm),
        help="study the pages as if only that were at hand (default: the most that every corpus "
        "has)",
    )
    group.add_argument(
        "--instances",
        type=Path,
        metavar="FILE",
        help="also write the pairs as a table (.npz, .csv)",
    )


def _add_table(group: argparse._ArgumentGroup) -> None:
    group.add_argument(
        "--table",
        type=Path,
        metavar="FILE",
        help="instances × measures with a column of labels (.csv, .tsv, .parquet, .npz)",
    )
    group.add_argument("--label", default="label", metavar="COLUMN", help="default: label")
    group.add_argument(
        "--group", metavar="COLUMN", help="what is resampled and held out together, e.g. a topic"
    )
    group.add_argument(
        "--measures", metavar="COLUMN,COLUMN", help="default: every column of numbers"
    )


def _check(options: argparse.Namespace) -> None:
    """Check in advance that the study can be done.

    Raises:
        SourceError: if it is unclear what to study.
        OutputError: if the instances cannot be written.
    """
    if (options.corpus is None) == (options.table is None):
        raise SourceError(
            "unclear what to study",
            remedy="use `study features CORPUS`, with or without `--test CORPUS`, "
            "or `study features --table FILE`",
        )
    of_corpora = [f"--{name}" for name in _OF_CORPORA if getattr(options, name)]
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
    return (_study_corpora if options.corpus else _study_table)(options, console)


def _study_corpora(options: argparse.Namespace, console: Console) -> Result[Findings]:
    """Study the features of one corpus, or of one and of another to judge trees on."""
    scope = scope_of(options)
    pairs = [_pairs(corpus, scope, options, console) for corpus in scope.corpora.values()]
    every = join_instances(pairs)
    if options.instances:
        write_instances(every, options.instances)
    ours = [by_feature(each, scope.features) for each in pairs]
    *training, tested = ours
    settings = TreeSettings(seed=options.seed)

    def trees(measures: Sequence[str]) -> list[TreeConfidences]:
        if training:
            return transfer_trees(training[0].only(measures), tested.only(measures), settings)
        return cross_validate_trees(tested.only(measures), settings)

    combinations = feature_combinations(scope.features, scope.base)
    plan = Plan(scope.base, combinations, options.combinations, options.exhaustive, options.seed)
    found = compute_findings(join_instances(ours), tested, trees, plan, console.write_status)
    console.write_status("Dice, cosine, overlap")
    findings = replace(
        found,
        corpora=dict(zip(scope.corpora, ours, strict=True)),
        comparison=compare_similarities(every, scope.features, options.seed),
    )
    return Result(
        " and ".join(scope.corpora),
        findings,
        judge_claims(CLAIMS, findings),
        list(scope_remarks(scope)),
        _corpora_signature(scope, options),
        options.line,
        "names",
    )


def _pairs(
    corpus: Corpus, scope: Scope, options: argparse.Namespace, console: Console
) -> Instances:
    """The pairs of pages of a corpus, compared by every measure."""
    similarities = compared_by_all(scope.features)
    loaded = load_corpus(corpus, similarities, {scope.form}, options, console)
    examples = {name: by_form[scope.form] for name, by_form in loaded.items()}
    return instances_of(examples, similarities)


def _corpora_signature(scope: Scope, options: argparse.Namespace) -> str:
    digests = (each.source.digest(sorted(each.forms))[:8] for each in scope.corpora.values())
    parts: dict[str, object] = {
        "form": scope.form,
        "features": options.features or "all",
        **_settings(options, scope.base),
    }
    if required_layers(compared_by_all(scope.features)):
        parts["language"] = language_version(reader_from_options(options).language)
    corpora = "".join(f"corpus:sha256-{digest}|" for digest in digests)
    return corpora + study_signature(**parts, weps=VERSION)


def _settings(options: argparse.Namespace, base: str) -> dict[str, object]:
    names = ("combinations", "exhaustive", "seed")
    return {"base": base, **{name: getattr(options, name) for name in names}}


def _study_table(options: argparse.Namespace, console: Console) -> Result[Findings]:
    """Study the measures of a table."""
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
        console.write_status,
    )
    signature = study_signature(
        table=f"sha256-{_digest(instances)}", **_settings(options, base), weps=VERSION
    )
    return Result(options.table.name, findings, [], remarks, signature, options.line, "groups")


def _table_remarks(read: TableRead, base: str) -> Iterator[str]:
    """Remarks on the table."""
    instances, counts = read.instances, read.instances.counts
    yield (
        f"{counts.total:,} instances, {counts.positive:,} of them positive; "
        f"{count_of(len(instances.measures), 'measure')}, compared with {base}."
    )
    if read.left_out:
        yield f"Left out, because they hold no numbers: {', '.join(read.left_out)}."
    if len(instances.groups) > 1:
        yield f"{len(instances.groups)} groups are resampled, and held out together from trees."
        yield from rough_intervals(len(instances.groups))
    else:
        yield "Without groups there are no intervals; trees are judged on instances held out."
    yield BOUND_REMARK


def _digest(instances: Instances) -> str:
    """Eight hexadecimal digits of what is studied."""
    digest = hashlib.sha256(repr((instances.measures, instances.groups)).encode())
    for array in (instances.values, instances.positive, instances.group):
        digest.update(array.tobytes())
    return digest.hexdigest()[:8]


def _show(result: Result[Findings], _: Iterable[Table], console: Console) -> None:
    """Print the conclusions; a table has none."""
    if result.judged:
        rows = [row[:3] for row in conclusions_table(result).rows]
        console.write_table(rows, left=3)


STUDY = Study(_add_options, _find, lambda _: (), document, show=_show, written="study")
add_arguments = STUDY.add_options


def run_command(options: argparse.Namespace, console: Console) -> int:
    """Study corpora or a table; write the document."""
    _check(options)
    return STUDY.run(options, console)
