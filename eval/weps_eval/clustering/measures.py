"""The measures of a clustering, baselines, and the two official WePS scorers.

Purity and inverse purity are how much of each group its best counterpart covers; pair measures
count pairs that are together or apart in the answer and in the key. Tables and the JSON of
``evaluate`` are made from this registry. The scorers differ in how they align answer and key;
scores of many names are averaged, with a signature that states how they were computed.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from statistics import fmean, stdev
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from weps._version import VERSION
from weps.errors import FeatureError, KeyFileError, ValuesError
from weps.records import Clustering
from weps.sources.base import Source
from weps_eval.clustering.bcubed import (
    BCubed,
    Groups,
    Membership,
    Neighbours,
    bcubed,
    bcubed_of,
    disjoint_labels,
    from_groups,
)


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


class PairConfusion(NamedTuple):
    """Unordered pairs of different items; *together* means sharing at least one group."""

    both: int
    """Together in the answer and in the key."""
    answer_only: int
    key_only: int
    neither: int

    @property
    def rand(self) -> float:
        """The Rand statistic: the share of pairs on which both agree; 1 without pairs."""
        return (self.both + self.neither) / sum(self) if sum(self) else 1.0

    @property
    def jaccard(self) -> float:
        """Pairs together in both over pairs together in either; 1 where there are none."""
        either = self.both + self.answer_only + self.key_only
        return self.both / either if either else 1.0

    @property
    def fowlkes_mallows(self) -> float:
        """The geometric mean of pair precision and pair recall (Fowlkes and Mallows 1983).

        1 where the answer or the key puts no pair together: the formula gives 0 / 0 there, and
        this is what the official scorers print, even for one page per group.
        """
        answer, key = self.both + self.answer_only, self.both + self.key_only
        return self.both / math.sqrt(answer * key) if answer and key else 1.0


def pair_confusion(neighbours: Neighbours) -> PairConfusion:
    """Count the pairs of items, from what is known of every item's neighbours."""
    items = neighbours.items
    both, answer, key = (
        # Every item that stands in a group is its own neighbour; each pair is seen from both ends.
        round(float(items @ (sums - (sums > 0))) / 2)
        for sums in (neighbours.in_both, neighbours.in_answer, neighbours.in_key)
    )
    total = round(items.sum())
    neither = total * (total - 1) // 2 - answer - key + both
    return PairConfusion(both, answer - both, key - both, neither)


class Purity(NamedTuple):
    """Two shares of memberships, each in [0, 1]."""

    purity: float
    inverse: float


def purity(answer: Membership, key: Membership) -> Purity:
    """Purity and inverse purity, sizes summed with overlap (Artiles, Gonzalo and Sekine 2007).

    Purity is ``Σ_C max_L |C ∩ L| / Σ_C |C|`` over the answer groups C and key groups L; inverse
    purity swaps the two. Items that only the answer holds make its groups larger and so lower
    purity. Both matrices are binary, of shape (items, groups); a side without groups gives 0.
    """
    common = (answer.T @ key).tocoo()
    return Purity(_covered(common.row, common.data, answer), _covered(common.col, common.data, key))


def _covered(group: NDArray[Any], common: NDArray[Any], groups: Membership) -> float:
    """The share of the memberships in ``groups`` that each group has in common with its best."""
    best = np.zeros(groups.shape[1], dtype=np.int64)
    np.maximum.at(best, group, common)
    return float(best.sum() / groups.nnz) if groups.nnz else 0.0


class Comparison:
    """One answer and its key as groups of integer items, counted on first use.

    Items that only the answer holds lower its purity.
    """

    def __init__(self, answer: Groups, key: Groups) -> None:
        self._answer, self._key = answer, key

    @cached_property
    def bcubed(self) -> BCubed:
        """Extended B-Cubed precision and recall."""
        labels = disjoint_labels(self._answer, self._key)
        return bcubed(*labels) if labels else bcubed_of(self._neighbours)

    @cached_property
    def purity(self) -> Purity:
        """Purity and inverse purity."""
        return purity(*self._memberships)

    @cached_property
    def pairs(self) -> PairConfusion:
        """Pairs of items together in both, either or neither."""
        return pair_confusion(self._neighbours)

    @cached_property
    def _neighbours(self) -> Neighbours:
        return Neighbours.of(*self._memberships)

    @cached_property
    def _memberships(self) -> tuple[Membership, Membership]:
        return from_groups(self._answer, self._key)


def bcubed_score(labels_true: ArrayLike, labels_pred: ArrayLike, *, alpha: float = 0.5) -> float:
    """B-Cubed F of an answer, with the arguments of the metrics of scikit-learn.

    F = 1 / (α / precision + (1 - α) / recall) of the means over items, see
    :func:`weps_eval.clustering.bcubed.bcubed`, which is
    what ``weps evaluate`` writes as ``bcubed_f05``. A negative whole number means no group, such as
    the -1 of pages that are set aside: of the answer, the item's recall is 0; of the key, it is not
    judged.

    Args:
        labels_true: shape (items,), of any type that can be sorted: the key.
        labels_pred: the same shape: the answer.
        alpha: weight of precision, from 0 to 1; 0.5 and 0.2 are those of the WePS campaigns.

    Returns:
        From 0 to 1.

    Raises:
        KeyFileError: if the labels do not fit each other, or none is judged.
        ValuesError: if alpha is out of range.
    """
    if not 0 <= alpha <= 1:
        raise ValuesError(f"expected a weight from 0 to 1, got {alpha}", where="alpha")
    return f_measure(*bcubed(_as_integers(labels_pred), _as_integers(labels_true)), alpha)


def _as_integers(labels: ArrayLike) -> NDArray[Any]:
    """Labels of any type as whole numbers; those that are whole numbers stay as they are."""
    vector = np.asarray(labels)
    if vector.ndim != 1 or np.issubdtype(vector.dtype, np.integer):
        return vector
    return np.unique(vector, return_inverse=True)[1]


def f_measure(precision: float, recall: float, alpha: float) -> float:
    """1 / (α / precision + (1 - α) / recall), 0 where either is 0 (van Rijsbergen 1979)."""
    if not precision or not recall:
        return 0.0
    return 1 / (alpha / precision + (1 - alpha) / recall)


class Measure(NamedTuple):
    """One figure about an answer; higher is better and 1 the most."""

    heading: str
    """Heading in tables."""
    meaning: str
    """Meaning of the heading, for legends."""
    value: Callable[[Comparison], float]


MEASURES = {
    # Amigó, Gonzalo, Artiles and Verdejo 2009, Information Retrieval 12
    "bcubed_precision": Measure("BEP", "B-Cubed precision", lambda found: found.bcubed.precision),
    "bcubed_recall": Measure("BER", "B-Cubed recall", lambda found: found.bcubed.recall),
    "bcubed_f05": Measure(
        "F0.5",
        "F of B-Cubed, precision and recall weighted alike",
        lambda found: f_measure(*found.bcubed, 0.5),
    ),
    "bcubed_f02": Measure(
        "F0.2",
        "F of B-Cubed, recall weighted four times as much",
        lambda found: f_measure(*found.bcubed, 0.2),
    ),
    # Artiles, Gonzalo and Sekine 2007, SemEval task 13
    "purity": Measure("P", "purity", lambda found: found.purity.purity),
    "inverse_purity": Measure("IP", "inverse purity", lambda found: found.purity.inverse),
    "purity_f05": Measure(
        "PF0.5",
        "F of purity and inverse purity, weighted alike",
        lambda found: f_measure(*found.purity, 0.5),
    ),
    "purity_f02": Measure(
        "PF0.2",
        "F of purity and inverse purity, the latter weighted four times as much",
        lambda found: f_measure(*found.purity, 0.2),
    ),
    # Halkidi, Batistakis and Vazirgiannis 2001, JIIS 17
    "rand": Measure("Rand", "Rand statistic, over pairs of pages", lambda found: found.pairs.rand),
    "jaccard": Measure(
        "Jacc", "Jaccard coefficient, over pairs of pages", lambda found: found.pairs.jaccard
    ),
    "fowlkes_mallows": Measure(
        "FM",
        "Fowlkes–Mallows index, over pairs of pages",
        lambda found: found.pairs.fowlkes_mallows,
    ),
}
"""Every measure by name, in the order in which tables show them."""


Scores = Mapping[str, Mapping[str, float]]
"""Name searched for → measure → value."""
_Sets = list[frozenset[int]]


@dataclass(frozen=True, slots=True)
class Scorer:
    """Scores answers by a rule for which documents count and what a missing one costs."""

    name: str
    missing: str
    """Treatment of key documents that the answer misses, as signatures write it."""
    persons: Callable[[Clustering, Collection[int]], _Sets]
    """The key's groups as scored, from the key and the ranks in the corpus."""
    groups: Callable[[Clustering, frozenset[int]], _Sets]
    """The answer's groups as scored, from the answer and the documents that count."""

    def documents(self, key: Clustering, ranks: Collection[int]) -> frozenset[int]:
        """The documents that count: those that the baselines cover."""
        return frozenset().union(*self.persons(key, ranks))

    def scores(
        self,
        answer: Clustering | None,
        key: Clustering,
        ranks: Collection[int],
        measures: Iterable[str] = tuple(MEASURES),
    ) -> dict[str, float]:
        """The measures of one name; all are 0 where there is no answer.

        That is the rule of scorer 1.2, kept for 1.1 too: its own rules would call a name that was
        never answered perfectly precise.

        Args:
            answer: groups of ranks, or None.
            key: the correct groups.
            ranks: those in the corpus for the name (WePS-2: ``inWepsCorpus="yes"``).
            measures: those wanted.

        Raises:
            KeyFileError: if no document counts.
        """
        persons = self.persons(key, ranks)
        if not persons:
            raise KeyFileError(
                "no document to score", where="key", remedy="leave this name out of the evaluation"
            )
        if answer is None:
            return dict.fromkeys(measures, 0.0)
        found = Comparison(self.groups(answer, frozenset().union(*persons)), persons)
        return {name: MEASURES[name].value(found) for name in measures}

    def signature(self, source: Source, names: Sequence[str]) -> str:
        """Everything that decides the mean over these names, in one line to print beside it."""
        parts = {
            "bcubed": "extended",
            "scorer": self.name,
            "missing": self.missing,
            "mean": "names",
            "names": len(names),
            "corpus": f"sha256-{source.digest(names).removeprefix('sha256-')[:8]}",
            "weps": VERSION,
        }
        return "|".join(f"{part}:{value}" for part, value in parts.items())


def _all_groups(clustering: Clustering, _documents: Collection[int]) -> _Sets:
    return list(clustering.groups)


def _within(groups: Iterable[frozenset[int]], documents: Collection[int]) -> _Sets:
    """The groups cut down to the documents; empty ones are gone."""
    return [kept for group in groups if (kept := group.intersection(documents))]


def _key_within_corpus(key: Clustering, ranks: Collection[int]) -> _Sets:
    """Corpus documents that the annotators neither grouped nor discarded form one person."""
    kept = frozenset(ranks) - key.discarded
    return _within([*key.groups, kept - key.ranks], kept)


def _missing_in_one_group(answer: Clustering, documents: frozenset[int]) -> _Sets:
    return _within([*answer.groups, documents - answer.ranks], documents)


SCORING_RULES = {
    # 1.1: a missing document has precision 1 and recall 0, a discarded one lowers purity.
    "weps1": Scorer("weps1", "precision-1-recall-0", _all_groups, _all_groups),
    # 1.2: missing documents form one group, documents outside the key are left out.
    "weps2": Scorer("weps2", "one-cluster", _key_within_corpus, _missing_in_one_group),
}
"""The official scorers by name."""
_OFFICIAL = {"weps-1": "weps1", "weps-2": "weps2"}


def get_scoring_rule(name: str) -> Scorer:
    """The scorer of that name; raises FeatureError for an unknown one."""
    if name not in SCORING_RULES:
        raise FeatureError(
            "unknown scorer", where=name, remedy=f"choose from {', '.join(SCORING_RULES)}"
        )
    return SCORING_RULES[name]


def scorer_for(source: Source, name: str | None = None) -> Scorer:
    """The scorer of that name, else the official one of the source's layout.

    Saved pages are scored as WePS-2 was, whose scorer forgives what the key discards.

    Raises:
        FeatureError: if there is no such scorer.
    """
    return get_scoring_rule(name or _OFFICIAL.get(source.layout, "weps2"))


def score(
    answer: Clustering | None, key: Clustering, ranks: Collection[int] = (), rule: str = "weps2"
) -> dict[str, float]:
    """Every measure of the answer for one name, by the rules of a WePS campaign.

    Args:
        answer: groups of ranks; all measures are 0 where there is none.
        key: the correct groups.
        ranks: of all results of the name; by default those that the key mentions.
        rule: ``weps1`` (scorer 1.1) or ``weps2`` (scorer 1.2).

    Raises:
        FeatureError: if there is no such rule.
        KeyFileError: if no page of the key counts.
    """
    return get_scoring_rule(rule).scores(answer, key, ranks or {*key.discarded}.union(*key.groups))


def bcubed_f05(answer: Clustering, key: Clustering, ranks: Collection[int]) -> float:
    """B-Cubed F0.5 by the rules of WePS-2: what thresholds are learnt for."""
    return SCORING_RULES["weps2"].scores(answer, key, ranks, ["bcubed_f05"])["bcubed_f05"]


def mean_scores(scores: Scores) -> dict[str, float]:
    """The mean over names of every measure; F is not taken of means."""
    return {measure: fmean(values) for measure, values in _by_measure(scores).items()}


def standard_errors(scores: Scores) -> dict[str, float]:
    """The standard error of every mean: s / √n, with n - 1 in s; nan for a single name."""
    return {
        measure: stdev(values) / math.sqrt(len(values)) if len(values) > 1 else math.nan
        for measure, values in _by_measure(scores).items()
    }


def scores_data(scores: Scores) -> dict[str, Any]:
    """The scores of a system in JSON form: of names, their mean, and its standard error."""
    errors = standard_errors(scores)
    return {
        "names": {name: dict(of_name) for name, of_name in scores.items()},
        "mean": mean_scores(scores),
        "standard_error": {key: None if math.isnan(e) else e for key, e in errors.items()},
    }


def _by_measure(scores: Scores) -> dict[str, list[float]]:
    rows = list(scores.values())
    return {measure: [row[measure] for row in rows] for measure in (rows[0] if rows else ())}
