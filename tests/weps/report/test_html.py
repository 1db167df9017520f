from __future__ import annotations

import base64
import hashlib
import re
from dataclasses import replace
from html.parser import HTMLParser
from itertools import pairwise

import pytest
from bs4 import BeautifulSoup

from weps.people import Answer
from weps.report import Report
from weps.report.html import as_html

VOID = {"meta", "input", "rect", "br", "link", "img"}


class Balance(HTMLParser):
    """Fails where a tag is not closed in order; collects the tags."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert len(dict(attrs)) == len(attrs), f"{tag} repeats an attribute"
        self.seen.add(tag)
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, _attrs: list[tuple[str, str | None]]) -> None:
        assert tag in VOID

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def page_of(answer: Answer, **extras) -> BeautifulSoup:
    return BeautifulSoup(as_html(Report(answer, **extras)), "lxml")


@pytest.mark.parametrize("which", ["answer", "hostile", "crowd"])
def test_the_page_is_well_formed_and_loads_nothing(which, request):
    text = as_html(
        Report(request.getfixturevalue(which), {"rand": 0.5}, "<signature>", ("<note>",))
    )
    parser = Balance()
    parser.feed(text)
    parser.close()
    assert parser.open == []
    assert not parser.seen & {"img", "link", "iframe", "object", "embed", "base", "image", "use"}
    page = BeautifulSoup(text, "lxml")
    assert not page.select("[src], [style], [srcset], [action], [formaction]")
    assert not [key for tag in page.find_all(True) for key in tag.attrs if key.startswith("on")]
    assert "url(" not in page.style.string
    assert "@import" not in page.style.string


def test_the_policy_allows_just_the_style_and_the_script_of_the_page(hostile):
    page = page_of(hostile)
    policy = page.find("meta", {"http-equiv": "Content-Security-Policy"})["content"]
    rules = dict(rule.split(" ", 1) for rule in policy.split("; "))
    assert len(page.find_all("script")) == len(page.find_all("style")) == 1
    for rule, tag in (("style-src", page.style), ("script-src", page.script)):
        digest = base64.b64encode(hashlib.sha256(tag.string.encode()).digest()).decode()
        assert rules.pop(rule) == f"'sha256-{digest}'"
    assert rules == {"default-src": "'none'", "base-uri": "'none'", "form-action": "'none'"}


def test_what_an_enemy_writes_is_shown_as_text(hostile):
    text = as_html(Report(hostile))
    assert "onerror=&quot;alert(1)&quot;" in text
    assert not set(text) & set("\u202e\u202c\x00\x1b\r")
    page = BeautifulSoup(text, "lxml")
    links = [a for a in page.find_all("a") if not a["href"].startswith("#")]
    assert [a["href"] for a in links] == ["http://a.example/%22onmouseover=%22alert(1)"]
    assert max(len(title.text) for title in page.select(".title")) <= 120


def test_links_give_nothing_away(answer):
    links = page_of(answer).select("a.title")
    assert [a["href"] for a in links] == [
        "http://www.logic.example/ann",
        "https://college.example/staff?a=1&b=2",
    ]
    assert all(set(a["rel"]) == {"noopener", "noreferrer", "nofollow"} for a in links)


def test_every_page_is_there_with_rank_title_domain_and_score(answer):
    rows = [
        [part.get_text() for part in row.select(".rank, .title, .where, .score")]
        for row in page_of(answer).select(".pages > li")
    ]
    assert rows == [
        ["0", "Ann’s home", "logic.example", "99%"],
        ["2", "Staff", "college.example", "96%"],
        ["7", "(no title)", "48%"],
        ["3", "Ann E., dealer", "30%"],
        ["5", "Antiques", "20%"],
        ["1", "Ann Example", "40%"],
    ]


def test_the_numbers_stand_at_the_top(answer):
    figures = [item.get_text() for item in page_of(answer).select(".figures li")]
    assert figures == [
        "6 pages",
        "3 people",
        "1 page stands alone",
        "4 unsure pages",
        "1 page with a problem",
    ]


def test_a_card_says_who_it_is_and_how_sure(answer):
    cards = page_of(answer).select("article")
    assert [card.h3.get_text() for card in cards] == ["logic · trinity college", "Person 2"]
    assert [card.select_one(".facts").get_text() for card in cards] == [
        "3 pages Confidence: likely, 81%",
        "2 pages Confidence: uncertain, 25% All pages unsure",
    ]


def test_unsure_pages_are_marked_and_linked_to_the_nearest_person(answer):
    page = page_of(answer)
    marked = {row["id"]: row.select_one(".unsure") for row in page.select("li:has(.unsure)")}
    assert {place: (mark.get_text(), mark.a["href"]) for place, mark in marked.items()} == {
        "page-7": ("Unsure may belong to another person, the nearest is Person 2", "#person-2"),
        "page-3": ("Unsure may belong to another person, the nearest is old town", "#page-1"),
        "page-5": (
            "Unsure may belong to another person, the nearest is logic · trinity college",
            "#person-1",
        ),
        "page-1": ("Unsure may belong to another person, the nearest is Person 2", "#person-2"),
    }
    assert {mark.b["class"][0] for mark in marked.values()} == {"badge"}


def test_an_unsure_page_says_so_where_there_is_nobody_else(answer):
    alone = replace(answer.people[2].pages[0], nearest=None)
    page = page_of(replace(answer, people=(replace(answer.people[2], pages=(alone,)),), merges=()))
    mark = page.main.select_one(".unsure")
    assert mark.get_text() == "Unsure may belong to another person"
    assert mark.a is None


def test_where_all_is_sure_nothing_is_marked(answer):
    sure = replace(answer.people[0], pages=answer.people[0].pages[:2])
    page = page_of(replace(answer, people=(sure,), merges=answer.merges[:1]))
    assert not page.select("header .badge, main .badge, main .unsure")
    assert "unsure" not in page.select_one(".figures").get_text()


def test_the_evidence_of_each_tie_is_told_in_plain_words(answer):
    ties = page_of(answer).select("article details .ties > li")
    assert [tie.p.get_text() for tie in ties] == [
        "0 logic.example ↔ 2 college.example 96%",
        "2 college.example ↔ 7 81%",
        "3 ↔ 5 52%",
    ]
    told = [
        [[part.get_text() for part in line] for line in tie.select(".evidence li")] for tie in ties
    ]
    words = [[(line[0], line[-1]) for line in tie] for tie in told]
    assert words == [
        [("one links to the other", ""), ("phrases of 3 words", "set theory")],
        [("words near the name", "axiom proof")],
        [("nothing that stands out", "nothing that stands out")],
    ]


def test_a_page_that_could_not_be_read_is_marked_and_not_hidden(answer):
    (row,) = page_of(answer).select("li.noted")
    assert row["id"] == "page-1"
    assert row.select_one(".note").get_text() == "Problem: not a web page but PDF"


def test_scores_and_notes_are_shown_if_there_are_any(answer):
    page = page_of(
        answer, scores={"bcubed_f05": 0.834}, score_signature="scorer:weps1", notes=("half a file",)
    )
    assert page.select_one(".scores dl").get_text(" ") == "B-Cubed F, α 0.5 0.83"
    assert page.select_one(".scores code").get_text() == "scorer:weps1"
    assert [item.get_text() for item in page.select(".remarks li")] == [
        "half a file",
        "Not to be had from pages of this form: capitalised names, words near the name.",
    ]
    plain = page_of(replace(answer, absent_features=()))
    assert not plain.select(".scores, .remarks")


def test_model_and_signature_stand_in_the_footer(answer):
    footer = page_of(answer).footer.get_text()
    assert answer.model in footer
    assert answer.signature in footer


def test_what_needs_the_script_is_hidden_without_it(answer):
    page = page_of(answer)
    assert page.select_one(".tools").has_attr("hidden")
    assert not page.main.select("[hidden]:not(.tools)")


def test_headings_descend_without_gaps_and_ids_are_unique(answer):
    page = page_of(answer, scores={"rand": 1.0}, notes=("a note",))
    levels = [int(tag.name[1]) for tag in page.find_all(re.compile("^h[1-6]$"))]
    assert levels[0] == 1
    assert all(after <= before + 1 for before, after in pairwise(levels))
    ids = [tag["id"] for tag in page.select("[id]")]
    assert len(ids) == len(set(ids))
    targets = {a["href"][1:] for a in page.select('a[href^="#"]')}
    assert targets <= set(ids)


@pytest.mark.parametrize(
    ("people", "said"),
    [
        (slice(0, 0), "no pages for this name"),
        (slice(0, 1), "There are none"),
        (slice(2, 3), "It is"),
    ],
)
def test_nothing_goes_without_saying(people, said, answer):
    part = Answer(answer.name, answer.people[people], (), "m", "s")
    assert said in page_of(part).main.get_text()


def test_three_hundred_pages_make_less_than_a_megabyte(crowd):
    assert len(as_html(Report(crowd)).encode()) < 1_000_000


def test_every_person_has_the_query_to_type_next_time(answer):
    page = page_of(answer)
    assert [
        (part.kbd.get_text(), part.small.get_text()) for part in page.select("main .query")
    ] == [
        ('"Ann Example" "Trinity College"', "finds 2 of 3 pages and 1 other"),
        ('"Ann Example" fauna', "finds this page and no other"),
    ]
    assert page.select_one("article .query")
    assert page.select_one(".pages > li#page-1 .query")
