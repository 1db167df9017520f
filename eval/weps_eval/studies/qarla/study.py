"""``weps meta qarla``: measures that distinguish people from systems, alone and together."""

from __future__ import annotations

import argparse
from collections.abc import Iterator

from weps.cli.console import Console
from weps.cli.options import number_parser
from weps_eval.meta.qarla import Judges, Linkage, Triples
from weps_eval.report.claims import judge_claims
from weps_eval.studies.base import SYSTEMS_TOO, Result, Study
from weps_eval.studies.options import (
    add_choice,
    add_pairwise_options,
    input_remarks,
    pairwise_input_of,
)
from weps_eval.studies.pairwise import PairwiseRequest
from weps_eval.studies.qarla.claims import CLAIMS, sample_size
from weps_eval.studies.qarla.findings import Findings, QarlaSettings
from weps_eval.studies.qarla.report import report_data, report_document, report_tables

_LARGEST = 1_000
_parse_size = number_parser(
    int, f"a number from 1 to {_LARGEST:,}", lambda size: 1 <= size <= _LARGEST
)


def _add_options(parser: argparse.ArgumentParser) -> None:
    add_pairwise_options(parser)
    add_choice(
        parser,
        "--triples",
        Triples.DISTINCT,
        "the triples of references that an output is compared with: three different references "
        "(needs 4 per topic), two different ones and any third (needs 3), or any (needs 2)",
    )
    add_choice(
        parser,
        "--models",
        Judges.LEFT_OUT,
        "for KING: the references that judge a reference and the outputs: all except that "
        "reference, or all including it, as in the formula of 2005",
    )
    parser.add_argument(
        "--clusters",
        type=_parse_size,
        default=10,
        metavar="K",
        help="group the measures into K clusters, and try every set made of the best measures of "
        "clusters (default: 10)",
    )
    add_choice(
        parser,
        "--linkage",
        Linkage.SET,
        "how the agreement of two clusters is computed: of the two as sets of measures, or as the "
        "mean, lowest or highest agreement of their members",
    )
    parser.add_argument(
        "--size",
        type=_parse_size,
        metavar="K",
        help="try sets of up to K measures (default: any)",
    )


def _find(options: argparse.Namespace, console: Console) -> Result[Findings]:
    triples: Triples = options.triples
    request = PairwiseRequest(fewest=triples.fewest + 1, remedy=_remedy(triples))
    compared = pairwise_input_of(options, console, request)
    settings = QarlaSettings(
        triples, options.clusters, options.linkage, options.size, options.seed, options.models
    )
    findings = Findings(compared, settings)
    return Result.of(
        options,
        findings,
        judge_claims(CLAIMS, findings, sample_size),
        list(_remarks(findings)),
        sample=SYSTEMS_TOO,
        title=compared.title,
        digest=compared.digest,
        topics=len(compared.topics),
        measures=len(compared.measures),
        triples=triples,
        models=settings.judges,
        clusters=f"{settings.clusters}/{settings.linkage}",
        size=settings.size,
    )


def _remedy(triples: Triples) -> str:
    looser = [
        f"{each} ({each.fewest + 1} references)" for each in Triples if each.fewest < triples.fewest
    ]
    return "give topics with more references" + (
        f", or choose --triples {' or '.join(looser)}" if looser else ""
    )


def _remarks(findings: Findings) -> Iterator[str]:
    compared = findings.compared
    yield from input_remarks(compared)
    if not compared.among_peers:
        yield "Outputs are not compared with one another, so there is no JACK."
    judged_by = {each.criterion for each in findings.agreements}
    if lacking := [each for each in compared.criteria if each not in judged_by]:
        names = ", ".join(lacking)
        yield f"Too few systems were judged on common topics to be correlated: {names}."
    if not compared.is_uniform:
        yield "References or systems differ between topics, so no person is treated as a system."


STUDY = Study(_add_options, _find, report_tables, report_document, report_data)
add_arguments, run_command = STUDY.add_options, STUDY.run
