import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.cases import each_case
from tests.weps.builders import analysis_of, document
from weps.errors import ModelError
from weps.language.analysis import page_languages, page_text
from weps.name.mentions import matcher
from weps.name.person_name import PersonName
from weps.people.pages import (
    MIN_SHARE,
    NO_TEXT,
    ORDINARY,
    OTHER_SCRIPT,
    SIGNS,
    SetAsideRule,
    answer_cautions,
    find_mentions,
    fit_set_aside,
    mostly_foreign,
    named_blocks,
    page_caution,
    page_excerpt,
    page_kind,
    page_signs,
    searched_text,
)
from weps.records import Clustering

BAKER = PersonName.parse("Thomas Baker")
LONG = "and so the long tale of the kelp went on and on without an end in sight " * 9


def excerpt(*blocks: str, name: PersonName = BAKER, **fields: object) -> str:
    page = document(*blocks, **fields)
    return page_excerpt(page, name, matcher(name).find(page_text(page)))


@each_case(
    ("blocks", "begins"),
    [
        (["Home | Thomas Baker | Contact", "Here Thomas Baker teaches physics."], "Here"),
        (["Thomas Baker", "Our guest Thomas Baker was born in York."], "Our guest"),
        (["With Thomas Baker, Ann Lee", "A song by Thomas Baker of Leeds."], "A song"),
        (["Thomas Baker is here.", "Thomas Baker is there."], "Thomas Baker is here."),
        (["He sings.", "Baker bakes.", "Thomas Baker"], "Thomas Baker"),
    ],
)
def test_prose_that_introduces_comes_before_lists(blocks, begins):
    assert excerpt(*blocks).startswith(begins)


SNIPPET, CHOIRS = "... Thomas Baker, producer ...", "Thomas Baker is a conductor of choirs"
MILD = "The weather was mild. Yesterday Dr. Thomas Baker spoke. He was loud."


@each_case(
    ("blocks", "fields", "expected"),
    [
        ([CHOIRS], {"snippet": SNIPPET}, SNIPPET),
        ([CHOIRS], {"snippet": "All of music."}, CHOIRS),
        ([CHOIRS, "By Thomas Baker in May"], {"title": f"{CHOIRS} | x"}, "By Thomas Baker in May"),
        ([MILD], {}, "Yesterday Dr. Thomas Baker spoke. He was loud."),
        (["Thomas Baker", "Professor", "Room 5", "x"], {}, "Thomas Baker · Professor · Room 5"),
        # Pages without the name.
        (["Kelp grows."], {"snippet": "On kelp."}, "On kelp."),
        (["Kelp grows.", "Dulse too."], {}, "Kelp grows. · Dulse too."),
        (["Home", "Here is " + "kelp that grows " * 4], {}, "Here is " + "kelp that grows " * 4),
        ([], {}, ""),
    ],
)
def test_what_is_shown_of_a_page(blocks, fields, expected):
    assert excerpt(*blocks, **fields) == expected


@each_case(
    "text", [f"Thomas Baker {LONG}", f"{LONG} Thomas Baker {LONG}", "Thomas Baker" + "x" * 900]
)
def test_long_texts_are_cut_between_words(text):
    found = excerpt(text)
    assert 160 <= len(found) <= 220
    assert found.endswith("…")
    assert "Thomas Baker" in found
    words = found.strip("…").split()
    assert set(words) <= set(text.split()) or "x" * 50 in found
    assert "Thomas Baker" in excerpt(snippet=text)
    assert excerpt(f"{LONG} by Thomas Baker").endswith("by Thomas Baker")


parts = st.lists(st.sampled_from("Thomas Baker is . kelp | 。 J. , -".split()), max_size=80)


@given(st.lists(parts.map(" ".join), max_size=3), parts.map(" ".join), st.text(max_size=9))
def test_excerpts_of_any_page(blocks, snippet, name):
    found = excerpt(*blocks, snippet=snippet)
    assert any(find_mentions(found, BAKER, full=True)) == any(
        any(find_mentions(text, BAKER, full=True)) for text in [snippet, *blocks]
    )
    assert max(found, excerpt(*blocks, name=PersonName.parse(name)), key=len)[220:] == ""


@each_case(
    ("text", "expected"),
    [
        ("Baker's book", ["Baker"]),
        ("Thomas Baker's book", ["Thomas Baker"]),
        ("Thomas Baker’s book", ["Thomas Baker"]),
        ("Mr. Baker; BAKER said", ["Baker", "BAKER"]),
        ("A baker bakes", []),
        ("Bakers, Bakery and Baker2", []),
        ("Thomas Baker-Smith", []),
        ("Thomas and Mary Baker", []),
        ("thomas@baker, x@Baker", []),
        ("Thomas alone", []),
        ("Thomas Baker Thomas Baker", ["Thomas Baker", "Thomas Baker"]),
        ("Thomas A. B. C. Baker", []),
        ("", []),
    ],
)
def test_what_is_a_mention(text, expected):
    every, full = (
        [text[begin:end] for begin, end in find_mentions(text, BAKER, full=only)]
        for only in (False, True)
    )
    assert every == expected
    assert full == [each for each in expected if "Thomas" in each]


@each_case(
    ("text", "caution"),
    [
        ("Thomas Baker is a reader in logic.", ""),
        ("Zoë Žižek, Łódź, naïve café", ""),
        ("托马斯·贝克是一位英国物理学家，他在剑桥大学研究潮汐和海洋的运动。", "in Chinese"),
        ("Томас Бейкер, профессор геологии в Москве", OTHER_SCRIPT),
        ("Thomas Baker war Lehrer in der Schule, die er selbst besucht hatte.", "in German"),
        ("Бейкер Бейкер Thomas Bakers", ""),
        ("Бейкер Бейкер Thomas Baker", OTHER_SCRIPT),
        ("王小明", ""),  # too few letters to tell
        ("", NO_TEXT),
        ("— 1999 …", NO_TEXT),
    ],
)
def test_pages_unlike_those_of_training(text, caution):
    analysis = analysis_of(text)
    assert page_caution(*analysis.documents, *page_languages(analysis)) == caution


@each_case(
    ("of_pages", "beginnings"),
    [
        ([], []),
        ([""] * 500, []),
        ([""] * 501, ["There are 501 pages"]),
        (
            [OTHER_SCRIPT, NO_TEXT, NO_TEXT],
            ["1 page is not in the Latin script: confidence", "2 pages have no text"],
        ),
        (
            ["in German", "in Chinese", "in Chinese", ""],
            ["3 pages are not in English (2 in Chinese, 1 in German): confidence"],
        ),
        (["in Chinese", "", "in Chinese"], ["2 pages are in Chinese: confidence"]),
    ],
)
def test_answers_say_what_was_not_evaluated(of_pages, beginnings):
    found = list(answer_cautions(of_pages))
    assert [each[: len(start)] for each, start in zip(found, beginnings, strict=True)] == beginnings


@each_case(
    ("foreign", "english", "expected"),
    [(0, 0, False), (2, 0, False), (3, 0, True), (3, 27, True), (3, 28, False), (10, 90, True)],
)
def test_many_pages_that_are_not_english_are_told_to_the_model(foreign, english, expected):
    of_pages = [*["in German", OTHER_SCRIPT] * foreign][:foreign] + [""] * english
    assert mostly_foreign(of_pages) is expected
    assert not mostly_foreign([NO_TEXT] * 100)


def test_an_answer_without_the_encoder_says_so():
    [first, *_] = answer_cautions(["in German"] * 3, encoder_left_out=True)
    assert "without it" in first


@each_case(
    ("people", "said"),
    [
        ([[0, 1, 2], [3, 4, 5], [6]], "No page in Chinese is with one in another language"),
        ([[0, 1], [2, 3, 4, 5], [6]], ""),  # one person has pages of both
        ([[0, 1, 2, 6], [3, 4, 5]], "No page in Chinese is"),  # without text, so in no language
        ([], ""),
    ],
)
def test_languages_that_do_not_meet_are_told(people, said):
    of_pages = ["", "", "", "in Chinese", "in Chinese", "in Chinese", NO_TEXT]
    found = list(answer_cautions(of_pages, people))
    assert any(each.startswith(said) for each in found[1:-1]) == bool(said)
    assert len([*answer_cautions([*of_pages[:2], "in German", *of_pages[3:5]], [[0], [3]])]) == 1


RULE = SetAsideRule(
    dict.fromkeys(SIGNS, 0.2) | dict.fromkeys(("empty", "message", "absent"), MIN_SHARE)
)
MISSING = "Not Found. The requested address was not found on this server."


def sign_of(*blocks: str, name: str = "Mary Baker", **fields: str) -> str:
    (sign,) = page_signs(analysis_of(document(*blocks, **fields), name=name))
    return sign


@each_case(
    ("expected", "texts"),
    [
        (
            ORDINARY,
            "Mary Baker|MARY BAKER|Baker, Mary|Mary J. Baker|Mary Baker School. Mary Baker, poet|"
            "Mary Baker, Field|Mary\nBaker|Mary-Baker|marybaker@a.example|Tom Baker|Baker|M. Baker|"
            "Rosemary Baker|Mary and Tom Baker|Mary Báker|Tom, Mary, Baker and Mary--Baker|"
            "Anna\nMary Baker|Dean Mary Baker|By Mary Baker|Anna Mary Baker, or Mary Baker|"
            "Anna Mary Baker, or M. Baker",
        ),
        (
            "divided",
            "Coleman, Mary, Baker, Tom|Adams, Mary; Baker, Tom|Helen Mary: Baker rides|"
            "Shop: Mary & Baker|Alma Mary, of Baker, Ill.",
        ),
        (
            "place",
            "Mary Baker School|Mary Baker Elementary School|the MARY BAKER FIELD|"
            "Mary Baker's Church|Mary Baker Memorial High School is near Mary Baker Road",
        ),
        (
            "several",
            "Mary Baker may refer to: a poet|This disambiguation page lists Mary Baker|"
            "Mary A. Baker, Mary B. Baker, Mary C. Baker, Mary D. Baker, Mary E. Baker",
        ),
        (
            "longer",
            "Anna Mary Baker|ANNA MARY BAKER|by Anna Mary J. Baker|Anna Mary Baker. Baker rides|"
            "Anna Mary Baker\nLucy Mary Baker and Lucy M. Baker",
        ),
        ("absent", "Welcome to the furniture doctor|Mary Barker|Bäcker"),
        ("message", f"{MISSING}|302 Found. The document has moved here.|Under construction!"),
    ],
)
def test_a_page_has_the_first_sign_that_holds(expected, texts):
    for text in texts.split("|"):
        assert sign_of(*text.split("\n")) == expected, text


@each_case(
    ("expected", "blocks", "fields"),
    [
        ("empty", (), {}),
        ("empty", (" – ",), {}),
        ("empty", (), {"title": "Home page", "url": "http://mary-baker.example"}),
        (ORDINARY, (), {"snippet": "Baker is a poet"}),
        (ORDINARY, (), {"title": "Mary Baker"}),
        (ORDINARY, ("My poems",), {"url": "http://marybaker.example"}),
        ("message", (MISSING,), {"url": "http://marybaker.example"}),
        (ORDINARY, (MISSING,), {"title": "Mary Baker"}),
        ("absent", ("not found " * 50,), {}),
        ("several", ("Mary Baker",), {"title": "Mary Baker (disambiguation)"}),
        ("several", ("Mary Baker",), {"url": "http://a.example/Mary_Baker_(disambiguation)"}),
        (ORDINARY, ("For others see Mary Baker (disambiguation)",), {"title": "Mary Baker"}),
        (ORDINARY, ("Anna Mary Baker",), {"title": "Anna Mary Baker"}),
        (ORDINARY, ("Anna Mary Baker",), {"snippet": "Anna Mary Baker"}),
        ("longer", ("Anna Mary Baker",), {"title": "Poets", "snippet": "Baker"}),
        (ORDINARY, ("Anna Mary Baker",), {"name": "Anna Mary Baker"}),
        (ORDINARY, ("Anna Madonna",), {"name": "Madonna"}),
        (ORDINARY, ("Madonna School",), {"name": "Madonna"}),
        ("absent", ("a school",), {"name": "Madonna"}),
        ("script", ("a school",), {"name": "王伟"}),
        ("absent", ("田中は学校の先生です",), {"name": "王伟"}),
        ("script", ("Школа № 5 города Минска, Home, Login",), {"name": "Mary Baker"}),
        ("absent", ("The school (школа) opens",), {"name": "Mary Baker"}),
        ("script", ("The school, Мэри Бейкер, opens",), {"name": "Mary Baker"}),
        (ORDINARY, ("作者王伟先生",), {"name": "王伟"}),
        (ORDINARY, ("Jose Garcia",), {"name": "José García"}),
        (ORDINARY, ("anything",), {"name": ""}),
    ],
)
def test_title_snippet_address_and_other_names_count(expected, blocks, fields):
    assert sign_of(*blocks, **fields) == expected


@each_case(
    ("rule", "signs", "expected"),
    [
        (SetAsideRule(), ["empty", "several", ORDINARY], ["", "", ""]),
        (RULE, ["empty", "message", "several", ORDINARY], ["empty", "message", "several", ""]),
        (RULE, ["absent", "place", "", ""], ["absent", "place", "", ""]),
        # Most pages write the name in another way than the search.
        (RULE, ["absent", "divided", "absent", ""], ["", "", "", ""]),
        (RULE, ["script", "absent", "script", ""], ["", "", "", ""]),
        (RULE, ["absent", "empty", "empty", "empty"], ["", "empty", "empty", "empty"]),
        (SetAsideRule({"empty": 0.89, "absent": 0.9}), ["empty", "absent", ""], ["", "absent", ""]),
        # A sign that is younger than the model.
        (SetAsideRule({"empty": 0.9}), ["longer", "place", "empty", ""], ["", "", "empty", ""]),
        (RULE, [], []),
    ],
)
def test_pages_are_set_aside_where_nearly_all_such_pages_are_discarded(rule, signs, expected):
    assert list(rule.select(signs)) == expected


def test_shares_are_of_the_pages_that_keys_judge():
    key = Clustering((frozenset({1, 2}), frozenset({3})), discarded=frozenset({3, 4, 5, 6}))
    signs = {1: "absent", 2: ORDINARY, 3: "empty", 4: "empty", 5: "empty", 6: "absent", 7: "empty"}
    shares = fit_set_aside([(signs, key), ({8: "empty"}, Clustering((), frozenset({8})))]).shares
    assert list(shares) == list(SIGNS)
    assert shares["empty"] == pytest.approx(4 / 6, abs=1e-4)
    assert shares["absent"] == shares["place"] == 0.5


@each_case(
    "data",
    [None, [], {"strange": 0.5}, {"empty": "1"}, {"empty": True}, {"empty": 1.1}, {"empty": -0.1}],
)
def test_a_damaged_rule_is_refused(data):
    assert SetAsideRule.from_data(dict(RULE.shares)) == RULE
    with pytest.raises(ModelError):
        SetAsideRule.from_data(data)
    with pytest.raises(ModelError):
        SetAsideRule.from_data({"empty": float("nan")})


@each_case(
    ("address", "title", "kind"),
    [
        ("http://obits.example.com/baker", "Baker", "obituary"),
        ("http://a.example/x", "Obituary: Thomas Baker", "obituary"),
        ("https://www.findagrave.com/memorial/1", "Thomas Baker", "genealogy"),
        ("http://a.example/x", "Descendants of Thomas Baker", "genealogy"),
        ("http://www.amazon.co.uk/s?keywords=Baker", "Amazon: Baker", "shop"),
        ("https://www.facebook.com/thomas", "Thomas", "social"),
        ("http://imdb.example/find?q=Thomas+Baker", "Baker", "list"),
        ("http://law.example.edu/faculty/baker.htm", "College of Law", "profile"),
        ("http://en.wikipedia.org/wiki/Thomas_Baker", "Thomas Baker", "profile"),
        ("http://en.wikipedia.org/wiki/York", "York", ""),  # of something else
        ("http://en.wikipedia.org/wiki/Category:Bakers", "Bakers", ""),
        ("http://www.guardian.co.uk/g2/story/1.html", "Thomas Baker", "news"),
        ("http://blog.example/2006/03/01/baker", "Baker", "news"),
        ("http://www.thomasbaker.example/", "Thomas Baker", ""),
        ("http://party.example/partial/x", "Thomas Baker, artist", ""),
        ("http://[::1", "Thomas Baker", ""),
        ("", "", ""),
    ],
)
def test_the_kind_of_page_is_told_by_its_address_or_its_title(address, title, kind):
    assert page_kind(document(url=address, title=title), BAKER) == kind


def test_the_text_that_is_searched_begins_at_the_name():
    blocks = (
        *("far " * 1_000 for _ in range(5)),
        "before",
        "Thomas Baker",
        "after",
        *("z" * 9_000,) * 2,
    )
    page = document(*blocks)
    analysis = analysis_of(page, name="Thomas Baker")
    text = searched_text(page, named_blocks(page, analysis.mentions[0]))
    assert text.split("\n")[:3] == ["Thomas Baker", "before", "after"]
    assert len(text) == 8_000
    assert searched_text(document("a", "b"), ()) == "a\nb"
    assert searched_text(document(), ()) == ""
