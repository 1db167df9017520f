import pytest
from hypothesis import given
from hypothesis import strategies as st

from weps.cells import guarded, unguarded


@pytest.mark.parametrize(
    "text", ["=1+1", "+1", "-1", "@SUM(A1)", "＝1", "\t=1", " -x", "'=1", "''@x"]
)
def test_formulas_get_an_apostrophe(text: str) -> None:
    assert guarded(text) == f"'{text}"


@pytest.mark.parametrize("text", ["", "dice(token)", "a=b", "'quoted'", "O'Neil"])
def test_other_text_stays(text: str) -> None:
    assert guarded(text) == text == unguarded(text)


@given(st.text() | st.text("'=+-@ \ta", max_size=6))
def test_nothing_is_lost(text: str) -> None:
    assert unguarded(guarded(text)) == text
