import pytest

from weps.errors import FeatureError, ModelError
from weps.feature_sets import similarities_of
from weps.forms import Form, Origin, offered
from weps.provided import check_features, packaged

SETS = ["non-linguistic", "tokens", "all"]


@pytest.mark.parametrize("features", SETS)
def test_a_packaged_model_knows_every_form_that_has_such_features(features):
    models = packaged(features)
    wanted = similarities_of(features)
    assert set(models.models) == {form for form in Form if offered(wanted, form)}
    for model in models.models.values():
        assert all(0 < model.thresholds[origin] <= 1 for origin in Origin)
    assert models.card


@pytest.mark.parametrize("features", SETS)
def test_a_packaged_model_has_learnt_from_the_features_of_its_name(features):
    models = packaged(features)
    for form, model in models.models.items():
        assert model.similarities == offered(similarities_of(features), form)
    check_features(models, features)
    assert models.language == ("weps_en" if features == "all" else "")


def test_the_same_features_written_otherwise_have_the_same_model():
    assert packaged("linguistic+non-linguistic").digest == packaged("all").digest


def test_features_that_no_packaged_model_knows():
    with pytest.raises(ModelError, match="--features 'url' --out FILE"):
        packaged("url")
    with pytest.raises(FeatureError):
        packaged("no such thing")


def test_a_model_of_other_features():
    with pytest.raises(ModelError, match="other features than 'tokens'"):
        check_features(packaged(), "tokens")
