import pytest

from tests.cases import each_case
from tests.weps.builders import analysis_of, document
from weps.errors import ModelError
from weps.people.set_aside import (
    MIN_SHARE,
    ORDINARY,
    SIGNS,
    SetAsideRule,
    fit_set_aside,
    page_signs,
)
from weps.records import Clustering

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
            "Rosemary Baker|Mary and Tom Baker|Mary Báker|Tom, Mary, Baker and Mary--Baker",
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
        (ORDINARY, ("Madonna School",), {"name": "Madonna"}),
        ("absent", ("a school",), {"name": "Madonna"}),
        ("absent", ("a school",), {"name": "王伟"}),
        (ORDINARY, ("作者王伟先生",), {"name": "王伟"}),
        (ORDINARY, ("Jose Garcia",), {"name": "José García"}),
        (ORDINARY, ("anything",), {"name": ""}),
    ],
)
def test_title_snippet_address_and_other_names_count(expected, blocks, fields):
    assert sign_of(*blocks, **fields) == expected


@each_case(
    "text",
    [
        "mary " * 50_000,
        "baker " * 50_000,
        "mary, baker " * 25_000,
        "Mary Baker Memorial " * 12_500,
        "é\u0301" * 100_000,
        "mary" + " " * 125_000 + "baker",
        "not " * 50_000,
    ],
)
def test_hostile_text_takes_bounded_time(text):
    assert sign_of(text) in {*SIGNS, ORDINARY}


@each_case(
    ("rule", "signs", "expected"),
    [
        (SetAsideRule(), ["empty", "several", ORDINARY], ["", "", ""]),
        (RULE, ["empty", "message", "several", ORDINARY], ["empty", "message", "several", ""]),
        (RULE, ["absent", "place", "", ""], ["absent", "place", "", ""]),
        # Most pages write the name in another way than the search.
        (RULE, ["absent", "divided", "absent", ""], ["", "", "", ""]),
        (RULE, ["absent", "empty", "empty", "empty"], ["", "empty", "empty", "empty"]),
        (SetAsideRule({"empty": 0.89, "absent": 0.9}), ["empty", "absent", ""], ["", "absent", ""]),
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
    assert SetAsideRule.from_data(RULE.to_data()) == RULE
    with pytest.raises(ModelError):
        SetAsideRule.from_data(data)
    with pytest.raises(ModelError):
        SetAsideRule.from_data({"empty": float("nan")})
