"""Reading a report: opening, finding, evidence."""

from dataclasses import replace
from pathlib import Path

import pytest

from tests.browser.made import with_facts
from weps.people.facts import Fact, FactSource
from weps.report.safe_text import clean_text
from weps.report.view import Report
from weps.results.files import write_report

PHONE = (390, 844)
VIEWS = ("view-pages", "view-ties", "view-tree")
"""The last one is not in reports of many pages."""
FEW = "details:not(:nth-child(n + 5 of .row, .card) *)"
TOOLS = ("#more-or-fewer", "#tools", "#views", ".pick")


@pytest.mark.parametrize("which", ["demo", "packed", "corrected", "real", "hostile"])
def test_it_opens_without_a_word_and_asks_for_nothing(open_report, which):
    page = open_report(which)
    assert page.browser.complaints() == []
    assert page.browser.requests() == [page.address]


@pytest.mark.parametrize("which", ["demo", "portioned", "real", "hostile"])
def test_nothing_is_wider_than_a_phone(open_report, which):
    page = open_report(which)
    with page.browser.emulating(PHONE):
        page.choose_person("person-1")
        page.open_details()
        for view in VIEWS[: 2 if which == "portioned" else 3]:
            page.look(view)
            assert page.browser.run("return document.documentElement.scrollWidth") <= PHONE[0]


def test_a_title_opens_the_saved_copy_and_the_address_the_page_on_the_web(report, demo):
    rank = min(demo.pages.ranks)
    copy = Path(next(page.file for page in demo.pages.pages if page.rank == rank))
    live = report.browser.run(f"return document.querySelector('#page-{rank} a.live').href")
    assert live.startswith("http")
    report.browser.run(f"document.querySelector('#page-{rank} a.title').click()")
    report.browser.until("location.href === arguments[0]", copy.resolve().as_uri())


def test_without_script_it_still_tells_everything(report, demo):
    with report.browser.emulating(script=False):
        report.browser.open(report.address)
        # The driver's own scripts run all the same.
        assert not any(map(report.visible, [*TOOLS, "#correcting"]))
        assert report.view().partition == demo.partition
        assert report.visible(".tie")


def test_on_paper_there_are_pages_and_people_but_no_tools(report):
    report.pick(1)
    assert all(map(report.visible, [*TOOLS, "#correcting"]))
    with report.browser.emulating(media="print"):
        assert not any(map(report.visible, [*TOOLS, "#correcting"]))
        assert report.visible(".card")
        assert report.view().shown == sorted(row.rank for row in report.view().rows)
        labels = "[...document.querySelectorAll('.card > h3')]"
        cut = f"return {labels}.filter(h => h.scrollWidth > h.clientWidth + 1).length"
        assert report.browser.run(cut) == 0
    report.choose_person("person-1")  # whose page is printed without the others
    with report.browser.emulating(media="print"):
        assert report.visible(".about .stated")
        assert not any(map(report.visible, [*TOOLS, "#people", "#chosen button", "footer"]))


@pytest.mark.parametrize(
    ("which", "view"),
    [*(("demo", view) for view in VIEWS), *(("portioned", view) for view in VIEWS[:2])],
)
def test_axe_finds_no_barrier(open_report, which, view):
    report = open_report(which)
    report.choose_person("person-1")
    report.open_details(FEW)
    report.pick(report.view().shown[0])
    report.look(view)
    _no_barrier(report)


def _no_barrier(report):
    assert report.browser.barriers() == []
    with report.browser.emulating(scheme="dark"):
        assert report.browser.barriers("color-contrast") == []


def test_the_keyboard_alone_reaches_everything(report):
    report.open_details("#more-or-fewer")
    for stop in ("#find", "#slider", ".card .choose", ".row .pick", "a.title", ".why > summary"):
        assert report.tab_to(stop), stop


def _largest(report):
    return max(report.view().people.items(), key=lambda item: len(item[1]))


def test_what_is_typed_is_found_in_titles(report, demo):
    titles = {page.rank: page.title for person in demo.answer.people for page in person.pages}
    word = max(titles[1].split(), key=len)
    report.type("#find", f" {word.upper()} ")
    found = report.view().shown
    assert {rank for rank, title in titles.items() if word in title} <= set(found)
    assert 0 < len(found) < len(titles)
    assert report.texts("#found") == [f"{len(found)} of {len(titles)} pages"]
    report.type("#find", "no page says this")
    assert report.view().shown == []
    assert report.visible("#none")


@pytest.mark.parametrize("which", ["demo", "packed"])
def test_what_only_texts_have_is_found_and_marked(open_report, demo, which):
    report = open_report(which)
    pages = [page for person in demo.answer.people for page in person.pages]
    shown = " ".join(f"{page.title} {page.excerpt} {page.url}" for page in pages).lower()
    words = {word for page in pages for word in page.text.split() if word.isalpha()}
    word = max(words, key=lambda word: (word.lower() not in shown, len(word), word))
    report.type("#find", word)
    report.browser.until("document.querySelector('.hit')")
    found = sorted(page.rank for page in pages if word.lower() in page.text.lower())
    assert report.view().shown == found
    marks = report.texts(".row .hit mark")
    assert [mark.lower() for mark in marks] == [word.lower()] * len(found)
    report.type("#find", " ")
    assert not report.visible(".hit")


def test_pages_and_people_are_filtered_by_what_divides_them(report, demo):
    pages = {page.rank: page for person in demo.answer.people for page in person.pages}
    offered = report.texts("#facets option:first-child")
    assert offered == ["all kinds", "all years", "all sites"]  # all are in English
    value = report.find("#facets option:nth-child(2)").get_attribute("value")
    chosen = sorted(rank for rank, page in pages.items() if page.kind == value)
    report.choose_entry("#facets select", value)
    assert report.view().shown == chosen
    of = {p.id for p in demo.answer.people if any(page.rank in chosen for page in p.pages)}
    assert set(report.view().cards) == {f"person-{each}" for each in of}
    assert 0 < len(chosen) < len(pages)


@pytest.mark.parametrize("which", ["real", "demo"])
def test_a_phone_shows_a_few_at_a_time_and_a_desk_the_first_dozen_people(open_report, which):
    page = open_report(which)
    browser = page.browser
    with browser.emulating((1400, 757)):
        seen = "return [...document.querySelectorAll('.card')].filter((card) => "
        seen += "card.getBoundingClientRect().bottom <= innerHeight).length"
        assert browser.run(seen) >= min(12, len(page.view().cards))
    with browser.emulating(PHONE):
        page.load()
        assert browser.run("return document.documentElement.scrollHeight") < 6_000
        assert len(page.view().shown) == 12
        page.click("#view-pages .portions .more")
        assert len(page.view().shown) == 24


def test_the_filter_leaves_pages_with_a_problem(report, open_url, demo, tmp_path):
    assert not report.visible("#only-noted")
    first, *others = demo.answer.people
    pages = (replace(first.pages[0], note="cut short"), *first.pages[1:])
    answer = replace(demo.answer, people=(replace(first, pages=pages), *others))
    files = write_report(Report(answer), "Noted", tmp_path)
    page = open_url(next(file for file in files if file.suffix == ".html").as_uri())
    page.click("#only-noted")
    assert page.view().shown == [pages[0].rank]


def test_a_person_can_be_chosen_in_every_way(report):
    card, ranks = _largest(report)
    everything = report.view().shown
    report.choose_person(card)
    assert set(report.view().shown) == ranks
    assert report.find(f"#{card} .choose").get_attribute("aria-current") == "true"
    report.browser.driver.back()
    report.browser.until("!document.querySelector('.choose[aria-current]')")
    assert report.view().shown == everything
    report.click(f"#page-{min(ranks)} .place > .chip")
    assert set(report.view().shown) == ranks
    report.click("#all")
    assert report.view().shown == everything
    report.load(f"#{card}")
    assert set(report.view().shown) == ranks


def test_pages_are_filtered_and_sorted(report, demo):
    pages = [page for person in demo.answer.people for page in person.pages]
    for button, expected in (
        ("#only-unsure", sorted(page.rank for page in pages if page.unsure)),
        ("#least-sure", [p.rank for p in sorted(pages, key=lambda p: (p.score, p.rank))]),
    ):
        report.click(button)
        assert report.view().shown == expected
        report.click(button)
        assert report.view().shown == sorted(page.rank for page in pages)


def _shared(report, where):
    return set(report.texts(f"{where} em"))


def test_why_here_shows_what_the_closest_page_and_the_rival_share(report, demo):
    person = max(demo.answer.people, key=lambda each: len(each.pages))
    page = person.pages[0]
    report.unfold(f"#page-{page.rank} .why")
    for kind, near in (("closest", page.closest), ("rival", page.rival)):
        where = f"#page-{page.rank} .{kind}"
        assert near is not None
        pair = demo.answer.pairs[min(page.rank, near.rank), max(page.rank, near.rank)]
        known = {clean_text(s.strip("· ")) for each in pair.evidence for s in each.shared}
        assert _shared(report, where) <= known
        assert bool(_shared(report, where)) == bool(known)
        assert str(near.rank) in report.texts(f"{where} p a")[0]


def test_the_tree_has_a_leaf_for_every_page_and_a_line_that_moves(report, demo):
    report.look("view-tree")
    assert report.visible("#tree")
    assert len(report.texts("#tree .leaf")) == len(demo.pages.ranks)
    assert len(report.texts("#tree .merges path")) == len(demo.pages.ranks) - 1
    assert _toned(report) == demo.alternatives.kept_merges
    before = report.find("#threshold").get_attribute("d")
    report.slide(1)
    assert _toned(report) == 1
    assert report.find("#threshold").get_attribute("d") != before


_SHOWN = (
    "return [...document.querySelectorAll(arguments[0])].filter((e) => e.checkVisibility())"
    ".map((e) => e.textContent.match(/[0-9]+$/)?.[0] ?? e.id)"
)


def test_tree_and_evidence_are_those_of_the_chosen_person(report, demo):
    own, other = demo.people[0], demo.people[-1]
    titles = {page.rank: page.title for person in demo.answer.people for page in person.pages}
    report.look("view-tree")
    assert titles[own[0]][:30] in report.texts(f"#tree [href='#page-{own[0]}'] text")[0]
    every = len(report.browser.run(_SHOWN, "#tree .leaf text"))
    cards = [(person, _card(report, person[0])) for person in (own, other)]
    for person, card in cards:
        report.choose_person(card)
        assert report.visible("#view-tree")
        leaves = report.browser.run(_SHOWN, "#tree .leaf text")
        assert sorted(map(int, leaves)) == sorted(person)
        assert len(report.browser.run(_SHOWN, "#tree .merges path[class^=tone]:not(.faded)")) == (
            len(person) - 1
        )
        report.look("view-ties")
        ties = report.browser.run(_SHOWN, "#view-ties .tie")
        pairs = [set(map(int, tie.split("-")[1:])) for tie in ties]
        assert pairs
        assert all(pair & set(person) for pair in pairs)
        report.look("view-tree")
    report.click("#all")
    assert len(report.browser.run(_SHOWN, "#tree .leaf text")) == every


def _card(report, rank):
    return next(row.card for row in report.view().rows if row.rank == rank)


def _toned(report):
    return len(report.texts("#tree .merges path[class^=tone]"))


def _fact(attribute, value, *sources, **about):
    pages = tuple(sorted({page for page, _ in sources}))
    return Fact(attribute, value, 0.9, tuple(FactSource(*each) for each in sources), pages, **about)


def test_a_person_has_facts_with_their_sentences_a_timeline_and_relations(
    open_url, demo, tmp_path, browser
):
    first, second, *_ = demo.people[0]
    facts = (
        _fact("date of birth", "1958-03-02", (first, "Born 1958-03-02 <b>."), contradicted=True),
        _fact("date of birth", "1961", (second, "Born in 1961."), contradicted=True),
        _fact("school", "Corran", (second, "Left Corran in 1979."), (first, "Of Corran, 1979–81.")),
        _fact("relative", "Ann", (second, "Her daughter Ann"), detail="daughter"),
    )
    files = write_report(Report(with_facts(demo.answer, facts)), "Facts", tmp_path)
    page = open_url(next(file for file in files if file.suffix == ".html").as_uri())
    assert "born 1958 or 1961" in page.texts("#person-1 .facts")[0]
    page.load("#person-999")
    assert page.texts("#found") == ["There is no person 999 in this report any more."]
    page.load("#person-1")
    assert "of 30 pages" in page.texts("#found")[0]
    assert page.texts(".stated dt") == ["bornPages disagree", "school", "relative"]
    # Pages with a value that others contradict can be split off.
    assert page.texts(".stated dd > p:first-child") == [
        f"2 March 1958 90% page {first} Split off",
        f"1961 90% page {second} Split off",
        f"Corran 90% pages {first} {second}",
        f"Ann (daughter) 90% page {second}",
    ]
    assert page.texts(".stated .source mark") == ["1958-03-02", "1961", "Corran", "Corran", "Ann"]
    link = page.find(".stated .source a")
    opened, _, at = link.get_attribute("href").partition("#")
    assert (link.text, opened) == (
        "in the text",
        page.find(f"#page-{first} .title").get_attribute("href"),
    )
    assert at == ":~:text=Born%201958%2D03%2D02%20%3Cb%3E.&text=1958%2D03%2D02"
    assert page.texts(".timeline time")[:3] == ["2 March 1958", "1961", "1979"]
    dated = [page for page in demo.answer.people[0].pages if page.dated]
    assert len(page.texts(".timeline .page")) == len(dated) > 0
    names = [each.text for each in demo.answer.people[0].description.names[:10]]
    assert page.texts(".relations li > bdi:first-child") == names
    _no_barrier(page)
    with browser.emulating(PHONE):
        assert page.browser.run("return document.documentElement.scrollWidth") <= PHONE[0]
    page.click(f".stated a[href='#page-{second}']")
    assert page.visible(f"#page-{second}")
    page.click("#all")
    assert not page.visible(".about")
