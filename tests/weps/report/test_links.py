from bs4 import BeautifulSoup

from weps.report.links import AppLinks, app_bar, app_meta

APP = AppLinks("/names/a%22b/corrections?x=1&y=2", "/", {"CSV": "/names/a/csv"}, "/names/a/delete")


def test_the_bar_leads_back_to_what_can_be_fetched_and_to_deleting():
    page = BeautifulSoup(app_bar(APP), "lxml")
    assert {a.get_text(): a["href"] for a in page.select("nav a")} == {
        "All results": "/",
        "CSV": "/names/a/csv",
        "Delete": "/names/a/delete",
    }


def test_the_script_learns_where_corrections_go():
    meta = BeautifulSoup(app_meta(APP), "lxml").meta
    assert (meta["name"], meta["content"]) == ("weps-corrections", APP.corrections_url)


def test_what_is_not_offered_is_not_shown():
    assert app_bar(None) == app_meta(None) == ""
    assert "Save" not in app_bar(AppLinks("/c", "/"))
    assert "Delete" not in app_bar(AppLinks("/c", "/"))


def test_whatever_the_addresses_hold_stays_within_the_attribute():
    evil = '"><b>&'
    app = AppLinks(f"/{evil}", f"/{evil}", {evil: f"/{evil}"}, f"/{evil}")
    for html in (app_meta(app), app_bar(app)):
        assert "<b>" not in html
        assert "/&quot;&gt;&lt;b&gt;&amp;" in html
