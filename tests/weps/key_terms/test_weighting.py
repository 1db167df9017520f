"""Statistics: worked by hand, and their limits."""

import json
import re
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.cases import each_case
from tests.weps.key_terms.builders import documents, occurrences
from weps._files import resource_path
from weps.errors import FeatureError, OutputError, SourceError, ValuesError
from weps.key_terms.occurrences import Position
from weps.key_terms.weighting import (
    WEIGHTINGS,
    Counts,
    Reference,
    likelihood_ratio,
    okapi_weight,
    term_frequency,
    weighting_by_name,
)

TWO = occurrences("haiti troops haiti", "the troops", "tide")


def parts_of(reference):
    return dict(reference.words), reference.size, reference.documents


def test_words_are_counted_over_documents():
    assert parts_of(Reference.of(TWO)) == (
        {"haiti": (2, 1), "tide": (1, 1), "troops": (2, 2)},
        5,
        3,
    )


@each_case("rows", [[1, 2], [2, 1], (1, 2, 2)])
def test_some_documents_are_counted_without_the_words_of_others(rows):
    assert parts_of(Reference.of(TWO, rows)) == ({"tide": (1, 1), "troops": (1, 1)}, 2, 2)


def test_words_are_looked_up_in_the_order_asked_for():
    counts, files = Reference.of(TWO).counts_of(("troops", "absent", "haiti"))
    assert (counts.tolist(), files.tolist()) == ([2, 0, 2], [2, 0, 1])
    assert [each.shape for each in Reference.of(TWO).counts_of(())] == [(0,), (0,)]


@given(documents)
def test_what_is_added_can_be_taken_away(texts):
    found = occurrences(*texts)
    first, rest = Reference.of(found, [0]), Reference.of(found, range(1, len(texts)))
    assert parts_of(Reference.combine([first, rest])) == parts_of(Reference.of(found))
    assert parts_of(Reference.of(found) - first) == parts_of(rest)
    assert parts_of(Reference.of(found) - Reference.of(found)) == ({}, 0, 0)


def test_nothing_is_taken_away_that_was_not_there():
    with pytest.raises(ValuesError, match="'tide' occurs more often in a part"):
        Reference.of(TWO, [0, 1]) - Reference.of(TWO)
    with pytest.raises(ValuesError, match="'tide' occurs more often in a part"):
        Reference({"tide": (5, 1)}, 5, 1) - Reference({"tide": (4, 2)}, 4, 2)


def test_words_of_few_collections_are_left_out_but_counted():
    parts = [Reference.of(occurrences(text)) for text in ("sea tide tide", "sea", "tide gale")]
    joined = Reference.combine(parts, fewest=2)
    assert parts_of(joined) == ({"sea": (2, 2), "tide": (3, 2)}, 6, 3)
    assert parts_of(Reference.combine([])) == ({}, 0, 0)


def test_a_collection_is_read_as_it_was_written(tmp_path):
    kept = Reference({"láminas": (3, 2)}, 10, 4, {"layout": "folder"})
    kept.write(tmp_path / "words.json")
    again = Reference.read(tmp_path / "words.json")
    assert (parts_of(again), again.made_from) == (parts_of(kept), {"layout": "folder"})
    with pytest.raises(OutputError, match="cannot be written"):
        kept.write(tmp_path / "absent" / "words.json")


@pytest.mark.parametrize(
    "text", ["", "[]", "{}", '{"words": {"a": 1}}', '{"words": {"a": [1, "b"]}, "size": 1}']
)
def test_another_file_is_no_collection(tmp_path, text):
    (tmp_path / "words.json").write_text(text)
    with pytest.raises(SourceError, match="not a reference collection"):
        Reference.read(tmp_path / "words.json")


def test_the_built_in_collection_holds_what_its_words_allow():
    built_in = Reference.builtin()
    assert Reference.builtin() is built_in
    counts, files = built_in.counts_of(tuple(built_in.words))
    assert (files >= built_in.made_from["fewest_names"]).all()
    assert (counts >= files).all()
    assert counts.sum() < built_in.size
    assert files.max() <= built_in.documents
    assert all(word == word.lower() for word in built_in.words)


def test_the_built_in_collection_is_small_and_as_described():
    path = resource_path("reference/english.json")
    assert path.stat().st_size < 1_000_000
    built_in = json.loads(path.read_text("utf-8"))
    described = (
        Path(resource_path("README.md"))
        .read_text("utf-8")
        .partition("## reference/")[2]
        .partition("\n## ")[0]
    )
    numbers = {number.replace(",", "") for number in re.findall(r"\d[\d,]*", described)}
    parts = len(built_in["words"]), built_in["documents"], built_in["size"]
    assert {*map(str, parts), str(built_in["made_from"]["names"])} <= numbers


NUMBERS = st.integers(0, 1000)


def counts(a=0, c=0, b=0, d=0, n=0, documents=0):
    """One word: a of c words of the set, b of d words of the collection, n of its documents."""
    inside, outside, frequency = (np.array([number], dtype=np.float64) for number in (a, b, n))
    return Counts(inside, float(c), outside, float(d), frequency, float(documents))


@st.composite
def profiles(draw):
    """a of c words, b of d."""
    a, b = draw(NUMBERS), draw(NUMBERS)
    return a, a + draw(NUMBERS), b, b + draw(NUMBERS)


def ratio(a, c, b, d):
    return likelihood_ratio(counts(a, c, b, d)).item()


@each_case(
    ("a", "c", "b", "d", "expected"),
    [
        # E1 = 100·20/1100 = 1.818, E2 = 18.182: 2 (10 ln 5.5 + 10 ln .55)
        (10, 100, 10, 1000, 22.138),
        # E1 = 5/11: 2·5 ln 11, the collection adds nothing
        (5, 100, 0, 1000, 23.979),
        # nothing in the set, E2 = 200/11: 2·20 ln 1.1, and rarer than expected
        (0, 100, 20, 1000, -3.812),
        # E1 = 1, E2 = 10: 2 (1 ln 1 + 10 ln 1)
        (1, 100, 10, 1000, 0),
        (0, 100, 0, 1000, 0),
        (3, 100, 0, 0, 0),
        (0, 0, 5, 1000, 0),
    ],
)
def test_likelihood_ratio_by_hand(a, c, b, d, expected):
    assert ratio(a, c, b, d) == pytest.approx(expected, abs=5e-4)


@given(profiles())
def test_likelihood_ratio_tells_which_profile_has_more(profile):
    a, c, b, d = profile
    found = ratio(a, c, b, d)
    assert np.isfinite(found)
    # Between shares that nearly agree the ratio itself may be nothing but rounding.
    assert found * np.sign(a * d - b * c) >= 0
    if a * d == b * c:
        assert found == 0
    assert found == pytest.approx(-ratio(b, d, a, c), abs=1e-9)


@given(profiles(), st.integers(1, 5))
def test_likelihood_ratio_grows_with_the_evidence(profile, times):
    expected = times * ratio(*profile)
    assert ratio(*(times * number for number in profile)) == pytest.approx(expected, abs=1e-6)


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


@each_case("statistic", [term_frequency, likelihood_ratio, okapi_weight])
def test_many_words_are_weighed_as_each_is(statistic):
    rows = [(3, 10, 2, 90, 1, 9), (0, 10, 5, 90, 5, 9), (7, 20, 0, 90, 0, 9)]
    fields = np.array(rows, dtype=np.float64).T
    together = statistic(Counts(*fields))
    assert together.tolist() == [statistic(counts(*row)).item() for row in rows]


PLAIN = ["tf", "likelihood_ratio", "okapi"]


SPREAD = [f"{name}+spread" for name in PLAIN]


def test_the_weightings_of_the_paper_come_first():
    syntactic = ["tfsyntax", "subject", "modifier", *(f"{name}+verb" for name in PLAIN)]
    assert list(WEIGHTINGS) == [*PLAIN, *syntactic, *SPREAD]
    assert [name for name, each in WEIGHTINGS.items() if each.needs_tags] == syntactic
    counted = {each.statistic for each in WEIGHTINGS.values() if each.counted != Position.ANYWHERE}
    assert counted == {term_frequency}


@each_case("name", WEIGHTINGS)
def test_a_weighting_is_found_by_its_name_and_says_what_it_is(name):
    found = weighting_by_name(name)
    assert found.name == name
    assert found.description
    assert ("2004" in found.source) != found.spread


@each_case(
    ("name", "remedy"),
    [
        ("likelihood", "did you mean likelihood_ratio"),
        ("", "there are: tf, "),
        ("xyz", "there are"),
    ],
)
def test_an_unknown_weighting_is_parts_of(name, remedy):
    with pytest.raises(FeatureError, match=remedy):
        weighting_by_name(name)
