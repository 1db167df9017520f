from collections import Counter

import pytest

from tests.weps.builders import extract
from tests.weps.features.annotated import annotated, one_page


@pytest.mark.parametrize(
    ("lemma", "kept"),
    [
        ("teach", True),
        ("université", True),
        ("1998", True),
        ("u.s.", False),
        ("tide-table", True),
        ("the", False),
        ("thomas", False),
        ("baker", False),
        ("thoma", False),
        ("baker/thomas", False),
        ("x", False),
        ("'s", False),
        ("...", False),
        ("", False),
    ],
)
def test_lemmas_that_carry_evidence(lemma, kept):
    assert extract("lemma", one_page((lemma, "NOUN"))) == [Counter([lemma] if kept else [])]


def test_a_name_that_looks_like_a_plural():
    analysis = annotated([("Ann Woods", [("wood", "NOUN"), ("tree", "NOUN")])], name="Ann Woods")
    assert extract("lemma", analysis) == [Counter(["tree"])]


def test_a_word_of_several_classes_is_one_lemma():
    assert extract("lemma", one_page(("book", "NOUN"), ("book", "VERB"))) == [Counter(book=2)]
