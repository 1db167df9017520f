import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.cases import each_case
from tests.eval.key_terms.made_up import documents, occurrences
from weps.features.bags import Bags
from weps.key_terms.weighting import Counts, Reference
from weps_eval.key_terms.weighting import (
    WEIGHTINGS,
    Position,
    okapi_weight,
    rank_terms,
    term_frequency,
)


def counts_of(occurrences, position=Position.ANYWHERE):
    """Word → how often it occurs in each document, where it occurs at all."""
    columns = occurrences.counts[position].toarray().T.tolist()
    named = zip(occurrences.words, columns, strict=True)
    return {word: counts for word, counts in named if any(counts)}


def test_content_words_are_counted_where_they_stand():
    found = occurrences("the president/h of haiti/mv", "", "haiti/v haiti troops")
    assert tuple(found.words) == ("haiti", "president", "troops")
    assert counts_of(found) == {"haiti": [1, 0, 2], "president": [1, 0, 0], "troops": [0, 0, 1]}
    assert counts_of(found, Position.VERB) == {"haiti": [1, 0, 1]}
    assert counts_of(found, Position.SUBJECT) == {"haiti": [1, 0, 0], "president": [1, 0, 0]}
    assert counts_of(found, Position.HEAD) == {"president": [1, 0, 0]}
    assert counts_of(found, Position.MODIFIER) == {"haiti": [1, 0, 0]}
    assert {counts.dtype for counts in found.counts.values()} == {np.dtype(np.int32)}


@each_case("texts", [[], [""], ["the", "of"]])
def test_documents_without_content_words_keep_their_row(texts):
    found = occurrences(*texts)
    assert {each.shape for each in found.counts.values()} == {(len(texts), 0)}


NEWS = Reference({"president": (60, 30), "troops": (4, 3), "a": (9, 9), "c": (1, 1)}, 1000, 40)
HAITI = (
    "president/h haiti/mv",
    "haiti/v troops",
    "the president",
    "coup/hv president",
)


def ranked(name, *texts, rows=None, reference=NEWS):
    chosen = range(len(texts)) if rows is None else rows
    return rank_terms(occurrences(*texts), chosen, WEIGHTINGS[name], reference)


@each_case(
    ("name", "expected"),
    [
        ("tf", ["president", "haiti", "coup", "troops"]),
        ("likelihood_ratio", ["haiti", "coup", "president", "troops"]),
        ("okapi", ["haiti", "coup", "troops", "president"]),
        ("tfsyntax", ["haiti", "coup"]),
        ("subject", ["coup", "haiti", "president"]),
        ("modifier", ["haiti"]),
        ("tf+verb", ["haiti", "coup"]),
        ("likelihood_ratio+verb", ["haiti", "coup"]),
        ("okapi+verb", ["haiti", "coup"]),
        ("tf+spread", ["president", "haiti", "coup", "troops"]),
    ],
)
def test_the_terms_of_haiti(name, expected):
    assert ranked(name, *HAITI) == expected


@each_case(
    ("name", "texts", "expected"),
    [
        ("tfsyntax", ["a/v b/v b/v a a c"], "b a"),
        ("tf+verb", ["a/v b/v b/v a a c"], "a b"),
        ("tf", ["b b b", "c", "c"], "b c"),
        ("tf+spread", ["b b b", "c", "c"], "c b"),
    ],
)
def test_what_is_counted(name, texts, expected):
    assert ranked(name, *texts) == expected.split()


def test_a_word_of_other_documents_is_no_candidate():
    assert ranked("tf", *HAITI, rows=[2]) == ["president"]


@given(documents, st.sampled_from(sorted(WEIGHTINGS)), st.data())
def test_a_set_apart_is_compared_with_the_rest(texts, name, data):
    found = occurrences(*texts)
    rows = data.draw(st.sets(st.integers(0, len(texts) - 1), min_size=1).map(sorted))
    anywhere = found.counts[Position.ANYWHERE]
    rest = [row for row in range(len(texts)) if row not in rows]
    everything, others = (
        Reference.of(Bags(anywhere[chosen], found.words)) for chosen in (range(len(texts)), rest)
    )
    expected = rank_terms(found, rows, WEIGHTINGS[name], others)
    assert rank_terms(found, rows, WEIGHTINGS[name], everything, apart=True) == expected


@given(documents, st.sampled_from(["tf", "likelihood_ratio", "okapi"]))
def test_a_restriction_leaves_words_out_and_keeps_their_order(texts, name):
    before_verbs = {
        word.partition("/")[0] for text in texts for word in text.split() if "v" in word
    }
    kept = [word for word in ranked(name, *texts) if word in before_verbs]
    assert ranked(f"{name}+verb", *texts) == kept


def counts(a=0, c=0, d=0, n=0, documents=0):
    """One word: a of c words of the set, in n of the documents of the collection of d words."""
    inside, frequency = (np.array([number], dtype=np.float64) for number in (a, n))
    return Counts(inside, float(c), np.zeros(1), float(d), frequency, float(documents))


def test_okapi_by_hand():
    # documents have 10 words, the set three times as many: 1.2 (.25 + .75·3) = 3
    found = okapi_weight(counts(a=3, c=30, d=100, n=1, documents=10)).item()
    assert found == pytest.approx(3 * 2.2 / (3 + 3) * np.log(9.5 / 1.5))


@each_case(
    ("given_counts", "sign"),
    [
        (counts(a=3, c=30, d=100, n=4, documents=10), 1),
        (counts(a=3, c=30, d=100, n=5, documents=10), 0),
        (counts(a=3, c=30, d=100, n=6, documents=10), -1),
        (counts(a=0, c=30, d=100, n=1, documents=10), 0),
        (counts(a=3, c=30), 0),
        (counts(), 0),
    ],
)
def test_okapi_is_positive_for_words_of_less_than_half_of_the_documents(given_counts, sign):
    assert np.sign(okapi_weight(given_counts).item()) == sign


@given(st.integers(1, 50), st.integers(1, 50), st.integers(0, 20))
def test_okapi_grows_with_occurrences_up_to_a_bound(a, more, n):
    low, high = (
        okapi_weight(counts(a=k, c=100, d=400, n=n, documents=40)).item() for k in (a, a + more)
    )
    bound = 2.2 * np.log((40 - n + 0.5) / (n + 0.5))
    assert low < high < bound or n == 20


def test_the_weightings_of_the_paper_come_first():
    plain = ["tf", "likelihood_ratio", "okapi"]
    syntactic = ["tfsyntax", "subject", "modifier", *(f"{name}+verb" for name in plain)]
    assert list(WEIGHTINGS) == [*plain, *syntactic, *(f"{name}+spread" for name in plain)]
    assert [name for name, each in WEIGHTINGS.items() if each.needs_tags] == syntactic
    counted = {each.statistic for each in WEIGHTINGS.values() if each.counted != Position.ANYWHERE}
    assert counted == {term_frequency}
