from __future__ import annotations

import base64
import hashlib
import json
import re
import zlib
from dataclasses import replace
from functools import partial
from importlib.resources import files
from itertools import pairwise

import pytest
from bs4 import BeautifulSoup

from tests.cases import assert_well_formed, each_case
from weps.corrections.model import CORRECTION_KINDS, Correction, Corrections
from weps.people.answer import Answer, Part, SetAsidePage
from weps.people.pages import Pile
from weps.records import UnreadInput
from weps.report import html
from weps.report.html import INDEX_SCRIPT, SCRIPT, STYLE_SHEET, AppLinks, as_html, read_assets
from weps.report.view import Report

STYLE, CODE = read_assets(*STYLE_SHEET), read_assets(*SCRIPT)
EVIL = '"><b>&'
EXPORTS = {"CSV": "/ann/csv", EVIL: f"/{EVIL}"}
APP = AppLinks(EXPORTS)


def test_every_asset_is_used_once():
    pages = STYLE + CODE, read_assets(*INDEX_SCRIPT)
    for file in files("weps.report").joinpath("assets").iterdir():
        assert max(page.count(file.read_text("utf-8")) for page in pages) == 1, file.name


def test_the_script_never_makes_html_from_text_and_nothing_is_loaded():
    assert not re.search(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|eval\(", CODE)
    assert not re.search(r"https?://(?!www\.w3\.org/2000/svg)|@import|url\(|import\s*\(", CODE)
    assert not re.search(r"https?://|@import|url\(", STYLE)


def test_the_templates_trust_only_what_the_project_writes():
    templates = files("weps.report").joinpath("templates").iterdir()
    text = "".join(each.read_text("utf-8") for each in templates)
    assert sorted(re.findall(r"(\w+) \| safe\b", text)) == [
        "block",
        "script",
        "script",
        "style",
        "style",
    ]


@pytest.mark.parametrize("which", ["answer", "hostile", "crowd", "cuttable"])
def test_the_page_is_well_formed_and_loads_nothing(which, request):
    found = request.getfixturevalue(which)
    text = as_html(Report(found, {"rand": 0.5}, "<signature>", ("<note>",)), APP)
    assert_well_formed(text)
    assert len(text) < 1_000_000
    page = BeautifulSoup(text, "lxml")
    assert not page.select("img, link, iframe, object, embed, base, image, use")
    assert not page.select("[src], [style], [srcset], [action], [formaction]")
    assert not [key for tag in page.find_all(True) for key in tag.attrs if key.startswith("on")]


def test_the_policy_allows_just_the_style_and_the_script_of_the_page(hostile, page_of):
    page = page_of(hostile)
    policy = page.find("meta", {"http-equiv": "Content-Security-Policy"})["content"]
    rules = dict(rule.split(" ", 1) for rule in policy.split("; "))
    *blocks, script = page.find_all("script")
    (style,) = page.find_all("style")
    assert [block["id"] for block in blocks] == ["numbers", "ties", "texts", "pairs"]
    assert {block["type"] for block in blocks} == {"application/octet-stream"}
    assert script["type"] == "module"
    for rule, tag in (("style-src", style), ("script-src", script)):
        digest = base64.b64encode(hashlib.sha256(tag.string.encode()).digest()).decode()
        assert rules.pop(rule) == f"'sha256-{digest}'"
    assert rules == {"default-src": "'none'", "base-uri": "'none'", "form-action": "'none'"}


def test_what_an_enemy_writes_is_shown_as_text(hostile):
    text = as_html(Report(hostile))
    assert "onerror=&#34;alert(1)&#34;" in text
    assert not set(text) & set("\u202e\u202c\x00\x1b\r")
    page = BeautifulSoup(text, "lxml")
    links = {a["href"] for a in page.select("a[href]") if not a["href"].startswith("#")}
    assert links == {
        "http://a.example/%22onmouseover=%22alert(1)",
        "javascript%3Aalert%281%29.html",  # a file beside the report
    }
    assert max(len(title.text) for title in page.select(".title")) <= 120


def _block(page, name):
    data = zlib.decompress(base64.b64decode(page.find(id=name).string), -zlib.MAX_WBITS)
    return json.loads(data)


def test_a_report_of_many_pages_has_them_as_data(answer, page_of, monkeypatch):
    static = page_of(answer)
    monkeypatch.setattr(html, "STATIC_PAGES", 5)
    monkeypatch.setattr(html, "_MAX_PAIRS", 2)
    page = page_of(answer)
    monkeypatch.setattr(html, "STATIC_PAGES", 500)
    monkeypatch.setattr(html, "APP_STATIC_PAGES", 5)
    assert not page_of(answer).select("#unpacking")
    shown = BeautifulSoup(as_html(Report(answer), APP), "lxml")  # by the app, with the whole tree
    assert shown.select("#unpacking")
    assert [_block(shown, "numbers")["own"], shown.select(".merges > li")] == [
        _block(static, "numbers")["own"],
        static.select(".merges > li"),
    ]
    assert static.select("#unpacking") == page.select(".row, .card, .tie") == []
    assert page.find(id="unpacking").text.startswith("This report of 6 pages needs JavaScript")
    assert "These are 2 pairs of 4, those whose probability is nearest to one half" in page.text
    data = _block(page, "numbers")
    titles = [each.text for each in static.select(".row .title")]
    assert [each[2] for each in data["pages"]] == titles
    assert data["pages"][0][8] == "\nAnn Example\n is a reader in logic."
    labels = [each.text for each in static.select(".choose")]
    assert [" · ".join(each[4]) for each in data["cards"]] == labels
    assert data["names"][0] == ["organisation", "Trinity College", [0, 2]]
    assert data["cards"][0][5] == ["axiom", "proof"]
    assert data["cards"][0][7:9] == [
        '"Ann Example" "Trinity College"',
        "finds 2 of 3 pages and 1 other",
    ]
    assert [tie[:3] for tie in _block(page, "ties")] == [[2, 7, "81%"], [3, 5, "52%"]]
    assert "pages" not in _block(static, "numbers")


def test_data_are_as_clean_and_bounded_as_the_page(hostile, page_of, monkeypatch):
    monkeypatch.setattr(html, "STATIC_PAGES", 1)
    page = page_of(hostile)

    def strings(data):
        if isinstance(data, (list, dict)):
            for each in data if isinstance(data, list) else data.values():
                yield from strings(each)
        elif isinstance(data, str):
            yield data

    found = [text for name in ("numbers", "ties", "texts") for text in strings(_block(page, name))]
    assert any("<img src=x" in text for text in found)
    assert not set("".join(found)) & set("\u202e\u202c\x00\x1b\r\t")
    assert max(map(len, found)) <= 500
    links = [link for each in _block(page, "numbers")["pages"] for link in each[3:5]]
    assert not [link for link in links if link.startswith(("javascript:", "data:"))]


def test_links_give_nothing_away_and_the_footer_names_the_model(answer, page_of):
    page = page_of(answer)
    live = ["http://www.logic.example/ann", "https://college.example/staff?a=1&b=2"]
    assert [a["href"] for a in page.select("a.title")] == ["../Ann/page%3A%201.html", live[1]]
    assert [a["href"] for a in page.select("a.live")] == live
    assert [each.text for each in page.select(".day")] == ["saved 2026-11-23"]
    links = page.select("a[href]:not([href^='#'])")
    assert all(set(a["rel"]) == {"noopener", "noreferrer", "nofollow"} for a in links)
    footer = page_of(answer).footer.get_text()
    assert answer.model in footer
    assert answer.signature in footer


def test_the_app_gets_its_bar_and_the_way_to_it(answer, page_of):
    text = as_html(Report(answer), APP)
    page = BeautifulSoup(text, "lxml")
    assert page.select_one("meta[name=weps-corrections]")["content"] == "corrections"
    links = {"All results": "/", **APP.exports, "Delete": "delete"}
    assert {a.get_text(): a["href"] for a in page.select("nav.app a")} == links
    assert page.select_one("#page-0 a.title")["href"] == "preview/0"
    assert EVIL not in text
    policy = page.find("meta", {"http-equiv": "Content-Security-Policy"})["content"]
    assert policy.startswith("default-src 'none'; ")
    assert policy.endswith("form-action 'self'; connect-src 'self'")
    assert "Save as" not in as_html(Report(answer), AppLinks())
    assert not page_of(answer).select("nav.app, meta[name=weps-corrections]")


def test_what_could_not_be_read_is_listed_by_reason(answer, page_of):
    reasons = [("a.png", "not a page: image/png"), ("http://a.example/x", "blocked")]
    many = [(f"{number}.png", "not a page: image/png") for number in range(300)]
    unread = tuple(UnreadInput(*each) for each in (*reasons, *many))
    page = page_of(replace(answer, unread=unread))
    assert page.select_one("#unread h3").text == "302 inputs could not be read"
    images, blocked = page.select("#unread details")
    assert images.summary.text == "not a page: image/png 301 inputs"
    assert len(images.select("li")) == 201
    assert images.select("li")[-1].text == "and 101 others, all listed in the JSON file"
    assert [a["href"] for a in blocked.select("a")] == ["http://a.example/x"]
    assert page.select_one(".figures a")["href"] == "#unread"
    assert not page_of(answer).select("#unread")


@pytest.mark.parametrize("which", ["answer", "cuttable", "hostile"])
def test_headings_descend_without_gaps_and_links_lead_somewhere(which, request, page_of):
    page = page_of(request.getfixturevalue(which), scores={"rand": 1.0}, notes=("a note",))
    levels = [int(tag.name[1]) for tag in page.find_all(re.compile("^h[1-6]$"))]
    assert levels[0] == 1
    assert all(after <= before + 1 for before, after in pairwise(levels))
    ids = [tag["id"] for tag in page.select("[id]")]
    assert len(ids) == len(set(ids))
    targets = {a["href"][1:] for a in page.select('a[href^="#"]')}
    assert targets <= set(ids)
    references = re.findall(r' (?:for|aria-labelledby)="([^"]*)"', str(page))
    assert set(" ".join(references).split()) <= set(ids)


def test_where_nothing_was_found_it_says_so(page_of):
    page = page_of(Answer("Ann Example", (), (), "m", "s"))
    assert "There are no pages." in page.main.get_text()


@each_case(
    ("kind", "groups", "line", "words"),
    [
        ("same", ((1, 4),), "same 1 4", "Same person: 1, 4"),
        ("different", ((1,), (4, 9)), "different 1 / 4 9", "Not the same: 1 and 4, 9"),
        ("split", ((1, 2), (4,)), "split 1 2 / 4", "Somebody else: 1, 2, not with 4"),
        ("move", ((1,), (4,), (9,)), "move 1 / 4 / 9", "Moved: 1, from 4 to 9"),
        ("confirm", ((1, 2),), "confirm 1 2", "Confirmed: 1, 2"),
        ("confirm", ((1,), (2,)), "confirm 1 / 2", "Confirmed: 1, with 2"),
        ("called", ((4,),), 'called 4 A <b> "c"', 'Called A <b> "c": the person of 4'),
    ],
)
def test_corrections_are_listed_in_words_and_as_their_lines(kind, groups, line, words, page_of):
    correction = Correction(kind, groups, 'A <b> "c"' if kind == "called" else "")
    answer = Answer("Ann", (), (), "m", "s", corrections=Corrections((correction,)))
    item = page_of(answer).select_one("#said li")
    assert (item["data-line"], item.get_text()) == (line, words)


def test_every_kind_of_correction_with_any_number_of_groups_has_words():
    counts = {
        (kind, n)
        for kind in CORRECTION_KINDS
        for n in range(CORRECTION_KINDS[kind].min_groups, CORRECTION_KINDS[kind].max_groups + 1)
    }
    assert set(html._CORRECTIONS) == counts


def test_figures_strip_and_a_problem_of_all_pages_stand_at_the_top(answer, cuttable, page_of):
    page = page_of(answer)
    figures = "6 pages|3 people|1 single-page person|4 unsure pages|1 with a problem"
    assert [item.get_text() for item in page.select(".figures li")] == figures.split("|")
    assert "with a problem" not in page_of(cuttable).select_one(".figures").get_text()
    assert [(part["x"], part["width"], part["class"]) for part in page.select("#strip rect")] == [
        ("0", "3", ["tone-0"]),
        ("3", "2", ["tone-1"]),
    ]
    singletons = replace(cuttable, people=cuttable.people[2:], alternatives=None, pairs={})
    assert not page_of(singletons).select("#strip")
    pages = tuple(replace(page, note="lost") for page in cuttable.people[0].pages)
    people = (replace(cuttable.people[0], pages=pages),)
    page = page_of(replace(cuttable, people=people, alternatives=None))
    assert [item.get_text() for item in page.select("#notes li")] == ["All pages: lost."]
    assert "with a problem" not in page.select_one(".figures").get_text()


def test_parts_are_handed_to_the_script(cuttable, page_of):
    known = dict(cuttable.alternatives.descriptions)
    known[7] = replace(known[7], one_person=0.3)
    first, second, third = cuttable.people
    parts = Part("tides <b>", 0.9, (1, 2)), Part("", 0.8, (4, 7))
    pages = (*first.pages, *second.pages)
    whole = replace(first, pages=pages, description=known[7], parts=parts)
    alternatives = replace(cuttable.alternatives, kept_merges=3, descriptions=known)
    answer = replace(cuttable, people=(whole, third), alternatives=alternatives)
    page = page_of(answer)
    assert _block(page, "numbers")["cards"][0][-1] == [5, 6]
    assert page.select_one("#person-1 .sure").get_text() == "probably two people"
    rows = BeautifulSoup(html.as_notebook_html(answer), "lxml").select("tr")
    assert [row.td.get_text() for row in rows[1:]] == ["1", "1.1", "1.2", "3"]
    settled = replace(answer, people=(replace(whole, parts=()), third))
    assert _block(page_of(settled), "numbers")["cards"][0][-1] == "30%"


def test_pages_set_aside_are_listed_by_pile_each_with_its_reason(answer, page_of):
    assert page_of(answer).select("#set-aside") == []
    page = partial(SetAsidePage, url="http://a.example/x", title="Oak")
    aside = (
        page(8, pile=Pile.CANNOT_TELL, reason="Empty.", fingerprint="0123456789ab"),
        page(9, pile=Pile.OTHER_NAME, reason="Not there.", note="cut short"),
    )
    page = page_of(replace(answer, set_aside=aside))
    shown = [each.text.split() for each in page.select("#set-aside summary, #set-aside li p")]
    assert shown == [
        ["Not", "this", "person’s", "name", "1", "page"],
        ["Not", "there.", "Problem:", "cut", "short."],
        ["Cannot", "tell", "1", "page"],
        ["Empty."],
    ]
    assert [each["data-rank"] for each in page.select("#set-aside li")] == ["9", "8"]
    assert "2 set aside" in page.select_one(".figures").text


def test_scores_and_notes_are_shown_if_there_are_any(answer, page_of):
    page = page_of(
        answer, scores={"bcubed_f05": 0.834}, score_signature="scorer:weps1", notes=("half a file",)
    )
    assert page.select_one(".scores dl").get_text(" ", strip=True) == "B-Cubed F, α 0.5 0.83"
    assert "scorer:weps1" in page.footer.get_text()
    assert [item.get_text() for item in page.select("#notes > ul > li")] == [
        "half a file",
        "Not available for pages of this form: capitalised names, words near the name.",
    ]
    assert page.select_one("#notes > summary").get_text() == "2 remarks"
    bare = replace(answer, missing_features=())
    assert not page_of(bare).select(".scores, #notes")


def test_the_tree_is_drawn_and_in_words(cuttable, answer, page_of):
    page = page_of(cuttable)
    assert len(page.select('#tree .leaf[href^="#page-"]')) == 5
    assert len(page.select("#tree .merges path")) == 4
    merges = [item.get_text() for item in page.select("ol.merges li")]
    assert merges[:2] == ["90% pages 1 and 2", "80% pages 4 and 7"]
    undone = [item.get_text() for item in page.select("ol.merges li.undone")]
    assert merges[2:] == undone == ["40% pages 2 and 4", "10% pages 7 and 9"]
    assert not page_of(answer).select("#tree")
