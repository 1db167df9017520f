"""``weps meta``: which answers are better, and which measures are reliable."""

from __future__ import annotations

import argparse

from weps.cli.commands import Command, add_commands

__all__ = ["arguments"]

_STUDIES = {
    "qarla": Command(
        "eval.studies.qarla.study",
        "measures that tell people from systems: QUEEN, KING and JACK (ACL 2005)",
    ),
    "orange": Command(
        "eval.studies.orange.study",
        "measures that rank references before outputs, and whether people agree (2004, 2006)",
    ),
    "heterogeneity": Command(
        "eval.studies.heterogeneity.study",
        "how far measures differ, and how reliable they are together (2011)",
    ),
    "hbr": Command(
        "eval.studies.hbr.study",
        "outputs ranked by many measures without people: heterogeneity-based ranking (2012)",
    ),
    "improvements": Command(
        "eval.studies.improvements.study",
        "which improvements of systems measures see: SIP, SIR, oracle system test (2009)",
    ),
    "correlation": Command(
        "eval.studies.correlation.study",
        "how far measures agree with people, by systems and by outputs",
    ),
    "regression": Command(
        "eval.studies.regression.study",
        "scores of people estimated from measures: voted regression and its rivals (2006, 2007)",
    ),
}


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the studies."""
    add_commands(parser, "study", _STUDIES)
