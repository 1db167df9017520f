"""The two official WePS scorers: one set of measures, two ways to line up answer and key."""

from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass

from eval.clustering.measures import MEASURES, compare
from weps.errors import FeatureError, KeyFileError
from weps.records import Clustering

__all__ = ["SCORERS", "Scorer", "scorer"]

Sets = list[frozenset[int]]


@dataclass(frozen=True, slots=True)
class Scorer:
    """A rule for which documents count and what a missing one costs."""

    name: str
    description: str
    missing: str
    """How key documents that the answer misses are treated, as signatures say it."""
    persons: Callable[[Clustering, Collection[int]], Sets]
    """The key's groups as scored, from the key and the ranks in the corpus."""
    groups: Callable[[Clustering, frozenset[int]], Sets]
    """The answer's groups as scored, from the answer and the documents that count."""

    def documents(self, key: Clustering, results: Collection[int]) -> frozenset[int]:
        """The documents that count: those that the baselines cover."""
        return frozenset().union(*self.persons(key, results))

    def score(
        self,
        answer: Clustering | None,
        key: Clustering,
        results: Collection[int],
        measures: Iterable[str] = tuple(MEASURES),
    ) -> dict[str, float]:
        """The measures of one name, by default every one; all are 0 where there is no answer.

        That is the rule of scorer 1.2, kept for 1.1 too: its own rules would call a name that was
        never answered perfectly precise.

        ``results`` are the ranks in the corpus for the name (WePS-2: ``inWepsCorpus="yes"``).
        Raises KeyFileError where no document counts.
        """
        persons = self.persons(key, results)
        if not persons:
            raise KeyFileError(
                "no document to score", where="key", remedy="leave this name out of the evaluation"
            )
        if answer is None:
            return dict.fromkeys(measures, 0.0)
        documents = frozenset().union(*persons)
        found = compare(self.groups(answer, documents), persons)
        return {name: MEASURES[name].value(found) for name in measures}


def scorer(name: str) -> Scorer:
    """The scorer of that name; raises FeatureError for an unknown one."""
    if name not in SCORERS:
        raise FeatureError("unknown scorer", where=name, remedy=f"choose from {', '.join(SCORERS)}")
    return SCORERS[name]


def _within(groups: Iterable[frozenset[int]], documents: Collection[int]) -> Sets:
    """The groups cut down to the documents; empty ones are gone."""
    return [kept for group in groups if (kept := group.intersection(documents))]


def _key_as_it_is(key: Clustering, _results: Collection[int]) -> Sets:
    return list(key.groups)


def _answer_as_it_is(answer: Clustering, _documents: frozenset[int]) -> Sets:
    return list(answer.groups)


def _key_within_corpus(key: Clustering, results: Collection[int]) -> Sets:
    """Corpus documents that the annotators neither grouped nor discarded form one person."""
    kept = frozenset(results) - key.discarded
    return _within([*key.groups, kept - key.ranks], kept)


def _missing_in_one_group(answer: Clustering, documents: frozenset[int]) -> Sets:
    return _within([*answer.groups, documents - answer.ranks], documents)


SCORERS = {
    declared.name: declared
    for declared in (
        Scorer(
            "weps1",
            "official scorer 1.1: a missing document has precision 1 and recall 0, "
            "a discarded one in the answer lowers purity",
            "precision-1-recall-0",
            _key_as_it_is,
            _answer_as_it_is,
        ),
        Scorer(
            "weps2",
            "official scorer 1.2: missing documents form one group, "
            "documents outside the key are left out",
            "one-cluster",
            _key_within_corpus,
            _missing_in_one_group,
        ),
    )
}
"""Every scorer by name."""
