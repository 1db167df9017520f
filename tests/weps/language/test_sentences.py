import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.weps.builders import document
from weps.language import analyse
from weps.language.sentences import first_sentences, sentence_texts


def texts_of(*documents):
    table = analyse("Thomas Baker", documents).tokens
    first = first_sentences(table, len(documents))
    return [
        sentence_texts(each, (table.sentence[np.isin(table.sentence, range(a, b))] - a).tolist())
        for each, a, b in zip(documents, first, first[1:], strict=False)
    ]


@pytest.mark.parametrize(
    ("blocks", "expected"),
    [
        (["A well-known man. He’s 40."], ["A well-known man.", "He’s 40."]),
        (["Home", "Contact us"], ["Home", "Contact us"]),
        (["Dr. J. Baker (York)"], ["Dr. J. Baker (York)"]),
        ([" ", "x"], ["x"]),
        ([], []),
    ],
)
def test_sentences_as_written(blocks, expected):
    assert texts_of(document(*blocks)) == [expected]


@given(st.lists(st.lists(st.text("ab. A'’-é\U0001f600", max_size=12), max_size=3), max_size=3))
def test_as_many_texts_as_sentences(pages):
    documents = [document(*blocks, rank=rank) for rank, blocks in enumerate(pages)]
    table = analyse("Thomas Baker", documents).tokens
    counts = np.diff(first_sentences(table, len(documents))).tolist()
    assert [len(texts) for texts in texts_of(*documents)] == counts
