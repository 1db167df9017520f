"""The parts of a report: charts, evidence, pages, people, and their wording."""

from __future__ import annotations

import json
import re
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse
from scipy.special import expit

from tests.cases import each_case
from weps.coreference.classifiers import Effect
from weps.corrections.model import Correction, Corrections
from weps.features.registry import all_features
from weps.name.person_name import PersonName
from weps.people.evidence import Evidence, ExplainedPair
from weps.people.facts import Fact, FactSource
from weps.report.html import REACH, _dendrogram_view, _pair_codes, _script_data
from weps.report.view import (
    _kind_words,
    feature_list,
    groups_of,
    highlighted,
    page_rows,
    pair_views,
)


@pytest.fixture
def drawn(cuttable):
    return _dendrogram_view(cuttable, groups_of(cuttable))


def data_of(answer):
    return json.loads(json.dumps(_script_data(answer, groups_of(answer))))


def test_every_page_is_a_leaf(drawn):
    ys = range(42, 107, 16)
    assert [(rank, y) for rank, _, _, y in drawn["leaves"]] == [
        *zip((1, 2, 4, 7, 9), ys, strict=True)
    ]
    assert all(short == title == f"Page {rank}" for rank, short, title, _ in drawn["leaves"])


def test_brackets_stand_at_their_levels_and_join_the_middles_of_their_parts(drawn):
    paths = [[float(x) for x in re.findall(r"[\d.]+", path)] for _, _, path in drawn["brackets"]]
    x_of = {level: 780 - 510 * level for level in (1, 0.9, 0.8, 0.4, 0.1)}
    assert [path[2] for path in paths] == [x_of[level] for level in (0.9, 0.8, 0.4, 0.1)]
    first, second, third, last = paths
    assert (first[0], first[4]) == (x_of[1], x_of[1])
    assert (third[0], third[4]) == (x_of[0.9], x_of[0.8])
    assert third[1] == (first[1] + first[3]) / 2
    assert third[3] == (second[1] + second[3]) / 2
    assert last[4] == x_of[1]


def test_other_thresholds_can_be_worked_out(cuttable):
    data = data_of(cuttable)
    assert data["own"] == [5, 5, 6, 6, 4]
    assert data["nodes"] == [[0, 1], [2, 3], [5, 6], [7, 4]]
    assert (data["held"], data["least"], data["most"]) == (2, 0, 4)
    assert data["levels"] == [0.9, 0.8, 0.4, 0.1]
    assert data["merges"] == [[1, 2], [4, 7], [2, 4], [7, 9]]
    assert data["calibration"] == [1.5, 0.25]
    assert "component" not in data


def test_constraints_of_corrections(cuttable):
    corrections = (Correction("confirm", ((1,), (2,))), Correction("different", ((1,), (9,))))
    data = data_of(replace(cuttable, corrections=Corrections(corrections)))
    assert (data["component"], data["apart"]) == ([0, 0, 1, 2, 3], [[0, 3]])
    assert data["right"] == [0]


def unpacked(alternatives):
    """Counts, later rows and probabilities of the pairs, as the script reads them."""
    known = alternatives.probability
    pairs = len(known) if isinstance(known, np.ndarray) else known.nnz
    lengths = [pairs] if isinstance(known, np.ndarray) else [len(alternatives.ranks), pairs, pairs]
    data, columns = _pair_codes(alternatives), []
    for length in lengths:
        low, high = (np.frombuffer(data, "u1", length, at).astype(int) for at in (0, length))
        columns.append(low + 256 * high)
        data = data[2 * length :]
    assert data == b""
    back = expit((columns[-1] - 1) / 4093 * 2 * REACH - REACH)
    return columns, np.where(columns[-1] > 0, np.where(columns[-1] < 4095, back, 1), 0)


@given(st.lists(st.floats(0, 1), min_size=10, max_size=10))
def test_probabilities_come_back(cuttable, probability):
    alternatives = replace(cuttable.alternatives, probability=np.array(probability))
    ((codes,), back) = unpacked(alternatives)
    np.testing.assert_allclose(back, probability, atol=1e-3)
    assert ((codes == 0) == (np.array(probability) == 0)).all()
    assert ((codes == 4095) == (np.array(probability) == 1)).all()


def test_known_pairs_come_back_with_their_rows(cuttable):
    square = np.zeros((5, 5))
    known = {(0, 1): 0.9, (0, 4): 0.5, (2, 3): 0.8, (3, 4): 1.0}
    for (first, second), probability in known.items():
        square[first, second] = probability
    graph = sparse.csr_array(square)
    alternatives = replace(cuttable.alternatives, probability=graph, missing=0.1)
    (counts, steps, _), back = unpacked(alternatives)
    assert counts.tolist() == [2, 0, 1, 1, 0]
    assert steps.tolist() == [1, 3, 1, 1]
    np.testing.assert_allclose(back, list(known.values()), atol=1e-3)
    data = data_of(replace(cuttable, alternatives=alternatives))
    assert (data["known"], data["missing"]) == (4, 0.1)


def test_no_kind_of_evidence_has_the_name_of_its_function():
    kinds = {each.function: _kind_words(each.function) for each in all_features()}
    assert not any("_" in words for words in kinds.values())
    assert [kind for kind, words in kinds.items() if kind.replace("_", " ") == words] == []
    assert _kind_words("profile") == "resembling the same other pages"
    assert _kind_words("of_another_version") == "of another version"


def view_of(answer, pair: ExplainedPair):
    (view,) = pair_views(replace(answer, pairs={pair.pages: pair}), [pair.pages])
    return view


@each_case(
    ("effect", "words"),
    [
        (3.1, "For one person: resembling the same other pages (much), one links to the other."),
        (-3.1, "For one person: one links to the other. "
         "Against it: resembling different other pages (much)."),
    ],
)  # fmt: skip
def test_effects_in_plain_words(answer, effect, words):
    effects = (Effect("profile", effect), Effect("linked", 0.6))
    pair = ExplainedPair((answer.people[0].pages[0].rank, 2), 0.9, effects=effects)
    assert view_of(answer, pair).effects == words


def test_strings_of_one_rarity_stand_together_and_none_twice(answer):
    evidence = (
        Evidence("token", ("kelp", "·kelp", "moss", "fern"), (3, 3, 3, 4)),
        Evidence("title", ("kelp",), (3,)),
        Evidence("linked", ()),
    )
    words, title, linked = view_of(answer, ExplainedPair((0, 2), 0.5, evidence)).evidence
    assert words.feature == "words"
    assert words.groups == [("on 3 of 6 pages", ["kelp", "moss"]), ("on 4", ["fern"])]
    assert (title.groups, title.repeats, words.repeats, linked.repeats) == ([], True, False, False)


@each_case(
    ("names", "sentence"),
    [
        ((), ""),
        (
            ("Mary Baker Holt", "Mary Baker"),
            " One page has ‘Mary Baker Holt’, the other ‘Mary Baker’.",
        ),
        (("Mary J. Baker", "Mary J. Baker"), " Both pages have ‘Mary J. Baker’."),
    ],
)
def test_the_names_that_two_pages_have_follow_the_effects(answer, names, sentence):
    pair = ExplainedPair((0, 2), 0.5, effects=(Effect("name_form", -2.0),), names=names)
    assert view_of(answer, pair).effects == "Against it: form of the name (much)." + sentence


def test_pairs_in_the_page(answer, page_of):
    page = page_of(answer)
    assert [tie.select_one(".pair").get_text() for tie in page.select(".tie")] == [
        "0 Ann’s home ↔ 2 Staff 96%",
        "0 Ann’s home ↔ 3 Ann E., dealer 0%",
        "2 Staff ↔ 7 (no title) 81%",
        "3 Ann E., dealer ↔ 5 Antiques 52%",
    ]
    lines = {
        tie["id"]: [li.get_text() for li in tie.select(".evidence li")]
        for tie in page.select(".tie")
    }
    assert lines == {
        "tie-0-2": ["one links to the other", "phrases of 3 words on no other page set theory"],
        "tie-0-3": ["No distinctive evidence."],
        "tie-2-7": ["words near the name on no other page axiom on 3 proof"],
        "tie-3-5": ["No distinctive evidence."],
    }
    (correction,) = page.select(".said")
    assert correction.get_text() == "A user said: not the same person."
    assert correction.find_parent("li")["id"] == "tie-0-3"


ANN = PersonName.parse("Ann Example")


@pytest.fixture
def page(answer, page_of):
    return page_of(answer)


def test_pages_stand_in_their_order_with_whose_they_are_and_how_sure(page):
    shown = [
        [row.select_one(part).get_text() for part in (".rank", ".title", ".chip", ".score")]
        for row in page.select(".row")
    ]
    ann = "Ann the logician · logic · trinity college"
    assert shown == [
        ["0", "Ann’s home", ann, "99%"],
        ["1", "Ann Example", "Old town", "40%"],
        ["2", "Staff", ann, "100%"],
        ["3", "Ann E., dealer", "Person 2", "30%"],
        ["5", "Antiques", "Person 2", "20%"],
        ["7", "(no title)", ann, "48%"],
    ]


def test_near_duplicates_are_one_entry(answer, page_of):
    person = answer.people[0]
    pages = (person.pages[0], *(replace(page, copy_of=0) for page in person.pages[1:]))
    copied = replace(answer, people=(replace(person, pages=pages), *answer.people[1:]))
    page = page_of(copied)
    assert [row["id"] for row in page.select(".rows > .row")][:3] == ["page-0", "page-2", "page-7"]
    entries = page.select("#view-pages > .rows > .row")
    assert [row["id"] for row in entries] == ["page-0", "page-1", "page-3", "page-5"]
    (copies,) = page.select("details.copies")
    assert copies.find_parent("li")["id"] == "page-0"
    assert copies.summary.get_text() == "and 2 near-identical pages"
    assert copies.select_one("#page-2 .title").get_text() == "Staff"
    assert page.select_one("[data-figure=pages] b").get_text() == "6"
    assert data_of(copied)["copies"] == [[2, 0], [5, 0]]
    assert data_of(answer)["copies"] == []


def test_unsure_pages_are_marked_and_linked_to_the_nearest_person(page):
    rows = page.select(".row:has(.doubt:not([hidden]))")
    assert [row["id"] for row in rows] == ["page-1", "page-3", "page-5", "page-7"]
    links = [row.select_one(".doubt a")["href"] for row in rows]
    assert links == ["#person-2", "#person-3", "#person-1", "#person-2"]
    assert rows[0].select_one(".doubt").get_text() == "Unsure perhaps Person 2"


def test_confirmed_pages_problems_and_fingerprints_are_marked(page):
    assert [row["id"] for row in page.select(".row:has(.good:not([hidden]))")] == ["page-2"]
    (note,) = page.select(".note")
    assert note.get_text() == "Problem: not a web page but PDF"
    assert note.find_parent("li")["id"] == "page-1"
    (row,) = page.select("[data-fingerprint]")
    assert (row["data-rank"], row["data-fingerprint"]) == ("0", "0123456789ab")


@each_case(("notes", "count"), [(("lost", "lost"), 0), (("lost", "cut"), 2), (("lost", ""), 1)])
def test_a_problem_that_all_pages_share_is_not_shown_at_each(answer, notes, count):
    pages = tuple(
        replace(page, note=note) for page, note in zip(answer.people[1].pages, notes, strict=True)
    )
    few = replace(answer, people=(replace(answer.people[1], pages=pages),))
    assert sum(bool(row.problem) for row in page_rows(few, groups_of(few))) == count


def test_why_here_names_the_closest_page_and_the_rival(page):
    first = page.select_one("#page-0 .why")
    assert [near.get_text() for near in first.select(".near")] == [
        "Most similar page of the same person 2 Staff 96% why",
        "Most similar page filed under someone else 3 Ann E., dealer 20% "
        "likely the same person – check why",
    ]
    assert first.select_one(".check").has_attr("hidden")  # where it is not likely
    assert [a["href"] for a in first.select("a")] == ["#page-2", "#tie-0-2", "#page-3", "#tie-0-3"]
    assert all(near.has_attr("hidden") for near in page.select("#page-1 .near"))
    # a pair that is not explained has no link to an explanation
    assert page.select_one("#page-7 .rival .reason") is None


@each_case(
    ("text", "marked"),
    [
        ("Ann Example, Ann Example", "[Ann Example], [Ann Example]"),
        ("a <b> & Ann Example's", "a <b> & [Ann Example]'s"),
        ("Ann\u202e Example\n\x00", "[Ann Example]"),
        ("", ""),
    ],
)
def test_mentions_of_the_name_are_marked(text, marked):
    parts = highlighted(text, ANN)
    assert "".join(f"[{part}]" if at % 2 else part for at, part in enumerate(parts)) == marked
    assert highlighted("&" * 300, ANN) == ["&" * 259 + "…"]


def test_a_card_says_who_it_is_and_how_sure(page):
    cards = page.select(".card")
    ann = "Ann the logician · logic · trinity college"
    assert [card.h3.get_text() for card in cards] == [ann, "Person 2", "Old town"]
    facts = "3 pages may be two people|2 pages likely, 88%|"
    facts += "page 1 uncertain, 40%"
    assert [card.select_one(".facts").get_text() for card in cards] == facts.split("|")


def test_those_who_are_unsure_stand_last_under_a_heading(page, cuttable, page_of):
    assert [card["id"] for card in page.select("#sure .card")] == ["person-1"]
    assert page.select_one("#unsure h3").get_text() == "Unsure"
    assert [card["id"] for card in page.select("#unsure .card")] == ["person-2", "person-3"]
    assert page_of(cuttable).select_one("#unsure").has_attr("hidden")


@each_case(
    ("born", "died", "years"),
    [
        (("1921-05-03",), ("2004",), "1921–2004"),
        (("1921", "1921-05", "1923", "1950"), (), "born 1921 or 1923"),
        ((), ("2004-01",), "died 2004"),
        (("spring",), ("unknown",), ""),
    ],
)
def test_a_card_has_the_years_and_places_that_pages_state(born, died, years, answer, page_of):
    stated = [("date of birth", "1800", 0.4), *(("date of birth", each, 0.5) for each in born)]
    stated += (("date of death", each, 0.9) for each in died)
    for where in (
        ("location", "Kew"),
        ("location", "Kew"),
        ("birth place", "Bo<b>"),
        ("work", "X"),
    ):
        stated.append((*where, 0.9))
    facts = tuple(
        Fact(attribute, value, certainty, (FactSource(0, "A sentence."),), (0, 2))
        for attribute, value, certainty in stated
    )
    first, *others = answer.people
    told = replace(first, description=replace(first.description, facts=facts))
    (shown,) = page_of(replace(answer, people=(told, *others))).select("#person-1 .facts")
    assert [each.get_text() for each in shown.select(".years")] == [years] * bool(years)
    assert [each.get_text() for each in shown.select("bdi")] == ["Kew", "Bo<b>"]


def test_features_near_the_name_go_without_saying_where_all_are_told():
    names = ("capitalised", "capitalised(local=true)", "token(local=true)", "email")
    assert feature_list(names) == "capitalised names, words near the name, e-mail addresses"
    assert feature_list(()) == ""
