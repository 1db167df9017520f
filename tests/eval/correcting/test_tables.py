import json

import pytest

from eval.correcting import corrections_data, corrections_lines
from tests.eval.correcting.cases import made_up

COURSES = [
    made_up("A_Name", 1.0, [0.5, 0.96, 1.0], [0.5, 0.6, 0.96, 1.0]),
    made_up("B_Name", 0.9, [0.7, 0.9], [0.7, 0.9]),
]


def test_lines():
    assert corrections_lines(COURSES) == [
        "name    pages  people  F0.5  best  to 0.95  (as said)  to best  (as said)",
        "A_Name     10       3  0.50  1.00        1          2        2          3",
        "B_Name     10       3  0.70  0.90        –          –        1          1",
        "",
        "mean F0.5 after corrections     0     1     2     3     5    10    20  to 0.95  to best",
        "clustered anew               0.60  0.93  0.95  0.95  0.95  0.95  0.95      1.0      1.5",
        "as said only                 0.60  0.75  0.93  0.95  0.95  0.95  0.95      2.0      2.0",
        "clustering anew saves 0.5 (+0.0 to +1.0) corrections to the best; fewer on 1, more on 0, "
        "as many on 1 names",
    ]


def test_one_name_has_no_interval():
    assert corrections_lines(COURSES[:1])[-1].startswith("clustering anew saves 1.0 corrections")


def test_data():
    data = json.loads(json.dumps(corrections_data(COURSES), allow_nan=False))
    assert data["anew"]["after"]["1"] == pytest.approx(0.93)
    assert (data["alone"]["to_good"], data["alone"]["to_best"]) == (2.0, 2.0)
    assert data["saved"]["difference"] == 0.5
    assert data["names"]["A_Name"] == {
        "pages": 10,
        "people": 3,
        "best": 1.0,
        "anew": [0.5, 0.96, 1.0],
        "alone": [0.5, 0.6, 0.96, 1.0],
    }
