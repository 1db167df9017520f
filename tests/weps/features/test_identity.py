from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.cases import each_case
from tests.weps.builders import analysis_of, document, extract, flagged
from weps.features.identity import normalise_address, registered_domain
from weps.features.registry import all_features
from weps.reading import PageForm, available_similarities
from weps.similarity.columns import parse_similarity

RELATIONS = ("agree", "differ")
IDENTITY = [str(each) for each in all_features() if each.family == "identity" and not each.flag]
_WORDS = 'Thomas Baker , J. (Tom) "Bud" Dr. Prof born 1950 b. (1901- 412-555-0123 and \n x'.split(
    " "
)


def found(feature: str, *texts: str, name: str = "Thomas Baker") -> list[set[str]]:
    return [set(bag) for bag in extract(feature, analysis_of(*texts, name=name))]


@each_case(
    ("address", "strings"),
    [
        ("baker@maths.york.ac.uk", ["york.ac.uk"]),
        *(
            (f"{local}@york.example", ["york.example"])
            for local in ("tbaker", "thomas.j.baker", "bakert", "Baker_2")
        ),
        *((each, [each]) for each in ("tbaker@gmail.com", "tbaker@yahoo.co.uk")),
        *((each, []) for each in ("bakery@york.example", "info@baker.example", "baker", "baker@")),
    ],
)
def test_domains_where_the_person_has_an_address(address, strings):
    assert extract("email_domain", analysis_of(document(emails=(address,)))) == [Counter(strings)]


@each_case(
    ("address", "strings"),
    [
        ("http://www.baker.example/", ["baker.example"]),
        ("http://york.example/~TBaker/?x=1", ["york.example/~tbaker"]),
        ("http://thomas-j-bakerlaw.example", ["thomas-j-bakerlaw.example"]),
        ("http://york.example/find?q=thomas+baker", []),
        ("http://bakery.example", []),
        ("http://breadbaker.example", []),
        ("tbaker.html", []),
    ],
)
def test_pages_of_the_person_linked_or_own(address, strings):
    pages = [document(url=address), document(links=(address,))]
    assert extract("home_page", analysis_of(*pages)) == [Counter(strings)] * 2


@each_case(
    ("name", "address", "holds"),
    [
        ("Dan Lee", "http://fleet.example", False),
        ("Dan Lee", "http://danlee.example", True),
        ("Sean O'Brien", "http://sobrien.example", True),
        ("Madonna", "http://madonna.example", True),
        ("Madonna", "http://madonnas.example", False),
        ("?", "http://york.example", False),
    ],
)
def test_pages_of_people_of_any_name(name, address, holds):
    (bag,) = extract("home_page", analysis_of(document(url=address), name=name))
    assert bool(bag) is holds


def test_a_telephone_number_has_one_spelling():
    numbers = "(412) 555-0123|412-555-0123|412.555.0123|+1 412 555-0123|tel:412-555.0123"
    for text in numbers.split("|"):
        assert extract("phone", analysis_of(text)) == [Counter(["4125550123"])], text
    for text in "|555-0123|4125550123|412-555-01234|1412-555-0123|412-555-012|((((".split("|"):
        assert extract("phone", analysis_of(text)) == [Counter()], text


@each_case(
    ("text", "classes"),
    [
        ("Dr. Thomas Baker", {"doctor"}),
        ("PROFESSOR THOMAS J. BAKER", {"professor"}),
        ("the Prof Dr Thomas Baker", {"doctor"}),
        ("Vice President Thomas Baker", {"vice president"}),
        ("President Thomas Baker and Sgt. Thomas Baker", {"president", "officer"}),
        *((f"{title} Thomas Baker", set()) for title in ("Mr.", "Dr. Lee,", "the presidency")),
        *((text, set()) for text in ("Thomas Baker, professor", "Dr. Baker", "Baker, Dr. Thomas")),
    ],
)
def test_honorifics_stand_directly_before_the_name(text, classes):
    assert found("honorific", text) == [classes]


def test_honorifics_of_a_name_of_one_word_and_of_the_same_line():
    assert found("honorific", "Sir Elton sang", name="Elton") == [{"sir"}]
    pages = [document("Senator", "Thomas Baker"), document("Senator Thomas Baker")]
    assert extract("honorific", analysis_of(*pages)) == [Counter(), Counter(["senator"])]


@each_case(
    ("text", "years"),
    [
        ("Thomas Baker was born in Leeds on 3 May 1950", {"1950"}),
        ("Baker (b. 1950)", {"1950"}),
        ("Baker (1950–2001)", {"1950"}),
        ("Baker ( May 3, 1950 - June 4, 2001)", {"1950"}),
        ("BAKER, date of birth: 1950", {"1950"}),
        *((f"Baker, {what}", set()) for what in ("Feb. 12, 1950", "reborn 1950", "born. In 1950")),
        ("born 1950: Baker", set()),
        ("Baker was born in 2050 BC", set()),
        ("Baker (born 2003)", {"2003"}),
        ("Baker " + "x" * 105 + " born 1950", {"1950"}),
        ("Baker " + "x" * 120 + " born 1950", set()),
        ("Lee, born 1950", set()),
        ("Thomas Baker\nBorn: 1950", {"1950"}),
    ],
)
def test_a_year_of_birth_stands_near_after_the_last_name(text, years):
    assert found("birth_year", text) == [years]


@each_case(
    ("feature", "text", "string"),
    [
        ("honorific", "Dr. Thomas Baker", "doctor"),
        ("birth_year", "Baker, born 1950", "1950"),
        ("phone", "412-555-0123", "4125550123"),
    ],
)
def test_title_snippet_and_text_count(feature, text, string):
    pages = [document(title=text), document(snippet=text), document(text)]
    assert extract(feature, analysis_of(*pages)) == [Counter([string])] * 3


@each_case("feature", IDENTITY)
def test_only_whole_pages_hold_evidence_of_identity(feature):
    agreeing = [parse_similarity(f"agree({feature})")]
    assert [len(available_similarities(agreeing, form)) for form in PageForm] == [1, 0, 0]


@pytest.mark.parametrize("feature", IDENTITY)
@given(texts=st.lists(st.lists(st.sampled_from(_WORDS), max_size=9).map(" ".join), max_size=4))
def test_one_page_s_evidence_does_not_depend_on_the_others(feature, texts):
    apart = [extract(feature, analysis_of(text))[0] for text in texts]
    assert extract(feature, analysis_of(*texts)) == apart


SAME = (
    "http://www.york.example/~tb|https://york.example/~tb/| HTTP://WWW.YORK.EXAMPLE/~tb |"
    "http://york.example:80/~tb|https://york.example:443/~tb|http://tb:secret@york.example/~tb|"
    "http://york.example/~tb#maths|//york.example/~tb"
)


@each_case("address", SAME.split("|"))
def test_addresses_of_one_page_have_one_spelling(address):
    assert normalise_address(address) == "york.example/~tb"


@each_case(
    ("first", "second"),
    [
        ("http://york.example/tb", "http://york.example/TB"),
        ("http://york.example/?id=1", "http://york.example/?id=2"),
        ("http://york.example/", "http://maths.york.example/"),
        ("http://york.example:8080/", "http://york.example/"),
    ],
)
def test_addresses_of_different_pages_stay_apart(first, second):
    assert normalise_address(first) != normalise_address(second)


@each_case("address", ["", " ", "tb.html", "/tb", "mailto:tb@york.example", "http://["])
def test_what_is_no_address_of_the_web_has_no_spelling(address):
    assert normalise_address(address) == ""


DOMAINS = {
    "york.com": "http://york.com/ http://www.maths.york.com/tb?x=a.b http://www.york.com./ "
    "http://co.york.com/ http://york.com?id=1",
    "york.edu": "http://maths.york.edu:8080/",
    "york.ac.uk": "http://cs.york.ac.uk/",
    "york.co.uk": "http://www.york.co.uk",
    "york.edu.au": "http://a.b.york.edu.au/",
    "york.de": "http://york.de/ http://maths.york.de/",
    "t.co": "http://t.co/",
    "york.公司.cn": "http://maths.york.公司.cn/",
    "york.xn--55qx5d.cn": "http://maths.york.xn--55qx5d.cn/",
    "anna.github.io": "http://anna.github.io/ https://www.anna.github.io/cv http://x.anna.github.io",
    "anna.blogspot.com": "http://anna.blogspot.com/2009/",
    "anna.blogspot.co.uk": "http://anna.blogspot.co.uk/",
    "anna.wordpress.com": "http://anna.wordpress.com/ http://www.anna.wordpress.com./",
    "github.io": "http://github.io/",
    "wordpress.com": "http://wordpress.com/ http://www.wordpress.com/",
    "co.uk": "http://co.uk/",
    "a..com": "http://a..com/",
    "localhost": "http://localhost/",
    "192.0.2.7": "http://192.0.2.7/tb http://192.0.2.7:8080/tb",
    "[2001:db8::1]": "http://[2001:db8::1]/",
}


@each_case(
    ("domain", "address"),
    [
        ("", ""),
        ("", "tb.html"),
        *((name, each) for name in DOMAINS for each in DOMAINS[name].split()),
    ],
)
def test_registered_domains(domain, address):
    assert registered_domain(address) == domain


def test_emails_are_taken_as_they_are():
    emails = ("tb@york.example", "info@york.example")
    analysis = analysis_of(document(emails=emails), document())
    assert extract("email", analysis) == [Counter(emails), Counter()]


def test_links_are_counted_in_one_spelling():
    links = ("http://www.a.example/", "https://a.example", "http://[", "http://b.example/x")
    (found,) = extract("link", analysis_of(document(links=links)))
    assert found == Counter({"a.example": 2, "b.example/x": 1})


A, B = "http://a.example/x", "http://b.example/y"


@each_case(
    ("pages", "expected"),
    [
        ([], set()),
        ([(A, [B])], set()),
        ([(A, []), (B, [])], set()),
        ([(A, [B]), (B, [])], {(0, 1), (1, 0)}),
        ([(A, []), (B, [A])], {(0, 1), (1, 0)}),
        ([(A, [B]), (B, [A])], {(0, 1), (1, 0)}),
        ([(A, [B, "https://www.b.example/y/"]), (B, [])], {(0, 1), (1, 0)}),
        ([(A, [A]), (B, [])], set()),
        ([("", [""]), ("", ["http://["])], set()),
        ([(A, ["http://b.example/"]), (B, [])], set()),
    ],
)
def test_linked(pages, expected):
    analysis = analysis_of(*[document(url=url, links=tuple(links)) for url, links in pages])
    assert flagged("linked", analysis) == expected


@each_case("order", [(A, A, B), (A, B, A), (B, A, A)])
def test_a_link_reaches_every_copy_of_a_page(order):
    analysis = analysis_of(*[document(url=url, links=(A,) if url == B else ()) for url in order])
    b = order.index(B)
    copies = {0, 1, 2} - {b}
    assert flagged("linked", analysis) == {(b, a) for a in copies} | {(a, b) for a in copies}


@each_case(
    ("addresses", "expected"),
    [
        ([], set()),
        (["http://a.york.com", "http://b.york.com/x"], {(0, 1), (1, 0)}),
        (["http://a.co.uk", "http://b.co.uk"], set()),
        (["http://a.github.io", "http://b.github.io", "http://b.github.io/x"], {(1, 2), (2, 1)}),
        (["", ""], set()),
        (["http://[", "http://["], set()),
        (["http://a.com", "http://b.com", "http://www.a.com"], {(0, 2), (2, 0)}),
    ],
)
def test_same_domain(addresses, expected):
    analysis = analysis_of(*[document(url=url) for url in addresses])
    assert flagged("same_domain", analysis) == expected


@each_case(
    ("first", "second", "relation"),
    [
        ("https://www.imdb.com/name/nm0000123/", "http://us.imdb.com/name/nm0000123/bio", "agree"),
        ("https://www.imdb.com/name/nm0000123/", "https://www.imdb.com/name/nm0000124/", "differ"),
        ("https://www.imdb.com/name/nm0000123/", "https://www.imdb.com/title/tt0000124/", ""),
        ("https://www.linkedin.com/in/tbaker", "https://uk.linkedin.com/in/tom-baker-9", "differ"),
        ("https://www.linkedin.com/in/tbaker", "https://orcid.org/0000-0002-1825-0097", ""),
        (
            "https://en.wikipedia.org/wiki/Thomas_Baker_(painter)",
            "https://en.m.wikipedia.org/wiki/Thomas_Baker_%28footballer,_born_1995%29",
            "differ",
        ),
        (
            "https://en.wikipedia.org/wiki/Thomas_Baker_(painter)",
            "https://de.wikipedia.org/wiki/Thomas_Baker_(Maler)",
            "",
        ),
        (
            "https://en.wikipedia.org/wiki/Thomas_Baker_(painter)",
            "https://en.wikipedia.org/wiki/National_Gallery",
            "",
        ),
        (
            "https://en.wikipedia.org/wiki/Thomas_Baker_(footballer,_born_1980)",
            "https://en.wikipedia.org/wiki/Thomas_Baker_(footballer,_born_1995)",
            "differ",
        ),
        ("https://en.wikipedia.org/wiki/_", "https://en.wikipedia.org/wiki/Thomas_Baker", ""),
        ("https://myspace.com/tbaker", "https://myspace.com/?friendid=12", ""),
        ("https://anna.example/name/nm0000123", "https://anna.example/name/nm0000124", ""),
        ("", "", ""),
    ],
)
def test_profiles_of_one_site(first, second, relation):
    pages = analysis_of(document("Thomas Baker", url=first), document("Thomas Baker", url=second))
    found = {each: bool(flagged(f"site_profile(relation={each})", pages)) for each in RELATIONS}
    assert found == {each: each == relation for each in RELATIONS}


@each_case(
    ("first", "second", "far"),
    [
        ("Thomas Baker (1792-1861), miner", "Thomas Baker ran in 2004 and 2006", True),
        ("Thomas Baker (1792–1861), miner", "Thomas Baker ran in 2004 and 2006", True),
        ("Thomas Baker (1910–1980), miner", "Thomas Baker ran in 2004 and 2006", False),
        ("Thomas Baker (1792–1861), miner", "Thomas Baker ran in 2004", False),
        ("Thomas Baker, 1,792 or 12/1861 or 12-03-1861", "Thomas Baker 2004, 2006", False),
        ("T. Baker, miner, 1792 to 1861", "Thomas Baker ran in 2004 and 2006", False),
        ("Thomas Baker, miner. " + "x" * 200 + "1792 1861", "Thomas Baker 2004, 2006", False),
    ],
)
def test_years_around_the_name_may_be_too_far_apart_for_one_person(first, second, far):
    pages = analysis_of(document("", first), document("", second))
    assert bool(flagged("distant_years", pages)) is far
