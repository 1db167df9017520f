"""The estimator keeps the conventions of scikit-learn."""

import warnings

import numpy as np
from sklearn.base import clone, is_clusterer
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer
from sklearn.utils import estimator_checks

from tests.cases import each_case
from tests.weps.results.test_result import NAME, ROWS
from weps import Corrections, PeopleClusterer, cluster, pretrained

CHECKS = """
    check_do_not_raise_errors_in_init_or_set_params check_estimator_cloneable check_estimator_repr
    check_get_params_invariance check_mixin_order check_no_attributes_set_in_init
    check_parameters_default_constructible check_set_params check_valid_tag_types
""".split()
"""Those that give the estimator no data. All others fit arrays of random numbers, which are no
pages: ``check_estimator`` skips them by the tags. What of these applies is tested with pages."""


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
