"""Made-up people and findings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import count

from weps_eval.studies.refinements.findings import AGGREGATES, Findings, Person, RefinementOutcome

_RANKS = count(1)


def outcome(
    f: float = 1.0, precision: float = 1.0, recall: float = 1.0, text: str = "x"
) -> RefinementOutcome:
    return RefinementOutcome(precision, recall, f, 1, (text,))


def person(
    found: Mapping[str, float | RefinementOutcome | None], pages: int = 3, name: str = "ANN_LEE"
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
    return Person(name, "PAINTER", tuple(next(_RANKS) for _ in range(pages)), outcomes)


def findings(*people: Person, names: Sequence[str] = ()) -> Findings:
    known = dict.fromkeys([*names, *(each.name for each in people)])
    return Findings(tuple(known), people)


def uniform(
    found: Mapping[str, float | RefinementOutcome | None],
    sizes: Sequence[int] = (1, 2, 3),
    names: int = 4,
) -> Findings:
    """The same people for every name, so that intervals have no width."""
    return findings(
        *(person(found, pages, f"NAME_{name}") for name in range(names) for pages in sizes)
    )
