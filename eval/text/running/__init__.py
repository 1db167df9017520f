"""Measures of whole testbeds: computed topic by topic, kept as they come, summed up by system."""

from eval.text.running.keeping import Kept, digest_of, open_kept
from eval.text.running.needs import check_needs, dependencies
from eval.text.running.scoring import score_testbed
from eval.text.running.summary import FEWEST_SYSTEMS, Agreement, Means, agreement, system_means

__all__ = [
    "FEWEST_SYSTEMS",
    "Agreement",
    "Kept",
    "Means",
    "agreement",
    "check_needs",
    "dependencies",
    "digest_of",
    "open_kept",
    "score_testbed",
    "system_means",
]
