import pytest

from eval.bench.doubles import doubled_keys
from weps.records import Clustering
from weps.sources import open_source


def key(*groups):
    return Clustering(tuple(map(frozenset, groups)))


ONE = key({1, 2, 3}, {4, 5, 6, 7}, {8}, {9, 10})
ALMOST = key({1, 2, 3}, {4, 5, 6, 7}, {11}, {9, 12})
OTHER = key({1, 2, 4}, {3, 5, 6, 7}, {8}, {9, 10})


@pytest.mark.parametrize(
    ("keys", "expected"),
    [
        ({"Clinton": ONE, "Kennedy": ALMOST, "Baker": OTHER}, [("Clinton", "Kennedy")]),
        ({"Kennedy": ONE, "Clinton": ONE}, [("Clinton", "Kennedy")]),
        ({"Clinton": ONE, "Baker": OTHER}, []),
        ({"Clinton": key({1, 2, 3}), "Baker": key({1, 2, 3})}, []),  # one group may be chance
        ({"Clinton": key({1}, {2, 3}), "Baker": key({1}, {2, 3})}, []),
        ({"Clinton": ONE, "Baker": key(*ONE.groups, {20, 21, 22}, {23, 24, 25})}, []),
        ({}, []),
    ],
)
def test_keys_filed_under_two_names(keys, expected):
    assert list(doubled_keys(keys)) == expected


def test_one_key_of_weps_1_is_filed_twice(weps_data):
    source = open_source(weps_data / "corpora/weps-1/training")
    keys = {name: found for name in source.names if (found := source.key(name))}
    assert list(doubled_keys(keys)) == [("George_Clinton", "John_Kennedy")]
