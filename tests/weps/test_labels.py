import pytest

from tests.weps.builders import analysis_of, document
from weps.labels import label
from weps.records import Document
from weps.similarity import pair_table


def labels(clusters: list[list[int]], *documents: str | Document) -> list[str]:
    return label(clusters, pair_table(analysis_of(*documents), []))


def test_no_clusters_no_labels():
    assert labels([]) == []


def test_a_person_without_text_has_an_empty_label():
    assert labels([[0], [1]], document(), "tides") == ["", "tides"]


def test_phrases_come_before_titles_and_words():
    page = document("works at York Minster on tides", title="moons")
    assert labels([[0]], page)[0].split(", ")[:2] == ["york minster", "moons"]


def test_what_all_pages_have_tells_nobody_apart():
    assert labels([[0], [1]], "maths tides", "maths moons") == ["tides", "moons"]


def test_what_most_pages_of_the_person_have_comes_first():
    pages = ["tides kelp kelp kelp kelp", "tides wind", "moons"]
    assert labels([[0, 1], [2]], *pages)[0].split(", ")[0] == "tides"


def test_a_label_has_three_terms_at_most():
    assert labels([[0]], "maths tides moons stars kelp")[0].count(",") == 2


def test_no_term_repeats_a_word_of_another():
    page = document("York Minster", "York Minster School", title="York tides")
    words = labels([[0]], page)[0].replace(",", "").split()
    assert len(set(words)) == len(words)


@pytest.mark.parametrize("text", ["Thomas Baker", "THOMAS BAKER, Thomas J. Baker", "the and of"])
def test_the_name_and_stop_words_are_no_label(text):
    assert labels([[0]], document(text, title=text)) == [""]


def test_numbers_are_no_label():
    assert labels([[0]], "1984 2001") == [""]


def test_headlines_are_no_label():
    page = document("Vice President Of Northern Tidal Operations Management")
    assert labels([[0]], page) == ["management, northern, operations"]


def test_phrases_near_the_name_come_before_others():
    page = document("North Yorkshire mourns.", "Thomas Baker left York Minster.")
    assert labels([[0]], page)[0].split(", ")[:2] == ["york minster", "north yorkshire"]


def test_phrases_that_hold_the_name_are_no_label():
    assert labels([[0]], "the Thomas Baker Prize") == ["prize"]


@pytest.mark.parametrize("order", [[[0, 1], [2]], [[2], [0, 1]]])
def test_labels_stand_in_the_order_of_the_clusters(order):
    found = dict(zip(map(tuple, order), labels(order, "tides", "tides", "moons"), strict=True))
    assert found == {(0, 1): "tides", (2,): "moons"}
