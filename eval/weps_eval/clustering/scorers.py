"""The two official WePS scorers: one set of measures, two ways to align answer and key.

Scores of many names are averaged, with a signature that states how they were computed.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean, stdev
from typing import Any

from weps._version import VERSION
from weps.errors import FeatureError, KeyFileError
from weps.records import Clustering
from weps.sources.base import Source
from weps_eval.clustering.measures import MEASURES, Comparison

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
