import numpy as np
import pytest

from eval.benchmark import Trial
from eval.systems import Columns, run_systems, systems_of
from weps.errors import FeatureError
from weps.feature_sets import similarities_of
from weps.forms import Form
from weps.records import Clustering
from weps.training import Answered

SETS = ["non-linguistic", "tokens", "token+title", "title+token(local=false)"]
NAMES = ["paper", *(f"paper:features={each}" for each in SETS[1:])]
SYSTEMS = systems_of(NAMES)
TOKENS, PAIRED, MIXED = NAMES[1:]


def test_the_union_is_what_any_system_wants() -> None:
    assert list(SYSTEMS.wanted) == list(SYSTEMS.configurations) == NAMES
    assert SYSTEMS.union == similarities_of("+".join(SETS))
    assert SYSTEMS.wanted[TOKENS] == similarities_of("tokens")


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
    assert list(map(str, SYSTEMS.absent(form)[PAIRED])) == absent


@pytest.mark.parametrize(
    ("form", "groups"),
    [
        (Form.PAGES, [[name] for name in NAMES]),
        (Form.TOKENS, [["paper"], [TOKENS], [PAIRED, MIXED]]),
        (Form.RESULTS, [["paper"], [TOKENS], [PAIRED, MIXED]]),
    ],
)
def test_systems_that_come_to_the_same_are_told(form: Form, groups: list[list[str]]) -> None:
    assert SYSTEMS.groups(form) == groups


@pytest.mark.parametrize("choice", ["classifier=boosted", "link=average", "copies=1"])
def test_systems_of_the_same_features_differ_in_every_other_choice(choice: str) -> None:
    systems = systems_of(["paper", f"paper:{choice}", "paper:features=non-linguistic"])
    other, same = list(systems.wanted)[1:]
    assert systems.groups(Form.PAGES) == [["paper", same], [other]]


def test_common_features_are_those_of_the_poorest_form() -> None:
    systems = systems_of(NAMES, {Form.PAGES, Form.RESULTS})
    assert systems.common
    assert not SYSTEMS.common
    for form in Form:
        assert systems.used(form) == SYSTEMS.used(Form.RESULTS)
        assert systems.absent(form) == SYSTEMS.absent(Form.RESULTS)


def test_all_that_cannot_be_read_is_told_at_once() -> None:
    with pytest.raises(FeatureError) as caught:
        systems_of(["paper:features=tokne", "paper", "papre", "paper:link=avrage"])
    for fault in ("'tokne'", "'papre'", "'avrage'"):
        assert fault in caught.value.describe()


def test_systems_that_are_alike_are_run_once() -> None:
    runs: list[tuple[str, Form, Columns]] = []

    def attempt(system: str, form: Form, columns: Columns) -> Trial:
        runs.append((system, form, columns))
        given = Answered(Clustering(()), np.zeros(0), np.zeros(len(columns)))
        return Trial({f"name of {form}": given}, learning=1.0, answering=0.5)

    trials = run_systems(SYSTEMS, {Form.TOKENS, Form.PAGES}, attempt)
    assert [system for system, form, _ in runs if form is Form.PAGES] == NAMES
    assert [system for system, form, _ in runs if form is Form.TOKENS] == NAMES[:3]
    assert list(trials) == NAMES
    for name, trial in trials.items():
        assert set(trial.answers) == {"name of pages", "name of tokens"}
        assert len(trial.answers["name of tokens"].belief) == len(SYSTEMS.used(Form.TOKENS)[name])
        assert (trial.learning, trial.answering) == (2.0, 1.0)
