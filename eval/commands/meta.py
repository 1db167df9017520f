"""``weps meta``: which answers are better, and which measures deserve trust."""

from __future__ import annotations

import argparse
import importlib

from weps.commands.console import Console
from weps.commands.options import add_quiet

__all__ = ["arguments", "run"]

_STUDIES = {
    "qarla": (
        "eval.commands.meta_qarla",
        "measures that tell people from systems: QUEEN, KING and JACK (ACL 2005)",
    ),
    "orange": (
        "eval.commands.meta_orange",
        "measures that rank references before outputs, and whether people agree (2004, 2006)",
    ),
    "heterogeneity": (
        "eval.commands.meta_heterogeneity",
        "how far measures differ, and how reliable they are together (2011)",
    ),
    "hbr": (
        "eval.commands.meta_hbr",
        "outputs ranked by many measures without people: heterogeneity-based ranking (2012)",
    ),
    "improvements": (
        "eval.commands.meta_improvements",
        "which improvements of systems measures see: SIP, SIR, oracle system test (2009)",
    ),
    "correlation": (
        "eval.commands.meta_correlation",
        "how far measures agree with people, by systems and by outputs",
    ),
    "regression": (
        "eval.commands.meta_regression",
        "scores of people estimated from measures: voted regression and its rivals (2006, 2007)",
    ),
}
"""Study → its module and what it asks."""


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the studies and their options."""
    studies = parser.add_subparsers(dest="study", required=True, metavar="STUDY")
    for name, (module, purpose) in _STUDIES.items():
        study = studies.add_parser(
            name, help=purpose, description=f"{purpose[0].upper()}{purpose[1:]}."
        )
        importlib.import_module(module).arguments(study)
        add_quiet(study)


def run(options: argparse.Namespace, console: Console) -> int:
    """Run the chosen study."""
    return int(importlib.import_module(_STUDIES[options.study][0]).run(options, console))
