import numpy as np
import pytest

from eval.feature_study.corpus import compared_by_all
from eval.feature_study.rankings import rank_measures
from eval.feature_study.rivals import Rivals, rival_measures
from tests.eval.feature_study.made_up import noisy
from weps.features import feature

FEATURES = tuple(map(feature, ("linked", "ngram(n=2)", "token")))
COLUMNS = tuple(map(str, compared_by_all(FEATURES)))
MADE = Rivals(
    ("title", "url"),
    ("dice", "cosine"),
    np.array([[[0.5, 0.5, 0.6], [0.4, 0.5, 0.3]], [[0.3, 0.2, 0.4], [0.3, 0.3, 0.2]]]),
)


def test_average_precisions_are_those_of_each_column() -> None:
    some = noisy(COLUMNS)
    found = rival_measures(some, FEATURES)
    assert found.features == ("ngram(n=2)", "token")
    assert found.measures == ("dice", "cosine", "overlap")
    rankings = rank_measures(some, "linked")
    for name in found.features:
        for measure in found.measures:
            expected = rankings[f"{measure}({name})"].average_precision
            assert found.average_precision(name, measure) == pytest.approx(expected)


def test_the_lead_of_a_measure_is_a_mean_over_features() -> None:
    ahead = MADE.ahead("dice", "cosine")
    assert ahead.value == pytest.approx((0.1 + 0.0) / 2)
    assert (ahead.low, ahead.high) == pytest.approx(
        tuple(np.percentile([(0 - 0.1) / 2, (0.3 + 0.2) / 2], [2.5, 97.5]))
    )
    back = MADE.ahead("cosine", "dice")
    assert back == pytest.approx((-ahead.value, -ahead.high, -ahead.low))


def test_flags_are_not_compared_by_measures() -> None:
    found = rival_measures(noisy(("linked",)), [feature("linked")])
    assert found.features == ()
    assert found.measures == ("dice", "cosine", "overlap")
    assert found.figures.size == 0


@pytest.mark.parametrize(
    ("first", "second", "wins"), [("dice", "cosine", 1), ("cosine", "dice", 0), ("dice", "dice", 0)]
)
def test_a_tie_is_no_win(first: str, second: str, wins: int) -> None:
    assert MADE.wins(first, second) == wins
