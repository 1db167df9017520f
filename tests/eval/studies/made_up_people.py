"""Made-up people with their best refinements."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from weps.reading import PageForm
from weps_eval.key_terms.refinements import AGGREGATES, Person, Refinement
from weps_eval.studies.refinements import RefinedPeople


def outcome(
    f: float = 1.0, precision: float = 1.0, recall: float = 1.0, text: str = "x"
) -> Refinement:
    return Refinement(precision, recall, f, 1, (text,))


def person(
    found: Mapping[str, float | Refinement | None], pages: int = 3, name: str = "ANN_LEE"
) -> Person:
    """A person; a number is the F of a refinement, the best of several kinds follow from them."""
    outcomes = {
        kind: outcome(best) if isinstance(best, float | int) else best
        for kind, best in found.items()
    }
    for aggregate, kinds in AGGREGATES.items():
        several = [outcomes[kind] for kind in kinds if kind in outcomes]
        if several and aggregate not in outcomes:
            known = [best for best in several if best]
            outcomes[aggregate] = max(known, key=lambda best: best.f) if known else None
    return Person(name, "PAINTER", tuple(range(1, pages + 1)), outcomes)


def refined(*people: Person) -> RefinedPeople:
    return RefinedPeople(
        title="WePS-2",
        digest="corpus:0",
        names=list(dict.fromkeys(each.name for each in people)),
        people=people,
        form=PageForm.TOKENS,
        remarks=["Known."],
    )


def uniform(
    found: Mapping[str, float | Refinement | None],
    sizes: Sequence[int] = (1, 2, 3),
    names: int = 4,
) -> RefinedPeople:
    """The same people for every name, so that intervals have no width."""
    return refined(
        *(person(found, pages, f"NAME_{name}") for name in range(names) for pages in sizes)
    )
