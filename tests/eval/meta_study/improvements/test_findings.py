import numpy as np
import pytest

from eval.meta.extremes import PAPER
from eval.meta.improvements import Test, significant
from eval.meta.ulc import Scale
from eval.meta_study.improvements.findings import Asked, examined
from eval.meta_study.improvements.official import Official
from tests.eval.meta_study.made_up_scores import by_system, judged
from weps.errors import ValuesError

WHOLE = judged(topics=12).with_combined(Scale.DEVIATION)
FEW = {"resamples": 50}


def test_improvements_by_people_are_tested():
    seen = examined(WHOLE, Asked(**FEW)).seen
    real = significant(WHOLE.human, WHOLE.topic, WHOLE.system)[0]
    assert (seen.real == real).all()
    number = 0
    found = significant(WHOLE.values[number], WHOLE.topic, WHOLE.system)[0]
    both = (found & real).sum()
    assert seen.precision.value[number] == pytest.approx(both / found.sum())
    assert seen.recall.value[number] == pytest.approx(both / real.sum())


def test_published_improvements_take_their_place():
    improves = np.zeros((2, 2), dtype=np.bool_)
    improves[0, 1] = True
    official = Official(("s6", "s0"), improves, ())
    found = examined(WHOLE, Asked(**FEW), official)
    assert found.is_official
    assert found.seen.systems == ("s6", "s0")
    assert found.seen.found.shape == (8, 2, 2)
    assert found.seen.recall.value[0] == 1


def test_of_whole_systems_only_published_improvements_are_seen():
    whole = by_system().with_combined(Scale.DEVIATION)
    without = examined(whole, Asked(**FEW))
    parts = (without.seen, without.counter, without.decrease, without.oracles)
    assert all(part is None for part in parts)
    improves = np.triu(np.ones((7, 7), dtype=np.bool_), 1).T
    found = examined(whole, Asked(**FEW), Official(whole.systems, improves, ()))
    assert found.seen.precision.value[0] == 1


def test_the_test_may_be_not_paired():
    paired, apart = (examined(WHOLE, Asked(test=each, **FEW)).seen.real for each in Test)
    assert (paired != apart).any()


def test_the_scale_is_that_of_people_unless_told():
    assert examined(WHOLE, Asked(**FEW)).thresholds == PAPER.on_scale(1, 5)
    assert examined(WHOLE, Asked(scale=(2, 10), **FEW)).thresholds == PAPER


def test_the_best_system_loses_most():
    best = examined(WHOLE, Asked(chosen="s6", **FEW)).decrease.value
    worst = examined(WHOLE, Asked(chosen="s0", **FEW)).decrease.value
    assert (best > worst).all()
    assert examined(WHOLE, Asked(**FEW)).decrease is None


def test_an_unknown_system_is_refused():
    with pytest.raises(ValuesError, match=r"there is no system 's9'.* did you mean 's"):
        examined(WHOLE, Asked(chosen="s9", **FEW))


def test_what_is_chosen_lies_between_the_worst_and_the_best():
    oracles = examined(WHOLE, Asked(**FEW)).oracles
    random, least, most = oracles.bounds.value
    assert least < random < most
    assert ((oracles.chosen.value >= least) & (oracles.chosen.value <= most)).all()
    assert oracles.chosen.value[0] > random
