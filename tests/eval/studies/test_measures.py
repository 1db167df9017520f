from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tests.cases import each_case
from tests.eval.studies import made_up_scores
from weps.errors import ValuesError
from weps_eval.meta.correlation import correlation_over_measures
from weps_eval.meta.improvements import Scale
from weps_eval.stats import BootstrapSamples, joint_estimate
from weps_eval.studies import measures


def test_outputs_that_nobody_judged_are_left_out():
    whole = made_up_scores.matrix(topics=3, systems=2)
    human = whole.human.copy()
    human[0, [0, 1, 3]] = np.nan
    found = measures.judged_outputs(made_up_scores.scored(replace(whole, human=human)), "quality")
    assert found.topics == ("t1", "t2")
    assert found.systems == ("s0", "s1")
    assert list(zip(found.topic, found.system, strict=True)) == [(0, 0), (1, 0), (1, 1)]
    assert found.values.tolist() == whole.values[:, [2, 4, 5]].tolist()
    assert found.description.startswith(
        "3 outputs of 2 systems on 2 topics have a score for quality"
    )


ROUGES = tuple(f"rouge_s(skip={skip})" for skip in range(29))


@each_case(
    ("names", "alike", "families"),
    [
        (ROUGES, (), 1),
        ((*ROUGES, "rouge_s"), (), 1),
        (("R1_recall", "R2_f", "rouge(n=4)", "rouge_l"), (), 2),
        (tuple("abcdefghijkl"), (), 12),
        (tuple("abcdefghijkl"), (0, 1), 11),
        (tuple("abcdefghijkl"), (0, 1, 2, 3, 4), 8),
        (("a", "dice", "cosine", "dice(distinct=true)"), (0, 3), 2),
    ],
)
def test_measures_are_no_sample_but_their_families_are(names, alike, families):
    values = np.random.default_rng(0).normal(size=(len(names), 200))
    for at in alike[1:]:  # by ranks, whatever the scale, and either way
        values[at] = (-1) ** at * np.exp(values[alike[0]])
    size = measures.SampleSize(40, 200)
    for order in (slice(None), slice(None, None, -1)):
        found, told = measures.over_measures(size, names[order], values[order])
        assert found == (families, 200, "families of measures", "outputs")
        assert told == f"{len(names)} measures, {families} famil{'y' if families == 1 else 'ies'}"
    few, _ = measures.over_measures(size._replace(groups=1), names, values)
    assert few.group == ("topics" if families > 1 else "families of measures")


@each_case("name", measures.COMBINED_MEASURES.values())
def test_a_measure_that_has_the_name_of_all_combined_is_refused(name):
    with pytest.raises(ValuesError, match="there is a measure called ULC"):
        made_up_scores.judged(("dice", name)).with_combined(Scale.NONE)


@pytest.mark.parametrize(
    ("scale", "more"), [(Scale.DEVIATION, ["ULC (standardised)"]), (Scale.NONE, [])]
)
def test_combined_is_the_plain_mean_and_a_scaled_one_stands_beside_it(scale, more):
    single = made_up_scores.judged()
    found = single.with_combined(scale)
    assert list(found.measures) == [*single.measures, "ULC", *more]
    plain = len(single.measures)
    assert found.values[plain] == pytest.approx(single.values.mean(axis=0))
    assert found.single == list(range(len(single.measures)))
    assert found.of_paper == [*found.single, plain]
    assert found.combinations == list(range(plain, len(found.measures)))


@pytest.mark.parametrize(
    ("rows", "value", "message"), [(3, -1e300, r"1e\+300"), (slice(None), 1e-310, "1e-310")]
)
def test_values_whose_squares_are_lost_are_refused(rows, value, message):
    whole = made_up_scores.matrix()
    values = whole.values.copy()
    values[1, rows] = value
    with pytest.raises(ValuesError, match=rf"largest value of 'rouge\(n=2\)' is {message}"):
        measures.judged_outputs(made_up_scores.scored(replace(whole, values=values)), "quality")


def test_whether_people_judged_whole_systems():
    assert made_up_scores.by_system().is_by_system
    assert not made_up_scores.judged().is_by_system
    assert not made_up_scores.judged(topics=1).is_by_system


NOBODY = replace(made_up_scores.matrix(), criteria=(), human=np.empty((0, 56)))
NONE = replace(made_up_scores.matrix(), human=np.full((1, 56), np.nan))
ALIKE = replace(made_up_scores.matrix(), human=np.ones((1, 56)))
HUGE = replace(made_up_scores.matrix(), human=np.where(np.eye(1, 56) > 0, 1e308, -1e308))
INFINITE = replace(made_up_scores.matrix(), values=np.where(np.eye(7, 56) > 0, np.inf, 0.0))


@each_case(
    ("found", "message"),
    [
        (NOBODY, "there are no human scores"),
        (NONE, "no output has a score for 'quality'"),
        (ALIKE, "all outputs have the same score for 'quality'"),
        (HUGE, r"the largest value of 'quality' is 1e\+308 in size; .* --human"),
        (INFINITE, r"the largest value of 'rouge\(n=1\)' is inf"),
    ],
)
def test_what_cannot_be_studied_is_refused(found, message):
    with pytest.raises(ValuesError, match=message):
        measures.judged_outputs(
            made_up_scores.scored(found), measures.criteria_of(made_up_scores.scored(found))[0]
        )


SHARES = np.array([0.1, 0.2, 0.3, 0.4, 0.7, 0.8, 0.9])


@each_case(
    ("name", "kind"),
    [
        *((name, measures.MeasureKind.WORDS) for name in made_up_scores.WORDS),
        *((name, measures.MeasureKind.LINGUISTIC) for name in made_up_scores.LINGUISTIC),
        ("tvm(n=4)", measures.MeasureKind.WORDS),  # it looks at tags for lemmas only
        ("esk", measures.MeasureKind.WORDS),  # and here for senses
        ("meteor(synonyms=WordNet)", measures.MeasureKind.WORDS),
        ("ULC", measures.MeasureKind.COMBINED),
        ("ULC (standardised)", measures.MeasureKind.COMBINED),
        ("my measure", measures.MeasureKind.UNKNOWN),
        ("R1_recall", measures.MeasureKind.WORDS),
    ],
)
def test_kinds(name, kind):
    assert measures.measure_kind_of(name) is kind


def test_the_middle_ones_are_compared():
    found = measures.linguistic_ahead(
        made_up_scores.NAMES, BootstrapSamples(np.outer(SHARES, [1, 1, 2]))
    )
    assert found is not None
    assert found.value == pytest.approx(0.8 - 0.25)
    assert found.high == pytest.approx(0.55 * 1.975)


def test_few_measures_say_nothing_and_those_without_the_figure_do_not_count():
    assert measures.measures_of_kind(made_up_scores.NAMES, measures.MeasureKind.WORDS) == [
        0,
        1,
        2,
        3,
    ]
    assert measures.measures_of_kind(made_up_scores.NAMES[:2], measures.MeasureKind.WORDS) == []
    missing = np.where(SHARES == 0.7, np.nan, SHARES)
    assert (
        measures.linguistic_ahead(made_up_scores.NAMES, BootstrapSamples(np.outer(missing, [1, 1])))
        is None
    )


def test_a_measure_that_finds_little_does_not_decide_what_is_drawn():
    names = ("rouge(n=1)", "rouge(n=2)", "rouge_l", "dice", *made_up_scores.LINGUISTIC)
    table = np.random.default_rng(0).random((7, 400))
    whole = measures.linguistic_ahead(names, BootstrapSamples(np.insert(table, 0, 0.5, axis=1)))
    holes = table.copy()
    holes[3, table[0] < 0.9] = np.nan  # known in a tenth of the resamples
    found = measures.linguistic_ahead(names, BootstrapSamples(np.insert(holes, 0, 0.5, axis=1)))
    assert whole is not None
    assert found is not None
    assert found.high > 0.8 * whole.high


FIRST = BootstrapSamples(np.array([[1.0, 1.0, 2.0], [np.nan, 9.0, 9.0], [3.0, 3.0, 1.0]]))
SECOND = BootstrapSamples(np.array([[5.0] * 3, [6.0] * 3, [7.0] * 3]))


def test_only_measures_that_all_know_count():
    found = joint_estimate(lambda ours, theirs: (theirs - ours).max(axis=0), FIRST, SECOND)
    assert found.value == 4
    assert (found.low, found.high) == (pytest.approx(4.05), pytest.approx(5.95))


def test_pearson_over_measures():
    first = np.array([[1.0, 1.0, np.nan], [2.0, 2.0, 2.0], [3.0, 3.0, 3.0]])
    second = np.array([[2.0, 3.0, 1.0], [4.0, 2.0, 2.0], [6.0, 1.0, 3.0]])
    found = correlation_over_measures(first, second)
    assert found[:2] == pytest.approx([1, -1])
    assert np.isnan(found[2])
    assert np.isnan(correlation_over_measures(first[:2], second[:2])).all()


def test_the_middle_is_that_of_the_measures_that_are_known():
    values = np.array([[1, np.nan, np.nan], [2, 4, np.nan], [9, 6, np.nan]])
    assert measures.median_over_measures(values) == pytest.approx(
        np.array([2, 5, np.nan]), nan_ok=True
    )
