import numpy as np
import pytest

from eval.meta.heterogeneity import every_pair, heterogeneity
from eval.meta_study.heterogeneity.levels import linguistic_gain, mean_heterogeneity
from tests.eval.meta_study.made_up_groups import NAMES, grouped


def test_means_are_over_sets_of_each_size() -> None:
    source = grouped()
    found = mean_heterogeneity(source, seed=0)
    assert found is not None
    words, every = found
    assert [len(each.value) for each in found] == [4, 7]
    assert words.value[0] == every.value[0] == 0
    assert words.value[3] == pytest.approx(heterogeneity(source.values[:4], source.group))
    assert every.value[6] == pytest.approx(heterogeneity(source.values, source.group))
    pairs = [source.values[[i, j]] for i, j in zip(*every_pair(4), strict=True)]
    mean = np.mean([heterogeneity(each, source.group) for each in pairs])
    assert words.value[1] == pytest.approx(mean)


def test_linguistic_measures_that_contradict_those_of_words_add_heterogeneity() -> None:
    source = grouped(noise=0.2, groups=20)
    source.values[4:] *= -1
    gain = linguistic_gain(source, seed=0)
    assert gain is not None
    assert gain.low > 0


def test_without_both_kinds_nothing_is_told() -> None:
    assert linguistic_gain(grouped(NAMES[:4]), seed=0) is None
    assert linguistic_gain(grouped(("a", "b", *NAMES)[:5]), seed=0) is None
