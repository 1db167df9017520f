"""Answers that need no system: what any score has to be read against."""

from collections.abc import Callable, Collection

from weps.records import Clustering

__all__ = ["BASELINES", "all_in_one", "combined", "one_in_one"]


def all_in_one(documents: Collection[int]) -> Clustering:
    """All documents about one person."""
    return Clustering((frozenset(documents),) if documents else ())


def one_in_one(documents: Collection[int]) -> Clustering:
    """Every document about a person of its own."""
    return Clustering(tuple(frozenset([document]) for document in sorted(set(documents))))


def combined(documents: Collection[int]) -> Clustering:
    """Both at once: each document in the one big group and in one of its own.

    It cheats purity, which sees the better of the two, and not B-Cubed.
    """
    return Clustering(all_in_one(documents).groups + one_in_one(documents).groups)


BASELINES: dict[str, Callable[[Collection[int]], Clustering]] = {
    baseline.__name__: baseline for baseline in (all_in_one, one_in_one, combined)
}
"""Every baseline by name; apply them to ``Scorer.documents``."""
