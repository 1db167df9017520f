"""The estimator keeps the conventions of scikit-learn, and travels between processes."""

import pickle
import warnings
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

import joblib
import numpy as np
import pytest
from sklearn.base import clone, is_clusterer
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer
from sklearn.utils import estimator_checks
from sklearn.utils.validation import validate_data

from tests.cases import each_case
from tests.weps.results.test_result import NAME, ROWS
from weps import Corrections, PeopleClusterer, cluster, pretrained

CHECKS = """
    check_do_not_raise_errors_in_init_or_set_params check_estimator_cloneable check_estimator_repr
    check_get_params_invariance check_mixin_order check_no_attributes_set_in_init
    check_parameters_default_constructible check_set_params check_valid_tag_types
""".split()
"""Those that give the estimator no data. All others fit arrays of random numbers, which are no
pages: ``check_estimator`` skips them by the tags. They are run with pages made of the numbers."""
INAPPLICABLE = {
    "check_clustering": "clusters are sought in blobs of numbers, which tell nobody apart",
    "check_array_api_input": "pages are no arrays",
}
"""Checks of scikit-learn that do not apply, and why."""


class RowsAsPages(PeopleClusterer):
    """Takes an array of numbers: each row is a page, whose words are the numbers."""

    def fit(self, X, y=None):  # noqa: N803 - conventional
        rows = validate_data(self, X).tolist()
        words = (" ".join(f"w{at}x{value:.0f}" for at, value in enumerate(row)) for row in rows)
        return super().fit([{"text": f"{NAME} {each}"} for each in words], y)

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.two_d_array, tags.no_validation = True, False
        return tags


@each_case("name", CHECKS)
def test_the_checks_of_scikit_learn_without_data_hold(name):
    getattr(estimator_checks, name)("PeopleClusterer", PeopleClusterer())


def test_it_fits_pages_and_labels_them_as_the_answer_does():
    pages, made = list(ROWS), PeopleClusterer(NAME)
    before = dict(vars(made))
    assert made.fit(pages) is made
    assert {key: value for key, value in vars(made).items() if not key.endswith("_")} == before
    assert pages == ROWS
    assert made.answer_ == cluster(ROWS, name=NAME)
    assert made.labels_.dtype == np.int64
    assert made.fit_predict(pages).tolist() == made.labels_.tolist() == made.answer_.labels.tolist()
    assert is_clusterer(made)


def test_it_is_cloned_and_configured_and_ends_a_pipeline():
    made = PeopleClusterer(NAME, models=pretrained("paper"), threshold=1, corrections=Corrections())
    copy = clone(made)
    assert copy.get_params().keys() == made.get_params().keys()
    assert copy.fit_predict(ROWS).tolist() == made.fit_predict(ROWS).tolist() == [0, 1, 2]
    assert clone(made).set_params(threshold=0).fit_predict(ROWS).tolist() == [0, 0, 0]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        steps = make_pipeline(FunctionTransformer(list), PeopleClusterer(NAME, threshold=1))
        assert steps.fit_predict(ROWS).tolist() == [0, 1, 2]


def test_pages_set_aside_have_no_person():
    rows = [*ROWS, {"url": "http://4.example", "html": "<p>Somebody else altogether is here."}]
    made = PeopleClusterer(NAME).fit(rows)
    aside = {page.rank for page in made.answer_.set_aside}
    assert aside == {4}
    assert made.labels_.tolist()[3] == -1


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.SkipTestWarning")
def test_all_checks_of_scikit_learn_that_apply_hold():
    found = estimator_checks.check_estimator(
        RowsAsPages(NAME), expected_failed_checks=INAPPLICABLE, on_skip=None
    )
    others = {each["check_name"] for each in found if each["status"] != "passed"}
    assert others == set(INAPPLICABLE)
    assert len(found) > 40


def test_answers_and_fitted_clusterers_pickle():
    made = PeopleClusterer(NAME, threshold=1).fit(ROWS)
    back = pickle.loads(pickle.dumps(made))  # noqa: S301 - our own
    assert back.answer_ == made.answer_
    assert back.labels_.tolist() == made.labels_.tolist()
    assert back.answer_.explain(1, 3).text == made.answer_.explain(1, 3).text
    corrected = made.answer_.correct("move", [3], to=1)
    assert back.answer_.correct("move", [3], to=1).people == corrected.people


def fit_rows(made):
    return made.fit(ROWS)


@pytest.mark.slow
def test_they_travel_to_other_processes_and_back():
    made = PeopleClusterer(NAME).fit(ROWS)
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        assert pool.submit(fit_rows, made).result().answer_ == made.answer_
    [there] = joblib.Parallel(2)([joblib.delayed(fit_rows)(made)])
    assert there.answer_ == made.answer_
