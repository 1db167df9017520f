import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.weps.builders import analysis_of, document, documents, unhurried
from weps.features.sequences import TokenRuns, token_runs


def starts(text: str, length: int) -> list[int]:
    return TokenRuns(analysis_of(text)).starts(length).tolist()


@pytest.mark.parametrize(
    ("length", "expected"), [(1, [0, 1, 2, 3, 4]), (2, [0, 1, 3]), (3, [0]), (4, []), (5, [])]
)
def test_runs_stay_within_their_sentence(length, expected):
    assert starts("one two! Three four", length) == expected


@pytest.mark.parametrize("length", range(1, 6))
@pytest.mark.parametrize("tokens", range(7))
def test_a_text_shorter_than_the_run_has_none(tokens, length):
    assert starts("x " * tokens, length) == list(range(tokens - length + 1))


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("maths", True),
        ("Maths", True),
        ("O'Neill", True),
        ("1999", True),
        ("the", False),
        ("The", False),
        ("http", False),
        ("thomas", False),
        ("BAKER", False),
        ("x", False),
        ("7", False),
        (",", False),
        ("...", False),
    ],
)
def test_content(word, expected):
    assert TokenRuns(analysis_of(word)).content.tolist()[0] is expected


def test_a_possessive_is_no_content_however_it_is_typed():
    for text in ("York's", "York’s"):
        assert TokenRuns(analysis_of(text)).content.tolist() == [True, False]


def test_tokens_are_local_in_sentences_that_mention_the_name():
    runs = TokenRuns(analysis_of("Thomas Baker sings. Nobody hears"))
    assert runs.local.tolist() == [True] * 4 + [False] * 2


def test_any_content_looks_at_every_token_of_the_run():
    runs = TokenRuns(analysis_of("of the maths , and the"))
    assert runs.any_content(runs.starts(2), 2).tolist() == [False, True, True, False, False]


@given(st.lists(documents, max_size=3), st.integers(1, 5))
@unhurried
def test_equal_runs_are_counted_together_and_no_others(given_documents, length):
    runs = TokenRuns(analysis_of(*given_documents))
    bags = runs.bags(runs.starts(length), length)
    assert len(set(bags.strings)) == len(bags.strings)
    assert bags.counts.sum() == len(runs.starts(length))
    assert all(len(string.split(" ")) == length for string in bags.strings)


def test_runs_are_made_once_for_a_name():
    analysis = analysis_of("one")
    assert token_runs(analysis) is token_runs(analysis)
    assert token_runs(analysis_of("one")) is not token_runs(analysis)


def test_runs_of_documents_without_text():
    runs = TokenRuns(analysis_of(document(), document()))
    bags = runs.bags(runs.starts(2), 2)
    assert bags.counts.shape == (2, 0)
    assert np.array_equal(runs.content, np.zeros(0, dtype=bool))
