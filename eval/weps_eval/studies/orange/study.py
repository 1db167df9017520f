"""``weps meta orange``: measures that rank references before outputs, and whether people agree."""

from __future__ import annotations

import argparse
from collections.abc import Iterator

from weps.cli.console import Console
from weps_eval.meta.orange import Listing
from weps_eval.meta.qarla import Triples
from weps_eval.report.claims import judge_claims
from weps_eval.studies.base import SYSTEMS_TOO, Result, Study
from weps_eval.studies.options import (
    add_choice,
    add_pairwise_options,
    input_remarks,
    pairwise_input_of,
)
from weps_eval.studies.orange.claims import CLAIMS, sample_size
from weps_eval.studies.orange.findings import Findings, Settings
from weps_eval.studies.orange.report import report_data, report_document, report_tables
from weps_eval.studies.pairwise import PairwiseRequest

_TIES = {"0": 0.0, "half": 0.5, "1": 1.0}


def _add_options(parser: argparse.ArgumentParser) -> None:
    add_pairwise_options(parser)
    add_choice(
        parser,
        "--listing",
        Listing.TOGETHER,
        "for the average rank: each reference in its own list with the outputs, or all references "
        "in one list, as in Lin and Och",
    )
    parser.add_argument(
        "--ties",
        choices=list(_TIES),
        default="0",
        help="how a reference and an output of equal value count in ORANGE (default: 0)",
    )
    add_choice(
        parser,
        "--triples",
        Triples.DISTINCT,
        "for KING: the triples of references that an output is compared with",
    )


def _find(options: argparse.Namespace, console: Console) -> Result[Findings]:
    request = PairwiseRequest(among_peers=options.keep is not None)
    compared = pairwise_input_of(options, console, request)
    settings = Settings(options.listing, _TIES[options.ties], options.triples, options.seed)
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
        listing=settings.listing,
        ties=settings.ties,
        triples=settings.triples,
    )


def _remarks(findings: Findings) -> Iterator[str]:
    compared = findings.compared
    yield from input_remarks(compared)
    if findings.qarla is None:
        fewest = findings.settings.triples.fewest + 1
        yield f"Topics have fewer than {fewest} references, so there is no KING."
    if not compared.criteria:
        yield "There are no human scores, so likeness is not compared with acceptability."
    for number, criterion in enumerate(compared.criteria):
        if not compared.instances.judged_singly(number):
            yield f"By {criterion} people judged whole systems, or nothing; not single outputs."


STUDY = Study(_add_options, _find, report_tables, report_document, report_data)
add_arguments, run_command = STUDY.add_options, STUDY.run
