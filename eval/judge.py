"""A judge: the scorer that suits a source, and the signature of its scores."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from eval.clustering import Scorer, scorer, signature
from weps.records import Clustering
from weps.sources import Source
from weps.version import VERSION

__all__ = ["Judge", "bcubed_f05", "judge_for"]

_OFFICIAL = {"weps-1": "weps1", "weps-2": "weps2"}


@dataclass(frozen=True, slots=True)
class Judge:
    """Scores the answers for the names of one source."""

    scorer: Scorer

    def scores(
        self, answer: Clustering | None, key: Clustering, ranks: Collection[int]
    ) -> dict[str, float]:
        """Every measure of an answer; all 0 where there is none."""
        return self.scorer.score(answer, key, ranks)

    def signature(self, source: Source, names: Sequence[str]) -> str:
        """How the mean over these names is made."""
        digest = source.digest(names)
        return signature(self.scorer, names=len(names), corpus=digest, version=VERSION)


def judge_for(source: Source, name: str | None = None) -> Judge:
    """The judge with the scorer of that name, else with the official one of the source's layout.

    Saved pages are scored as WePS-2 was, whose scorer forgives what the key discards.

    Raises:
        FeatureError: if there is no such scorer.
    """
    return Judge(scorer(name or _OFFICIAL.get(source.layout, "weps2")))


def bcubed_f05(answer: Clustering, key: Clustering, ranks: Collection[int]) -> float:
    """B-Cubed F0.5 by the rules of WePS-2: what thresholds are learnt for."""
    return scorer("weps2").score(answer, key, ranks, ["bcubed_f05"])["bcubed_f05"]
