"""What the entity labels of the usual pipelines mean here."""

from __future__ import annotations

__all__ = ["KINDS"]

_LABELS = {
    "person": "PERSON PER PRS persName",
    "location": "LOCATION LOC GPE GPE_LOC FAC FACILITY placeName geogName",
    "organisation": "ORGANISATION ORGANIZATION ORG GPE_ORG orgName",
    "event": "EVENT EVT EVN",
    "product": "PRODUCT PROD WORK_OF_ART WRK",
}
"""Kind → labels: ours, OntoNotes (English, Chinese, …), WikiNER (French, Spanish, …), NorNE
(Norwegian), SUC (Swedish), NKJP (Polish). Nationalities, dates and numbers are no entities here."""

KINDS = {label: kind for kind, labels in _LABELS.items() for label in labels.split()}
"""Label → kind."""
