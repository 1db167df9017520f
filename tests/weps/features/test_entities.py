"""Entities and their types as features."""

import re
from collections import Counter

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tests.weps.builders import analysis_of, document, extract
from tests.weps.features.annotated import FAR, NEAR, annotated, one_page
from weps._text import PersonName
from weps.features.entity_types import KIND_GROUPS, entity_form, fine_kind, group_of, is_distinctive
from weps.language.quantities import find_quantities


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", []),
        ("York", []),
        ("York Minster", ["york minster"]),
        ("near York Minster in North Yorkshire.", ["york minster", "north yorkshire"]),
        ("University of York", []),
        ("Royal Tide Society", ["royal tide society"]),
        ("IBM Research", ["ibm research"]),
        ("York, Leeds", []),
        ("he left York. Minster bells rang", []),
        ("York Minster and York Minster", ["york minster", "york minster"]),
        ("Élan Vital", ["élan vital"]),
        ("Route 66 Diner", []),
    ],
)
def test_runs_of_capitalised_words(text, expected):
    assert extract("capitalised", analysis_of(text)) == [Counter(expected)]


@pytest.mark.parametrize("text", ["The Of And", "It Is", "Thomas Baker", "The Thomas Baker"])
def test_stop_words_and_the_name_are_no_entities(text):
    assert extract("capitalised", analysis_of(text)) == [Counter()]


def test_an_entity_may_contain_the_name():
    assert extract("capitalised", analysis_of("Thomas Baker Prize")) == [
        Counter(["thomas baker prize"])
    ]


@pytest.mark.parametrize(
    ("elsewhere", "found"),
    [
        ("Contact us", True),
        ("to contact the office", True),
        ("the contact office", False),
        ("contact office", False),
        ("contact offices", True),
        ("the contact, office", True),
        ("contact Office", True),
    ],
)
def test_a_run_found_in_lower_case_in_its_document_is_no_entity(elsewhere, found):
    analysis = analysis_of(document("Contact Office", elsewhere))
    assert extract("capitalised", analysis) == [Counter({"contact office": 1} if found else {})]


def test_lower_case_in_another_document_does_not_matter():
    assert extract("capitalised", analysis_of("Contact Office", "the contact office")) == [
        Counter(["contact office"]),
        Counter(),
    ]


def test_entities_near_the_name():
    text = "Thomas Baker left York Minster. North Yorkshire mourned."
    assert extract("capitalised(local=true)", analysis_of(text)) == [Counter(["york minster"])]


def test_runs_do_not_reach_across_blocks_or_documents():
    analysis = analysis_of(document("York", "Minster"), "North", "Yorkshire")
    assert extract("capitalised", analysis) == [Counter()] * 3


@pytest.mark.parametrize(
    ("listed", "text", "found"),
    [
        ("place", "", []),
        ("place", "He left York for Ohio and OHIO", ["york", "ohio", "ohio"]),
        ("place", "New York and New Jersey", ["new york", "new jersey"]),
        ("place", "in Columbus, OH 43210", ["columbus", "ohio"]),
        ("place", "OH, no", []),
        ("place", "turkey with china on it", []),
        ("place", "Turkey", ["turkey"]),
        ("place", "the U.S. and the USA", ["united states", "united states"]),
        ("place", "München", ["munich"]),
        ("place", "St. Louis", ["saint louis"]),
        ("occupation", "an Assistant Professor and a professor", "assistant_professor professor"),
        ("occupation", "actress and actor", ["actor", "actor"]),
        ("occupation", "professors profess", []),
    ],
)
def test_names_of_the_lists(listed, text, found):
    names = [name.replace("_", " ") for name in found.split()] if isinstance(found, str) else found
    assert extract(f"gazetteer(list={listed})", analysis_of(text)) == [Counter(names)]


def test_a_name_does_not_reach_across_sentences():
    analysis = analysis_of(document("he likes New", "York is far"), "New", "York")
    assert extract("gazetteer(list=place)", analysis) == [
        Counter(["york"]),
        Counter(),
        Counter(["york"]),
    ]


@pytest.mark.parametrize(
    ("searched", "listed", "text"),
    [
        ("Thomas Baker", "occupation", "the baker Thomas Baker"),
        ("Virginia Reel", "place", "Virginia, VA"),
    ],
)
def test_the_name_is_on_no_list(searched, listed, text):
    assert extract(f"gazetteer(list={listed})", analysis_of(text, name=searched)) == [Counter()]


def test_names_near_the_name():
    analysis = analysis_of("Thomas Baker left Ohio. Utah mourned.")
    assert extract("gazetteer(list=place, local=true)", analysis) == [Counter(["ohio"])]


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


def test_entities_near_the_name_recognised():
    analysis = annotated([(NEAR, [("York", "location")]), (FAR, [("Leeds", "location")])])
    assert extract("entity(type=location, local=true)", analysis) == [Counter(["york"])]


def test_each_analysis_has_entities_of_its_own():
    first, second = (one_page((text, "location")) for text in ("York", "Leeds"))
    for _ in range(2):
        assert extract("entity(type=location)", first) == [Counter(["york"])]
        assert extract("fine_entity(type=location)", second) == [Counter(["leeds"])]


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
