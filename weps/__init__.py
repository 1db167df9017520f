"""Web people search: which of the pages found for a name are about the same person, and why.

source = weps.open_source("resources/demo")
answer = weps.cluster(source.search("Robin Averdale"), weps.pretrained())
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from weps.errors import WepsError
    from weps.model import ModelSet, load, pretrained
    from weps.people.answer import Answer, Person
    from weps.pipeline import cluster
    from weps.reading import Reader
    from weps.records import Clustering, Document, Page, Search
    from weps.report.view import Report
    from weps.report.writing import write
    from weps.sources.base import Source
    from weps.sources.opening import open_source

__all__ = [
    "Answer",
    "Clustering",
    "Document",
    "ModelSet",
    "Page",
    "Person",
    "Reader",
    "Report",
    "Search",
    "Source",
    "WepsError",
    "cluster",
    "load",
    "open_source",
    "pretrained",
    "write",
]

_HOMES = {
    "weps.errors": ("WepsError",),
    "weps.model": ("ModelSet", "load", "pretrained"),
    "weps.people.answer": ("Answer", "Person"),
    "weps.pipeline": ("cluster",),
    "weps.reading": ("Reader",),
    "weps.records": ("Clustering", "Document", "Page", "Search"),
    "weps.report.view": ("Report",),
    "weps.report.writing": ("write",),
    "weps.sources.base": ("Source",),
    "weps.sources.opening": ("open_source",),
}
_HOME_OF = {name: module for module, names in _HOMES.items() for name in names}


def __getattr__(name: str) -> object:
    """Import a public name when it is first asked for: ``weps --help`` needs none of them."""
    if name not in _HOME_OF:
        raise AttributeError(f"module 'weps' has no attribute {name!r}")
    return getattr(import_module(_HOME_OF[name]), name)
