"""The answer as JSON; ``docs/schema/cluster.schema.json`` describes it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from weps.people.answer import (
    Answer,
    ExplainedMerge,
    PageScore,
    Person,
    RelatedPage,
    SetAsidePage,
)
from weps.people.evidence import ExplainedPair
from weps.provenance import Collection, Provenance
from weps.report.view import Query, Report


def as_json(report: Report) -> str:
    """Everything in the answer but its alternatives, with its provenance.

    Each entry of a list has a line: the length is two thirds of that of indented JSON.
    """
    data = _non_empty(digest=report.provenance.digest)  # first, where it is looked for
    data |= _answer(report.answer) | _provenance(report.provenance)
    members = (f' "{key}": {_lines(value)}' for key, value in data.items())
    return "{\n" + ",\n".join(members) + "\n}\n"


def _lines(value: object) -> str:
    """A value as JSON; each entry of a list on a line of its own."""
    if not isinstance(value, list) or not value:
        return _ONE_LINE.encode(value)
    return "[\n  " + ",\n  ".join(map(_ONE_LINE.encode, value)) + "\n ]"


_ONE_LINE = json.JSONEncoder(ensure_ascii=False, allow_nan=False)


def _answer(answer: Answer) -> dict[str, Any]:
    return {
        "name": answer.name,
        "people": [_person(answer.name, person) for person in answer.people],
        "merges": [_merge(merge) for merge in answer.merges],
        "pairs": [_pair(pair, answer.similarities) for pair in answer.pairs.values()],
        "corrections": [str(each) for each in answer.corrections.entries],
        "model": answer.model,
        "signature": answer.signature,
        "absent_features": list(answer.missing_features),
        **_non_empty(set_aside=[_set_aside(page) for page in answer.set_aside]),
        **_non_empty(cautions=list(answer.cautions)),
        **_non_empty(unread=list(map(asdict, answer.unread))),
    }


def _provenance(provenance: Provenance) -> dict[str, Any]:
    """Where the pages are and what was chosen, so that pages can be added later."""
    usual = Provenance()
    optional = ("embeddings", "html", "keep_all", "last_id")
    rare = {name: getattr(provenance, name) for name in optional}
    return {
        "collected": [_collection(each) for each in provenance.collections],
        "settings": {
            "system": provenance.system,
            "model": provenance.model,
            "threshold": provenance.threshold,
            "language": provenance.language,
            **{name: value for name, value in rare.items() if value != getattr(usual, name)},
        },
    }


def _collection(collection: Collection) -> dict[str, Any]:
    """A source; ``ranks`` only where they differ from those of the result."""
    place = {"path": collection.path, "name": collection.name}
    return place if collection.ranks is None else {**place, "ranks": [*collection.ranks.items()]}


def _person(name: str, person: Person) -> dict[str, Any]:
    """A person; ``called``, ``line`` and ``refinement`` only where there is one."""
    return {
        "id": person.id,
        "label": person.label,
        **_non_empty(called=person.assigned_name),
        "confidence": person.confidence,
        "one_person": person.description.one_person,
        "expected_people": person.description.expected_people,
        "unsure": person.unsure,
        **_non_empty(line=person.description.line),
        "terms": list(person.terms),
        "words": list(person.description.words),
        "names": [
            {"text": each.text, "kind": each.kind, "pages": list(each.ranks)}
            for each in person.description.names
        ],
        **_refinement(Query.of(name, person)),
        "pages": [_page(page) for page in person.pages],
    }


def _refinement(query: Query | None) -> dict[str, Any]:
    if query is None:
        return {}
    figures = {"query": query.text, "precision": query.precision, "recall": query.recall}
    return {"refinement": figures}


def _page(page: PageScore) -> dict[str, Any]:
    """A page; what is empty is left out, but for address and title."""
    return {
        "rank": page.rank,
        "url": page.url,
        "title": page.title,
        "score": page.score,
        "unsure": page.unsure,
        **_non_empty(
            confirmed=page.confirmed,
            nearest=page.nearest,
            note=page.note,
            caution=page.caution,
            excerpt=page.excerpt,
            closest=_near(page.closest),
            rival=_near(page.rival),
            fingerprint=page.fingerprint,
            file=page.file,
            fetched=page.fetched,
        ),
        **({} if page.copy_of is None else {"copy_of": page.copy_of}),
    }


def _set_aside(page: SetAsidePage) -> dict[str, Any]:
    """A page that is set aside; what is empty is left out, but for address and title."""
    return {
        "rank": page.rank,
        "url": page.url,
        "title": page.title,
        "pile": page.pile,
        "reason": page.reason,
        **_non_empty(
            note=page.note,
            excerpt=page.excerpt,
            fingerprint=page.fingerprint,
            file=page.file,
            fetched=page.fetched,
        ),
    }


def _near(near: RelatedPage | None) -> dict[str, Any] | None:
    return {"rank": near.rank, "probability": near.probability} if near else None


def _non_empty(**fields: object) -> dict[str, Any]:
    """The fields that are not empty."""
    return {key: value for key, value in fields.items() if value}


def _merge(merge: ExplainedMerge) -> dict[str, Any]:
    return {"pages": list(merge.pages), "probability": merge.probability, "held": merge.kept}


def _pair(pair: ExplainedPair, similarities: Sequence[str]) -> dict[str, Any]:
    """A pair; ``effects`` with their ``baseline``, and what follows, only where there are any."""
    effects = [{"kind": each.kind, "effect": each.effect} for each in pair.effects]
    steps = [
        {
            "similarity": similarities[each.column],
            "value": each.value,
            "threshold": each.threshold,
            "probability": each.probability,
        }
        for each in pair.steps
    ]
    return {
        "pages": list(pair.pages),
        "probability": pair.probability,
        "evidence": [
            {"feature": each.feature, "shared": list(each.shared), "pages": list(each.pages)}
            for each in pair.evidence
        ],
        **({"baseline": pair.baseline} if effects else {}),
        **_non_empty(effects=effects, names=list(pair.names), steps=steps, said=pair.user_decision),
    }
