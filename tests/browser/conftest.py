"""One browser and a few reports for the whole run."""

from pathlib import Path

import pytest

from tests.browser.made import hostile_search, made, prepared
from tests.browser.programs import axe, package, program
from weps._files import resource_path
from weps.corrections import edits
from weps.corrections.model import Corrections
from weps.sources.opening import open_source

HERE = Path(__file__).parent


def pytest_collection_modifyitems(items):
    """Mark the tests of this folder; pytest hands every folder's conftest all tests."""
    for item in items:
        if HERE in item.path.parents:
            item.add_marker(pytest.mark.browser)
            item.add_marker(pytest.mark.slow)


@pytest.fixture(scope="session")
def browser(tmp_path_factory):
    package("selenium")
    from tests.browser.chrome import started  # noqa: PLC0415 - needs selenium

    programs = program("chromium"), program("chromedriver")
    with started(*programs, axe(), tmp_path_factory.mktemp("downloads")) as running:
        yield running


@pytest.fixture(scope="session")
def demo(tmp_path_factory):
    """Thirty made-up pages, the answer and the report."""
    search = open_source(resource_path("demo")).search("Robin_Averdale")
    return made(prepared(search), tmp_path_factory.mktemp("demo"))


@pytest.fixture(scope="session")
def packed(demo, tmp_path_factory):
    """The same as if its pages were many: with the probable pairs only, made by its script."""
    return made(demo.pages, tmp_path_factory.mktemp("packed"), known_from=0.01, portion=200)


@pytest.fixture(scope="session")
def portioned(demo, tmp_path_factory):
    """The same, seven pages, people and pairs at a time."""
    return made(demo.pages, tmp_path_factory.mktemp("portioned"), portion=7)


@pytest.fixture(scope="session")
def corrected(demo, tmp_path_factory):
    """The same pages after a user has made corrections of each kind."""
    first, second, third, fourth, *_, last = people = demo.people
    shown = edits.ShownPeople(people, {}, {})
    corrections = Corrections()
    for kind, pages in (
        ("same", [first[0], second[0]]),
        ("different", [first[0], third[0]]),
        ("split", first[-2:]),
        ("confirm", [*fourth, *last]),
        ("called", [third[0]]),
    ):
        name = "Harbour <i>master</i>" if kind == "called" else ""
        corrections = edits.apply_edit(kind, corrections, pages, shown, name=name)
    return made(demo.pages, tmp_path_factory.mktemp("corrected"), corrections)


@pytest.fixture(scope="session")
def real(weps_data, tmp_path_factory):
    """A hundred pages from the web."""
    search = open_source(weps_data / "corpora/weps-1/training").search("Thomas_Baker")
    return made(prepared(search), tmp_path_factory.mktemp("real"))


@pytest.fixture(scope="session")
def hostile(tmp_path_factory):
    """Pages that want to take the report over."""
    return made(prepared(hostile_search()), tmp_path_factory.mktemp("hostile"))


@pytest.fixture(scope="session")
def hostile_packed(hostile, tmp_path_factory):
    """The same as if they were many."""
    return made(hostile.pages, tmp_path_factory.mktemp("hostile_packed"), portion=200)


@pytest.fixture(scope="session")
def open_url(browser):
    """Opens a page anew."""
    from tests.browser.report_page import ReportPage  # noqa: PLC0415 - needs selenium

    def opened(address):
        page = ReportPage(browser, address)
        page.load()
        return page

    return opened


@pytest.fixture(scope="session")
def open_report(open_url, request):
    """Opens the report of a fixture anew."""
    return lambda which: open_url(request.getfixturevalue(which).html.as_uri())


@pytest.fixture
def report(open_report):
    """The demo's report, opened anew."""
    return open_report("demo")
