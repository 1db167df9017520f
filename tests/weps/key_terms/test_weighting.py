import json
import re
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.cases import each_case
from tests.weps.builders import analysis_of, contents, document, extract
from tests.weps.key_terms.builders import counted, documents
from weps._files import resource_path
from weps.errors import OutputError, SourceError
from weps.key_terms.labels import (
    Counts,
    Reference,
    content_word_counts,
    likelihood_ratio,
    rank_words,
    spread_likelihood,
)

TWO = counted("haiti troops haiti", "troops", "tide")


def parts_of(reference):
    return dict(reference.words), reference.size, reference.documents


def test_words_are_counted_over_documents():
    assert parts_of(Reference.of(TWO)) == (
        {"haiti": (2, 1), "tide": (1, 1), "troops": (2, 2)},
        5,
        3,
    )


def test_words_of_few_collections_are_left_out_but_counted():
    parts = [Reference.of(counted(text)) for text in ("sea tide tide", "sea", "tide gale")]
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


def test_words_are_the_tokens_of_the_page():
    analysis = analysis_of("York teaches York's bakers", "Thomas Baker of York", "")
    found = content_word_counts(analysis)
    assert contents(found) == [dict(bag) for bag in extract("token", analysis)]
    assert list(found.strings) == sorted(found.strings)


def test_a_page_without_text_has_the_words_of_its_search_result():
    shown = {"title": "Baker, oboe", "snippet": "The oboe of York"}
    pages = document("York", **shown), document(**shown), document("x", **shown)
    assert contents(content_word_counts(analysis_of(*pages))) == [
        {"york": 1},
        {"oboe": 2, "york": 1},
        {"oboe": 2, "york": 1},
    ]


NEWS = Reference({"president": (60, 30), "troops": (4, 3), "a": (9, 9), "c": (1, 1)}, 1000, 40)


def ranked(sets, *texts, weigh=likelihood_ratio, most=None):
    """For each set its words with their weights."""
    found = counted(*texts)
    return [
        [(found.strings[column], weight) for column, weight in zip(*map(list, each), strict=True)]
        for each in rank_words(found, sets, weigh, NEWS, most)
    ]


def test_words_of_a_single_document_weigh_less_by_their_share():
    texts = "a a a a", "c c", "c"
    (plain,), (spread,) = (
        ranked([[0, 1, 2]], *texts, weigh=each) for each in (likelihood_ratio, spread_likelihood)
    )
    weights = dict(plain)
    assert dict(spread) == pytest.approx({"a": weights["a"] / 3, "c": weights["c"] * 2 / 3})


@given(documents, st.data())
def test_weights_are_those_of_the_statistic_and_equals_stand_in_order(texts, data):
    rows = data.draw(st.sets(st.integers(0, len(texts) - 1), min_size=1).map(sorted))
    inside = " ".join(texts[row] for row in rows).split()
    others = [text.split() for row, text in enumerate(texts) if row not in rows]
    expected = []
    for word in set(inside):
        known, files = NEWS.words.get(word, (0, 0))
        expected.append(
            likelihood_ratio(
                counts(
                    inside.count(word),
                    len(inside),
                    known + sum(text.count(word) for text in others),
                    NEWS.size + sum(map(len, others)),
                    files + sum(word in text for text in others),
                    NEWS.documents + len(others),
                )
            ).item()
        )
    (terms,) = ranked([rows], *texts)
    assert sorted(weight for _, weight in terms) == sorted(expected)
    assert terms == sorted(terms, key=lambda term: (-term[1], term[0]))


@given(documents, st.integers(0, 4) | st.none(), st.data())
def test_all_sets_at_once_are_as_each_by_itself(texts, most, data):
    rows = st.lists(st.integers(0, len(texts) - 1), max_size=4)
    sets = data.draw(st.lists(rows, max_size=4))
    expected = [ranked([each], *texts)[0][:most] for each in sets]
    assert ranked(sets, *texts, most=most) == expected
