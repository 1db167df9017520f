import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.weps.builders import unhurried
from weps.names import PersonName
from weps.portraits.named import KINDS, entity

BAKER = PersonName.parse("Thomas Baker")


@pytest.mark.parametrize(
    ("text", "kind", "expected"),
    [
        ("Ann Lee", "person", ("person", "ann lee", "Ann Lee")),
        ("Dr. Ann Lee", "person", ("person", "ann lee", "Dr. Ann Lee")),
        ("Lee, Ann", "person", ("person", "ann lee", "Ann Lee")),
        ("ANN LEE", "person", ("person", "ann lee", "Ann Lee")),
        ("Ann Lee's", "person", ("person", "ann lee", "Ann Lee")),
        ("“Ann Lee”", "person", ("person", "ann lee", "Ann Lee")),
        ("T. Rex", "person", ("person", "t rex", "T. Rex")),
        ("John Baker", "person", ("person", "john baker", "John Baker")),
        ("Thomas Merton", "person", ("person", "thomas merton", "Thomas Merton")),
        ("Greenup County", "person", ("location", "greenup county", "Greenup County")),
        ("Elektra Inc.", "organisation", ("organisation", "elektra", "Elektra Inc.")),
        ("IBM", "organisation", ("organisation", "ibm", "IBM")),
        ("ELEKTRA RECORDS", "organisation", ("organisation", "elektra records", "Elektra Records")),
        (
            "Baker Foundation",
            "organisation",
            ("organisation", "baker foundation", "Baker Foundation"),
        ),
        ("Usage Board of the", "organisation", ("organisation", "usage board", "Usage Board")),
        (
            "University of York",
            "location",
            ("organisation", "university of york", "University of York"),
        ),
        ("Cambridge", "organisation", ("location", "cambridge", "Cambridge")),
        ("U.S.", "location", ("location", "united states", "U.S.")),
        ("Elm Street", "location", ("location", "elm street", "Elm Street")),
    ],
)
def test_what_is_shown(text, kind, expected):
    assert entity(text, kind, BAKER) == expected


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("Thomas Baker", "person"),
        ("Thomas J. Baker", "person"),
        ("Roy Thomas Baker", "person"),
        ("T. Baker", "person"),
        ("Dr. Baker", "person"),
        ("Thomas Jr.", "person"),
        ("Ann", "person"),
        ("Knight III", "person"),
        ("John E. B.", "person"),
        ("Ann BAKER-62", "person"),
        ("Ann Lee - Entire", "person"),
        ("Baker", "organisation"),
        ("Baker", "location"),
        ("the Baker", "location"),
        ("B.S.", "location"),
        ("1984", "organisation"),
        ("law office", "organisation"),
        ("Write a review", "organisation"),
        ("Home | Ann Lee", "organisation"),
        ("A" * 60, "organisation"),
        ("Second World War", "event"),
        ("", "location"),
        (",", "person"),
    ],
)
def test_what_is_not_shown(text, kind):
    assert entity(text, kind, BAKER) is None


def test_without_a_name_everybody_is_somebody_else():
    assert entity("Ann Lee", "person", PersonName.parse("")) == ("person", "ann lee", "Ann Lee")


words = st.lists(st.sampled_from(["Ann", "LEE", "Baker", "Thomas", "of", ",", "J.", "York", "'s"]))


@given(words.map(" ".join) | st.text(max_size=20), st.sampled_from(KINDS))
@unhurried
def test_what_is_shown_says_more_than_the_name(text, kind):
    if found := entity(text, kind, BAKER):
        assert found.kind in KINDS
        assert found.text == found.text.strip()
        assert not set(found.form.split()) <= {*BAKER.tokens, "of", "j"}
        assert len(found.form.split()) > 1 or found.kind != "person"
