import json

import numpy as np
import pytest

from weps.coreference import CLASSIFIERS, BoostedTrees, DecisionTree, classifier_of
from weps.errors import ModelError

TREE = {
    "column": [0, -1, -1],
    "threshold": [0.5, 0.0, 0.0],
    "left": [1, -1, -1],
    "right": [2, -1, -1],
    "probability": [0.4, 0.25, 0.75],
}
BOOSTED = {
    "base": 0.0,
    "roots": [0],
    "column": [0, -1, -1],
    "threshold": [0.5, 0.0, 0.0],
    "left": [1, -1, -1],
    "right": [2, -1, -1],
    "value": [0.0, -1.0, 1.0],
}
DATA = {"tree": TREE, "boosted": BOOSTED}


def test_every_kind_is_registered_under_its_name():
    assert [*CLASSIFIERS.items()] == [("tree", DecisionTree), ("boosted", BoostedTrees)]
    assert [each.kind for each in CLASSIFIERS.values()] == [*CLASSIFIERS]


@pytest.mark.parametrize("kind", CLASSIFIERS)
def test_a_classifier_is_read_by_its_kind(kind):
    read = classifier_of(kind, DATA[kind], columns=1)
    assert type(read) is CLASSIFIERS[kind]
    assert json.loads(json.dumps(read.to_data())) == DATA[kind]
    low, high = read.predict(np.array([[0.25], [0.75]], dtype=np.float32))
    assert 0 <= low < 0.5 < high <= 1


@pytest.mark.parametrize("kind", ["forest", "", "Tree", None, 7, [], {}, ["tree"], "x" * 10**6])
def test_an_unknown_kind_is_refused_with_those_there_are(kind):
    with pytest.raises(ModelError, match="tree, boosted") as caught:
        classifier_of(kind, TREE, columns=1)
    assert caught.value.remedy
    assert len(str(caught.value)) < 300


@pytest.mark.parametrize("kind", CLASSIFIERS)
@pytest.mark.parametrize("other", ["tree", "boosted"])
def test_one_kind_is_not_read_as_another(kind, other):
    if kind != other:
        with pytest.raises(ModelError, match="cannot be read"):
            classifier_of(kind, DATA[other], columns=1)
