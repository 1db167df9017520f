from __future__ import annotations

import base64
import hashlib
import re
from dataclasses import replace
from html.parser import HTMLParser
from importlib.resources import files
from itertools import pairwise

import pytest
from bs4 import BeautifulSoup

from weps.corrections.model import KINDS, Correction, Corrections
from weps.people.answer import Answer
from weps.report.html import AppLinks, as_html, corrected, frame, overview, policy, script, style
from weps.report.view import Report, groups_of

FOLDER = files("weps.report").joinpath("page")


def test_every_file_of_the_page_is_used_once():
    whole = style() + script() + frame()
    for file in FOLDER.iterdir():
        assert whole.count(file.read_text("utf-8")) == 1, file.name


def test_the_script_never_makes_html_from_text():
    assert not re.search(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|eval\(", script())


def test_nothing_is_loaded():
    assert not re.search(r"https?://(?!www\.w3\.org/2000/svg)|@import|url\(|import\s*\(", script())
    assert not re.search(r"https?://|@import|url\(", style())


def test_the_policy_lets_the_page_talk_to_its_app_alone():
    assert "connect-src" not in policy(connected=False)
    assert "form-action 'none'" in policy(connected=False)
    assert policy(connected=True).endswith("form-action 'self'; connect-src 'self'")
    assert "default-src 'none'" in policy(connected=True)


@pytest.mark.parametrize(
    ("correction", "line", "words"),
    [
        (Correction("same", ((1, 4),)), "same 1 4", "Same person: 1, 4"),
        (
            Correction("different", ((1,), (4, 9))),
            "different 1 / 4 9",
            "Not the same: 1 and 4, 9",
        ),
        (
            Correction("split", ((1, 2), (4,))),
            "split 1 2 / 4",
            "Somebody else: 1, 2, not with 4",
        ),
        (
            Correction("move", ((1,), (4,), (9,))),
            "move 1 / 4 / 9",
            "Moved: 1, from 4 to 9",
        ),
        (Correction("confirm", ((1, 2),)), "confirm 1 2", "Confirmed: 1, 2"),
        (
            Correction("confirm", ((1,), (2,))),
            "confirm 1 / 2",
            "Confirmed: 1, with 2",
        ),
        (
            Correction("called", ((4,),), 'The <b> "boss"'),
            'called 4 The <b> "boss"',
            'Called The <b> "boss": the person of 4',
        ),
    ],
)
def test_each_is_told_in_words_and_as_its_line(correction, line, words):
    item = BeautifulSoup(corrected(Corrections((correction,))), "lxml").li
    assert (item["data-line"], item.get_text()) == (line, words)


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_with_any_number_of_groups_has_words(kind):
    for groups in range(KINDS[kind].fewest, KINDS[kind].most + 1):
        assert corrected(Corrections((Correction(kind, ((1,),) * groups, "x"),)))


VOID = {"meta", "input", "rect", "path", "br", "link", "img"}
APP = AppLinks("/names/ann/corrections", "/", {"CSV": "/names/ann/csv"}, "/names/ann/delete")


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


@pytest.mark.parametrize("which", ["answer", "hostile", "crowd", "cuttable"])
def test_the_page_is_well_formed_and_loads_nothing(which, request):
    found = request.getfixturevalue(which)
    text = as_html(Report(found, {"rand": 0.5}, "<signature>", ("<note>",)), APP)
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
    data, script = page.find_all("script")
    (style,) = page.find_all("style")
    assert (data["type"], script["type"]) == ("application/json", "module")
    for rule, tag in (("style-src", style), ("script-src", script)):
        digest = base64.b64encode(hashlib.sha256(tag.string.encode()).digest()).decode()
        assert rules.pop(rule) == f"'sha256-{digest}'"
    assert rules == {"default-src": "'none'", "base-uri": "'none'", "form-action": "'none'"}


def test_what_an_enemy_writes_is_shown_as_text(hostile):
    text = as_html(Report(hostile))
    assert "onerror=&quot;alert(1)&quot;" in text
    assert not set(text) & set("\u202e\u202c\x00\x1b\r")
    page = BeautifulSoup(text, "lxml")
    links = {a["href"] for a in page.select("a[href]") if not a["href"].startswith("#")}
    assert links == {"http://a.example/%22onmouseover=%22alert(1)"}
    assert max(len(title.text) for title in page.select(".title")) <= 120


def test_links_give_nothing_away(answer):
    links = page_of(answer).select("a.title")
    assert [a["href"] for a in links] == [
        "http://www.logic.example/ann",
        "https://college.example/staff?a=1&b=2",
    ]
    assert all(set(a["rel"]) == {"noopener", "noreferrer", "nofollow"} for a in links)


def test_the_app_gets_its_bar_and_the_way_to_it(answer):
    page = BeautifulSoup(as_html(Report(answer), APP), "lxml")
    assert page.select_one("meta[name=weps-corrections]")["content"] == APP.corrections_url
    assert page.select_one("nav.app a")["href"] == "/"
    policy = page.find("meta", {"http-equiv": "Content-Security-Policy"})["content"]
    assert policy.endswith("form-action 'self'; connect-src 'self'")
    assert not page_of(answer).select("nav.app, meta[name=weps-corrections]")


def test_what_needs_the_script_is_hidden_without_it(cuttable):
    page = page_of(cuttable)
    for place in ("#cut", "#tools", "#views", "#correcting", "#others"):
        assert page.select_one(place).has_attr("hidden"), place
    shown = [card["id"] for card in page.select("#sure .card")]
    assert shown == ["person-1", "person-2", "person-3"]
    assert not page.select("input.pick, button.draw")


@pytest.mark.parametrize("which", ["answer", "cuttable", "hostile"])
def test_headings_descend_without_gaps_and_links_lead_somewhere(which, request):
    page = page_of(request.getfixturevalue(which), scores={"rand": 1.0}, notes=("a note",))
    levels = [int(tag.name[1]) for tag in page.find_all(re.compile("^h[1-6]$"))]
    assert levels[0] == 1
    assert all(after <= before + 1 for before, after in pairwise(levels))
    ids = [tag["id"] for tag in page.select("[id]")]
    assert len(ids) == len(set(ids))
    targets = {a["href"][1:] for a in page.select('a[href^="#"]')}
    assert targets <= set(ids)
    told = {word for tag in page.select("[for], [aria-labelledby]") for word in _named(tag)}
    assert told <= set(ids)


def _named(tag) -> list[str]:
    """The ids by which a tag refers to others; the parser has split some of the attributes."""
    values = (tag.get(key, "") for key in ("for", "aria-labelledby"))
    return [id_ for value in values for id_ in (value.split() if isinstance(value, str) else value)]


def test_model_and_signature_stand_in_the_footer(answer):
    footer = page_of(answer).footer.get_text()
    assert answer.model in footer
    assert answer.signature in footer


def test_where_nothing_was_found_it_says_so():
    page = page_of(Answer("Ann Example", (), (), "m", "s"))
    assert "There are no pages." in page.main.get_text()
    assert not page.select(".card, .row, .tie")


def test_what_was_corrected_is_listed(answer):
    lines = [item["data-line"] for item in page_of(answer).select("#said li")]
    assert lines == ["confirm 2 / 0 7", "different 0 / 3", "called 0 Ann the logician"]


def test_three_hundred_pages_make_less_than_a_megabyte(crowd):
    assert len(as_html(Report(crowd)).encode()) < 1_000_000


def test_the_same_answer_gives_the_same_bytes(cuttable):
    assert as_html(Report(cuttable)) == as_html(Report(replace(cuttable)))


def page_of_overview(answer, **extras) -> BeautifulSoup:
    return BeautifulSoup(overview(Report(answer, **extras), groups_of(answer)), "lxml")


def test_the_numbers_stand_at_the_top(answer):
    assert [item.get_text() for item in page_of_overview(answer).select(".figures li")] == [
        "6 pages",
        "3 people",
        "1 page stands alone",
        "4 unsure pages",
        "1 with a problem",
    ]


def test_problems_are_counted_only_if_there_are_any(cuttable):
    assert "problem" not in page_of_overview(cuttable).get_text()


def test_what_is_wrong_with_all_pages_is_told_once(cuttable):
    pages = tuple(replace(page, note="lost") for page in cuttable.people[0].pages)
    assert len(pages) > 1
    told = page_of_overview(
        replace(cuttable, people=(replace(cuttable.people[0], pages=pages),), alternatives=None)
    )
    assert [item.get_text() for item in told.select(".remarks li")] == ["All pages: lost."]
    assert "with a problem" not in told.get_text()


def test_a_strip_shows_the_share_of_all_who_have_several_pages(answer):
    parts = page_of_overview(answer).select("#strip rect")
    assert [(part["x"], part["width"], part["class"]) for part in parts] == [
        ("0", "3", ["tone-0"]),
        ("3", "2", ["tone-1"]),
    ]


def test_where_all_stand_alone_there_is_no_strip(answer):
    assert not page_of_overview(replace(answer, people=answer.people[2:])).select("#strip")


def test_scores_and_notes_are_shown_if_there_are_any(answer):
    page = page_of_overview(
        answer, scores={"bcubed_f05": 0.834}, score_signature="scorer:weps1", notes=("half a file",)
    )
    assert page.select_one(".scores dl").get_text(" ") == "B-Cubed F, α 0.5 0.83"
    assert page.select_one(".scores code").get_text() == "scorer:weps1"
    assert [item.get_text() for item in page.select(".remarks li")] == [
        "half a file",
        "Not to be had from pages of this form: capitalised names, words near the name.",
    ]
    assert not page_of_overview(replace(answer, absent_features=())).select(".scores, .remarks")


def test_many_notes_are_folded(answer):
    page = page_of_overview(
        replace(answer, absent_features=()), notes=("one", "two", "three", "four", "five")
    )
    assert [item.get_text() for item in page.select("#notes > ul > li")] == ["one", "two", "three"]
    assert page.select_one("#notes summary").get_text() == "2 more notes"
    assert [item.get_text() for item in page.select("#notes details li")] == ["four", "five"]
