import pytest
from hypothesis import given
from hypothesis import strategies as st

from eval.text.wrapped.tokens import lower_tokens


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The dog's 2.6 m, ÉTÉ!", ["the", "dog", "'s", "2.6", "m", ",", "été", "!"]),
        ("東京 — …", ["東京", "—", "…"]),
        (" \n", []),
    ],
)
def test_tokens(text: str, expected: list[str]) -> None:
    assert lower_tokens(text) == expected


@given(st.text())
def test_no_text_but_blanks_is_without_tokens(text: str) -> None:
    assert bool(lower_tokens(text)) == bool(text.strip())
