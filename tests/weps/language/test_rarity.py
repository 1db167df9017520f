"""How rare words are in general, and how the table of it is made."""

import gzip
from zipfile import ZipFile

import numpy as np
import pytest
import srsly
from hypothesis import given
from hypothesis import strategies as st

from docs.benchmarks.word_rarity import read_bins, write_table
from tests.cases import each_case
from weps.language.rarity import general_idf, zipf_frequency


@each_case(
    ("word", "expected"),
    [
        ("the", 7.7),
        ("study", 5.4),
        ("studies", 5.4),
        ("thomas", 4.8),  # which ends like a plural and is counted as one
        ("ligament", 3.5),
        ("averdale", 0),
        ("1987", 0),
        ("café", 3.8),
        ("", 0),
    ],
)
def test_frequencies_on_zipfs_scale(word, expected):
    assert zipf_frequency(word) == expected


@each_case(
    ("text", "expected"),
    [
        ("the", 0),
        ("ligament", 4),
        ("averdale", 6.5),
        ("Ligaments", 4),
        ("the ligament of Averdale", 4 + 0.1 + 6.5),
        ("ligament · averdale@averdale", 4 + 6.5 + 6.5),
        ("·", 0),
        ("", 0),
    ],
)
def test_a_text_is_as_rare_as_its_words_together(text, expected):
    assert general_idf([text, text]) == pytest.approx([expected] * 2)


@given(st.lists(st.text()))
def test_the_weight_of_any_text_is_finite_and_at_least_zero(texts):
    found = general_idf(texts)
    assert found.shape == (len(texts),)
    assert ((found >= 0) & np.isfinite(found)).all()


def test_the_table_is_made_from_the_bins_of_wordfreq(tmp_path):
    bins: list[list[str]] = [[] for _ in range(701)]
    bins[200] = ["tide", "tides", "2005"]
    bins[300], bins[645], bins[656] = ["café", "d'oh"], ["kelp"], ["rarity"]
    made = gzip.compress(srsly.msgpack_dumps([{"format": "cB", "version": 1}, *bins]))
    with ZipFile(tmp_path / "wordfreq.whl", "w") as wheel:
        wheel.writestr("wordfreq/data/large_en.msgpack.gz", made)
    write_table(tmp_path / "made.txt", read_bins(tmp_path / "wordfreq.whl"))
    lines = (tmp_path / "made.txt").read_text("utf-8").splitlines()
    assert [line for line in lines if line[0] != "#"] == ["7.3 tide", "6 café", "2.5 kelp"]
