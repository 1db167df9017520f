import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from weps.language import Marks

MARKS = st.lists(
    st.tuples(st.integers(0, 9), st.sampled_from("abc"), st.sampled_from(["", "person"]))
).map(sorted)


@given(MARKS)
def test_marks_are_kept_in_order(marks):
    assert list(Marks.of(marks)) == marks


@given(MARKS)
def test_marks_survive_json(marks):
    data = json.loads(json.dumps(Marks.of(marks).to_data()))
    assert list(Marks.from_data(data)) == marks


@given(MARKS)
def test_equal_marks_share_an_entry(marks):
    made = Marks.of(marks)
    assert len(made.texts) == len(made.kinds) == len({mark[1:] for mark in marks})
    assert len(made) == len(marks)


@given(st.lists(MARKS, max_size=4))
def test_joined_marks_count_the_sentences_on(pages):
    first = [10 * number for number in range(len(pages))]
    joined = Marks.joined([Marks.of(page) for page in pages], first)
    assert list(joined) == [
        (start + at, text, kind)
        for page, start in zip(pages, first, strict=True)
        for at, text, kind in page
    ]


def test_damaged_data_is_refused():
    with pytest.raises(KeyError):
        Marks.from_data({"texts": []})
