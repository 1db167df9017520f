import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from weps.features.entity_forms import entity_form, tells
from weps.names import PersonName


@pytest.mark.parametrize(
    ("text", "kind", "form"),
    [
        ("Ann Lee", "person", "ann lee"),
        ("ANN LEE's", "person", "ann lee"),
        ("Dr. Ann Lee", "person", "ann lee"),
        ("Prof. Dr. Ann Lee, Ph.D.", "person", "ann lee"),
        ("Lee, Ann", "person", "ann lee"),
        ("LEE, Ann M.", "person", "ann m lee"),
        ("Lee, Dr. Ann", "person", "ann lee"),
        ("Ann M. Lee", "person", "ann m lee"),
        ("Ann Lee, Jr.", "person", "ann lee jr"),
        ("Ann Lee MD", "person", "ann lee"),
        ("Ann", "person", ""),
        ("Dr. Lee", "person", ""),
        ("Sir", "person", ""),
        ("...", "person", ""),
        ("", "person", ""),
        ("York", "location", "york"),
        ("the Netherlands", "location", "netherlands"),
        ("Holland", "location", "netherlands"),
        ("the U.S.", "country", "united states"),
        ("USA", "location", "united states"),
        ("Calif.", "state", "california"),
        ("U.S.", "organisation", "u s"),
        ("York, England", "location", "york england"),
        ("Acme Inc.", "organisation", "acme"),
        ("The Acme Co., Ltd.", "company", "acme"),
        ("Inc.", "organisation", "inc"),
        ("The Ann Lee Society", "organisation", "ann lee society"),
        ("The Tides", "product", "tides"),
    ],
)
def test_forms(text, kind, form):
    assert entity_form(text, kind) == form


@pytest.mark.parametrize(
    ("form", "told"),
    [
        ("ann lee", True),
        ("thomas j baker", True),
        ("thomas d baker", True),
        ("thomas baker", False),
        ("baker thomas", False),
        ("baker", False),
        ("the thomas baker", False),
        ("roy thomas baker", True),
        ("", False),
    ],
)
def test_what_is_left_besides_the_name(form, told):
    assert tells(form, PersonName.parse("Thomas Baker")) is told


@given(st.text(max_size=40), st.sampled_from(["person", "organisation", "location", "x"]))
@example("0:0.0", "person")
def test_a_form_has_no_capitals_and_no_punctuation(text, kind):
    form = entity_form(text, kind)
    assert form == form.lower() == " ".join(form.split(" "))
    without_numbers = re.sub(r"(?<=\d)[.,](?=\d)", "", form)
    assert not set(without_numbers) & set(".,;!?()")
