"""``weps meta orange``: measures that rank references before outputs, and whether people agree."""

from __future__ import annotations

import argparse
from collections.abc import Iterator

from eval.cli.meta_options import add_compared_options, compared_of, finish, told_of
from eval.meta.orange import Listing
from eval.meta.qarla import Triples
from eval.studies.base import Study, judged, signature
from eval.studies.orange.claims import CONCLUSIONS
from eval.studies.orange.findings import Findings, Settings
from eval.studies.orange.report import brief_tables, document, study_data
from eval.studies.pairwise_source import Wanted
from eval.studies.qarla import findings as qarla
from weps._version import VERSION
from weps.cli.console import Console
from weps.cli.options import one_of

__all__ = ["arguments", "run"]

_TIES = {"0": 0.0, "half": 0.5, "1": 1.0}


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    add_compared_options(parser)
    parser.add_argument(
        "--listing",
        type=one_of(Listing),
        choices=list(Listing),
        default=Listing.TOGETHER,
        help="for the average rank: each reference in a list of its own with the outputs, or all "
        "in one, as Lin and Och have it (default: together)",
    )
    parser.add_argument(
        "--ties",
        choices=list(_TIES),
        default="0",
        help="what a reference and an output of equal value count for ORANGE (default: 0)",
    )
    parser.add_argument(
        "--triples",
        type=one_of(Triples),
        choices=list(Triples),
        default=Triples.DISTINCT,
        help="for KING: which three references an output is compared by (default: distinct)",
    )


def run(options: argparse.Namespace, console: Console) -> int:
    """Compare the texts, rank references among outputs, print, write what is asked for."""
    compared = compared_of(options, console, Wanted(among_peers=options.keep is not None))
    settings = Settings(
        options.listing, _TIES[options.ties], qarla.Settings(options.triples, seed=options.seed)
    )
    findings = Findings(compared, settings)
    remarks = list(_remarks(findings))
    judgements = judged(CONCLUSIONS, findings)
    line = _signature(findings)
    study = Study(compared.title, findings, judgements, remarks, line, options.line)
    tables = brief_tables(study)
    return finish(options, console, study, tables, document=document(study), data=study_data(study))


def _remarks(findings: Findings) -> Iterator[str]:
    """What the reader must know."""
    yield from told_of(findings.compared)
    if findings.qarla is None:
        fewest = findings.settings.qarla.triples.fewest + 1
        yield f"Topics have fewer than {fewest} references, so there is no KING."
    if not findings.compared.criteria:
        yield "There are no human scores, so likeness is not compared with acceptability."
    instances = findings.compared.instances
    for number, criterion in enumerate(findings.compared.criteria):
        if not instances.judged_singly(number):
            yield f"By {criterion} people judged whole systems, or nothing; not single outputs."


def _signature(findings: Findings) -> str:
    settings = findings.settings
    source = dict([findings.compared.digest.split(":", 1)])
    return signature(
        **source,
        topics=len(findings.compared.topics),
        measures=len(findings.compared.measures),
        listing=settings.listing,
        ties=settings.ties,
        triples=settings.qarla.triples,
        seed=settings.seed,
        weps=VERSION,
    )
