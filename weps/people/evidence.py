"""Why two pages are, or are not, together: what they share, and the effect on the classifier.

Shared strings are listed strongest first, with their rarity.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import islice
from typing import Annotated, Any

import numpy as np
from annotated_types import Ge, MaxLen, MinLen
from numpy.typing import NDArray

from weps._formatting import round_probability
from weps.coreference.base import Calibration, clipped_logit
from weps.coreference.classifiers import (
    EPSILON,
    Classifier,
    Effect,
    group_effects,
)
from weps.features.bags import common_values
from weps.features.name import name_form, name_forms
from weps.features.registry import Feature, FeatureKind
from weps.features.words import PUNCTUATION
from weps.records import ALWAYS, NonEmpty, Probability, Rank, in_schema
from weps.similarity.columns import PairTable, Similarity

_MAX_FEATURES = 5
_MAX_STRINGS = 6
"""Strings shown of one feature; runs of all lengths share it, the longest first."""
_MAX_CANDIDATES = 60
"""Shared strings considered, the rarest first; copies of a page share thousands."""
_MIN_COSINE = 0.5
"""Cosine of vectors from which on two texts are said to mean much the same."""
_MAX_COMPARED_WORDS = 12
"""Words of a string that decide whether it is redundant."""


@dataclass(frozen=True, slots=True)
class SharedFeature:
    """A feature that two pages share."""

    feature: NonEmpty
    """Name of the feature, e.g. ngram(n=3, local=true)."""
    shared: tuple[str, ...]
    """The rarest strings on both pages; empty for a flag such as linked."""


@dataclass(frozen=True, slots=True)
class Evidence(SharedFeature):
    """A feature in which two pages stand out."""

    pages: tuple[Annotated[int, Ge(1)], ...] = field(default=(), metadata=ALWAYS)
    """The number of the name's pages that have each of these strings."""


def shared_evidence(
    pairs: Sequence[tuple[int, int]], table: PairTable
) -> list[tuple[Evidence, ...]]:
    """For each pair the features in which it ranks highest among all pairs of its name.

    Second-order similarities (``profile``) share no strings and are left out. Parts of a shared
    run of words are not listed again.

    Args:
        pairs: rows of two pages each, ascending.
        table: the similarities of all pairs.
    """
    first, second = np.array(pairs, dtype=np.int64).reshape(-1, 2).T
    # Pages share what they are compared by directly: strings, or a link or domain.
    direct = [
        column
        for column, each in enumerate(table.similarities)
        if not each.base and (not each.feature.flag or each.feature.family == "link")
    ]
    compared = [table.similarities[column].feature for column in direct]
    values = table.values[table.pairs.positions(first, second)][:, direct]
    surpassed = np.empty(values.shape, dtype=np.int64)
    for place, column in enumerate(direct):
        surpassed[:, place] = np.searchsorted(np.sort(table.values[:, column]), values[:, place])
    ordered = np.argsort(-surpassed, axis=1, kind="stable")
    least = [_MIN_COSINE if each.kind is FeatureKind.VECTORS else 0.0 for each in compared]
    return [
        _pair_evidence(*pair, [compared[place] for place in places if alike[place]], table)
        for pair, places, alike in zip(pairs, ordered, values > np.array(least), strict=True)
    ]


def _pair_evidence(
    first: int, second: int, features: Sequence[Feature], table: PairTable
) -> tuple[Evidence, ...]:
    """Evidence that two pages share in the first few of the features."""
    shared: dict[Feature, dict[str, int]] = {}
    selected: dict[Feature, tuple[str, ...]] = {}
    waiting = iter(dict.fromkeys(features))
    while further := list(islice(waiting, _MAX_FEATURES - len(shared))):
        for compared in further:
            bags = table.bags.get(compared)
            shared[compared] = {}
            if bags:  # those on the fewest pages of the name first, then the longest
                starts, indices = bags.counts.indptr, bags.counts.indices
                ours, theirs = (indices[starts[row] : starts[row + 1]] for row in (first, second))
                columns = common_values(ours, theirs)
                # A number of pages has 16 bits, which are sorted without comparing.
                times = bags.frequency[columns].astype(np.uint16)
                order = np.argsort(times, kind="stable")[:_MAX_CANDIDATES]
                strings = map(bags.strings.__getitem__, columns[order].tolist())
                found = zip(strings, times[order].tolist(), strict=True)
                shared[compared] = dict(sorted(found, key=lambda each: (each[1], -len(each[0]))))
        selected = _select_strings(shared)
        # A longer run may have made all strings of a feature redundant.
        shared = {each: shared[each] for each in selected}
    return tuple(
        Evidence(compared.name, strings, tuple(shared[compared][each] for each in strings))
        for compared, strings in selected.items()
    )


def _select_strings(shared: Mapping[Feature, Iterable[str]]) -> dict[Feature, tuple[str, ...]]:
    """The shared strings to show; features without any are left out.

    Left out is what is part or continuation of a string that is shown. Runs continue each other
    where the end of one, more than half of the other's words, is the beginning of the other.
    """
    shown = "\n"  # the words of each with a blank around them, line by line
    selected: dict[Feature, list[str]] = {feature: [] for feature in shared}
    number_shown: Counter[tuple[object, ...]] = Counter()
    for feature in sorted(
        shared,
        key=lambda each: max(map(len, map(_compared_words, shared[each])), default=0),
        reverse=True,
    ):
        # Runs of all lengths are one kind.
        kind = feature.function, *sorted({**feature.parameters, "n": None}.items())
        for string in shared[feature]:
            words = _compared_words(string)
            if words and (
                f" {' '.join(words)} " in shown
                or any(
                    f" {' '.join(words[:size])} \n" in shown
                    or f"\n {' '.join(words[-size:])} " in shown
                    for size in range(len(words) // 2 + 1, len(words))
                )
            ):
                continue
            if number_shown[kind] == _MAX_STRINGS:
                break
            number_shown[kind] += 1
            selected[feature].append(string)
            shown += f" {' '.join(words)} \n"
    return {
        feature: tuple(strings)
        for feature, strings in selected.items()
        if strings or feature.kind is not FeatureKind.BAGS
    }


@lru_cache(maxsize=1 << 14)
def _compared_words(string: str) -> tuple[str, ...]:
    """The words, without punctuation at the ends."""
    return tuple(string.strip(f"{PUNCTUATION} ").split()[:_MAX_COMPARED_WORDS])


_MIN_EFFECT = 0.05
"""On the log odds; smaller effects are not shown."""
_MAX_EFFECTS = 6


@dataclass(frozen=True, slots=True)
class ExplainedPair:
    """Why two pages are, or are not, about one person."""

    pages: tuple[Rank, Rank] = field(metadata=in_schema(uniqueItems=True))
    """Ranks, ascending."""
    probability: Probability
    """Calibrated, that both pages are about one person; 1 or 0 where a correction decides."""
    evidence: tuple[Evidence, ...] = field(default=(), metadata=ALWAYS)
    """The features in which the two pages stand out most among all pairs, strongest first."""
    baseline: float | None = None
    """Log odds of a pair that has no evidence; with the effects they are those of the probability,
    unless a correction changed it. Absent without effects."""
    effects: Annotated[tuple[Effect, ...], MinLen(1)] = ()
    """Contributions of kinds of evidence to the log odds, largest first; absent where nothing
    decided."""
    names: Annotated[tuple[str, ...], MinLen(2), MaxLen(2)] = ()
    """How the two pages write the name; absent where that has no effect."""
    said: str = field(default="", metadata=in_schema(enum=["same", "different"]))
    """Statement of a correction about the two; absent where there is none."""

    @classmethod
    def of_data(cls, data: Any) -> ExplainedPair:
        """The explanation that was kept as JSON."""
        evidence = (
            Evidence(each["feature"], tuple(each["shared"]), tuple(each["pages"]))
            for each in data["evidence"]
        )
        parts = {
            "pages": tuple(data["pages"]),
            "evidence": tuple(evidence),
            "effects": tuple(Effect(**each) for each in data["effects"]),
            "names": tuple(data["names"]),
        }
        return cls(**data | parts)


def explain_pairs(
    pairs: Sequence[tuple[int, int]],
    table: PairTable,
    classifier: Classifier,
    calibration: Calibration,
) -> Iterator[ExplainedPair]:
    """Explain pairs of one name's n pages, whether they are together or not, without corrections.

    They are explained by the effect of each kind of evidence on the log odds. Baseline and effects
    add up to the log odds of the calibrated probability to two decimals.

    Args:
        pairs: rows of two pages each, ascending; they are among those compared.
        table: the similarities that the classifier knows.
        classifier: what scored the pairs.
        calibration: of its probabilities.
    """
    first, second = np.array(pairs, dtype=np.int64).reshape(-1, 2).T
    values, analysis = table.values[table.pairs.positions(first, second)], table.analysis
    probability = calibration(classifier.predict(values))
    for pair, probable, evidence, (baseline, effects) in zip(
        pairs,
        probability.tolist(),
        shared_evidence(pairs, table),
        _pair_effects(classifier, calibration.slope, table.similarities, values, probability),
        strict=True,
    ):
        by_name = any(each.kind == name_form.__name__ for each in effects)
        forms = (name_forms(analysis)[row] for row in pair if by_name)
        yield ExplainedPair(
            pages=(analysis.documents[pair[0]].rank, analysis.documents[pair[1]].rank),
            probability=round_probability(probable),
            evidence=evidence,
            baseline=baseline if effects else None,
            effects=effects,
            names=tuple(form.written(analysis.name) for form in forms if form),
        )


def _pair_effects(
    classifier: Classifier,
    slope: float,
    similarities: Sequence[Similarity],
    values: NDArray[np.float32],
    probability: NDArray[np.float64],
) -> Iterator[tuple[float, tuple[Effect, ...]]]:
    """For each pair the baseline and the largest effects on the log odds of its probability.

    The effect ``profile`` is that of all second-order evidence: that two pages resemble the same
    other pages; ``other`` that of all evidence whose own effect is not shown.
    """
    kinds: defaultdict[str, list[int]] = defaultdict(list)
    for column, each in enumerate(similarities):
        if not each.feature.of_name:  # which is part of the baseline
            kinds["profile" if each.order > 1 else each.feature.function].append(column)
    odds = clipped_logit(probability, EPSILON)
    effects = slope * group_effects(classifier, values, list(kinds.values()))
    for row, own in zip(effects.round(2), odds, strict=True):
        largest = sorted(map(Effect, kinds, row.tolist()), key=lambda each: -abs(each.effect))
        shown = [each for each in largest[:_MAX_EFFECTS] if abs(each.effect) >= _MIN_EFFECT]
        rest = round(float(row.sum()) - sum(each.effect for each in shown), 2)
        if abs(rest) >= _MIN_EFFECT:
            shown.append(Effect("other", rest))
        yield round(float(own) - sum(each.effect for each in shown), 2), tuple(shown)
