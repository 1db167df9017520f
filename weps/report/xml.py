"""The answer in the official WePS format, which the WePS scorers read."""

from __future__ import annotations

from weps.report.contents import Report
from weps.sources import clustering_xml

__all__ = ["as_xml"]


def as_xml(report: Report) -> str:
    """One ``<entity>`` per person, labels as its ``name``, ranks ascending."""
    return clustering_xml(report.answer.clustering, report.answer.name)
