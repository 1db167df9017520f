from pathlib import Path

import pytest

from eval.text.wordnet import senses_of
from eval.text.wordnet.lemmas import base_forms
from tests.eval.text.wordnet.database import numbered, published, tiny


@pytest.mark.parametrize(
    ("word", "part", "places"),
    [
        ("policeman", "n", "n3"),
        ("Policemen", "n", "n3"),
        ("axes", "n", "n7 n8"),
        ("officers", "n", "n4 n3"),
        ("boxes", "n", "n10"),
        ("boxesful", "n", "n11"),
        ("boss", "n", "n9"),
        ("bosss", "n", ""),
        ("fired", "v", "v1 v2"),
        ("firing", "v", "v1 v2"),
        ("finishes", "v", "v3"),
        ("dismissed", "v", "v2"),
        ("quicker", "a", "a1"),
        ("faster", "r", "r1"),
        ("faster", "a", ""),
        ("fired", "n", ""),
        ("fires", "", "v1 v2"),
        ("Sterling", "", ""),
        ("", "", ""),
        ("fire", "x", ""),
    ],
)
def test_words_are_looked_up_in_any_form(tmp_path: Path, word: str, part: str, places: str) -> None:
    found = tiny(tmp_path)
    assert senses_of(word, found, part) == numbered(found, places)


@pytest.mark.parametrize(
    ("word", "part", "forms"),
    [
        ("axes", "n", "ax axis"),
        ("was", "v", "be"),
        ("left", "v", "leave"),
        ("cities", "n", "city"),
        ("glass", "n", "glass"),
        ("better", "a", "better good well"),
        ("saw", "v", "saw see"),
        ("attorney general", "n", "attorney_general"),
    ],
)
def test_published_words_have_their_base_forms(word: str, part: str, forms: str) -> None:
    assert set(forms.split()) <= set(base_forms(word, published(), part))
