"""The evaluation layer: how good an answer is, and which evidence earned it.

The names in ``__all__`` are the public interface (docs/api.md); they are imported when used.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from eval.benchmark.trials import cross_validate
    from eval.clustering.bcubed import bcubed
    from eval.clustering.measures import bcubed_score, purity
    from eval.clustering.scorers import score
    from eval.meta.heterogeneity.hbr import hbr
    from eval.meta.qarla import king, queen
    from eval.meta.regression.learners import vrm
    from eval.ranking.pwa import auc, max_pwa, pwa, redundancy
    from eval.stats.estimate import Estimate
    from eval.stats.significance import compare
    from eval.text.run import score_testbed
    from eval.text.testbed import read_testbed

__all__ = [
    "Estimate",
    "auc",
    "bcubed",
    "bcubed_score",
    "compare",
    "cross_validate",
    "hbr",
    "king",
    "max_pwa",
    "purity",
    "pwa",
    "queen",
    "read_testbed",
    "redundancy",
    "score",
    "score_testbed",
    "vrm",
]

_NAMES = {
    "eval.benchmark.trials": ("cross_validate",),
    "eval.clustering.bcubed": ("bcubed",),
    "eval.clustering.measures": ("bcubed_score", "purity"),
    "eval.clustering.scorers": ("score",),
    "eval.meta.heterogeneity.hbr": ("hbr",),
    "eval.meta.qarla": (
        "king",
        "queen",
    ),
    "eval.meta.regression.learners": ("vrm",),
    "eval.ranking.pwa": (
        "auc",
        "max_pwa",
        "pwa",
        "redundancy",
    ),
    "eval.stats.estimate": ("Estimate",),
    "eval.stats.significance": ("compare",),
    "eval.text.run": ("score_testbed",),
    "eval.text.testbed": ("read_testbed",),
}
_MODULE_OF = {name: module for module, names in _NAMES.items() for name in names}


def __getattr__(name: str) -> object:
    """Import a public name when it is first asked for."""
    if name not in _MODULE_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_MODULE_OF[name]), name)


def __dir__() -> list[str]:
    return sorted(__all__)
