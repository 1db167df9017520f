"""Text full of mark-up and script stays text; the browser reports whatever does not."""

import re

import pytest

from tests.browser.made import ATTACKS
from weps.report.safe_text import clean_text

LONGEST = 120
ALLOWED = set(
    """html head meta title style body a p h1 h2 h3 h4 ul ol li b i em small bdi mark kbd span div
    dl dt dd code output label input button select option datalist textarea form header main
    section article nav footer dialog details summary script svg g path rect circle text""".split()
)


@pytest.fixture(scope="module", params=["hostile", "hostile_packed"])
def page(open_report, request):
    """The report, after everything in it was used."""
    page = open_report(request.param)
    page.open_details()
    page.sweep()
    page.browser.run("""for (const link of document.querySelectorAll(".choose")) link.click();
    """)
    page.type("#find", ATTACKS[0])
    page.type("#find", " ")
    page.pick(1, 2)
    page.act("same")
    page.pick(3)
    page.type("#called", ATTACKS[2])
    page.act("rename")
    page.open_details()
    return page


def test_no_script_of_theirs_has_run(page):
    assert page.browser.run("return window.pwned === undefined")
    assert page.browser.complaints() == []
    assert page.browser.requests() == [page.address]


def test_no_element_or_attribute_is_theirs(page):
    everything = "return [...document.querySelectorAll('*')]"
    assert set(page.browser.run(f"{everything}.map((e) => e.localName)")) <= ALLOWED
    names = set(page.browser.run(f"{everything}.flatMap((e) => e.getAttributeNames())"))
    assert not {name for name in names if name.startswith("on") or name in {"src", "srcdoc"}}
    assert page.browser.run("return document.scripts.length") == 5
    assert page.browser.run("return document.querySelectorAll('style, meta').length") == 6


def test_links_lead_to_the_web_or_within_the_page(page):
    every = "return [...document.querySelectorAll('[href]')]"
    links = page.browser.run(f"{every}.map((e) => e.getAttribute('href'))")
    assert all(re.match(r"https?://|#|blob:", link) for link in links)


def test_an_address_with_a_broken_end_opens_the_report(open_url, hostile):
    for end in ("%E0%A4%A", "__proto__", "numbers", "tie-1-999", '"]<b>'):
        page = open_url(f"{hostile.html.as_uri()}#{end}")
        page.browser.ready()
        assert page.browser.complaints() == []


def test_what_they_wrote_can_be_read(page, hostile):
    pages = [page for person in hostile.answer.people for page in person.pages]
    titles = [clean_text(page.title) for page in sorted(pages, key=lambda page: page.rank)]
    for title, shown in zip(titles, page.texts(".row .title"), strict=True):
        assert shown == title or (shown[-1] == "…" and title.startswith(shown[:-1]))
        assert len(shown) <= LONGEST


def test_nothing_is_turned_or_hidden(page):
    text = page.browser.run("return document.documentElement.textContent")
    assert not re.search("[\u200b\u202a-\u202e\u2066-\u2069\ufeff]", text)
    assert page.visible("h1")
    assert page.browser.run("return [...document.querySelectorAll('.row')].length") == len(
        page.view().shown
    )


PAGE = """<!doctype html><html lang="en"><title>t</title>
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<style>@media (prefers-color-scheme: dark) {{ i {{ color: #333 }} body {{ background: #000 }} }}
</style><main><h1>t</h1>{}</main>"""


@pytest.mark.parametrize(
    ("body", "forbidden", "barriers"),
    [
        ("<p>Nothing</p>", False, 0),
        ("<script>1</script>", True, 0),
        ("<img alt=x src=http://127.0.0.1/>", True, 0),
        ("<img src=data:,>", True, 1),
        ("<p style='color:#999'>pale</p>", False, 1),
        ("<input>", False, 1),
        ("<h4>too deep</h4>", False, 1),
    ],
)
def test_the_browser_reports_what_is_forbidden_and_every_barrier(
    browser, tmp_path, body, forbidden, barriers
):
    (page := tmp_path / "page.html").write_text(PAGE.format(body))
    browser.open(page.as_uri())
    complaints = browser.complaints()
    assert any("Content Security Policy" in each for each in complaints) == forbidden
    assert bool(complaints) == forbidden
    assert len(browser.barriers()) == barriers


def test_colours_are_judged_as_the_scheme_has_them(browser, tmp_path):
    (page := tmp_path / "page.html").write_text(PAGE.format("<i>dark</i>"))
    browser.open(page.as_uri())
    assert browser.barriers() == []
    with browser.emulating(scheme="dark"):
        assert "color-contrast" in browser.barriers()[0]
