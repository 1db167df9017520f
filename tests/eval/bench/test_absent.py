from eval.bench.absent import absent_lines, lacks
from eval.systems import systems_of
from weps.forms import Form

SYSTEMS = systems_of(["paper:features=token+title", "paper:features=title", "paper:features=link"])


def test_what_pages_lack_and_what_that_makes_equal_is_told() -> None:
    assert list(absent_lines(SYSTEMS, {Form.TOKENS: 2, Form.RESULTS: 1})) == [
        "not used for tokens (2 names): link, token(local=true)",
        "  paper:features=link has nothing to compare tokens by",
        "not used for results (1 name): link, token, token(local=true)",
        "  paper:features=link has nothing to compare results by",
        "  paper:features=token+title = paper:features=title for results: the same 1 similarities",
    ]


def test_nothing_is_told_of_whole_pages() -> None:
    assert list(absent_lines(SYSTEMS, {Form.PAGES: 3})) == []
    assert list(lacks(SYSTEMS, {Form.PAGES: 3})) == []


def test_a_feature_is_never_broken_over_lines() -> None:
    lines = list(absent_lines(systems_of(["paper"]), {Form.RESULTS: 1}))
    assert max(map(len, lines)) <= 100
    assert " ".join(line.strip() for line in lines).count("ngram(n=5, local=true)") == 1
    assert any("ngram(n=5, local=true)" in line for line in lines)


def test_how_much_is_lacking() -> None:
    assert list(lacks(SYSTEMS, {Form.TOKENS: 2, Form.RESULTS: 1})) == [
        "2 of 4 similarities for tokens",
        "3 of 4 similarities for results",
    ]
