"""Structured data of pages about people."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.cases import each_case
from weps.html.cleaning import clean_packed, clean_page, read_soup
from weps.html.structured import MAX_STATED, PROPERTIES, stated_facts
from weps.people.facts import ATTRIBUTES
from weps.records import Page


def stated(markup, title=""):
    """Facts of a page, as subject, attribute and value."""
    document = clean_page(Page(1, title=title, content=markup.encode("utf-8", "surrogatepass")))
    return [each[:3] for each in document.stated]


def script(*values, kind="application/ld+json"):
    """JSON-LD."""
    texts = (each if isinstance(each, str) else json.dumps(each) for each in values)
    return "".join(f'<p>Ann</p><script type="{kind}">{text}</script>' for text in texts)


def ann(**properties):
    return {"@context": "https://schema.org", "@type": "Person", "name": "Ann Lee", **properties}


CHEMIST = [("Ann Lee", "occupation", "Chemist")]
JSON_LD = [
    (ann(jobTitle="Chemist"), CHEMIST),
    ([{"@type": "Thing"}, ann(jobTitle=["Chemist"])], CHEMIST),
    ({"@graph": [{"@type": "Article", "author": ann(jobTitle="Chemist")}]}, CHEMIST),
    (ann(jobTitle="Chemist") | {"@type": ["Organization", "http://schema.org/Person"]}, CHEMIST),
    ({"@type": "Person", "givenName": "Ann", "familyName": "Lee", "jobTitle": "Chemist"}, CHEMIST),
    (ann(hasOccupation={"@type": "Occupation", "name": "Chemist"}), CHEMIST),
    (
        ann(jobTitle=" Chemist &amp;\n<b>baker</b>\x00 "),
        [("Ann Lee", "occupation", "Chemist & baker")],
    ),
    (ann(jobTitle="author"), []),
    (ann(jobTitle="Chemist") | {"@type": "Organization"}, []),
    ({"@type": "Person", "jobTitle": "Chemist"}, []),
    (ann(birthDate="1970-05-10"), [("Ann Lee", "date of birth", "1970-05-10")]),
    (ann(birthDate="unknown"), []),
    (
        ann(birthPlace={"@type": "Place", "address": {"addressLocality": "York"}}),
        [("Ann Lee", "birth place", "York")],
    ),
    (
        ann(address={"streetAddress": "1 Mill St", "addressCountry": {"name": "Wales"}}),
        [("Ann Lee", "location", "1 Mill St, Wales")],
    ),
    (
        {
            "@graph": [
                ann(worksFor={"@id": "#uni"}, alumniOf={"name": "Kelp College", "address": "York"}),
                {"@id": "#uni", "@type": "CollegeOrUniversity", "name": "University of York"},
            ]
        },
        [
            ("Ann Lee", "affiliation", "University of York"),
            ("Ann Lee", "school", "Kelp College"),
        ],
    ),
    (
        ann(spouse=ann(name="Bob Lee", email="mailto:Bob@lee.example"), children=2),
        [("Ann Lee", "relative", "Bob Lee"), ("Bob Lee", "e-mail", "bob@lee.example")],
    ),
    (ann(telephone="Tel. +44 20 7946 0958"), [("Ann Lee", "phone", "+44 20 7946 0958")]),
    (
        ann(url="https://lee.example", sameAs=["javascript:alert(1)", "/ann"]),
        [("Ann Lee", "web site", "https://lee.example/")],
    ),
    (ann(nationality="https://dbpedia.org/France", award={"@type": "Thing"}), []),
    (
        '<!-- {"@type":"Person","name":"Ann Lee",\n"jobTitle":"Chem\tist"} -->',
        [("Ann Lee", "occupation", "Chem ist")],
    ),
    ("{not JSON", []),
]


@each_case(("value", "facts"), JSON_LD)
def test_json_ld(value, facts):
    assert stated(script(value)) == facts
    assert stated(script("[]", value, "null").upper().replace("LD+JSON", "x")) == []


PERSON = 'itemscope itemtype="https://schema.org/Person"'
TAGS = [
    (f'<p {PERSON}><b itemprop="name">Ann Lee</b>, <i itemprop=jobTitle>Chemist</i>', CHEMIST),
    (
        f'<div itemscope itemtype="http://schema.org/Article"><h1 itemprop="name">Of kelp</h1>'
        f'<p itemprop="author" {PERSON}><meta itemprop="name" content="Ann Lee">'
        '<span itemprop="worksFor" itemscope><b itemprop="name">Kelp Institute</b> of York</span>'
        '<a itemprop="email" href="mailto:ann@lee.example?subject=x">write</a>'
        '<time itemprop="birthDate" datetime="1970-05-10">10 May</time></div>',
        [
            ("Ann Lee", "date of birth", "1970-05-10"),
            ("Ann Lee", "affiliation", "Kelp Institute"),
            ("Ann Lee", "e-mail", "ann@lee.example"),
        ],
    ),
    ('<p itemscope itemtype="https://schema.org/Product"><b itemprop=name>Ann Lee', []),
    ('<p itemprop="jobTitle">Chemist', []),
    (
        f'<p {PERSON}><b itemprop="@type name @text">Ann Lee</b><b itemprop="jobTitle">Chemist',
        CHEMIST,
    ),
    (
        '<p vocab="https://schema.org/" typeof="Person"><b property="name">Ann Lee</b>'
        '<b property="schema:jobTitle">Chemist</b><meta property="og:title" content="Boss">',
        CHEMIST,
    ),
    (
        '<p typeof="foaf:Person"><b property="foaf:name">Ann Lee</b><b property="v:title">Chemist',
        CHEMIST,
    ),
    (
        '<div class="vcard"><span class="fn">Ann Lee</span><span class="title">Chemist</span>'
        '<div class="org">Kelp Institute</div><abbr class="bday" title="1970-05-10">May</abbr>'
        '<div class="adr"><i class="locality">York</i><b class="country-name">UK</b></div>'
        '<span class="tel">Fax <span class="value">020 7946 0958</span></span>'
        '<a class="url fn" href="https://lee.example">home</a></div>',
        [
            ("Ann Lee", "date of birth", "1970-05-10"),
            ("Ann Lee", "occupation", "Chemist"),
            ("Ann Lee", "affiliation", "Kelp Institute"),
            ("Ann Lee", "location", "York, UK"),
            ("Ann Lee", "fax", "020 7946 0958"),
            ("Ann Lee", "web site", "https://lee.example/"),
        ],
    ),
    (
        '<p class="h-card"><a class="p-name u-url" href="https://lee.example/ann">Ann Lee</a>'
        '<b class="p-job-title name">Chemist</b>',
        [*CHEMIST, ("Ann Lee", "web site", "https://lee.example/ann")],
    ),
    ('<p class="vcard"><b class="fn org">Lee Ltd</b><b class="title">Shop</b>', []),
    ('<p class="title">Chemist</p><p class="postcard">Ann Lee', []),
    (
        '<meta property="profile:first_name" content="Ann">'
        '<meta property="profile:last_name" content="Lee">'
        '<meta property="profile:username" content="annie">',
        [("Ann Lee", "other name", "annie")],
    ),
]


@each_case(("markup", "facts"), TAGS)
def test_tags(markup, facts):
    assert stated(markup) == facts
    page = Page(1, content=markup.encode())
    assert clean_page(page, read_soup).stated == clean_page(page).stated


INFOBOX = """<title>Ann Lee - Wikipedia</title><table class="infobox">
<tr><th colspan=2>Ann Lee<tr><th>Born<td>May 10, 1970 (age&nbsp;36)<br><img alt=Flag> York, England
<tr><td><b>Occupation(s):</b><td><ul><li>Chemist<li>baker[1]</ul>
<tr><th>Spouse(s)<td>Bob Ray (m. 1990)<tr><th>Children<td>3<tr><th>Shoe size<td>6
<tr><th>Known for<tr><td>Kelp</table>
<table class="infobox"><tr><th>Capacity<td>3</table>"""


def test_infoboxes():
    subject = "Ann Lee - Wikipedia"
    assert stated(INFOBOX) == [
        (subject, "date of birth", "May 10, 1970"),
        (subject, "birth place", "York, England"),
        (subject, "occupation", "Chemist"),
        (subject, "occupation", "baker"),
        (subject, "relative", "Bob Ray"),
    ]
    assert stated(INFOBOX, "Lee, A.")[0][0] == "Lee, A."


def deep(kind):
    return {
        "arrays": script("[" * 200_000),
        "objects": script('{"name":' * 50_000 + "1" + "}" * 50_000),
        "items": f'<div {PERSON}><b itemprop="name">Ann</b>' * 250,
        "many items": f'<p {PERSON}><b itemprop="name">Ann</b><b itemprop=jobTitle>x</b></p>'
        * 20_000,
        "many facts": script([ann(jobTitle=f"Job {i}") for i in range(5_000)]),
        "many values": script(ann(jobTitle=[f"Job {i}" for i in range(30_000)])),
        "many keys": script(ann() | {f"x:{i}:jobTitle": f"Job {i}" for i in range(20_000)}),
        "huge": script(ann(jobTitle="x" * 400_000, name=["y" * 1_000])),
        "huge scripts": script(ann(jobTitle="x" * 300_000)) * 6,
        "circles": script(
            [ann(worksFor={"@id": "a"}) | {"@id": "a"}, {"@id": "b", "name": {"@id": "b"}}]
        ),
        "unended": '<script type="application/ld+json">' * 20_000,
        "begun": "<script " * 50_000 + "ld+json",
        "digits": script('{"@type":"Person","name":' + "9" * 60_000 + "}"),
        "cells": '<table class="infobox vcard"><tr><td>Born' + "<td class=fn>1" * 20_000,
        "classes": f'<p class="vcard {"fn " * 30_000}">',
    }[kind]


HOSTILE = (
    "arrays,objects,items,many items,many facts,many values,many keys,huge,huge scripts,circles,"
    "unended,begun,digits,cells,classes".split(",")
)


@pytest.mark.parametrize("kind", HOSTILE)
def test_hostile_data_is_bounded(kind):
    markup = deep(kind)
    facts = stated(markup)
    assert len(facts) <= MAX_STATED
    assert all(len(value) <= 2_000 for fact in facts for value in fact)


WRONG = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from([*PROPERTIES, "@type", "@id", "name", "born", "givenName", "@text"]),
            inner | st.just("Person") | st.just("infobox"),
            max_size=4,
        )
    ),
    max_leaves=12,
)


@given(st.lists(WRONG, max_size=3))
def test_values_of_any_type_are_read(items):
    for subject, attribute, value, property_name in stated_facts(items, "Ann"):
        assert attribute in ATTRIBUTES
        assert subject
        assert value
        assert property_name in PROPERTIES
        for text in (subject, value):
            assert text.isprintable()


VALUES = st.text(max_size=8) | st.sampled_from([*PROPERTIES, "name fn", "Person", "@type", "vcard"])
SOUP = st.one_of(
    st.builds(
        '<{} {}="{}" {}="{}">'.format,
        st.sampled_from("p b td th table meta a abbr".split()),
        st.sampled_from("itemscope typeof class property content".split()),
        VALUES | st.just("infobox vcard"),
        st.sampled_from("itemtype itemprop property class href title".split()),
        VALUES,
    ),
    st.sampled_from(
        ["</p>", "</table>", "</td>", "Born", "1970", "<b>York, UK</b>", f"<p {PERSON}>"]
    ),
    st.text(max_size=8),
)


@given(st.lists(SOUP, max_size=30).map("".join))
def test_tag_soup_states_valid_facts(markup):
    for subject, attribute, value, _ in clean_page(Page(1, content=markup.encode())).stated:
        assert attribute in ATTRIBUTES
        assert subject == " ".join(subject.split()) != ""
        assert value == " ".join(value.split()) != ""


def test_texts_are_cleaned_and_survive_packing():
    markup = script(ann(jobTitle="Che\u200bmist \ud800 \x01\x04x\x05 e\u0301"))
    ((*_, value),) = stated(markup)
    assert value.isprintable()
    assert value.encode()
    line = json.dumps({"rank": 1}).encode()
    packed = json.loads(clean_packed(b"\n".join((line, markup.encode()))))
    assert packed["stated"] == [["Ann Lee", "occupation", value, "jobTitle"]]


def test_every_property_is_of_an_attribute():
    assert set(PROPERTIES.values()) <= ATTRIBUTES.keys()
