"""The cards of a report: one for each group of pages to display."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from weps.people.answer import Answer
from weps.people.description import ContextEntity
from weps.report.safe_text import CleanText, visible_texts
from weps.report.view import Group, Query

__all__ = ["Card", "Cards", "cards_of"]

_LONGEST_WORD = 40
_ENTITY_KINDS = {"person": "People", "organisation": "Organisations", "location": "Places"}


@dataclass(frozen=True, slots=True)
class Card:
    """A group of pages: its description, the context entities, and why the pages are together."""

    group: Group
    words: list[CleanText]
    """Key terms beyond those of the label."""
    context_entities: list[tuple[str, list[tuple[ContextEntity, CleanText]]]]
    """Heading and names of each kind, each name with the ranks of the group's pages that have it
    near the name searched for; kinds without names are left out."""
    query: Query | None
    """What finds the pages again."""
    merges: list[tuple[tuple[int, int], float, bool]]
    """The merges that made the person: ranks of two pages, ascending; probability; and whether the
    answer explains the pair. Empty for a group that is no person of the answer: the script fills
    in those."""


@dataclass(frozen=True, slots=True)
class Cards:
    """All cards, by the part of the report that they are in."""

    sure: list[Card]
    unsure: list[Card]
    """People all of whose pages are unsure."""
    others: list[Card]
    """Groups that only other thresholds make people."""


def cards_of(answer: Answer, groups: Sequence[Group]) -> Cards:
    """The cards of all groups.

    Args:
        answer: the answer.
        groups: of the answer, see :func:`~weps.report.view.groups_of`.
    """
    cards = [_card(answer, group) for group in groups]
    people = [(card, card.group.person) for card in cards]
    return Cards(
        sure=[card for card, person in people if person and not person.unsure],
        unsure=[card for card, person in people if person and person.unsure],
        others=[card for card, person in people if not person],
    )


def _card(answer: Answer, group: Group) -> Card:
    description = group.description
    entities = [(each, CleanText(" ".join(map(str, each.ranks)))) for each in description.names]
    by_kind = (
        (heading, [each for each in entities if each[0].kind == kind])
        for kind, heading in _ENTITY_KINDS.items()
    )
    return Card(
        group,
        visible_texts(description.words, _LONGEST_WORD),
        [(heading, names) for heading, names in by_kind if names],
        Query.from_refinement(answer.name, description.refinement, len(group.pages)),
        list(_merges_of(answer, group)) if group.person else [],
    )


def _merges_of(answer: Answer, group: Group) -> Iterator[tuple[tuple[int, int], float, bool]]:
    ranks = {page.rank for page in group.pages}
    for merge in answer.merges:
        if merge.kept and ranks.issuperset(merge.pages):
            pair = (min(merge.pages), max(merge.pages))
            yield pair, merge.probability, pair in answer.pairs
