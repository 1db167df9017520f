"""Changes as JSON and in plain words; ``docs/schema/changes.schema.json`` describes the JSON.

Both contain text from the web, which must be escaped for HTML.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from weps._formatting import count_of, cut_text, format_probability, join_items
from weps.people.answer import Answer
from weps.report.wording import feature_words
from weps.results.changes import Change, ChangeKind

__all__ = ["change_data", "describe_change", "describe_changes", "summarise_changes"]


def change_data(change: Change, answer: Answer) -> dict[str, Any]:
    """A change as JSON data; ``before`` and the fields of ``pair`` only where they exist.

    Args:
        change: one difference.
        answer: the new answer.
    """
    before = {} if change.before is None else {"before": change.before}
    return {
        "kind": str(change.kind),
        "person": change.person,
        **before,
        "pages": list(change.pages),
        **_reason_data(change, answer),
    }


def _reason_data(change: Change, answer: Answer) -> dict[str, Any]:
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


_SENTENCES = {
    ChangeKind.MERGED: "{before} is one person with {person} now",
    ChangeKind.SPLIT: "{pages} of {before} became a person apart, {person}",
    ChangeKind.MOVED: "{pages} went from {before} to {person}",
    ChangeKind.NEW: "{pages} became a new person, {person}",
    ChangeKind.JOINED: "{pages} joined {person}",
}
_SEPARATING_KINDS = (ChangeKind.SPLIT, ChangeKind.NEW)
_COUNTS = {
    ChangeKind.JOINED: ("page joined a person who was there", "pages joined people who were there"),
    ChangeKind.NEW: ("new person", "new people"),
    ChangeKind.MERGED: ("person merged with another", "people merged with another"),
    ChangeKind.SPLIT: ("split", "splits"),
    ChangeKind.MOVED: (
        "move of old pages to another person",
        "moves of old pages to another person",
    ),
}
_MAX_LENGTH = 50
"""Characters of a label or a shared string."""
_MAX_STRINGS = 2
_MAX_PAGES = 8


def summarise_changes(changes: Sequence[Change], unchanged: int) -> str:
    """The numbers of changes, on one line.

    Args:
        changes: all of them.
        unchanged: number of old pages that stayed with their person.
    """
    kinds = [each.kind for each in changes]
    told = [count_of(kinds.count(kind), *words) for kind, words in _COUNTS.items() if kind in kinds]
    stayed = f"{count_of(unchanged, 'old page')} stayed where {_stayed_verb(unchanged)}"
    return "; ".join([*told, stayed])


def describe_change(change: Change, answer: Answer, labels: Mapping[int, str]) -> str:
    """A change and its reason, on one line.

    Args:
        change: one difference.
        answer: the new answer.
        labels: of the earlier people, by id.
    """
    known = {**labels, **{person.id: person.label for person in answer.people}}
    happened = _SENTENCES[change.kind].format(
        person=_person_text(change.person, known),
        before=_person_text(change.before, known),
        pages=_pages_text(change.pages),
    )
    return f"{happened}{_reason_text(change, answer)}"


def describe_changes(
    changes: Sequence[Change], answer: Answer, labels: Mapping[int, str], most: int
) -> list[str]:
    """The first changes in words, and the number of others; see :func:`describe_change`."""
    shown = [describe_change(each, answer, labels) for each in changes[:most]]
    others = len(changes) - most
    return [*shown, f"and {count_of(others, 'other change')}"] if others > 0 else shown


def _stayed_verb(pages: int) -> str:
    return "it was" if pages == 1 else "they were"


def _person_text(id_: int | None, labels: Mapping[int, str]) -> str:
    label = labels.get(id_ or 0, "")
    return f"person {id_} ({_shorten_text(label)})" if label else f"person {id_}"


def _pages_text(ranks: Sequence[int]) -> str:
    return f"page{'s' * (len(ranks) != 1)} {join_items(ranks, _MAX_PAGES)}"


def _reason_text(change: Change, answer: Answer) -> str:
    """The probability, and the two pages that explain it."""
    if change.pair is None or change.probability is None:
        return ""
    first, second = change.pair
    if change.by_user:
        return f", as you said of pages {first} and {second}"
    shows = "nearest are" if change.kind in _SEPARATING_KINDS else "best seen by"
    certain = format_probability(change.probability)
    return (
        f": {certain} to be one, {shows} pages {first} and {second}{_shared_text(change, answer)}"
    )


def _shared_text(change: Change, answer: Answer) -> str:
    """The first strings that the two pages share, else the first feature that they share."""
    evidence = change.evidence(answer)
    strings = dict.fromkeys(
        _shorten_text(each) for one in evidence for each in one.shared[:_MAX_STRINGS]
    )
    if strings:
        quoted = (f"“{each}”" for each in list(strings)[:_MAX_STRINGS])
        return f", which share {', '.join(quoted)}"
    return f" ({feature_words(evidence[0].feature)})" if evidence else ""


def _shorten_text(text: str) -> str:
    return cut_text(" ".join(text.split()), _MAX_LENGTH)
