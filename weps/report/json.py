"""The answer as JSON; ``docs/schema/cluster.schema.json`` describes it."""

from __future__ import annotations

import json
from typing import Any

from weps.people import Answer, ExplainedMerge, PageScore, Person
from weps.report.contents import Report
from weps.report.queries import Query

__all__ = ["as_json"]


def as_json(report: Report) -> str:
    """Everything in the answer, indented, in the answer's order."""
    return json.dumps(_answer(report.answer), ensure_ascii=False, allow_nan=False, indent=1) + "\n"


def _answer(answer: Answer) -> dict[str, Any]:
    return {
        "name": answer.name,
        "people": [_person(answer.name, person) for person in answer.people],
        "merges": [_merge(merge) for merge in answer.merges],
        "model": answer.model,
        "signature": answer.signature,
        "absent_features": list(answer.absent_features),
    }


def _person(name: str, person: Person) -> dict[str, Any]:
    """A person; ``refinement`` only where there is one."""
    return {
        "id": person.id,
        "label": person.label,
        "confidence": person.confidence,
        "unsure": person.unsure,
        **_refinement(Query.of(name, person)),
        "pages": [_page(page) for page in person.pages],
    }


def _refinement(query: Query | None) -> dict[str, Any]:
    if query is None:
        return {}
    figures = {"query": query.text, "precision": query.precision, "recall": query.recall}
    return {"refinement": figures}


def _page(page: PageScore) -> dict[str, Any]:
    """A page; ``nearest`` and ``note`` only where there is something to say."""
    fields = {"rank": page.rank, "url": page.url, "title": page.title, "score": page.score}
    nearest = {} if page.nearest is None else {"nearest": page.nearest}
    note = {"note": page.note} if page.note else {}
    return {**fields, "unsure": page.unsure, **nearest, **note}


def _merge(merge: ExplainedMerge) -> dict[str, Any]:
    return {
        "pages": list(merge.pages),
        "probability": merge.probability,
        "evidence": [
            {"feature": each.feature, "shared": list(each.shared)} for each in merge.evidence
        ],
    }
