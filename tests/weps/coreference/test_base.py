import json
from math import log

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import expit, logit

from tests.cases import each_case
from tests.weps.coreference.cases import LINE, MEAN, RANKING, RULES, STUMP, TREES
from weps.clustering.confidence import PageConfidence, PersonConfidence
from weps.clustering.dendrogram import ExpectedF, ExpectedFByName, Threshold
from weps.coreference.base import Calibration, Part, fit_calibration, part_of_kind
from weps.coreference.classifiers import (
    CLASSIFIERS,
    HeterogeneityRanking,
    LogisticClassifier,
    MeanClassifier,
    RuleCorrectedClassifier,
)
from weps.coreference.trees import BoostedTrees, DecisionTree
from weps.errors import ModelError

probabilities = st.lists(st.floats(0, 1), max_size=8).map(np.array)
calibrations = st.builds(Calibration, st.floats(0.01, 5), st.floats(-4, 4))


def cases(
    seed: int, size: int = 400, stretch: float = 1, shift: float = 0
) -> tuple[np.ndarray, ...]:
    """Forecasts, outcomes as probable as the stretched and shifted forecasts say, and weights."""
    random = np.random.default_rng(seed)
    forecast = random.uniform(0.02, 0.98, size)
    happened = random.random(size) < expit(stretch * logit(forecast) + shift)
    return forecast, happened, random.uniform(0.2, 2, size)


def likelihood(calibration: Calibration, forecast, happened, weights) -> float:
    """Mean log likelihood of the outcomes."""
    calibrated = calibration(forecast)
    return float(
        np.average(np.log(np.where(happened, calibrated, 1 - calibrated)), weights=weights)
    )


@each_case(
    ("calibration", "before", "after"),
    [
        (Calibration(), 0.3, 0.3),
        (Calibration(), 0.0, 0.0),
        (Calibration(), 1.0, 1.0),
        (Calibration(slope=2), 3 / 4, 9 / 10),
        (Calibration(slope=2), 1 / 4, 1 / 10),
        (Calibration(slope=0.5), 9 / 10, 3 / 4),
        (Calibration(slope=7), 1 / 2, 1 / 2),
        (Calibration(shift=log(2)), 1 / 2, 2 / 3),
        (Calibration(shift=-log(2)), 1 / 2, 1 / 3),
        (Calibration(2, log(2)), 3 / 4, 18 / 19),
        (Calibration(1, log(3)), 0.0, 3 / 10_002),
        (Calibration(1, -log(3)), 1.0, 9_999 / 10_002),
    ],
)
def test_odds_are_taken_to_a_power_and_multiplied(calibration, before, after):
    assert calibration(np.array([before])) == pytest.approx([after])


@given(calibrations, probabilities)
def test_forecasts_stay_forecasts_and_in_their_order(calibration, forecasts):
    after = calibration(forecasts)
    assert after.shape == forecasts.shape
    assert ((after >= 0) & (after <= 1)).all()
    assert (np.diff(after[np.argsort(forecasts)]) >= 0).all()


@given(st.integers(0, 10**6))
def test_no_calibration_near_by_makes_the_outcomes_more_probable(seed):
    data = cases(seed, stretch=0.6, shift=0.4)
    found = fit_calibration(*data)
    best = likelihood(found, *data)
    for slope, shift in [(0.02, 0), (-0.02, 0), (0, 0.02), (0, -0.02), (0.02, -0.02)]:
        other = Calibration(found.slope + slope, found.shift + shift)
        assert likelihood(other, *data) < best


@given(st.integers(0, 10**6), st.sampled_from([1e-6, 1e6]))
def test_the_unit_of_the_weights_is_irrelevant(seed, unit):
    forecast, happened, weights = cases(seed)
    found, again = (fit_calibration(forecast, happened, each) for each in (weights, weights * unit))
    assert (found.slope, found.shift) == pytest.approx((again.slope, again.shift), rel=1e-3)


@each_case(
    ("yes", "no", "teaches"),
    [(0, 0, False), (40, 0, False), (19, 40, False), (40, 19, False), (20, 20, True)],
)
def test_twenty_cases_of_either_outcome_teach_a_calibration(yes, no, teaches):
    forecast = np.concatenate([np.linspace(0.3, 0.9, yes), np.linspace(0.1, 0.7, no)])
    happened = np.arange(yes + no) < yes
    found = fit_calibration(forecast, happened, np.ones(yes + no))
    assert (found != Calibration()) is teaches
    assert fit_calibration(forecast, ~happened, np.ones(yes + no)) == Calibration()


@each_case("gap", [1.0, 0.5, 0.1])
def test_outcomes_that_a_threshold_divides_end_in_a_calibration_that_can_be_kept(gap):
    happened = np.arange(400) < 200
    found = fit_calibration(
        np.where(happened, 0.5 + gap / 2, 0.5 - gap / 2), happened, np.ones(400)
    )
    assert found.slope > 1
    assert Calibration.from_data(found.to_data()) == found


PARTS: dict[type[Part], dict[str, object]] = {
    Calibration: {"slope": 1.5, "shift": -0.25},
    PageConfidence: {"together": [0.5, 1.0, 2.0, -3.0], "alone": [0.0, 1.0], "usual": [0.7, 0.5]},
    PersonConfidence: {
        "one_person": {"slope": 2.0, "shift": 0.0},
        "further_people": [0.5, -1.0, 0.0],
    },
    Threshold: {"level": 0.25},
    ExpectedF: {"slope": 1.1, "shift": -0.7, "alpha": 0.4},
    ExpectedFByName: {"slope": 8.0, "intercept": 0.1, "people": -0.2, "odds": 0.3, "alpha": 0.4},
    DecisionTree: STUMP,
    BoostedTrees: {"base": -0.5, **TREES},
    LogisticClassifier: LINE,
    MeanClassifier: MEAN,
    HeterogeneityRanking: RANKING,
    RuleCorrectedClassifier: RULES,
}
"""Class of a part of a model over two columns → its data in a file."""
NAN, INF = float("nan"), float("inf")


@each_case("kind", PARTS)
def test_a_part_is_read_as_it_was_written(kind):
    data = PARTS[kind]
    read = kind.from_data(json.loads(json.dumps(data)), 2)
    assert type(read) is kind
    assert read.to_data() == data
    assert list(read.to_data()) == list(data)


@each_case("kind", PARTS)
def test_what_is_no_part_is_refused(kind):
    data = PARTS[kind]
    for odd in (None, [], "trees", 7, {}):
        with pytest.raises(ModelError, match=f"its {kind.words()} cannot be read"):
            kind.from_data(odd, 2)
    for name in data:
        with pytest.raises(ModelError, match=f"its .* cannot be read .*{name}|kind 'None'"):
            kind.from_data({key: data[key] for key in data if key != name}, 2)
        for odd in (None, [], {}, "abc", [[[1]]], ["a"] * 4, [None] * 2, 10**400, [10**400] * 3):
            with pytest.raises(ModelError, match=r"its|it is damaged|unknown kind"):
                kind.from_data({**data, name: odd}, 2)


@each_case(
    ("kind", "changes"),
    [
        *((Calibration, {"slope": odd}) for odd in (0, -1, 1e7, NAN, INF, "1", True, [1])),
        *((Calibration, {"shift": odd}) for odd in (1e7, -INF, NAN)),
        *((PageConfidence, {"alone": odd}) for odd in ([0.0], [0.0] * 3, [0, NAN], [0, True])),
        *((PageConfidence, {"usual": odd}) for odd in ([0.5, 1.1], [-0.1, 0.5])),
        (PersonConfidence, {"further_people": [0, 0]}),
        (PersonConfidence, {"one_person": {"slope": -1, "shift": 0}}),
        *((Threshold, {"level": odd}) for odd in ("0.5", True, NAN)),
        *((ExpectedF, {"slope": odd}) for odd in (0, -1)),
        *((ExpectedFByName, {"alpha": odd}) for odd in (1.1, -0.1)),
        *((BoostedTrees, {"base": odd}) for odd in (NAN, INF, "nan")),
        *((BoostedTrees, {name: [0.5] * 9}) for name in ("column", "left", "right")),
        *((BoostedTrees, {"roots": odd}) for odd in ([0.5, 5, 6], [2**31, 5, 6], [0, 5])),
        *((LogisticClassifier, {"coefficients": odd}) for odd in ([1.0], [1.0, NAN], [1.0, 1e39])),
        *((MeanClassifier, {"tree_columns": odd}) for odd in ([0, 0], [0, 2], [-1, 0], [[0, 1]])),
        *((MeanClassifier, {"linear_columns": odd}) for odd in ([0], [0.5, 1], [0, 1, 2])),
        *((MeanClassifier, {"size_column": odd}) for odd in (2, -2, 0.5)),
        (MeanClassifier, {"linear": {**LINE, "coefficients": [NAN, 0]}}),
        *((HeterogeneityRanking, {"rivals": odd}) for odd in ([[0.0]], [[0, NAN]], [[0, 1e300]])),
        *((HeterogeneityRanking, {"samples": odd}) for odd in ([[0, 3]], [[0, -1]], [[0, 1, 2]])),
        (HeterogeneityRanking, {"samples": [[0, 1]] * 10_001}),
        *(
            (RuleCorrectedClassifier, {"kind": odd})
            for odd in ("woods", "ruled", ["tree"], "boosted")
        ),
        *((RuleCorrectedClassifier, {"ruled": odd}) for odd in ([2], [0, 0], 2, [])),
        *((RuleCorrectedClassifier, {"seen": odd}) for odd in ([0], [0, 0], [[0, 1]], [0] * 10**5)),
        *((RuleCorrectedClassifier, {"weights": odd}) for odd in ([NAN], [INF], [1.0, 2.0])),
    ],
)
def test_a_damaged_part_is_refused(kind, changes):
    with pytest.raises(ModelError, match=r"is damaged|cannot be read|unknown kind"):
        kind.from_data({**PARTS[kind], **changes}, 2)


@each_case(
    "kind",
    [
        kind
        for kind in PARTS
        if issubclass(kind, DecisionTree | BoostedTrees | RuleCorrectedClassifier)
    ],
)
def test_trees_of_columns_that_there_are_not_are_refused(kind):
    with pytest.raises(ModelError, match="damaged"):
        kind.from_data(PARTS[kind], 1)


@each_case("kind", ["woods", "", "Tree", None, 7, [], {}, ["tree"], "x" * 10**6])
def test_an_unknown_kind_is_refused_with_those_there_are(kind):
    with pytest.raises(ModelError, match="tree, boosted, logistic") as caught:
        part_of_kind(CLASSIFIERS, kind)
    assert caught.value.remedy
    assert len(str(caught.value)) < 300


def test_numbers_are_as_short_as_single_precision_allows():
    numbers = np.array([0.1, 1 / 3, -1e-20], dtype=np.float32)
    written = LogisticClassifier(0.0, numbers).to_data()["coefficients"]
    assert list(map(str, written)) == ["0.1", "0.33333334", "-1e-20"]
