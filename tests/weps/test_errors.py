import copy

import pytest

from weps import errors
from weps.errors import SourceError, WepsError


@pytest.mark.parametrize(
    ("error", "expected"),
    [
        (WepsError("it broke"), "it broke"),
        (WepsError("it broke", where="here"), "here: it broke"),
        (WepsError("it broke", remedy="mend it"), "it broke; mend it"),
        (WepsError("it broke", where=7, remedy="mend it"), "7: it broke; mend it"),
    ],
)
def test_a_message_says_where_what_and_what_to_do(error, expected):
    assert error.describe() == str(error) == expected


@pytest.mark.parametrize("end", ["\n", "\r", "\r\n", "\u2028"])
def test_a_message_is_one_line(end):
    error = WepsError(f"two{end}lines", where=f"a{end}file", remedy=f"do{end}this")
    assert len(error.describe().splitlines()) == 1


@pytest.mark.parametrize("name", errors.__all__)
def test_every_error_stands_in_the_one_tree(name):
    assert issubclass(getattr(errors, name), WepsError)
    assert name in errors.__doc__


def test_an_error_survives_the_way_between_processes():
    error = copy.copy(SourceError("it broke", where="here", remedy="mend it"))
    assert (error.what, error.where, error.remedy) == ("it broke", "here", "mend it")
    assert str(error) == "here: it broke; mend it"
