import pytest

from weps.coreference import DecisionTree
from weps.errors import ModelError
from weps.feature_sets import similarities_of
from weps.forms import Form, Origin, offered
from weps.model import Model, ModelSet
from weps.pipeline import cluster
from weps.records import Page, Search
from weps.resources import resource
from weps.similarity import similarity
from weps.sources import open_source


def stump(form: Form) -> Model:
    """Pages that share much of their title are one person."""
    columns = offered(similarities_of("non-linguistic"), form)
    tree = {
        "column": [columns.index(similarity("dice(title)")), -1, -1],
        "threshold": [0.25, 0.0, 0.0],
        "left": [1, -1, -1],
        "right": [2, -1, -1],
        "probability": [0.5, 0.2, 0.8],
    }
    thresholds = {Origin.SEARCH: 0.5, Origin.LISTED: 0.9}
    return Model(columns, DecisionTree.from_data(tree, len(columns)), thresholds)


@pytest.fixture(scope="module")
def models() -> ModelSet:
    return ModelSet({form: stump(form) for form in Form})


@pytest.fixture(scope="module")
def demo() -> Search:
    source = open_source(resource("demo"))
    return source.search(source.names[0])


def search_of(*texts: str) -> Search:
    pages = [Page(rank, content=text.encode()) for rank, text in enumerate(texts)]
    return Search("Thomas Baker", tuple(pages))


def test_the_answer_does_not_depend_on_the_order_of_the_pages(demo, models):
    riffled = Search(demo.name, demo.pages[::-2] + demo.pages[-2::-2])
    assert set(riffled.pages) == set(demo.pages)
    assert cluster(riffled, models) == cluster(demo, models)


@pytest.mark.parametrize(
    "texts",
    [
        (),
        ("",),
        ("", ""),
        ("Thomas",),
        ("Thomas Baker",),
        ("Thomas Baker sings",),
        ("Thomas Baker", "sings"),
        ("<p>Thomas Baker sings", "", "\0\1\2"),
    ],
)
def test_however_little_there_is_to_read_every_page_is_of_one_person(models, texts):
    answer = cluster(search_of(*texts), models)
    ranks = [page.rank for person in answer.people for page in person.pages]
    assert sorted(ranks) == list(range(len(texts)))


@pytest.mark.parametrize(("threshold", "people"), [(0.0, 1), (1.1, 30)])
def test_a_threshold_given_overrides_the_model_s(demo, models, threshold, people):
    answer = cluster(demo, models, threshold)
    assert len(answer.people) == people
    assert f"threshold:{threshold:.4f}" in answer.signature.split("|")


@pytest.mark.parametrize(
    ("page", "form"),
    [(Page(1, content=b"Tides"), "pages"), (Page(1, text="tide"), "tokens"), (Page(1), "results")],
)
def test_the_model_for_the_form_of_the_pages_answers(models, page, form):
    answer = cluster(Search("Thomas Baker", (page,)), models)
    assert f"form:{form}" in answer.signature.split("|")
    assert form in answer.model


@pytest.mark.parametrize(("title", "people"), [("Tides", 1), ("", 2)])
def test_the_threshold_is_that_for_the_origin_of_the_pages(models, title, people):
    """Search results merge at .5, listed pages not before .9."""
    found = {"title": title, "url": "http://a.example", "content": b"<title>Tides</title>"}
    pages = [Page(rank, **found) for rank in (1, 2)]
    assert len(cluster(Search("Thomas Baker", tuple(pages)), models).people) == people


def test_a_form_no_model_knows_is_refused(models):
    poor = ModelSet({Form.RESULTS: models.for_form(Form.RESULTS)})
    with pytest.raises(ModelError):
        cluster(search_of("Tides"), poor)


def test_features_that_the_pages_cannot_have_are_named(models):
    whole = cluster(search_of("Tides"), models)
    assert whole.absent_features == ()
    poor = cluster(Search("Thomas Baker", (Page(1, text="tides"),)), models)
    assert set(poor.absent_features) > {"capitalised", "email", "token(local=true)"}
    assert "token" not in poor.absent_features
