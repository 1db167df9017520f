"""``weps study``: the studies of the papers, each a command of its own."""

from __future__ import annotations

import argparse

from weps.cli.commands import Command, add_commands

__all__ = ["arguments"]

_STUDIES = {
    "features": Command(
        "eval.studies.features.study",
        "which evidence earns its place: PWA, MaxPWA, redundancy (EMNLP 2009)",
    ),
    "key-terms": Command(
        "eval.studies.key_terms.study",
        "where key concepts stand in sentences, and which weightings find them (COLING 2004)",
    ),
    "refinements": Command(
        "eval.studies.refinements.study",
        "what to add to a name to find one person: the best query refinements (ACL-IJCNLP 2009)",
    ),
}


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the studies."""
    add_commands(parser, "study", _STUDIES)
