"""Made-up answers: people as sets of ranks, whatever the pages hold."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from hypothesis import strategies as st

from weps.people.answer import Answer, ExplainedMerge, PageScore, Person, RelatedPage

Pair = tuple[int, int]


def answer_of(
    *people: Collection[int],
    merges: Sequence[tuple[Pair, float]] = (),
    closest: Mapping[int, tuple[int, float]] | None = None,
    nearest: Mapping[int, int] | None = None,
    **parts: object,
) -> Answer:
    """An answer with these people, ids from 1; parts of the answer are given by name."""
    closest, nearest = closest or {}, nearest or {}

    def page(rank: int) -> PageScore:
        return PageScore(
            rank,
            f"http://{rank}.example",
            f"Page {rank}",
            0.4 if rank in nearest else 0.9,
            nearest=nearest.get(rank),
            closest=RelatedPage(*closest[rank]) if rank in closest else None,
            fingerprint=f"{rank:012x}",
        )

    found = tuple(
        Person(number, 0.9, tuple(page(rank) for rank in sorted(ranks)))
        for number, ranks in enumerate(people, start=1)
    )
    united = tuple(ExplainedMerge(pages, probability) for pages, probability in merges)
    usual = {"name": "Ann Example", "model": "", "signature": ""}
    return Answer(people=found, merges=united, **{**usual, **parts})


def partitions(most: int = 7) -> st.SearchStrategy[list[frozenset[int]]]:
    """Some of the ranks below a number, each in one group; groups in any order."""
    return st.lists(st.integers(0, 4), max_size=most).map(_grouped)


def _grouped(numbers: Sequence[int]) -> list[frozenset[int]]:
    """Rank → its group; group 0 is not there."""
    return [
        frozenset(rank for rank, group in enumerate(numbers) if group == number)
        for number in dict.fromkeys(numbers)
        if number
    ]
