import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from weps._text import PersonName
from weps.features.entity_types import KIND_GROUPS, entity_form, fine_kind, group_of, is_distinctive
from weps.language.quantities import find_quantities


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
    assert is_distinctive(form, PersonName.parse("Thomas Baker")) is told


@given(st.text(max_size=40), st.sampled_from(["person", "organisation", "location", "x"]))
@example("0:0.0", "person")
def test_a_form_has_no_capitals_and_no_punctuation(text, kind):
    form = entity_form(text, kind)
    assert form == form.lower() == " ".join(form.split(" "))
    without_numbers = re.sub(r"(?<=\d)[.,](?=\d)", "", form)
    assert not set(without_numbers) & set(".,;!?()")


@pytest.mark.parametrize(
    ("text", "kind", "fine"),
    [
        ("Acme Inc.", "organisation", "company"),
        ("Bank of Ohio Corporation", "organisation", "company"),
        ("Bank of Ohio", "organisation", "bank"),
        ("University of York", "organisation", "university"),
        ("York University Press", "organisation", "company"),
        ("Museum of Modern Art", "organisation", "museum"),
        ("Department of Physics", "organisation", "department"),
        ("York Chamber Choir", "organisation", "band"),
        ("The Royal Tide Society", "organisation", "association"),
        ("Journal of Tides", "organisation", "journal"),
        ("Chicago", "organisation", "city"),
        ("THE OHIO TIMES", "organisation", "newspaper"),
        ("Acme", "organisation", "organisation"),
        ("Friends of the Museum", "organisation", "organisation"),
        ("of", "organisation", "organisation"),
        ("", "organisation", "organisation"),
        ("New Zealand", "location", "country"),
        ("Ohio", "location", "state"),
        ("Munich", "location", "city"),
        ("Port Merrow", "location", "location"),
        ("River Merrow", "location", "water"),
        ("Fifth Avenue", "location", "road"),
        ("Heathrow Airport", "location", "airport"),
        ("Merrow Society", "location", "location"),
        ("Conference on Tides", "event", "conference"),
        ("Tide Prize", "event", "award"),
        ("Fleet River", "event", "event"),
        ("Bleak House", "product", "product"),
        ("Tide Act", "product", "law"),
        ("Ann Lee", "person", "person"),
        ("Ann Hill", "person", "person"),
        ("Bill Lee", "person", "person"),
        ("Lee", "person", "person"),
        ("University of York", "person", "university"),
        ("Lee & Hill Foundation", "organisation", "association"),
        ("PA", "organisation", "organisation"),
        ("Ann Church", "person", "person"),
        ("Greenup County", "person", "county"),
        ("Los Angeles", "person", "city"),
        ("Madison", "person", "person"),
        ("York Records", "person", "company"),
    ],
)
def test_fine_kinds(text, kind, fine):
    assert fine_kind(text, kind) == fine


def test_the_groups_are_those_of_the_paper():
    assert list(KIND_GROUPS) == (
        "event facility location person organisation product period time number".split()
    )


def test_a_kind_belongs_to_one_group_and_a_group_is_a_kind_or_made_of_kinds():
    kinds = [kind for group in KIND_GROUPS.values() for kind in group.split()]
    assert len(kinds) == len(set(kinds))
    assert {group_of(kind) for kind in kinds} == set(KIND_GROUPS)
    assert group_of("no kind") == ""


@given(st.text(max_size=30), st.sampled_from("event location person organisation product".split()))
def test_every_entity_falls_into_a_group(text, kind):
    assert group_of(fine_kind(text, kind)) in set(KIND_GROUPS) - {"period", "time", "number"}


@given(st.text(st.sampled_from("1 May98-:$%sof"), max_size=60))
def test_every_quantity_falls_into_a_group(text):
    assert {group_of(kind) for _, kind in find_quantities(text)} <= {"period", "time", "number"}
