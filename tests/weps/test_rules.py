import pytest

from weps.features import features
from weps.forms import Form, offered
from weps.rules import RULES, ruled_columns
from weps.similarity import similarity

COLUMNS = tuple(map(similarity, ("dice(token)", "agree(phone)", "linked", "agree(home_page)")))


@pytest.mark.parametrize(("name", "written"), [(n, w) for n, r in RULES.items() for w in r])
def test_rules_are_about_identity(name: str, written: str) -> None:
    about = similarity(written)
    assert str(about) == written
    assert about.feature.family == "identity"
    assert (RULES[name][written] > 0) is (about.measure == "agree")


def test_every_evidence_of_identity_has_a_rule() -> None:
    ruled = {similarity(written).feature for written in RULES["identity"]}
    assert ruled == {each for each in features() if each.family == "identity"}


def test_columns_are_divided_between_classifier_and_rules() -> None:
    seen, ruled, weights = ruled_columns(
        COLUMNS, {"agree(home_page)": 3.0, "agree(phone)": 2.0, "contradict(phone)": -9.0}
    )
    assert (seen.tolist(), ruled.tolist(), weights.tolist()) == ([0, 2], [1, 3], [2.0, 3.0])
    assert [str(array.dtype) for array in (seen, ruled, weights)] == ["int32", "int32", "float64"]


@pytest.mark.parametrize("form", [Form.TOKENS, Form.RESULTS])
def test_poor_forms_of_page_have_no_rules(form: Form) -> None:
    similarities = offered(COLUMNS, form)
    seen, ruled, weights = ruled_columns(similarities, RULES["identity"])
    assert seen.tolist() == [*range(len(similarities))]
    assert ruled.shape == weights.shape == (0,)


def test_no_rules_leave_all_columns_to_the_classifier() -> None:
    seen, ruled, _ = ruled_columns(COLUMNS, RULES["none"])
    assert (seen.tolist(), ruled.tolist()) == ([0, 1, 2, 3], [])
