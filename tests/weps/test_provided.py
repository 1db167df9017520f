import pytest

from weps.configuration import configuration
from weps.coreference import CLASSIFIERS, Ruled
from weps.errors import FeatureError, ModelError
from weps.feature_sets import similarities_of
from weps.forms import Form, Origin, offered
from weps.language.pipeline import EMBEDDED
from weps.provided import DEFAULT, packaged
from weps.similarity import layers_of
from weps.stopping import STOPPINGS

SYSTEMS = [DEFAULT, "paper", "paper:features=all"]


@pytest.mark.parametrize("system", SYSTEMS)
def test_a_packaged_model_knows_every_form_that_has_such_features(system):
    models = packaged(system)
    wanted = similarities_of(configuration(system).features)
    assert set(models.models) == {form for form in Form if offered(wanted, form)}
    for form, model in models.models.items():
        assert model.similarities == offered(wanted, form)
    assert models.language == ("weps_en" if layers_of(wanted) else "")


@pytest.mark.parametrize("system", SYSTEMS)
def test_a_packaged_model_is_what_its_system_says(system):
    models, wanted = packaged(system), configuration(system)
    kind = wanted.stop.removesuffix("-by-origin")
    for model in models.models.values():
        grown = model.classifier.inner if isinstance(model.classifier, Ruled) else model.classifier
        assert type(grown) is CLASSIFIERS[wanted.classifier]
        assert model.link == wanted.link
        assert {type(model.stopping[origin]) for origin in Origin} == {STOPPINGS[kind]}
    assert models.card["configuration"] == wanted.as_data()


@pytest.mark.parametrize("system", SYSTEMS)
def test_a_packaged_model_is_calibrated(system):
    """No probability learnt comes out right by itself."""
    for model in packaged(system).models.values():
        assert model.calibration != type(model.calibration)()
        assert model.beliefs != type(model.beliefs)()


def test_the_default_system_has_a_model_and_needs_no_language_pipeline():
    assert packaged().digest == packaged(DEFAULT).digest
    assert packaged().language == ""


def test_the_language_that_a_model_has_learnt_from_comes_with_weps():
    assert EMBEDDED.endswith(packaged("paper:features=all").language)


@pytest.mark.parametrize(
    "same", ["paper:features=all,stop=threshold", "paper:copies=0,features=all,link=single"]
)
def test_the_same_system_written_otherwise_has_the_same_model(same):
    assert packaged(same).digest == packaged("paper:features=all").digest


@pytest.mark.parametrize("system", ["paper:features=url", "default:link=single"])
def test_a_system_that_no_packaged_model_is_of(system):
    with pytest.raises(ModelError, match=f"--system '{system}' --out FILE") as caught:
        packaged(system)
    assert all(each in caught.value.what for each in SYSTEMS)


@pytest.mark.parametrize("system", ["", "papers", "paper:features=no such thing", "paper:deep=1"])
def test_what_is_no_system(system):
    with pytest.raises(FeatureError):
        packaged(system)
