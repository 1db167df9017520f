from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.cases import each_case
from tests.eval.tables.made_up import contents, instances, small
from weps.errors import ValuesError
from weps_eval.tables.instances import Instances, is_positive, join_instances


@each_case(
    "pair",
    "true/false yes/no 1/0 1.0/0.0 positive/negative +/- "
    "coreferent/other TRUE/False Yes/NO".split(),
)
def test_labels_come_in_pairs(pair):
    assert [is_positive(f" {label}") for label in pair.split("/")] == [True, False]


@each_case("label", ["", "2", "maybe", "10", "nan", "tru", "-1"])
def test_other_words_are_no_labels(label):
    assert is_positive(label) is None


GOOD = {
    "measures": ("x", "y"),
    "values": np.zeros((2, 3)),
    "positive": np.array([True, False, True]),
    "group": np.zeros(3, dtype=np.int32),
    "groups": ("all",),
}


@each_case(
    ("changed", "message"),
    [
        ({"measures": ("x", "x")}, "two measures are called 'x'; rename"),
        ({"measures": ("x",)}, r"values has shape \(2, 3\)"),
        ({"values": np.zeros((3, 2))}, r"values has shape \(3, 2\)"),
        ({"values": np.zeros((2, 3), dtype=int)}, "values has .* type int64.* type float"),
        ({"positive": np.zeros(3)}, "positive has .* type float64.* type bool"),
        ({"positive": np.zeros((3, 1), dtype=bool)}, "positive has shape"),
        ({"group": np.zeros(2, dtype=np.int32)}, r"group has shape \(2,\)"),
        ({"group": np.zeros(3)}, "group has .* type float64"),
        ({"group": np.array([0, 1, 0])}, "of a group that has no name"),
        ({"group": np.array([0, -1, 0])}, "of a group that has no name"),
        ({"groups": ("all", "all")}, "two groups are called 'all'"),
    ],
)
def test_parts_that_do_not_fit_are_refused(changed, message):
    with pytest.raises(ValuesError, match=message):
        Instances(**{**GOOD, **changed})


def test_a_missing_value_is_told_by_measure_and_instance():
    values = np.array([[1.0, 2.0, 3.0], [4.0, 5.0, np.nan]])
    with pytest.raises(ValuesError, match=r"instance 2, counted from 0: the value of 'y' is NaN"):
        Instances(**{**GOOD, "values": values})


@each_case(
    ("dtype", "kept"),
    [(np.float32, np.float32), (np.float64, np.float64), (np.float16, np.float64), (">f8", "f8")],
)
def test_values_are_floats_in_c_order(dtype, kept):
    made = Instances(**{**GOOD, "values": np.zeros((3, 2), dtype=dtype).T})
    assert made.values.dtype == kept
    assert made.values.flags.c_contiguous
    assert made.group.dtype == np.int32


def test_measures_come_in_the_order_asked_for():
    chosen = small().only(["length", "dice(token)"])
    assert chosen.measures == ("length", "dice(token)")
    assert chosen.values.tolist() == small().values[::-1].tolist()
    assert contents(small().only(small().measures)) == contents(small())


@pytest.mark.parametrize("ask", [lambda it: it.column("lenght"), lambda it: it.only(["lenght"])])
def test_an_unknown_measure_is_told_with_those_near_it(ask):
    with pytest.raises(ValuesError, match="unknown measure 'lenght'; did you mean 'length'"):
        ask(small())


def test_groups_without_instances_can_be_dropped():
    parts = {**GOOD, "group": np.array([3, 1, 3]), "groups": ("a", "b", "c", "d", "e")}
    found = Instances(**parts).without_empty_groups()
    assert found.groups == ("b", "d")
    assert found.group.tolist() == [1, 0, 1]
    assert found.positive.tolist() == GOOD["positive"].tolist()
    assert contents(small().without_empty_groups()) == contents(small())


@pytest.mark.parametrize("choice", [np.array([True]), np.array([0, 1, 1, 0])])
def test_a_choice_is_one_per_instance(choice):
    with pytest.raises(ValuesError, match=r"expected a truth value per instance.*; give 4 truth"):
        small().of(choice)


@given(instances(), st.data())
def test_what_is_parted_can_be_joined(whole, data):
    size = len(whole.positive)
    first = np.array(data.draw(st.lists(st.booleans(), min_size=size, max_size=size)))
    again = join_instances([whole.of(first), whole.of(~first)])
    order = np.argsort(~first, kind="stable")
    assert again.values.tolist() == whole.values[:, order].tolist()
    assert again.positive.tolist() == whole.positive[order].tolist()
    assert _names(again) == [_names(whole)[index] for index in order]
    assert len(again.groups) == len(whole.groups)


def _names(given_: Instances) -> list[str]:
    return [given_.groups[index] for index in given_.group]


@pytest.mark.parametrize(
    ("parts", "message"),
    [([], "nothing to join"), ([small(), small().only(["length"])], "different measures")],
)
def test_what_cannot_be_joined(parts, message):
    with pytest.raises(ValuesError, match=message):
        join_instances(parts)
