"""``weps meta qarla``: measures that tell people from systems, alone and together."""

from __future__ import annotations

import argparse
from collections.abc import Iterator

from eval.cli.meta_options import write_results
from eval.meta.qarla import Triples
from eval.meta.qarla_sets import Linkage
from eval.report.claims import judge_claims
from eval.studies.base import Result, check_outputs, study_signature
from eval.studies.options import add_pairwise_options, input_remarks, pairwise_input_of
from eval.studies.pairwise_source import PairwiseRequest
from eval.studies.qarla.claims import CLAIMS
from eval.studies.qarla.findings import Findings, QarlaSettings
from eval.studies.qarla.report import brief_tables, build_document, study_data
from weps._version import VERSION
from weps.cli.console import Console
from weps.cli.options import choice_parser

__all__ = ["arguments", "run"]

_LARGEST = 1_000


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    add_pairwise_options(parser)
    parser.add_argument(
        "--triples",
        type=choice_parser(Triples),
        choices=list(Triples),
        default=Triples.DISTINCT,
        help="which three references an output is compared by: three different ones (4 references "
        "are needed), two compared with one another and any third (3), or any (2) (default: "
        "distinct)",
    )
    parser.add_argument(
        "--clusters",
        type=_number,
        default=10,
        metavar="K",
        help="put the measures into K clusters, and try every set of the best one of each "
        "(default: 10)",
    )
    parser.add_argument(
        "--linkage",
        type=choice_parser(Linkage),
        choices=list(Linkage),
        default=Linkage.SET,
        help="how close two clusters are: as two sets of measures, or by the mean, the least or "
        "the greatest agreement of their members (default: set)",
    )
    parser.add_argument(
        "--size", type=_number, metavar="K", help="try sets of up to K measures (default: any)"
    )


def run(options: argparse.Namespace, console: Console) -> int:
    """Compare the texts, ask QARLA, print the tables, write what is asked for."""
    check_outputs(options)
    triples: Triples = options.triples
    wanted = PairwiseRequest(fewest=triples.fewest + 1, remedy=_remedy(triples))
    compared = pairwise_input_of(options, console, wanted)
    findings = Findings(
        compared,
        QarlaSettings(triples, options.clusters, options.linkage, options.size, options.seed),
    )
    remarks = list(_remarks(findings))
    judgements = judge_claims(CLAIMS, findings)
    study = Result(
        compared.title, findings, judgements, remarks, _signature(findings), options.line
    )
    tables = brief_tables(study)
    return write_results(
        options, console, study, tables, document=build_document(study), data=study_data(study)
    )


def _remedy(triples: Triples) -> str:
    looser = [
        f"{each} ({each.fewest + 1} references)" for each in Triples if each.fewest < triples.fewest
    ]
    return "give topics with more references" + (
        f", or choose --triples {' or '.join(looser)}" if looser else ""
    )


def _remarks(findings: Findings) -> Iterator[str]:
    """What the reader must know."""
    compared = findings.compared
    yield from input_remarks(compared)
    if not compared.among_peers:
        yield "Outputs are not compared with one another, so there is no JACK."
    judged_by = {each.criterion for each in findings.agreements}
    if lacking := [each for each in compared.criteria if each not in judged_by]:
        told = ", ".join(lacking)
        yield f"Too few systems were judged on common topics to be correlated: {told}."
    if not compared.is_uniform:
        yield (
            "References or systems differ from topic to topic, so nobody is taken for a system "
            "throughout."
        )


def _signature(findings: Findings) -> str:
    """The settings that determine the figures, in one line."""
    settings = findings.settings
    source = dict([findings.compared.digest.split(":", 1)])
    return study_signature(
        **source,
        topics=len(findings.compared.topics),
        measures=len(findings.compared.measures),
        triples=settings.triples,
        clusters=f"{settings.clusters}/{settings.linkage}",
        **({"size": settings.size} if settings.size else {}),
        seed=settings.seed,
        weps=VERSION,
    )


def _number(text: str) -> int:
    """A number of sets or measures, as argparse wants it."""
    if not text.isdecimal() or not 1 <= int(text) <= _LARGEST:
        raise argparse.ArgumentTypeError(f"expected a number from 1 to {_LARGEST:,}, got {text!r}")
    return int(text)
