import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.weps.builders import unhurried
from weps.coreference.rules import CLASSIFIERS, RuleCorrectedClassifier, classifier_from_data
from weps.errors import ModelError

# .25 up to one half in the second of three columns, else .75; the others have rules.
STUMP = {
    "column": [0, -1, -1],
    "threshold": [0.5, 0.0, 0.0],
    "left": [1, -1, -1],
    "right": [2, -1, -1],
    "probability": [0.5, 0.25, 0.75],
}
DATA = {"kind": "tree", "inner": STUMP, "seen": [1], "ruled": [2, 0], "weights": [-4.0, 1.0]}


def read(columns: int = 3, **changes: object) -> RuleCorrectedClassifier:
    return RuleCorrectedClassifier.from_data({**DATA, **changes}, columns)


def predicted(classifier: RuleCorrectedClassifier, *rows: tuple[float, ...]) -> list[float]:
    return classifier.predict(np.array(rows, dtype=np.float32)).tolist()


def test_rules_add_to_the_log_odds() -> None:
    odds = np.array([1 / 3, 3, np.e * 3, np.exp(-4) * 3, np.exp(-3) / 3])
    rows = [(0, 0, 0), (0, 1, 0), (1, 1, 0), (0, 1, 1), (1, 0, 1)]
    assert predicted(read(), *rows) == pytest.approx(odds / (1 + odds), abs=1e-12)


def test_no_pairs_no_predictions() -> None:
    assert read().predict(np.zeros((0, 3), dtype=np.float32)).shape == (0,)


@pytest.mark.parametrize("sure", [0.0, 1.0])
def test_certainty_gives_way_to_rules(sure: float) -> None:
    certain = read(inner={**STUMP, "probability": [sure] * 3}, weights=[30.0, -30.0])
    low, unruled, high = predicted(certain, (1, 0, 0), (0, 0, 0), (0, 0, 1))
    assert 0 < low < 1e-6 < 1 - 1e-6 < high <= 1
    assert unruled == pytest.approx(sure, abs=2e-6)


@given(st.lists(st.tuples(*[st.sampled_from([0.0, 1.0])] * 3), min_size=1, max_size=9))
@unhurried
def test_pairs_are_judged_one_by_one_within_bounds(rows: list[tuple[float, ...]]) -> None:
    together = predicted(read(), *rows)
    assert together == [predicted(read(), row)[0] for row in rows]
    assert all(0 < each < 1 for each in together)


def test_without_rules_it_is_the_inner_classifier() -> None:
    bare = read(ruled=[], weights=[])
    assert predicted(bare, (1, 0, 1), (1, 1, 1)) == pytest.approx([0.25, 0.75], abs=1e-12)


def test_it_reads_back_from_json() -> None:
    again = classifier_from_data("ruled", json.loads(json.dumps(read().to_data())), columns=3)
    assert type(again) is RuleCorrectedClassifier
    assert again.to_data() == DATA


def test_it_is_no_kind_to_be_grown() -> None:
    assert RuleCorrectedClassifier.kind not in CLASSIFIERS


@pytest.mark.parametrize("data", [None, [], "ruled", 7, {}, *({**DATA, k: None} for k in DATA)])
def test_what_is_no_ruled_classifier_is_refused(data: object) -> None:
    with pytest.raises(ModelError):
        RuleCorrectedClassifier.from_data(data, columns=3)


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"seen": [3]}, "columns"),
        ({"seen": [-1]}, "columns"),
        ({"seen": [1, 1]}, "columns"),
        ({"seen": [[1]]}, "columns"),
        ({"seen": [1.5]}, "cannot be read"),
        ({"seen": ["a"]}, "cannot be read"),
        ({"seen": []}, "damaged"),
        ({"seen": [0] * 10**5}, "columns"),
        ({"ruled": [2, 3]}, "columns"),
        ({"ruled": [2, 2]}, "columns"),
        ({"ruled": 2}, "columns"),
        ({"ruled": [2]}, "damaged"),
        ({"weights": [1.0]}, "damaged"),
        ({"weights": [1.0, float("nan")]}, "damaged"),
        ({"weights": [1.0, float("inf")]}, "damaged"),
        ({"weights": [1.0, [2.0]]}, "cannot be read"),
        ({"kind": "woods"}, "no classifier of the kind"),
        ({"kind": "ruled", "inner": DATA}, "no classifier of the kind"),
        ({"kind": ["tree"]}, "no classifier of the kind"),
        ({"kind": "boosted"}, "cannot be read"),
        ({"kind": "forest"}, "cannot be read"),
    ],
)
def test_damage_is_told(changes: dict[str, object], told: str) -> None:
    with pytest.raises(ModelError, match=told):
        read(**changes)
