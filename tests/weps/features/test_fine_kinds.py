import pytest
from hypothesis import given
from hypothesis import strategies as st

from weps.features.fine_kinds import GROUPS, fine_kind, group_of
from weps.language.quantities import quantities


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
    assert list(GROUPS) == (
        "event facility location person organisation product period time number".split()
    )


def test_a_kind_belongs_to_one_group_and_a_group_is_a_kind_or_made_of_kinds():
    kinds = [kind for group in GROUPS.values() for kind in group.split()]
    assert len(kinds) == len(set(kinds))
    assert {group_of(kind) for kind in kinds} == set(GROUPS)
    assert group_of("no kind") == ""


@given(st.text(max_size=30), st.sampled_from("event location person organisation product".split()))
def test_every_entity_falls_into_a_group(text, kind):
    assert group_of(fine_kind(text, kind)) in set(GROUPS) - {"period", "time", "number"}


@given(st.text(st.sampled_from("1 May98-:$%sof"), max_size=60))
def test_every_quantity_falls_into_a_group(text):
    assert {group_of(kind) for _, kind in quantities(text)} <= {"period", "time", "number"}
