from collections import Counter

import pytest

from tests.weps.builders import extract
from tests.weps.features.annotated import FAR, NEAR, annotated, one_page

MARKS = (
    ("Dr. Ann Lee", "person"),
    ("Bob", "person"),
    ("York", "location"),
    ("Acme Inc.", "organisation"),
    ("University of York", "organisation"),
    ("New York Times", "organisation"),
    ("Battle of Hastings", "event"),
    ("Bleak House", "product"),
    ("Greenup County", "person"),
)


@pytest.mark.parametrize(
    ("type_", "found"),
    [
        ("person", ["ann lee", "greenup county"]),
        ("location", ["york"]),
        ("organisation", ["acme", "university of york", "new york times"]),
    ],
)
def test_entities_as_recognised(type_, found):
    assert extract(f"entity(type={type_})", one_page(*MARKS)) == [Counter(found)]


@pytest.mark.parametrize(
    ("type_", "found"),
    [
        ("event", ["battle of hastings"]),
        ("facility", ["university of york"]),
        ("location", ["york", "greenup county"]),
        ("person", ["ann lee"]),
        ("organisation", ["acme"]),
        ("product", ["new york times", "bleak house"]),
        ("period", []),
    ],
)
def test_entities_refined_and_merged(type_, found):
    assert extract(f"fine_entity(type={type_})", one_page(*MARKS)) == [Counter(found)]


@pytest.mark.parametrize(
    ("type_", "found"),
    [
        ("period", ["1998 2003", "2 year"]),
        ("time", ["1998-05-03", "15:30"]),
        ("number", ["5555550100", "40 pound"]),
        ("person", []),
    ],
)
def test_quantities_merged(type_, found):
    text = "1998-2003 or two years; May 3, 1998 at 3:30 pm; (555) 555-0100 for £40"
    assert extract(f"fine_entity(type={type_})", one_page(text=text)) == [Counter(found)]


@pytest.mark.parametrize("kind", ["person", "location", "organisation"])
@pytest.mark.parametrize("text", ["Thomas Baker", "Baker", "the BAKER's", "Baker, Thomas"])
def test_the_name_is_no_entity_of_any_type(text, kind):
    assert extract(f"entity(type={kind})", one_page((text, kind))) == [Counter()]


def test_entities_near_the_name():
    analysis = annotated([(NEAR, [("York", "location")]), (FAR, [("Leeds", "location")])])
    assert extract("entity(type=location, local=true)", analysis) == [Counter(["york"])]


def test_each_analysis_has_entities_of_its_own():
    first, second = (one_page((text, "location")) for text in ("York", "Leeds"))
    for _ in range(2):
        assert extract("entity(type=location)", first) == [Counter(["york"])]
        assert extract("fine_entity(type=location)", second) == [Counter(["leeds"])]
