"""Facts are compared with what annotators found on the same pages."""

from __future__ import annotations

from tests.cases import each_case
from weps.people.facts import ATTRIBUTES, Fact, FactSource
from weps_eval.benchmark.judging import GROUPS, MAIN, fact_rows, facts_data, judge_facts


def fact(attribute, value, *pages):
    return Fact(attribute, value, 0.9, (FactSource(pages[0], f"says {value}"),), pages)


STRICT, LENIENT, WRONG = "strict", "lenient", "wrong"


@each_case(
    ("attribute", "value", "theirs", "how"),
    [
        ("date of birth", "1970-05-10", "May 10 1970", STRICT),
        ("date of birth", "1970-05-10", "9th May 1970", WRONG),
        ("date of birth", "1970-05-10", "10 05 1970", STRICT),
        ("date of birth", "1970-05-10", "5/10/70", STRICT),
        ("date of birth", "1970-05-10", "1970-10-05", WRONG),
        ("date of birth", "1970-05-10", "born in 1970", LENIENT),
        ("date of birth", "1970-05-10", "May 10", LENIENT),
        ("date of birth", "1970", "22-Mar-1970", LENIENT),
        ("date of birth", "1970", "1970", STRICT),
        ("date of birth", "1970-05", "1970", LENIENT),
        ("date of birth", "1970", "1971", WRONG),
        ("date of birth", "1970", "unknown", WRONG),
        ("degree", "PhD", "Ph.D.", STRICT),
        ("occupation", "PROFESSOR", "professor", STRICT),
        ("occupation", "professor", "Professor of Music", LENIENT),
        ("occupation", "professor", "Prof.", LENIENT),
        ("occupation", "member of parliament", "MP", LENIENT),
        ("birth place", "York, North Carolina", "York, NC, USA", LENIENT),
        ("birth place", "York, North Carolina", "Bath, NC", WRONG),
        ("location", "York, NC", "1 Mill St, York, NC 27101-12", LENIENT),
        ("occupation", "editor of the paper", "Professor of the Arts", WRONG),
        ("affiliation", "University of York", "University of Kent", WRONG),
        ("affiliation", "Kelp Institute, York", "Kelp Institute, Bergen", LENIENT),
        ("affiliation", "The Who", "The Band", WRONG),
        ("affiliation", "—", "York", WRONG),
        ("relative", "Jane Lovell", "Ruth Lovell", WRONG),
        ("relative", "Jane Lovell", "Jane", LENIENT),
        ("relative", "Ada Lovell", "Lovell", LENIENT),
        ("phone", "+44 (0)20 7946 0958", "020-7946-0958", LENIENT),
        ("phone", "020 7946 0958", "(020) 79460958", STRICT),
        ("fax", "0958", "10958", WRONG),
        ("e-mail", "ada@lovell.example", "Ada@Lovell.example", STRICT),
        ("e-mail", "ada@lovell.example", "bea@lovell.example", WRONG),
        ("web site", "https://www.lovell.example/", "lovell.example", STRICT),
        ("web site", "http://lovell.example/ada", "www.lovell.example", LENIENT),
        ("web site", "http://lovell.example/ada", "www.other.example/ada", WRONG),
    ],
)
def test_values_match(attribute, value, theirs, how):
    kind = {"relative": "relatives"}.get(attribute, attribute.replace(" ", "").replace("-", ""))
    judged = judge_facts("ADA_LOVELL", [fact(attribute, value, 1)], {1: {kind: (theirs,)}})
    (judged_fact,), (annotated,), _ = judged
    assert (judged_fact["matched"], judged_fact["strict"]) == (
        theirs if how != WRONG else "",
        how == STRICT,
    )
    assert (annotated["found"], annotated["strict"]) == (how != WRONG, how == STRICT)


def test_facts_count_on_each_page_and_two_people_of_a_page_are_judged_together():
    annotated = {
        1: {"occupation": ("baker", "Baker", "sailor"), "dateofbirth": ("1970",)},
        2: {"school": ("York College",), "nonsense": ("x",)},
        3: {},
    }
    facts = [
        fact("occupation", "baker", 1, 2, 3, 4),
        fact("date of death", "1999", 1),
        fact("occupation", "baker", 1),  # of another person
        fact("affiliation", "York College", 2),
    ]
    judged, values, unread = judge_facts("ADA_LOVELL", facts, annotated)
    assert [(f["page"], f["value"], f["matched"], f["elsewhere"]) for f in judged] == [
        (1, "baker", "baker", ""),
        (2, "York College", "", "school"),
        (2, "baker", "", ""),
        (3, "baker", "", ""),
    ]
    assert judged[2]["sentence"] == "says baker"
    assert unread == 1
    assert {(v["page"], v["value"]): v["found"] for v in values} == {
        (1, "baker"): True,
        (1, "sailor"): False,
        (1, "1970"): False,
        (2, "York College"): False,
    }

    data = facts_data([(judged, values, unread), judge_facts("BEA", [], {})])
    occupation = data["attributes"]["occupation"]
    assert (occupation["facts"], occupation["values"], occupation["pages"]) == (3, 2, 1.0)
    figures = {"right": 1, "found": 1, "precision": 1 / 3, "recall": 0.5, "f": 0.4}
    assert occupation["strict"] == occupation["lenient"] == figures
    assert data["attributes"]["affiliation"]["lenient"]["recall"] is None
    assert data["groups"]["these six"]["lenient"]["precision"] == 0.25
    assert data["groups"]["all"]["values"] == 4
    assert [each["value"] for each in data["missed"]] == ["sailor", "1970", "York College"]
    rows = fact_rows(data)
    assert rows[1] == ["date of birth", "0", "1", "–", "0.00", "–", "–", "0.00", "–", "0.00"]
    assert {len(row) for row in rows} == {10}


def test_groups_are_of_attributes():
    assert all(set(group) <= ATTRIBUTES.keys() for group in GROUPS.values())
    assert set(MAIN) <= set(GROUPS["all"])
