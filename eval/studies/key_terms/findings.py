"""Everything the study finds out about one collection of topics: means over them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from math import isnan

import numpy as np
from numpy.typing import NDArray

from eval.stats.estimate import Estimate, estimate_instance_share
from eval.studies.key_terms.topics import LONGEST, Places, Topic
from weps.key_terms.weighting import WEIGHTINGS

__all__ = ["LENGTH", "LENGTHS", "Findings"]

LENGTHS = (10, 50)
LENGTH = LENGTHS[-1]
"""Terms of the lists that the paper compares."""

Vector = NDArray[np.float64]


@dataclass(frozen=True)
class Findings:
    """Topics of one kind. All means are over topics, which are resampled for the intervals."""

    title: str
    kind: str
    topics: tuple[Topic, ...]
    seed: int = 0

    @cached_property
    def weightings(self) -> tuple[str, ...]:
        """Those that were studied for every topic."""
        return tuple(
            name for name in WEIGHTINGS if all(name in each.curves for each in self.topics)
        )

    @property
    def tagged(self) -> bool:
        """Whether it is known where words stand."""
        return any(each.places for each in self.topics)

    def probability(self, place: str) -> Estimate:
        """That a word there is one of a key concept; topics without a word there are left out."""
        return self._mean(_value(each.places, place) for each in self.topics)

    def ahead(self, first: str, second: str) -> Estimate:
        """Probability at one place minus that at another, topic by topic."""
        return self._mean(self.differences(first, second))

    def differences(self, first: str, second: str) -> list[float]:
        """The difference of each topic; nan if it has no word at one of the places."""
        return [_value(each.places, first) - _value(each.places, second) for each in self.topics]

    def count_higher(self, first: str, second: str) -> str:
        """In how many of the topics with words at both places the first is more probable."""
        known = [each for each in self.differences(first, second) if not isnan(each)]
        return f"{sum(each > 0 for each in known)} of {len(known)}"

    def recall(self, weighting: str, length: int = LENGTH) -> Estimate:
        """R of the first terms."""
        return self._mean(each.curves[weighting].recall_at(length) for each in self.topics)

    def noise(self, weighting: str, length: int = LENGTH) -> Estimate:
        """Noise of the first terms."""
        return self._mean(each.curves[weighting].noise_at(length) for each in self.topics)

    def recall_ahead(self, first: str, second: str, length: int | None = LENGTH) -> Estimate:
        """R with one weighting minus R with another, topic by topic.

        Args:
            first: the one.
            second: the other.
            length: of the lists; None for as many terms as both lists have, at most
                :data:`LENGTH`.
        """
        return self._mean(_recall_ahead(each, first, second, length) for each in self.topics)

    def curve(self, weighting: str) -> tuple[Vector, Vector]:
        """Shapes (LONGEST + 1,): mean noise and mean recall of lists of 0, 1, … terms.

        A list that ends before stays as it is.
        """
        curves = [each.curves[weighting] for each in self.topics]
        noise = np.mean([each.noises(LONGEST) for each in curves], axis=0)
        return noise, np.mean([each.recalls(LONGEST) for each in curves], axis=0)

    def considered(self, weighting: str) -> Estimate:
        """Share of the distinct content words of a topic that are candidates."""
        return self._mean(each.candidates[weighting] / each.words for each in self.topics)

    def median_candidates(self, weighting: str) -> float:
        """Length of the list of the middle topic."""
        return float(np.median([each.candidates[weighting] for each in self.topics]))

    def _mean(self, values: Iterable[float]) -> Estimate:
        found = np.array(list(values), dtype=np.float64)
        known = ~np.isnan(found)
        return estimate_instance_share(
            np.nan_to_num(found), known.astype(np.float64), seed=self.seed
        )


def _value(places: Places, place: str) -> float:
    return places[place].value if place in places else np.nan


def _recall_ahead(topic: Topic, first: str, second: str, length: int | None) -> float:
    one, other = topic.curves[first], topic.curves[second]
    terms = min(LENGTH, one.length, other.length) if length is None else length
    return one.recall_at(terms) - other.recall_at(terms)
