"""``weps study``: the studies of the papers, each a command of its own."""

from __future__ import annotations

import argparse
import importlib

from weps.commands.console import Console
from weps.commands.options import add_quiet

__all__ = ["arguments", "run"]

_STUDIES = {
    "features": (
        "eval.commands.study_features",
        "which evidence earns its place: PWA, MaxPWA, redundancy (EMNLP 2009)",
    ),
    "key-terms": (
        "eval.commands.study_key_terms",
        "where key concepts stand in sentences, and which weightings find them (COLING 2004)",
    ),
    "refinements": (
        "eval.commands.study_refinements",
        "what to add to a name to find one person: the best query refinements (ACL-IJCNLP 2009)",
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
