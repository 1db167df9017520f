"""Key phrases against those that people named."""

from collections import Counter

import pytest

from tests.cases import each_case
from tests.weps.key_terms.builders import tagged
from weps.reading import Reader
from weps_eval.key_terms.phrases import (
    NGRAMS,
    OURS,
    POSITION_RANK,
    PhraseLists,
    f1_at,
    judge_phrases,
    position_rank,
    read_phrases,
    stems,
)
from weps_eval.key_terms.sources import articles_of, read_section

NAMED = frozenset({("neural", "network"), ("code",)})


@each_case(
    ("found", "length", "expected"),
    [
        ([], 5, 0),
        ([("code",)], 5, 2 / 3),
        ([("code",), ("code",), (), ("neural", "network")], 2, 1),
        ([("x",), ("code",)], 1, 0),
        ([("network",), ("code",)], 5, 1 / 2),
    ],
)
def test_f1_of_the_first_different_phrases(found, length, expected):
    assert f1_at(found, NAMED, length) == pytest.approx(expected)


def test_phrases_are_the_same_if_their_stems_are():
    assert stems("Neural-Networks") == stems("neural network")
    assert stems("a code") != stems("code")


def test_tf_idf_is_over_all_documents():
    """Five words that both documents have weigh nothing, however often."""
    common = {(word,): 9 for word in "abcde"}
    found = {OURS: [("code",)], POSITION_RANK: []}
    counts = Counter({**common, ("neural", "network"): 1}), Counter(common)
    scores = judge_phrases([PhraseLists(NAMED, found, each) for each in counts])
    assert scores[NGRAMS].tolist() == [[2 / 7, 2 / 8, 2 / 8], [0, 0, 0]]
    assert scores[OURS].tolist() == [[2 / 3] * 3] * 2
    assert scores[POSITION_RANK].tolist() == [[0] * 3] * 2
    assert judge_phrases([])[OURS].size == 0


def test_position_rank_prefers_what_is_early():
    early = [("code", "NOUN"), ("fell", "VERB"), ("network", "NOUN")]
    assert position_rank([early]) == [("code",), ("network",)]
    assert position_rank([]) == []
    assert position_rank([[("@code", "NOUN")]]) == [("@code",)]
    assert position_rank([[("fast", "ADJ"), ("source", "NOUN"), ("code", "NOUN")]]) == [
        ("fast", "sourc", "code")
    ]


def test_all_methods_read_the_document_of_their_row():
    analysis = tagged(["rock/NOUN fell/VERB"], ["Source/NOUN codes/NOUN fell/VERB", "it/PRON"])
    lists = read_phrases(analysis, 1, ["source codes", "..."])
    wanted = ("sourc", "code")
    assert lists.named == {wanted}
    assert lists.found[OURS][0] == lists.found[POSITION_RANK][0] == wanted
    assert lists.ngrams[wanted] == 1
    assert ("rock",) not in lists.ngrams


@pytest.mark.slow
@pytest.mark.parametrize(
    ("archive", "ahead"), [("Inspec.zip", 0.12), ("500N-KPCrowd-v1.1.zip", -0.02)]
)
def test_key_phrases_are_as_good_as_the_study_of_key_terms_says(weps_data, archive, ahead):
    """F1 of the first ten of sixty documents is .145 above that of TF-IDF, and .009 below."""
    articles = articles_of(weps_data / "text" / "keyterms" / archive)
    sample = articles[:: len(articles) // 60][:60]
    scores = judge_phrases(read_section(("", sample), Reader()).phrases)
    assert scores[OURS][:, 1].mean() > scores[NGRAMS][:, 1].mean() + ahead
