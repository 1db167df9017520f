"""Text near the name: which tokens are within a window, and what is encoded."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given

from tests.cases import each_case
from tests.weps.builders import analysis_of, document, documents, extract
from weps.features.registry import feature_by_name
from weps.features.windows import embedding, encoded_texts
from weps.page_forms import PageForm, available_similarities, reduce_document
from weps.similarity.columns import parse_similarity
from weps.systems import similarities_of

FILLER = "and " * 23
"""Stop words: with the name itself or a word they fill a window of 25."""


def near(page, width=25, name="Thomas Baker"):
    (found,) = extract(f"window(width={width})", analysis_of(page, name=name))
    return found


@each_case(
    ("text", "expected"),
    [
        ("", ""),
        ("Kelp grows", ""),
        ("Kelps of Thomas Baker grow, grow", "kelp grow grow"),
        (f"tides kelp {FILLER} Thomas Baker {FILLER} reef dunes shore", "kelp reef dune"),
        (f"kelp {FILLER} Baker, Thomas {FILLER} reef dunes", "kelp"),
        (f"kelp {FILLER} Thomas J. Baker {FILLER} reef", "reef"),
        # Windows that overlap count their words once.
        ("kelp Thomas Baker reef Thomas Baker dunes", "kelp reef dune"),
        # The last name alone counts only on pages whose sentences never have the whole name.
        (f"kelp Baker. And {FILLER * 2} Thomas Baker reef", "reef"),
        (f"kelp Baker {FILLER * 2} Baker reef", "kelp reef"),
        ("kelp Thomas reef", ""),
    ],
)
def test_content_words_within_25_tokens_of_the_name(text, expected):
    assert near(text) == Counter(expected.split())


def test_windows_end_with_the_page_not_with_the_sentence():
    pages = analysis_of(document("Kelp.", "Thomas Baker. Reefs"), document("Dunes by Thomas Baker"))
    assert extract("window(width=80)", pages) == [Counter(["kelp", "reef"]), Counter(["dune"])]


def test_the_first_thirty_mentions_have_windows():
    names = f"Thomas Baker {FILLER * 3}" * 30
    assert near(f"kelp {names} Thomas Baker reef") == {"kelp": 1}
    assert near(f"kelp {names.removesuffix('Thomas Baker ')} reef", width=80)["kelp"] == 1


@each_case(
    ("name", "expected"), [("Madonna", "kelp"), ("O'Brien, Sean", "reef"), ("?", ""), ("", "")]
)
def test_names_of_any_form(name, expected):
    assert near(f"kelp MADONNA {FILLER * 2} Sean O’Brien reef", name=name) == Counter(
        expected.split()
    )


RESULT = document(
    f"Dunes and Tides {FILLER * 8} Kelp of Thomas Baker at Reefs, says NASA",
    title="Baker on kelp in Kent",
    snippet="Thomas: Shores, shores",
)


@each_case(
    ("feature", "expected"),
    [
        ("window(width=25)", "kelp reef nasa kelp kent shore shore"),
        ("capitalised_window", "kelp reef nasa kent shore"),
        ("capitalised_result", "kent shore"),
    ],
)
def test_title_and_snippet_are_part_of_every_window(feature, expected):
    (found,) = extract(feature, analysis_of(RESULT))
    found.pop("say", None)
    assert found == Counter(expected.split())


@pytest.mark.parametrize(
    "feature",
    ["window(width=25)", "window(width=80)", "capitalised_window", "capitalised_result"],
)
@given(page=documents, other=documents)
def test_a_page_has_the_same_words_whatever_stands_beside_it(feature, page, other):
    (alone,) = extract(feature, analysis_of(page))
    assert extract(feature, analysis_of(page, other))[0] == alone
    assert extract(feature, analysis_of(other, page))[1] == alone


@given(page=documents)
def test_a_wider_window_has_at_least_the_words_of_a_narrower_one(page):
    (narrow,), (wide,), (capitals,) = (
        extract(each, analysis_of(page))
        for each in ("window(width=25)", "window(width=80)", "capitalised_window")
    )
    assert narrow <= wide
    assert capitals <= wide


@pytest.mark.parametrize(
    ("form", "expected"),
    [
        (PageForm.TOKENS, ["rarity(content(n=1))"]),
        (PageForm.RESULTS, []),
    ],
)
def test_pages_without_the_name_have_no_windows(form, expected):
    assert list(map(str, available_similarities(similarities_of("windows"), form))) == expected
    (left,) = available_similarities([parse_similarity("dice(capitalised_result)")], form)
    assert left.feature.name == "capitalised_result"


MANY = "word " * 200
MENU, LONG = "Home | News", "Tides rise and fall along the whole coast, as every sailor knows well."


@each_case(
    ("page", "expected"),
    [
        (document("Thomas J. Baker sings"), "J. sings"),
        (
            document("He sings.", "BAKER, THOMAS: tenor", title="Home of Baker's"),
            "Home of 's He sings. , : tenor",
        ),
        (document(MENU, LONG, title="Thomas Baker", snippet="sings"), f"sings {LONG}"),
        (document(MENU, LONG), LONG),
        (document(MENU), MENU),
        (document(f"Thomas Baker {MANY}", f"early {MANY} Thomas Baker"), "word " * 90),
        (document(f"{MANY}Thomas Baker {MANY}"), "word " * 120),
        (document(MANY), "word " * 120),
        (document("Thomas Baker", title="word " * 99), "word " * 40),
        (document(), ""),
    ],
)
def test_what_is_encoded_of_a_page(page, expected):
    assert encoded_texts(analysis_of(page)) == [expected.strip()]


@each_case(
    ("form", "expected"),
    [
        (PageForm.PAGES, "Concert sings the tenor part"),
        (PageForm.TOKENS, "Concert sings tenor part concert sing"),
        (PageForm.RESULTS, "Concert sings"),
    ],
)
def test_less_is_encoded_of_reduced_pages(form, expected):
    page = document("Thomas Baker the tenor part", title="Concert", snippet="sings")
    reduced = reduce_document(page, "Thomas Baker", form)
    assert encoded_texts(analysis_of(reduced)) == [expected]


def test_a_name_without_words_is_in_no_text():
    assert encoded_texts(analysis_of("Thomas", name="?")) == ["Thomas"]


def test_texts_are_encoded_by_the_reader_s_encoder():
    pages = analysis_of("Thomas Baker sings", "Thomas Baker paints", "Thomas Baker sings")
    vectors = embedding(pages)
    assert feature_by_name("embedding").extract(pages).tolist() == vectors.tolist()
    assert np.diag(vectors @ vectors.T) == pytest.approx([1, 1, 1])
    assert vectors[0] @ vectors[2] == pytest.approx(1)
