"""What Chromium saves as MHTML and prints as PDF is read like the page itself."""

import base64
from collections import Counter

import pytest

from weps._files import resource_path
from weps._text import split_words
from weps.html.cleaning import clean_page
from weps.records import UnreadInput
from weps.sources.opening import open_source


def words(page):
    return Counter(split_words("\n".join(clean_page(page).blocks)))


@pytest.fixture(scope="module")
def copies(browser, tmp_path_factory):
    """The pages of the demo in both forms, in a folder each."""
    folders = {form: tmp_path_factory.mktemp(form) for form in ("mhtml", "pdf")}
    for file in sorted(resource_path("demo").glob("*/*.htm*")):
        browser.driver.get(file.as_uri())
        saved = browser.driver.execute_cdp_cmd("Page.captureSnapshot", {"format": "mhtml"})
        printed = browser.driver.execute_cdp_cmd("Page.printToPDF", {})
        (folders["mhtml"] / f"{file.stem}.mhtml").write_bytes(saved["data"].encode())
        (folders["pdf"] / f"{file.stem}.pdf").write_bytes(base64.b64decode(printed["data"]))
    return folders


@pytest.mark.parametrize(
    ("form", "told"),
    [
        ("mhtml", ()),
        ("pdf", (UnreadInput("024.pdf", "a PDF file without text, such as a scan"),)),
    ],
)
def test_no_words_are_lost(copies, form, told):
    """The frames of the one page that has some do not exist."""
    pages = open_source(resource_path("demo")).search("Robin_Averdale").pages
    original = {page.rank: words(page) for page in pages if page.file.endswith(("html", "htm"))}
    search = open_source(copies[form], "Robin Averdale").search("Robin Averdale")
    found = {page.rank: words(page) for page in search.pages}
    assert found.keys() | {24} == original.keys()
    assert search.unread == told
    original.pop(24)
    kept = sum((found[rank] & bag).total() for rank, bag in original.items())
    assert kept >= 0.99 * sum(map(Counter.total, original.values()))


def test_mhtml_says_address_and_date(copies):
    search = open_source(copies["mhtml"], "Robin Averdale").search("Robin Averdale")
    assert all(page.fetched and page.title and page.file for page in search.pages)
