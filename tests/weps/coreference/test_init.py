import json

import numpy as np
import pytest

from weps.coreference.hbr import HeterogeneityRanking
from weps.coreference.rules import CLASSIFIERS, classifier_from_data
from weps.coreference.trees import BoostedTrees, DecisionTree, Forest
from weps.errors import ModelError

ONE = {"column": [0, -1, -1], "threshold": [0.5, 0, 0], "left": [1, -1, -1], "right": [2, -1, -1]}
DATA = {
    "tree": {**ONE, "probability": [0.4, 0.25, 0.75]},
    "boosted": {"base": 0.0, "roots": [0], **ONE, "value": [0, -1.0, 1.0]},
    "forest": {"roots": [0], **ONE, "value": [0, 0.25, 0.75]},
}


def test_every_kind_is_registered_under_its_name():
    assert [*CLASSIFIERS] == ["tree", "boosted", "forest", "hbr"]
    assert [*CLASSIFIERS.values()] == [DecisionTree, BoostedTrees, Forest, HeterogeneityRanking]
    assert [each.kind for each in CLASSIFIERS.values()] == [*CLASSIFIERS]


@pytest.mark.parametrize("kind", DATA)
def test_a_classifier_is_read_by_its_kind(kind):
    read = classifier_from_data(kind, DATA[kind], columns=1)
    assert type(read) is CLASSIFIERS[kind]
    assert json.loads(json.dumps(read.to_data())) == DATA[kind]
    low, high = read.predict(np.array([[0.25], [0.75]], dtype=np.float32))
    assert 0 <= low < 0.5 < high <= 1


@pytest.mark.parametrize("kind", ["woods", "", "Tree", None, 7, [], {}, ["tree"], "x" * 10**6])
def test_an_unknown_kind_is_refused_with_those_there_are(kind):
    with pytest.raises(ModelError, match="tree, boosted, forest") as caught:
        classifier_from_data(kind, DATA["tree"], columns=1)
    assert caught.value.remedy
    assert len(str(caught.value)) < 300


@pytest.mark.parametrize(
    ("kind", "other", "told"),
    [
        ("tree", "boosted", "decision tree cannot be read"),
        ("tree", "forest", "decision tree cannot be read"),
        ("boosted", "tree", "trees cannot be read"),
        ("boosted", "forest", "the base of its trees cannot be read"),
        ("forest", "tree", "trees cannot be read"),
        ("forest", "boosted", "the leaves of its forest are not between 0 and 1"),
    ],
)
def test_one_kind_is_not_read_as_another(kind, other, told):
    with pytest.raises(ModelError, match=told):
        classifier_from_data(kind, DATA[other], columns=1)
