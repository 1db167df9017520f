"""Entities and their types as features."""

import re
from collections import Counter

from hypothesis import example, given
from hypothesis import strategies as st

from tests.cases import each_case
from tests.weps.builders import analysis_of, document, extract
from tests.weps.features.annotated import annotated, one_page
from weps.features.entities import KIND_GROUPS, entity_form, fine_kind, group_of, is_distinctive
from weps.language.annotation import find_quantities


@each_case(
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
        *((text, []) for text in ("The Of And", "It Is", "Thomas Baker", "The Thomas Baker")),
        ("Thomas Baker Prize", ["thomas baker prize"]),
    ],
)
def test_runs_of_capitalised_words(text, expected):
    assert extract("capitalised", analysis_of(text)) == [Counter(expected)]


def test_a_run_found_in_lower_case_in_its_document_is_no_entity():
    shown = "Contact us|to contact the office|contact offices|the contact, office|contact Office"
    hidden = "the contact office|contact office"
    for elsewhere, found in ((shown, ["contact office"]), (hidden, [])):
        for text in elsewhere.split("|"):
            analysis = analysis_of(document("Contact Office", text))
            assert extract("capitalised", analysis) == [Counter(found)], text
    elsewhere = analysis_of("Contact Office", "the contact office")
    assert extract("capitalised", elsewhere) == [Counter(["contact office"]), Counter()]


def test_runs_do_not_reach_across_blocks_or_documents():
    analysis = analysis_of(document("York", "Minster"), "North", "Yorkshire")
    assert extract("capitalised", analysis) == [Counter()] * 3


@each_case(
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
    york = Counter(["york"])
    assert extract("gazetteer(list=place)", analysis) == [york, Counter(), york]


def test_the_name_is_on_no_list():
    baker, reel = analysis_of("the baker Thomas Baker"), analysis_of("VA", name="Virginia Reel")
    assert extract("gazetteer(list=occupation)", baker) == [Counter()]
    assert extract("gazetteer(list=place)", reel) == [Counter()]


MARKED = {
    "person": "Dr. Ann Lee|Bob|Greenup County",
    "location": "York",
    "organisation": "Acme Inc.|University of York|New York Times",
    "event": "Battle of Hastings",
    "product": "Bleak House",
}
MARKS = [(text, kind) for kind, texts in MARKED.items() for text in texts.split("|")]


@each_case(
    ("feature", "found"),
    [
        ("entity(type=person)", ["ann lee", "greenup county"]),
        ("entity(type=location)", ["york"]),
        ("entity(type=organisation)", ["acme", "university of york", "new york times"]),
        ("fine_entity(type=event)", ["battle of hastings"]),
        ("fine_entity(type=facility)", ["university of york"]),
        ("fine_entity(type=location)", ["york", "greenup county"]),
        ("fine_entity(type=person)", ["ann lee"]),
        ("fine_entity(type=organisation)", ["acme"]),
        ("fine_entity(type=product)", ["new york times", "bleak house"]),
        ("fine_entity(type=period)", []),
    ],
)
def test_entities_as_recognised_and_refined(feature, found):
    assert extract(feature, one_page(*MARKS)) == [Counter(found)]


@each_case(
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


@each_case("kind", ["person", "location", "organisation"])
@each_case("text", ["Thomas Baker", "Baker", "the BAKER's", "Baker, Thomas"])
def test_the_name_is_no_entity_of_any_type(text, kind):
    assert extract(f"entity(type={kind})", one_page((text, kind))) == [Counter()]


@each_case(
    ("feature", "found"),
    [
        ("capitalised(local=true)", "york minster"),
        ("gazetteer(list=place, local=true)", "york"),
        ("entity(type=location, local=true)", "york"),
    ],
)
def test_entities_near_the_name(feature, found):
    near, far = ("Thomas Baker left York Minster", "North Ohio mourned")
    analysis = annotated([(near, [("York", "location")]), (far, [("Leeds", "location")])])
    assert extract(feature, analysis) == [Counter([found])]


def test_each_analysis_has_entities_of_its_own():
    first, second = (one_page((text, "location")) for text in ("York", "Leeds"))
    for _ in range(2):
        assert extract("entity(type=location)", first) == [Counter(["york"])]
        assert extract("fine_entity(type=location)", second) == [Counter(["leeds"])]


def cases(table: dict[str, str]) -> list[tuple[str, str, str]]:
    """Text, kind and what comes after the arrow."""
    return [
        (text, kind, expected)
        for kind, rows in table.items()
        for text, expected in (row.split(" → ") for row in rows.split("|"))
    ]


FORMS = {
    "person": (
        "Ann Lee → ann lee|ANN LEE's → ann lee|Dr. Ann Lee → ann lee|"
        "Prof. Dr. Ann Lee, Ph.D. → ann lee|Lee, Ann → ann lee|LEE, Ann M. → ann m lee|"
        "Lee, Dr. Ann → ann lee|Ann M. Lee → ann m lee|Ann Lee, Jr. → ann lee jr|"
        "Ann Lee MD → ann lee|Ann → |Dr. Lee → |Sir → |... → | → "
    ),
    "location": (
        "York → york|the Netherlands → netherlands|Holland → netherlands|USA → united states|"
        "York, England → york england"
    ),
    "country": "the U.S. → united states",
    "state": "Calif. → california",
    "organisation": "U.S. → u s|Acme Inc. → acme|Inc. → inc|The Ann Lee Society → ann lee society",
    "company": "The Acme Co., Ltd. → acme",
    "product": "The Tides → tides",
}
"""Kind → texts and their forms."""


@each_case(("text", "kind", "form"), cases(FORMS))
def test_forms(text, kind, form):
    assert entity_form(text, kind) == form


def test_what_is_left_besides_the_name():
    name = frozenset({"thomas", "baker"})
    for form in ("ann lee", "thomas j baker", "thomas d baker", "roy thomas baker"):
        assert is_distinctive(form, name)
    for form in ("thomas baker", "baker thomas", "baker", "the thomas baker", ""):
        assert not is_distinctive(form, name)


@given(st.text(max_size=40), st.sampled_from(["person", "organisation", "location", "x"]))
@example("0:0.0", "person")
def test_a_form_has_no_capitals_and_no_punctuation(text, kind):
    form = entity_form(text, kind)
    assert form == form.lower() == " ".join(form.split(" "))
    without_numbers = re.sub(r"(?<=\d)[.,](?=\d)", "", form)
    assert not set(without_numbers) & set(".,;!?()")


FINE_KINDS = {
    "organisation": (
        "Acme Inc. → company|Bank of Ohio Corporation → company|Bank of Ohio → bank|"
        "University of York → university|York University Press → company|"
        "Museum of Modern Art → museum|Department of Physics → department|"
        "York Chamber Choir → band|The Royal Tide Society → association|"
        "Journal of Tides → journal|Chicago → city|THE OHIO TIMES → newspaper|"
        "Acme → organisation|Friends of the Museum → organisation|of → organisation|"
        " → organisation|Lee & Hill Foundation → association|PA → organisation"
    ),
    "location": (
        "New Zealand → country|Ohio → state|Munich → city|Port Merrow → location|"
        "River Merrow → water|Fifth Avenue → road|Heathrow Airport → airport|"
        "Merrow Society → location"
    ),
    "event": "Conference on Tides → conference|Tide Prize → award|Fleet River → event",
    "product": "Bleak House → product|Tide Act → law",
    "person": (
        "Ann Lee → person|Ann Hill → person|Bill Lee → person|Lee → person|"
        "University of York → university|Ann Church → person|Greenup County → county|"
        "Los Angeles → city|Madison → person|York Records → company"
    ),
}
"""Kind as recognised → texts and their fine-grained kinds."""


@each_case(("text", "kind", "fine"), cases(FINE_KINDS))
def test_fine_kinds(text, kind, fine):
    assert fine_kind(text, kind) == fine


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
