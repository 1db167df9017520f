"""Key terms are extracted from occurrences."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse

from tests.cases import each_case
from tests.weps.builders import analysis_of, document, extract
from tests.weps.key_terms.builders import documents, occurrences
from weps.errors import FeatureError
from weps.key_terms.extraction import key_terms, ranked_words_of_all
from weps.key_terms.occurrences import Occurrences, Position, count_near
from weps.key_terms.weighting import WEIGHTINGS, Reference, weighting_by_name


def counts_of(occurrences, position=Position.ANYWHERE):
    """Word → how often it occurs in each document, where it occurs at all."""
    columns = occurrences.at(position).toarray().T.tolist()
    named = zip(occurrences.words, columns, strict=True)
    return {word: counts for word, counts in named if any(counts)}


def test_content_words_are_counted_where_they_stand():
    found = occurrences("the president/h of haiti/mv", "", "haiti/v haiti troops")
    assert found.words == ("haiti", "president", "troops")
    assert found.documents == 3
    assert counts_of(found) == {"haiti": [1, 0, 2], "president": [1, 0, 0], "troops": [0, 0, 1]}
    assert counts_of(found, Position.VERB) == {"haiti": [1, 0, 1]}
    assert counts_of(found, Position.SUBJECT) == {"haiti": [1, 0, 0], "president": [1, 0, 0]}
    assert counts_of(found, Position.HEAD) == {"president": [1, 0, 0]}
    assert counts_of(found, Position.MODIFIER) == {"haiti": [1, 0, 0]}
    assert {counts.dtype for counts in found.counts.values()} == {np.dtype(np.int32)}


@each_case("texts", [[], [""], ["the", "of"]])
def test_documents_without_content_words_keep_their_row(texts):
    found = occurrences(*texts)
    assert (found.words, found.documents) == ((), len(texts))
    assert {found.at(position).shape for position in Position} == {(len(texts), 0)}


def test_without_tags_words_are_the_tokens_of_the_page():
    analysis = analysis_of("York teaches York's bakers", "Thomas Baker of York", "")
    found = Occurrences.without_positions(analysis)
    counted = [{word: n[row] for word, n in counts_of(found).items() if n[row]} for row in range(3)]
    assert counted == [dict(bag) for bag in extract("token", analysis)]
    assert list(found.words) == sorted(found.words)


def test_a_page_without_text_has_the_words_of_its_search_result():
    shown = {"title": "Baker, oboe", "snippet": "The oboe of York"}
    found = Occurrences.without_positions(
        analysis_of(document("York", **shown), document(**shown), document("x", **shown))
    )
    assert counts_of(found) == {"oboe": [0, 2, 2], "york": [1, 1, 1]}


def test_a_position_that_is_not_known_is_refused():
    with pytest.raises(FeatureError, match=r"positions of words \(verb\) are unknown"):
        Occurrences.without_positions(analysis_of("York")).at(Position.VERB)


NEWS = Reference({"president": (60, 30), "troops": (4, 3), "a": (9, 9), "c": (1, 1)}, 1000, 40)
HAITI = (
    "president/h haiti/mv",
    "haiti/v troops",
    "the president",
    "coup/hv president",
)
every = st.sampled_from(sorted(WEIGHTINGS))


def ranked(name, *texts, rows=None, reference=NEWS):
    found = occurrences(*texts)
    chosen = range(len(texts)) if rows is None else rows
    return key_terms(found, chosen, weighting_by_name(name), reference)


def words(terms):
    return [word for word, _ in terms]


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
    assert words(ranked(name, *HAITI)) == expected


def test_tfsyntax_counts_only_what_precedes_a_verb():
    assert ranked("tfsyntax", "a/v a b/v a/v") == [("a", 2.0), ("b", 1.0)]
    assert ranked("tf+verb", "a/v a b/v a/v c") == [("a", 3.0), ("b", 1.0)]


def test_words_of_a_single_document_weigh_less_by_their_share():
    texts = "a a a a", "c c", "c"
    plain = dict(ranked("likelihood_ratio", *texts))
    assert ranked("tf+spread", *texts) == [("c", 2.0), ("a", 4 / 3)]
    assert dict(ranked("likelihood_ratio+spread", *texts)) == pytest.approx(
        {"a": plain["a"] / 3, "c": plain["c"] * 2 / 3}
    )


def test_the_share_is_that_of_the_set():
    assert ranked("tf+spread", "a a", "a b", "b", "c", rows=[0, 1]) == [("a", 3.0), ("b", 0.5)]


def test_a_word_of_other_documents_is_no_candidate():
    assert words(ranked("tf", *HAITI, rows=[2])) == ["president"]
    assert ranked("tf", *HAITI, rows=[]) == []


def test_the_others_of_the_name_make_their_words_weigh_less():
    found = occurrences("sea gale", "sea", "sea", "rain")
    for name in ("likelihood_ratio", "okapi"):
        alone, apart = (
            dict(key_terms(found, [0], weighting_by_name(name), NEWS, namesakes=apart))
            for apart in (False, True)
        )
        assert alone["sea"] == alone["gale"]
        assert apart["sea"] < apart["gale"]


@given(documents, st.sampled_from(["likelihood_ratio", "okapi"]), st.data())
def test_namesakes_are_one_more_reference_collection(texts, name, data):
    found, rows = occurrences(*texts), data.draw(st.sets(st.integers(0, len(texts) - 1)))
    rest = Reference.of(found, [row for row in range(len(texts)) if row not in rows])
    expected = key_terms(
        found, sorted(rows), weighting_by_name(name), Reference.combine([NEWS, rest])
    )
    assert key_terms(found, sorted(rows), weighting_by_name(name), NEWS, namesakes=True) == expected


@given(documents, every, st.booleans(), st.integers(0, 4) | st.none(), st.data())
def test_all_sets_at_once_are_as_each_by_itself(texts, name, namesakes, most, data):
    found, weighting = occurrences(*texts), weighting_by_name(name)
    rows = st.lists(st.integers(0, len(texts) - 1), max_size=4)
    sets = data.draw(st.lists(rows, max_size=4))
    ranked = ranked_words_of_all(found, sets, weighting, NEWS, namesakes=namesakes, most=most)
    terms = [
        [(found.words[at], weight) for at, weight in zip(*each, strict=True)] for each in ranked
    ]
    assert terms == [
        key_terms(found, each, weighting, NEWS, namesakes=namesakes)[:most] for each in sets
    ]


@each_case("name", sorted(WEIGHTINGS))
def test_words_left_out_beforehand_are_not_among_the_best(name):
    chance = np.random.default_rng(5)
    common = 1 / np.arange(1, 301)
    anywhere = chance.poisson(8 * common, (60, 300)).astype(np.int32)
    words = tuple(f"w{number:03}" for number in range(300))
    counts = {each: chance.binomial(anywhere, 0.7).astype(np.int32) for each in Position}
    counts[Position.ANYWHERE] = anywhere
    found = Occurrences(words, {at: sparse.csr_array(each) for at, each in counts.items()})
    known = Reference({word: (50 - n // 10, 20) for n, word in enumerate(words[::3])}, 9000, 400)
    sets = [chance.choice(60, size, replace=False).tolist() for size in (1, 2, 3, 9, 30, 31, 60)]
    weighting = weighting_by_name(name)
    for namesakes in (False, True):
        every, best = (
            ranked_words_of_all(found, sets, weighting, known, namesakes=namesakes, most=most)
            for most in (None, 5)
        )
        for (all_words, weights), of_best in zip(every, best, strict=True):
            assert [all_words[:5].tolist(), weights[:5].tolist()] == [e.tolist() for e in of_best]


@given(documents, st.sampled_from(["tf", "likelihood_ratio", "okapi"]))
def test_a_restriction_adds_no_term_and_changes_no_weight(texts, name):
    before_verbs = {
        word.partition("/")[0] for text in texts for word in text.split() if "v" in word
    }
    kept = [(word, weight) for word, weight in ranked(name, *texts) if word in before_verbs]
    assert ranked(f"{name}+verb", *texts) == kept


@given(documents, every)
def test_terms_stand_best_first_and_equals_in_alphabetical_order(texts, name):
    terms = ranked(name, *texts)
    assert terms == sorted(terms, key=lambda term: (-term[1], term[0]))
    assert len(set(words(terms))) == len(terms)


def test_weightings_of_positions_need_tags():
    plain = Occurrences.without_positions(analysis_of("York teaches"))
    with pytest.raises(FeatureError, match="needs no tags"):
        key_terms(plain, [0], weighting_by_name("tfsyntax"), NEWS)


def test_occurrences_and_those_near_the_name_are_counted_together():
    document, string, near = np.array([1, 0, 1, 1]), np.array([2, 0, 2, 0]), np.array([0, 0, 1, 0])
    counts, nearby = count_near(document, string, near.astype(bool), (2, 3))
    assert counts.toarray().tolist() == [[1, 0, 0], [1, 0, 2]]
    assert nearby.toarray().tolist() == [[0, 0, 0], [0, 0, 1]]
    assert nearby.nnz == counts.nnz
    assert counts.dtype == nearby.dtype == np.int32
