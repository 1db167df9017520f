"""The evaluation layer: how good an answer is, and which evidence earned it.

The names in ``__all__`` are the public interface (docs/api.md); they are imported when used.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from weps_eval.benchmark.trials import cross_validate
    from weps_eval.clustering.bcubed import bcubed
    from weps_eval.clustering.measures import bcubed_score, purity
    from weps_eval.clustering.scorers import score
    from weps_eval.meta.heterogeneity.hbr import hbr
    from weps_eval.meta.qarla import king, queen
    from weps_eval.meta.regression.learners import vrm
    from weps_eval.ranking.pwa import auc, max_pwa, pwa, redundancy
    from weps_eval.stats.estimate import Estimate
    from weps_eval.stats.significance import compare
    from weps_eval.text.run import score_testbed
    from weps_eval.text.testbed import read_testbed

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
    "weps_eval.benchmark.trials": ("cross_validate",),
    "weps_eval.clustering.bcubed": ("bcubed",),
    "weps_eval.clustering.measures": ("bcubed_score", "purity"),
    "weps_eval.clustering.scorers": ("score",),
    "weps_eval.meta.heterogeneity.hbr": ("hbr",),
    "weps_eval.meta.qarla": (
        "king",
        "queen",
    ),
    "weps_eval.meta.regression.learners": ("vrm",),
    "weps_eval.ranking.pwa": (
        "auc",
        "max_pwa",
        "pwa",
        "redundancy",
    ),
    "weps_eval.stats.estimate": ("Estimate",),
    "weps_eval.stats.significance": ("compare",),
    "weps_eval.text.run": ("score_testbed",),
    "weps_eval.text.testbed": ("read_testbed",),
}
_MODULE_OF = {name: module for module, names in _NAMES.items() for name in names}


def __getattr__(name: str) -> object:
    """Import a public name when it is first asked for."""
    if name not in _MODULE_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_MODULE_OF[name]), name)


def __dir__() -> list[str]:
    return sorted(__all__)
