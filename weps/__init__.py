"""Web people search: which of the pages found for a name are about the same person, and why.

answer = weps.cluster("resources/demo")

The names in ``__all__`` are the public interface (docs/api.md); they are imported when used.
"""

from importlib import import_module
from typing import TYPE_CHECKING

from weps._version import VERSION

if TYPE_CHECKING:
    from weps.answering import CorrectableAnswer, cluster
    from weps.clusterer import PeopleClusterer
    from weps.corrections.model import Corrections
    from weps.errors import WepsError
    from weps.features.plugins import load_feature
    from weps.features.registry import register_feature
    from weps.model import Model, ModelSet, load, pretrained
    from weps.people.answer import Answer, Person
    from weps.reading import Reader
    from weps.records import Clustering, Document, Page, Search
    from weps.report.view import Report
    from weps.report.writing import write_report
    from weps.results.stored import read_result
    from weps.results.updating import update
    from weps.similarity.table import PairTable
    from weps.sources.base import Source
    from weps.sources.opening import open_source
    from weps.training.fitting import train

__all__ = [
    "Answer",
    "Clustering",
    "CorrectableAnswer",
    "Corrections",
    "Document",
    "Model",
    "ModelSet",
    "Page",
    "PairTable",
    "PeopleClusterer",
    "Person",
    "Reader",
    "Report",
    "Search",
    "Source",
    "WepsError",
    "cluster",
    "load",
    "load_feature",
    "open_source",
    "pretrained",
    "read_result",
    "register_feature",
    "train",
    "update",
    "write_report",
]

__version__ = VERSION

_NAMES = {
    "weps.answering": ("CorrectableAnswer", "cluster"),
    "weps.clusterer": ("PeopleClusterer",),
    "weps.corrections.model": ("Corrections",),
    "weps.errors": ("WepsError",),
    "weps.features.plugins": ("load_feature",),
    "weps.features.registry": ("register_feature",),
    "weps.model": ("Model", "ModelSet", "load", "pretrained"),
    "weps.people.answer": ("Answer", "Person"),
    "weps.reading": ("Reader",),
    "weps.records": ("Clustering", "Document", "Page", "Search"),
    "weps.report.view": ("Report",),
    "weps.report.writing": ("write_report",),
    "weps.results.stored": ("read_result",),
    "weps.results.updating": ("update",),
    "weps.similarity.table": ("PairTable",),
    "weps.sources.base": ("Source",),
    "weps.sources.opening": ("open_source",),
    "weps.training.fitting": ("train",),
}
_MODULE_OF = {name: module for module, names in _NAMES.items() for name in names}


def __getattr__(name: str) -> object:
    """Import a public name when it is first asked for."""
    if name not in _MODULE_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_MODULE_OF[name]), name)


def __dir__() -> list[str]:
    return [*sorted(__all__), "__version__"]
