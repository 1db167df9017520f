"""``weps meta improvements SOURCE``: which improvements of systems measures see."""

from __future__ import annotations

import argparse
import hashlib
import math
from collections.abc import Iterator
from pathlib import Path

from eval.cli.meta_options import finish
from eval.meta.improvements import LEVEL, Test
from eval.report.claims import brief_claims_table as claims_table
from eval.report.claims import judge_claims, rough_intervals
from eval.studies.base import Result, check_outputs, signature
from eval.studies.improvements.claims import CONCLUSIONS
from eval.studies.improvements.findings import Asked, Findings, Official, examined, read_official
from eval.studies.improvements.report import brief_table, document, study_data
from eval.studies.measures import JudgedJudged, Scored, criteria_of, judged_by
from eval.studies.options import add_combined, add_criterion, add_options, criterion_in, source_of
from weps._formatting import listed
from weps._version import VERSION
from weps.cli.console import Console
from weps.cli.options import one_of, probability
from weps.errors import ValuesError

__all__ = ["arguments", "run"]

_BY_SYSTEM = (
    "People judged whole systems, not single outputs: nothing is said of low and high scores, of "
    "decreases and of the oracle system."
)


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    add_options(parser, "a testbed or a measure matrix, with human scores")
    add_criterion(parser)
    parser.add_argument(
        "--official",
        type=Path,
        metavar="TABLE",
        help="improvements by people as WMT publishes them (ad-DA-diff-wilcoxon-rs-….csv), instead "
        "of tests of their scores",
    )
    parser.add_argument(
        "--stars",
        type=int,
        choices=(1, 2, 3),
        default=1,
        help="with --official: stars of an improvement at least (1: p < .05, 2: .01, 3: .001; "
        "default: 1)",
    )
    parser.add_argument(
        "--test",
        type=one_of(Test),
        choices=list(Test),
        default=Test.SIGNED_RANK,
        help="Wilcoxon's: paired by topic, or not paired (default: signed-rank)",
    )
    parser.add_argument(
        "--level",
        type=probability,
        default=LEVEL,
        metavar="P",
        help=f"greatest p of an improvement, one-sided (default: {LEVEL})",
    )
    parser.add_argument(
        "--chosen",
        metavar="SYSTEM",
        default="",
        help="the system against which unseen losses of quality are looked for; in the paper the "
        "human-aided one",
    )
    parser.add_argument(
        "--scale",
        nargs=2,
        type=float,
        metavar=("LOW", "HIGH"),
        help="scores that people can give (default: those that they gave)",
    )
    add_combined(parser)


def run(options: argparse.Namespace, console: Console) -> int:
    """Examine, print, write what is asked for."""
    check_outputs(options)
    scale = _scale(options)
    scored = source_of(options, console, criterion_in(options))
    outputs = _outputs(scored, options).with_combined(options.ulc)
    official = _official(outputs, options)
    asked = Asked(options.test, options.level, options.chosen, scale, options.seed)
    found = examined(outputs, asked, official, console.work)
    told = signature(
        source=scored.digest, measures=len(scored.matrix.measures), human=outputs.criterion or "–",
        official=_digest(options),
        chosen=options.chosen or "–", scale="{:g} to {:g}".format(*scale) if scale else "–",
        test=options.test, level=options.level, ulc=options.ulc, seed=options.seed, weps=VERSION,
    )  # fmt: skip
    remarks = [
        outputs.told,
        *scored.remarks,
        *_remarks(found, official, options),
        *rough_intervals(len(outputs.topics)),
    ]
    judgements = judge_claims(CONCLUSIONS, found)
    study = Result(scored.title, found, judgements, remarks, told, options.line)
    tables = [brief_table(found), claims_table(judgements)]
    return finish(options, console, study, tables, document=document(study), data=study_data(study))


def _digest(options: argparse.Namespace) -> str:
    if options.official is None:
        return "–"
    digest = hashlib.sha256(options.official.read_bytes()).hexdigest()[:8]
    return f"sha256-{digest}, {options.stars}"


def _scale(options: argparse.Namespace) -> tuple[float, float] | None:
    """The ends of the scale.

    Raises:
        ValuesError: if they are not two.
    """
    if options.scale is None:
        return None
    low, high = options.scale
    if not -math.inf < low < high < math.inf:
        what = f"a scale cannot go from {low:g} to {high:g}"
        raise ValuesError(what, where="--scale", remedy="give two numbers, the lower first")
    return low, high


def _outputs(scored: Scored, options: argparse.Namespace) -> JudgedJudged:
    if options.official and not scored.matrix.criteria:
        return judged_by(scored, "")
    outputs = judged_by(scored, criteria_of(scored)[0])
    if outputs.is_by_system and not options.official:
        what = f"people judged whole systems by {outputs.criterion}, not single outputs"
        remedy = "give scores of single outputs, or tests of systems with --official"
        raise ValuesError(what, where=scored.title, remedy=remedy)
    return outputs


def _official(outputs: JudgedJudged, options: argparse.Namespace) -> Official | None:
    if options.official is None:
        return None
    return read_official(options.official, outputs.systems, options.stars)


def _remarks(
    found: Findings, official: Official | None, options: argparse.Namespace
) -> Iterator[str]:
    if found.judged.is_by_system:
        yield _BY_SYSTEM
    if official:
        yield (
            f"Improvements by people are those of {options.official.name}, {options.stars} star"
            + (" or more." if options.stars == 1 else "s or more.")
        )
        if official.unknown:
            yield f"Systems of that table that are not at hand: {listed(official.unknown)}."
        if missing := [each for each in found.judged.systems if each not in official.systems]:
            yield f"Systems that are not in that table: {listed(missing)}."
    if found.decrease is not None:
        yield (
            f"In the paper the chosen system is human-aided; {options.chosen} stands in for it "
            "here."
        )
