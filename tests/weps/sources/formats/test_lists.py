"""Lists of search results are recognised by what they hold, whatever made them."""

import gzip
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.cases import each_case
from weps.errors import SourceError
from weps.records import SearchResult
from weps.sources.formats import tables as result_lists
from weps.sources.formats.tables import MAX_LIST_BYTES, parse_results

ANN = SearchResult("http://one.example/a", "Ann Lee & tides", "Painter of tides")
BOB = SearchResult("https://two.example/?q=1", "Bob")
FIELDS = {"url": "http://ONE.example/a#top", "title": "Ann <b>Lee</b> &amp; tides"}
BOB_ROW = {"link": BOB.url, "name": "Bob", "snippet": None}
ROWS = [FIELDS | {"content": "Painter  of\ntides"}, BOB_ROW]
ASIDE = "https://www.google.com/search?q=x"
OTHERS = [{"title": f"Other {n}", "url": f"{ASIDE}{n}", "snippet": "x"} for n in range(9)]
"""What answers hold besides results, more of them than there are results."""
SITELINKS = {"inline": [{"title": "About", "url": ASIDE}] * 9}
MOJEEK = [FIELDS | {"desc": "Painter of tides"}, BOB_ROW]
BOOKMARKS = """<!DOCTYPE NETSCAPE-Bookmark-file-1>
<META HTTP-EQUIV="Content-Type" CONTENT="text/html; charset=UTF-8">
<TITLE>Bookmarks</TITLE><DL><p>
<DT><H3 ADD_DATE="1">People</H3><DL><p>
<DT><A HREF="http://one.example/a" ADD_DATE="1" ICON="data:image/png;base64,AA==">Ann Lee &amp; tides</A>
<DD>Painter of tides
<DT><A HREF="https://two.example/?q=1">Bob</A></DL></DL>
"""  # noqa: E501 - as browsers write it
FIREFOX = [
    {"title": each.title, "uri": each.url, "type": "text/x-moz-place", "note": each.snippet}
    for each in (ANN, BOB)
]
CSL = [
    {"id": 1, "type": "webpage", "title": "Ann Lee & tides", "abstract": "Painter of tides",
     "URL": ANN.url, "author": [{"family": "Lee"}], "accessed": {"date-parts": [[2026, 1, 2]]}},
    {"id": 2, "type": "webpage", "title": "Bob", "URL": BOB.url},
]  # fmt: skip
ORGANIC = [
    {"pos": n, "title": each.title, "url": each.url, "desc": each.snippet, "sitelinks": SITELINKS}
    for n, each in enumerate((ANN, BOB), start=1)
]
"""Results of scrapers, of which each has some of Google's links to parts of a site."""
FOLDERS = [
    {"name": "a", "children": [{"type": "url"} | ROWS[0]]},
    {"name": "b", "children": ROWS[1:]},
]
CELLS = [[each.title, each.url, each.snippet] for each in (ANN, BOB)]
ANSWERS = {
    "ddgs": [{"title": r.title, "href": r.url, "body": r.snippet} for r in (ANN, BOB)],
    "Brave": {
        "type": "search",
        "query": {"original": "x"},
        "news": {"results": OTHERS},
        "web": {"results": [row | {"profile": {"name": "x", "url": ASIDE}} for row in ROWS]},
    },
    "SerpApi": {
        "search_metadata": {"status": "ok", "google_url": ASIDE},
        "organic_results": ORGANIC[::-1],
        "inline_images": OTHERS,
        "related_questions": OTHERS,
    },
    "Google": {
        "kind": "customsearch#search",
        "url": {"type": ""},
        "items": [row | {"pagemap": {"metatags": OTHERS}} for row in ROWS],
    },
    "Bing": {"webPages": {"value": ROWS}, "images": {"value": OTHERS}},
    "Kagi": {"meta": {"node": "x"}, "data": {"search": ROWS}},
    "Mojeek": {"response": {"status": "OK", "results": MOJEEK}},
    "Serper": {
        "searchParameters": {"q": "x"},
        "organic": [row | {"sitelinks": OTHERS} for row in ROWS],
        "peopleAlsoAsk": OTHERS,
        "relatedSearches": [{"query": "x"}],
    },
    "Apify": [
        {
            "url": ASIDE,
            "searchQuery": {"term": "x"},
            "organicResults": [row],
            "relatedQueries": OTHERS,
        }
        for row in ORGANIC
    ],
    "Oxylabs": {
        "results": [
            {
                "content": {"url": ASIDE, "results": {"organic": ORGANIC, "paid": OTHERS}},
                "url": ASIDE,
                "status_code": 200,
            }
        ]
    },
    "YaCy": {
        "channels": [
            {
                "title": "YaCy",
                "description": "Search for x",
                "link": ASIDE,
                "items": ROWS,
                "navigation": [{"facetname": "domains", "elements": OTHERS}],
            }
        ]
    },
    "DataForSEO": {
        "tasks": [
            {
                "result": [
                    {
                        "check_url": ASIDE,
                        "items": [
                            {"type": "images", "title": "Images", "items": OTHERS},
                            {"type": "organic", "links": OTHERS} | ROWS[0],
                            {"type": "people_also_ask", "items": [{"expanded_element": OTHERS}]},
                            {"type": "organic", "links": None} | ROWS[1],
                        ],
                    }
                ]
            }
        ]
    },
    "a scraper of no known name": {"url": ASIDE, "title": "x - Search", "serp": {"found": ROWS}},
    "Elasticsearch": {"hits": {"total": 2, "hits": [{"_id": "1", "_source": row} for row in ROWS]}},
    "Firecrawl": {"data": [{"markdown": "x", "metadata": row} for row in ROWS]},
    "a crawler": [row | {"links": OTHERS, "images": [ASIDE] * 9} for row in ROWS],
    "articles": {"articles": [row | {"author": [{"name": "x", "url": ASIDE}] * 3} for row in ROWS]},
    "results by number": {"results": dict(enumerate(ROWS))},
    "pages of answers": [{"results": ROWS[:1]}, {"results": ROWS[1:]}],
    "queries": {"x": {"results": ROWS[:1]}, "y": {"results": ROWS[1:]}},
    "Firefox": {"title": "", "children": [{"title": "a", "uri": None, "children": FIREFOX}]},
    "Chrome": {
        "roots": {"bookmark_bar": FOLDERS[0], "other": {"name": "b", "children": FOLDERS[1:]}}
    },
    "CSL JSON": CSL,
    "WordPress": [
        {"link": each.url, "title": {"rendered": each.title}, "excerpt": {"rendered": each.snippet}}
        for each in (ANN, BOB)
    ],
    "data frame, split": {"columns": ["title", "url", "text"], "index": [0, 1], "data": CELLS},
    "data frame, values": CELLS,
}  # fmt: skip
"""What engines and scrapers answer; results stand beside longer lists of other things."""
COMMAS = """URL,Title,Description
http://one.example/a,"Ann Lee & tides","Painter
of tides"
https://two.example/?q=1,Bob"""
SEMICOLONS = COMMAS.replace(",", ";")
TABS = """rank\tname\thref\tbody
7\tBob\thttps://two.example/?q=1\t
2\tAnn Lee & tides\thttp://one.example/a\tPainter of tides
"""
WITHOUT_HEADING = """1;ACME;http://one.example/a;2026-11-28;"Ann Lee & tides";"Painter
of tides"
2;ACME;https://two.example/?q=1;2026-11-28;Bob;
"""
MARKDOWN = """# People

- [Ann Lee & tides](http://one.example/a) – Painter of tides
* [x] [Bob](<https://two.example/?q=1> "Bob")  # checked
"""
FORMS = {name: json.dumps(answer) for name, answer in ANSWERS.items()} | {
    "lines": "\n".join(map(json.dumps, ROWS)) + "\n\n",
    "lines with U+2028": "\n".join(json.dumps(row) + " " for row in ROWS).replace(
        "of\\n", "of\u2028"
    ),
    "lines of answers": "\n".join(json.dumps({"web": {"results": [row]}}) for row in ROWS),
    "objects over several lines": "\n".join(json.dumps(row, indent=1) for row in ROWS),
    "a sequence": "".join(f"\x1e{json.dumps(row)}\n" for row in ROWS),
    "commas": COMMAS,
    "semicolons": SEMICOLONS,
    "semicolons, Windows": SEMICOLONS.replace("\n", "\r\n"),
    "commas, Macintosh": COMMAS.replace("\n", "\r"),
    "Excel": f"sep=;\n{SEMICOLONS}".replace("\n", "\r\n"),
    "Excel, quoted": f'"SEP=|"\n{COMMAS.replace(",", "|")}',
    "a title above": f"Results for x; of 28 November 2026, by me\n\n{SEMICOLONS}",
    "a title above, padded": f"Results for x,,\n,,\n{COMMAS}",
    "a place beside the address": COMMAS.replace("URL,", "Address,URL,").replace("\nh", "\n1 St,h"),
    "tabs": TABS,
    "tabs, UTF-16": TABS,
    "bookmarks": BOOKMARKS,
    "columns without a heading": WITHOUT_HEADING,
    "columns under a heading of other words": "N;Von;Fundstelle;Tag;Was;Wie\n" + WITHOUT_HEADING,
    "a table of Markdown": "| Title | URL | Note |\n|---|---|---|\n"
    "| Ann Lee & tides | http://one.example/a | Painter of tides |\n"
    "| Bob | https://two.example/?q=1 | |\n",
    "links of Markdown": MARKDOWN,
    "addresses and titles": "http://one.example/a | Ann Lee & tides | Painter of tides\n"
    "https://two.example/?q=1 | Bob\n",
}


@each_case("form", FORMS)
def test_every_form_gives_the_same_results(form):
    encoding = "utf-16" if "UTF-16" in form else "utf-8-sig"
    assert parse_results(FORMS[form].encode(encoding)) == (ANN, BOB)


@each_case(
    ("text", "is_list"),
    [
        ("# mine\nhttp://a.example/\n", True),
        (f"Results for x\n{TABS}", True),
        ("Ann Lee, see\thttp://a.example/ for a link\n", False),
        ("Ann Lee paints.", False),
        (MARKDOWN, True),
        ("Ann Lee\thttp://a.example/\n", True),
        (FORMS["Chrome"], True),
    ],
)
def test_texts_with_addresses_or_columns_of_them_are_lists(text, is_list):
    for encoding in ("utf-8", "utf-16"):
        assert bool(result_lists._is_list(text.encode(encoding), "a.txt")) == is_list


@each_case(
    ("text", "addresses"),
    [
        ("# mine\nhttp://a.example\n\n  www.b.example/x \n", "http://a.example/ http://www.b.example/x"),
        ("https://a.example/?a=1&b=2#c", "https://a.example/?a=1&b=2"),
        ("http://a.example/0,1.html\nhttp://a.example/0,2.html", "http://a.example/0,1.html http://a.example/0,2.html"),
        ("Ann: http://a.example\n1. <http://b.example/>\n---", "http://a.example/ http://b.example/"),
        ("- http://a.example/(b)  // mine", "http://a.example/(b)"),
        ('["http://a.example/", "no address", 7, null]', "http://a.example/"),
        ('[{"url": "http://[::1]:80/x"}, {"url": "data:x"}]', "http://[::1]:80/x data:x"),
        ('[{"url": "http://a.example/"}, {"title": "b"}, {"note": 1}]', "http://a.example/ "),
    ],
)  # fmt: skip
def test_nothing_with_an_address_or_a_title_is_lost(text, addresses):
    results = parse_results(text.encode())
    assert [result.url for result in results] == addresses.split(" ")


def test_lists_may_be_long():
    assert len(parse_results(b"http://a.example/\n" * result_lists.MAX_RESULTS)) == 10_000


def test_engines_are_kept():
    rows = [FIELDS | {"engines": ["a", "b", "a", 3], "engine": "a"}, FIELDS | {"engine": "c"}]
    assert [each.engines for each in parse_results(json.dumps(rows).encode())] == [
        ("a", "b"),
        ("c",),
    ]


@each_case(
    ("data", "what"),
    [
        (b"", "no address found"),
        (b"<!doctype html><p>a page</p>", "no column of addresses, and line 1 has none"),
        (b"Dear Ann,\nsee http://a.example/", "line 1 has none: 'Dear Ann,'"),
        (b"name,age\nAnn,7\n", "line 1 has none: 'name,age'"),
        (b"http://a.example/\nsee below\n", "line 2 has none: 'see below'"),
        (b'{"results": []}', "no address found"),
        (b'{"log": {"entries": [{"request": {"url": "http://a.example"}}]}}', "no address found"),
        (b'[{"title": "Ann"}]', "no address found"),
        (b"name,loc\nAnn,Bergen\n", "line 1 has none"),
        (b'[{"url": "http://a.example/"}', "Expecting"),
        (b'{"url": "http://a.example/"}\n{"url": ', "Expecting"),
        (b"[" * 100_000, "too deeply nested"),
        (b"[" + b"[]," * 300_001, "more than 300,000 lists and objects"),
        (b"[" + b"1," * 1_000_001, "more than 1,000,000 values"),
        (b"url,title\n" + b"," * 1_000_001, "more than 1,000,000 cells"),
        (b"url\n" + b"http://a.example/\n" * 10_001, "more than 10,000 results"),
        (b"url," + b"a," * 1_000 + b"\nhttp://a.example/\n", "line 1 has none"),
        (b'url,title\nhttp://a.example/,"' + b"x" * 9_000_000, "field larger"),
        (b"[" + b" " * MAX_LIST_BYTES, "over 16 MB"),
        (b'[{"url": ' + b"9" * 10_000 + b"}]", "digits"),
        (b"<rss><item><link>http://a.example/</link></item></rss>", "line 1 has none"),
        (gzip.compress(SEMICOLONS.encode())[:-9], "end-of-stream"),
        (gzip.compress(b" " * MAX_LIST_BYTES + b" "), "over 16 MB"),
    ],
)  # fmt: skip
def test_what_is_no_list_is_refused_with_its_reason(data, what):
    with pytest.raises(SourceError, match="list") as error:
        parse_results(data, "found.txt")
    assert what in error.value.what
    assert error.value.where == "found.txt"
    assert error.value.remedy


def test_long_texts_are_cut_and_no_address_is():
    row = {
        "url": "http://a.example/" + 9_000 * "x",
        "title": 9_000 * "x",
        "body": 9_000 * "<b>xy</b>",
    }
    result, _ = parse_results(json.dumps([row, BOB.url]).encode())
    assert result.url == "an address of 9,017 characters"
    assert len(result.title) == result_lists._MAX_TITLE
    assert set(result.snippet) <= set("xy<b")
    assert len(result.snippet) <= result_lists._MAX_SNIPPET


@given(st.one_of(st.binary(max_size=300), st.text(max_size=300).map(str.encode)))
def test_any_bytes_are_a_list_or_refused(data):
    try:
        results = parse_results(data)
    except SourceError:
        return
    assert any(result.url for result in results)


JSON = st.recursive(
    st.none() | st.booleans() | st.floats() | st.text(max_size=20) | st.just("http://a.example/"),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.sampled_from(["url", "title", "results", "web", "Engine", "x"]), inner)
    ),
    max_leaves=20,
)


@given(JSON)
def test_any_json_is_a_list_or_refused(value):
    test_any_bytes_are_a_list_or_refused.hypothesis.inner_test(json.dumps(value).encode())
