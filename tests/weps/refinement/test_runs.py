import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.weps.builders import analysis_of, contents, documents, unhurried
from weps.language import analyse
from weps.refinement.runs import word_runs
from weps.resources import word_list


def found(text: str, n: int) -> set[str]:
    return set(contents(word_runs(analysis_of(text), n))[0])


@pytest.mark.parametrize(
    ("text", "n", "expected"),
    [
        ("the College of Law", 1, {"college", "law"}),
        ("the College of Law", 2, set()),
        ("the College of Law", 3, {"college of law"}),
        ("online since 1999", 1, {"online", "1999"}),
        ("Kent, Ohio. Tides rise", 2, {"kent ohio", "tides rise"}),
        ("York's tides", 2, {"york tides"}),
        ("I x", 1, {"x"}),
        ("alignment via structured multilabel", 4, {"alignment via structured multilabel"}),
        ("a b c d e f", 5, {"b c d e f"}),
    ],
)
def test_runs(text, n, expected):
    assert found(text, n) == expected


@pytest.mark.parametrize(
    ("n", "expected"),
    [
        (1, {"j", "knight"}),
        (2, {"thomas j", "j baker", "baker knight"}),
        (3, {"thomas j baker", "j baker knight"}),
    ],
)
def test_the_name_alone_adds_nothing_to_the_query(n, expected):
    assert found("Thomas J. Baker Knight", n) == expected
    assert found("Thomas Baker", n) == set()
    assert found("Baker and Baker", n) == set()


def test_runs_are_counted_page_by_page():
    bags = contents(word_runs(analysis_of("tides tides", "moons", ""), 1))
    assert bags == [{"tides": 2}, {"moons": 1}, {}]


@given(st.lists(documents, max_size=3), st.integers(1, 5))
@unhurried
def test_no_run_begins_or_ends_with_a_stop_word(pages, n):
    stop = word_list("stopwords/english.txt")
    for bag in contents(word_runs(analyse("Thomas Baker", pages), n)):
        for run in bag:
            words = run.split()
            assert len(words) == n
            assert stop.isdisjoint((words[0], words[-1]))
            assert not stop.union(("thomas", "baker")).issuperset(words)
