import pytest

from tests.weps.builders import document
from weps.errors import FeatureError
from weps.language import Layer, Marks, analyse


def test_a_layer_that_was_read_is_there():
    marks = Marks.of([(0, "york", "location")])
    analysis = analyse("Thomas Baker", [document("York")], {Layer.ENTITIES: marks})
    assert analysis.layer(Layer.ENTITIES) is marks


def test_a_layer_that_was_not_read_is_an_error_not_silence():
    with pytest.raises(FeatureError, match="without lemmas"):
        analyse("Thomas Baker", [document("York")]).layer(Layer.LEMMAS)
