import numpy as np
import pytest

from tests.cases import each_case
from tests.weps.builders import analysis_of, document
from weps.features.embeddings import embedding, encoded_texts
from weps.features.registry import feature_by_name
from weps.page_forms import PageForm, reduce_document

FILLER = "word " * 200
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
        (document(f"Thomas Baker {FILLER}", f"early {FILLER} Thomas Baker"), "word " * 90),
        (document(f"{FILLER}Thomas Baker {FILLER}"), "word " * 120),
        (document(FILLER), "word " * 120),
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
