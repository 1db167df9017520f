"""Changes as JSON; ``docs/schema/changes.schema.json`` describes it."""

from __future__ import annotations

from typing import Any

from weps.changes.differences import Change
from weps.people import Answer

__all__ = ["as_data"]


def as_data(change: Change, answer: Answer) -> dict[str, Any]:
    """A change; ``before``, ``pair`` and what belongs to it only where there is something to say.

    Args:
        change: one difference.
        answer: who is who now.
    """
    before = {} if change.before is None else {"before": change.before}
    return {
        "kind": str(change.kind),
        "person": change.person,
        **before,
        "pages": list(change.pages),
        **_reason(change, answer),
    }


def _reason(change: Change, answer: Answer) -> dict[str, Any]:
    if change.pair is None:
        return {}
    return {
        "pair": list(change.pair),
        "probability": change.probability,
        "evidence": [
            {"feature": each.feature, "shared": list(each.shared)}
            for each in change.evidence(answer)
        ],
    }
