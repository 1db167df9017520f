from bs4 import BeautifulSoup

from weps.portraits import Named
from weps.report.named import names_around


def test_names_are_listed_by_kind_with_their_pages():
    names = (
        Named("Trinity <College>", "organisation", (0, 2)),
        Named("Bo Sample", "person", (2,)),
        Named("Mimas", "organisation", (4,)),
    )
    page = BeautifulSoup(names_around(names), "lxml")
    assert [part.get_text("|") for part in page.select("dt, li")] == [
        "People",
        "Bo Sample",
        "Organisations",
        "Trinity <College>| |2",
        "Mimas",
    ]
    assert [(item["data-kind"], item["data-ranks"]) for item in page.select("li")] == [
        ("person", "2"),
        ("organisation", "0 2"),
        ("organisation", "4"),
    ]


def test_where_nobody_is_named_there_is_no_list():
    assert names_around(()) == ""
