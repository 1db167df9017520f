import numpy as np
import pytest

from eval.systems import Answers, Columns, narrowed, run_systems, systems_of
from weps.errors import FeatureError
from weps.feature_sets import similarities_of
from weps.forms import Form
from weps.records import Clustering
from weps.training import Example

SETS = ["non-linguistic", "tokens", "token+title", "title+token(local=false)"]
SYSTEMS = systems_of(SETS)


def test_the_union_is_what_any_system_wants() -> None:
    assert list(SYSTEMS.wanted) == SETS
    assert SYSTEMS.union == similarities_of("+".join(SETS))
    assert SYSTEMS.wanted["tokens"] == similarities_of("tokens")


@pytest.mark.parametrize("form", list(Form))
def test_what_is_wanted_is_used_or_absent(form: Form) -> None:
    used, absent = SYSTEMS.used(form), SYSTEMS.absent(form)
    for name, wanted in SYSTEMS.wanted.items():
        assert {*used[name], *absent[name]} == {*wanted}
        assert not {*used[name]} & {*absent[name]}


@pytest.mark.parametrize(
    ("form", "absent"),
    [
        (Form.PAGES, []),
        (Form.TOKENS, ["dice(token(local=true))"]),
        (Form.RESULTS, ["dice(token)", "dice(token(local=true))"]),
    ],
)
def test_a_form_lacks_features(form: Form, absent: list[str]) -> None:
    assert list(map(str, SYSTEMS.absent(form)["token+title"])) == absent


@pytest.mark.parametrize(
    ("form", "alike"),
    [
        (Form.PAGES, []),
        (Form.TOKENS, [["token+title", "title+token(local=false)"]]),
        (Form.RESULTS, [["token+title", "title+token(local=false)"]]),
    ],
)
def test_systems_that_come_to_the_same_are_told(form: Form, alike: list[list[str]]) -> None:
    assert SYSTEMS.alike(form) == alike


def test_common_features_are_those_of_the_poorest_form() -> None:
    systems = systems_of(SETS, {Form.PAGES, Form.RESULTS})
    for form in Form:
        assert systems.used(form) == SYSTEMS.used(Form.RESULTS)
        assert systems.absent(form) == SYSTEMS.absent(Form.RESULTS)


def test_unknown_items_of_all_sets_are_told_at_once() -> None:
    with pytest.raises(FeatureError) as caught:
        systems_of(["tokne", "all", "titel"])
    assert "'tokne'" in caught.value.describe()
    assert "'titel'" in caught.value.describe()


def test_systems_that_are_alike_are_run_once() -> None:
    runs: list[tuple[Form, Columns]] = []

    def answer(form: Form, columns: Columns) -> Answers:
        runs.append((form, columns))
        return {f"name of {form}": Clustering((frozenset([len(columns)]),))}

    answers = run_systems(SYSTEMS, {Form.TOKENS, Form.PAGES}, answer)
    assert len(runs) == len(set(runs)) == 4 + 3
    assert set(answers) == set(SETS)
    assert all(set(each) == {"name of pages", "name of tokens"} for each in answers.values())
    assert answers["tokens"]["name of tokens"].groups == (frozenset([1]),)


def test_examples_are_narrowed_to_columns_in_their_order() -> None:
    held = similarities_of("token+title")
    values = np.arange(9, dtype=np.float32).reshape(3, 3)
    example = Example("Ada", (1, 2, 3), values, Clustering(()))
    wanted = (held[2], held[0])
    (narrow,) = narrowed([example], held, wanted)
    assert narrow.values.tolist() == values[:, [2, 0]].tolist()
    assert narrow.values.dtype == np.float32
    assert narrow.ranks == example.ranks
    assert narrowed([example], held, ())[0].values.shape == (3, 0)
