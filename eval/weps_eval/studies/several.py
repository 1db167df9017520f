"""Figures of several measures together, such as the highest of them, with intervals.

Kinds of measures that papers compare: those of words, and those of parts of speech, syntax and
named entities.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from enum import StrEnum
from functools import lru_cache

import numpy as np

from weps.errors import FeatureError
from weps_eval.meta import correlation
from weps_eval.stats import estimate
from weps_eval.stats.arrays import Floats
from weps_eval.stats.estimate import BootstrapSamples, Estimate
from weps_eval.studies.measures import is_combined
from weps_eval.text.declaration import Measure, Need

NO_ESTIMATE = estimate.NO_ESTIMATE
joint_estimate = estimate.joint_estimate
correlation_over_measures = correlation.correlation_over_measures


def median_over_measures(values: Floats) -> Floats:
    """Shape (columns,): the median of the measures that have the figure; NaN where none has.

    Were a resample left out where one measure lacks the figure, as of improvements it has found
    one only, that measure alone would decide the median.

    Args:
        values: shape (measures, columns).
    """
    found = np.full(values.shape[1], np.nan)
    some = ~np.isnan(values).all(axis=0)
    found[some] = np.nanmedian(values[:, some], axis=0)
    return found


def known_mean(values: Floats) -> float:
    """The mean of those that are not NaN; NaN if none is."""
    known = values[~np.isnan(values)]
    return float(known.mean()) if len(known) else np.nan


def short_name(name: str) -> str:
    """The name of a measure, as short as it is still understood."""
    return name.replace("part=", "").replace("=true", "")


def select_measures(samples: BootstrapSamples, rows: Sequence[int]) -> BootstrapSamples:
    """Figures of some measures."""
    return BootstrapSamples(samples.value[list(rows)], samples.samples[list(rows)])


def concatenate_samples(parts: Sequence[BootstrapSamples]) -> BootstrapSamples:
    """Figures of further measures below one another; all have the same resamples."""
    return BootstrapSamples(
        np.concatenate([each.value for each in parts]),
        np.concatenate([each.samples for each in parts]),
    )


def known_measures(samples: BootstrapSamples) -> list[int]:
    """The measures that have the figure, by falling value."""
    order = np.argsort(-samples.value, kind="stable").tolist()
    return [each for each in order if not np.isnan(samples.value[each])]


_FEWEST = 3
"""Fewer measures of a kind say nothing of it."""
TOO_FEW_KINDS = f"fewer than {_FEWEST} measures are linguistic, or fewer are of words"
_ROUGE = re.compile(r"R(\d|L|W|SU?)\d*_(recall|precision|f)")
"""As tables of DUC call it."""
_LINGUISTIC = frozenset({Need.TAGS, Need.PARSES})


class MeasureKind(StrEnum):
    """What measures look at: the two kinds of Corroborating text evaluation (2011), section 4.2."""

    WORDS = "words"
    """Words, n-grams, stems, or senses by WordNet; there called lexical."""
    LINGUISTIC = "language"
    """Parts of speech, syntax, named entities."""
    COMBINED = "all"
    """ULC, the plain mean or of scaled measures."""
    UNKNOWN = "unknown"
    """A column of a table whose name is no measure of weps."""


@lru_cache(1024)
def measure_called(name: str) -> Measure | None:
    """The measure of weps that a column is called after."""
    try:
        return Measure.parse(name)
    except FeatureError:
        return None


_FEWEST_VALUES = 3
"""Values of a parameter without which there is no line."""


def numeric_sweeps(
    names: Sequence[str],
) -> dict[tuple[str, str], dict[str, list[tuple[float, int]]]]:
    """Numeric parameters that measures differ in, all others being the same."""
    found: defaultdict[tuple[str, str], defaultdict[str, list[tuple[float, int]]]]
    found = defaultdict(lambda: defaultdict(list))
    for number, measure in enumerate(map(measure_called, names)):
        for name, value in measure.values if measure else ():
            if measure and isinstance(value, int | float) and not isinstance(value, bool):
                rest = tuple(each for each in measure.values if each[0] != name)
                line = found[measure.family.name, name][str(Measure(measure.family, rest))]
                line.append((float(value), number))
    long = {
        key: {rest: sorted(line) for rest, line in lines.items() if len(line) >= _FEWEST_VALUES}
        for key, lines in found.items()
    }
    return {key: lines for key, lines in long.items() if lines}


def measure_kind_of(name: str) -> MeasureKind:
    """The kind of a measure, by what its family needs.

    Tags that are for lemmas or senses only do not count.
    """
    if is_combined(name):
        return MeasureKind.COMBINED
    if _ROUGE.fullmatch(name):
        return MeasureKind.WORDS
    if (measure := measure_called(name)) is None:
        return MeasureKind.UNKNOWN
    needs = measure.family.needs
    return MeasureKind.LINGUISTIC if needs and needs <= _LINGUISTIC else MeasureKind.WORDS


def measures_of_kind(names: Sequence[str], kind: MeasureKind) -> list[int]:
    """The numbers of the measures of a kind; none if they are fewer than three."""
    found = [number for number, name in enumerate(names) if measure_kind_of(name) is kind]
    return found if len(found) >= _FEWEST else []


def linguistic_ahead(names: Sequence[str], samples: BootstrapSamples) -> Estimate | None:
    """The middle figure of linguistic measures less that of measures of words.

    Only measures that have the figure count; None if either are fewer than three.
    """
    kinds = [measures_of_kind(names, kind) for kind in (MeasureKind.LINGUISTIC, MeasureKind.WORDS)]
    ours, theirs = ([each for each in kind if not np.isnan(samples.value[each])] for kind in kinds)
    if min(len(ours), len(theirs)) < _FEWEST:
        return None
    size = len(ours)

    def ahead(values: Floats) -> Floats:
        return np.asarray(median_over_measures(values[:size]) - median_over_measures(values[size:]))

    return joint_estimate(ahead, select_measures(samples, [*ours, *theirs]))
