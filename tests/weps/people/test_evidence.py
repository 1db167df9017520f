from dataclasses import replace

import numpy as np
import pytest
from scipy.special import expit

from tests.cases import each_case
from tests.weps.builders import analysis_of, document
from weps.coreference.base import Calibration
from weps.coreference.classifiers import (
    Classifier,
    Effect,
    LogisticClassifier,
    MeanClassifier,
)
from weps.coreference.trees import BoostedTrees, DecisionTree
from weps.people.evidence import Evidence, ExplainedPair, explain_pairs, shared_evidence
from weps.records import Document
from weps.similarity.columns import PairTable, pair_table, parse_similarity


def table_of(*documents: str | Document, columns: str) -> PairTable:
    return pair_table(analysis_of(*documents), list(map(parse_similarity, columns.split())))


def first_pair(table: PairTable) -> list[Evidence]:
    """The evidence between rows 0 and 1, without how rare it is."""
    (found,) = shared_evidence([(0, 1)], table)
    return [replace(each, pages=()) for each in found]


YORK_LEEDS = "university of York. University of Leeds"


@each_case(
    ("pages", "columns", "expected"),
    [
        (["maths tides", "tides maths", "maths moons"], "token", ("tides", "maths")),
        (["tide oceanography"] * 2, "token", ("oceanography", "tide")),
        (["maths of tides"] * 2, "ngram(n=3) ngram(n=2) token", ("maths of tides",)),
        (["moon tides,"] * 2, "ngram(n=2) token", ("moon tides",)),
        ([YORK_LEEDS] * 2, "ngram(n=3)", ("university of leeds", "university of york")),
    ],
)
def test_shared_strings(pages, columns, expected):
    names = columns.split()
    table = table_of(*pages, columns=" ".join(f"dice({name})" for name in names))
    assert first_pair(table) == [Evidence(names[0], expected)]


@each_case(("cosine", "expected"), [(0.51, [Evidence("embedding", ())]), (0.5, []), (-1.0, [])])
def test_vectors_are_evidence_without_strings_where_they_are_much_alike(cosine, expected):
    table = table_of("tides", "moons", columns="cosine(embedding)")
    table.values[:] = cosine
    assert first_pair(table) == expected


def test_pages_that_share_nothing_have_no_evidence():
    table = table_of(
        document("maths", url="http://a.com"),
        document("tides", url="http://b.com"),
        columns="dice(token) dice(title) same_domain linked",
    )
    assert first_pair(table) == []
    assert first_pair(table_of("maths", "maths", columns="")) == []
    assert shared_evidence([], table) == []


def test_a_flag_is_evidence_without_strings():
    table = table_of(
        document(url="http://a.com/1"), document(url="http://a.com/2"), columns="same_domain linked"
    )
    assert first_pair(table) == [Evidence("same_domain", ())]


def test_the_feature_in_which_the_pair_stands_out_comes_first():
    # Every pair shares a title; this pair alone shares an address.
    pages = [document(title="tides", emails=("tb@a.com",))] * 2 + [document(title="tides")] * 2
    table = table_of(*pages, columns="dice(title) dice(email)")
    assert [each.feature for each in first_pair(table)] == ["email", "title"]


@each_case(
    ("columns", "expected"),
    [
        ("1", [("content(n=1)", ("history", "rocket", "greek", "tide"))]),
        ("1 2", [("content(n=2)", ("history greek", "greek tide")), ("content(n=1)", ("rocket",))]),
        ("1 2 3", [("content(n=3)", ("history greek tide",)), ("content(n=1)", ("rocket",))]),
        ("1 2 3 4 5", [("content(n=3)", ("history greek tide",)), ("content(n=1)", ("rocket",))]),
    ],
)
def test_of_a_longer_run_that_both_have_the_parts_are_not_told_again(columns, expected):
    pages = ["history of Greek tides. Rocket", "rocket, the 1890s. History, Greek tides"]
    columns = " ".join(f"dice(content(n={n}))" for n in columns.split())
    # The third page shares more words with the first than they share, but no run.
    table = table_of(*pages, "rocket tides. Greek, history history", columns=columns)
    assert sorted((each.feature, each.shared) for each in first_pair(table)) == sorted(expected)


def test_a_feature_whose_strings_a_later_one_shows_whole_makes_room():
    # All pairs share the title; the first stands out by its words.
    pages = [document("moon tides", title="moon tides")] * 2 + [document(title="moon tides")]
    table = table_of(*pages, columns="dice(token) dice(title) dice(ngram(n=2))")
    assert first_pair(table) == [Evidence("ngram(n=2)", ("moon tides",))]


@pytest.mark.parametrize(
    ("page", "expected"),
    [
        ("oak elm fir ash yew fig box pea", ("oak elm fir ash yew", "ash yew fig box pea")),
        ("oak elm fir ash yew rosemary", ("elm fir ash yew rosemary",)),
    ],
)
def test_of_runs_that_continue_each_other_those_that_add_half_are_shown(page, expected):
    table = table_of(page, page, columns="dice(content(n=5))")
    assert first_pair(table) == [Evidence("content(n=5)", expected)]


def test_runs_of_all_lengths_share_the_room_of_one_feature():
    page = document("oak elm fir ash yew fig box pea kiwi lime plum pear", title="Tides")
    table = table_of(page, page, columns="dice(content(n=1)) dice(content(n=2)) dice(title)")
    runs, title = sorted(first_pair(table), key=lambda each: each.feature)
    assert (runs.feature, len(runs.shared)) == ("content(n=2)", 6)
    assert title == Evidence("title", ("tides",))


def test_resemblance_at_second_hand_is_no_evidence():
    table = table_of(
        "maths tides",
        "tides moons",
        "moons maths",
        columns="dice(token) profile(dice(token)) profile(profile(dice(token))) dice(title)"
        " profile(dice(title))",
    )
    assert (table.values[0] > 0).tolist() == [True, True, True, False, False]
    assert first_pair(table) == [Evidence("token", ("tides",))]
    only = table_of("maths tides", "tides moons", columns="profile(dice(token))")
    assert first_pair(only) == []


def test_little_is_shown_of_much():
    page = document(
        " ".join(f"w{number}" for number in range(50)),
        title="tides",
        snippet="moons",
        url="http://a.com/stars",
        emails=("tb@a.com",),
        links=("http://b.com",),
    )
    columns = "dice(token) dice(title) dice(snippet) dice(url) dice(email) dice(link) same_domain"
    evidence = first_pair(table_of(page, page, columns=columns))
    assert len(evidence) == 5
    assert max(len(each.shared) for each in evidence) == 6


def test_evidence_is_that_of_each_pair_asked_for():
    table = table_of("maths", "tides", "tides maths", columns="dice(token)")
    asked = [(1, 2), (0, 1), (0, 2), (1, 2)]
    (tides, none, maths, again) = shared_evidence(asked, table)
    assert tides == again == (Evidence("token", ("tides",), (2,)),)
    assert maths == (Evidence("token", ("maths",), (2,)),)
    assert none == ()


def table_of_pairs(*columns: str) -> PairTable:
    """Three pages with ranks 3, 5 and 9; the second shares words with both others."""
    pages = [
        document("tides moons", rank=3, title="Leeds"),
        document("moons maths tides", rank=5, title="Leeds"),
        document("maths", rank=9, title="York"),
    ]
    return pair_table(analysis_of(*pages), list(map(parse_similarity, columns)))


def stump(column: int, threshold: float, low: float, high: float) -> dict[str, list[float]]:
    """A tree that asks one question."""
    return {
        "column": [column, -1, -1],
        "threshold": [threshold, 0, 0],
        "left": [1, -1, -1],
        "right": [2, -1, -1],
        "value": [0, low, high],
    }


def boosted(*stumps: dict[str, list[float]]) -> BoostedTrees:
    """Stumps added up."""
    joined: dict[str, list[float]] = {name: [] for name in stumps[0]}
    for number, each in enumerate(stumps):
        for name, numbers in each.items():
            moved = 3 * number if name in {"left", "right"} else 0
            joined[name] += [at + moved if at >= 0 else at for at in numbers]
    roots = [3 * number for number in range(len(stumps))]
    return BoostedTrees.from_data({"base": -1.0, "roots": roots, **joined}, 9)


def explain(table: PairTable, classifier: Classifier, *pairs: tuple[int, int]):
    return explain_pairs(pairs, table, classifier, Calibration())


def test_many_trees_are_explained_by_what_each_kind_of_evidence_adds():
    columns = ("dice(token)", "cosine(token)", "profile(dice(token))", "dice(title)")
    table = table_of_pairs(*columns, "profile(dice(title))")
    judge = boosted(
        stump(0, 0.0, -0.25, 1.0),
        stump(1, 0.0, 0.0, 0.5),
        stump(2, 0.0, 0.0, 0.25),
        stump(3, 0.0, 0.0, -3.0),
    )
    first, second = explain(table, judge, (0, 1), (1, 2))
    assert first == ExplainedPair(
        pages=(3, 5),
        probability=0.0953,  # of log odds of -2.25
        evidence=(
            Evidence("token", ("tides", "moons"), (2, 2)),
            Evidence("title", ("leeds",), (2,)),
        ),
        effects=(Effect("title", -3.0), Effect("token", 1.75), Effect("profile", 0.25)),
        baseline=-1.25,
    )
    assert second.pages == (5, 9)
    assert second.probability == 0.6792  # of 0.75
    assert second.effects == (Effect("token", 1.75), Effect("profile", 0.25))
    assert second.evidence == (Evidence("token", ("maths",), (2,)),)


def test_pairs_that_the_form_of_the_name_tells_apart_show_both_names():
    columns = ("name_form(part=after, relation=one_only)", "few_pages", "dice(token)")
    pages = ("Mary Baker Holt teaches", "Mary Baker teaches", "teaches")
    table = pair_table(analysis_of(*pages, name="Mary Baker"), list(map(parse_similarity, columns)))
    size = stump(columns.index("few_pages"), 0.0, 0.0, 0.5)
    token = stump(columns.index("dice(token)"), 0.0, 0.0, 1.0)
    judge = boosted(token, stump(0, 0.5, 0.0, -2.0), size)
    one, other = explain(table, judge, (0, 1), (1, 2))
    assert (one.names, other.names) == (("Mary Baker Holt", "Mary Baker"), ())
    assert one.effects == (Effect("name_form", -2.0), Effect("token", 1.0))
    assert one.baseline == other.baseline == -0.5
    assert [each.feature for each in one.evidence] == ["token"]


def test_one_tree_is_explained_like_others():
    table = table_of_pairs("dice(title)", "dice(token)")
    data = stump(1, 0.12345678, 0.25, 0.87654321)
    tree = DecisionTree.from_data({**data, "probability": data["value"]}, 2)
    shared, none = explain(table, tree, (0, 1), (0, 2))
    assert (shared.effects, none.effects) == ((Effect("token", 3.06),), ())
    assert (shared.baseline, none.evidence) == (-1.1, ())


@each_case(
    ("added", "expected"),
    [
        ((0.044, 0.056, -0.044, -0.056), ["snippet", "url"]),
        (
            (1, -2, 3, -4, 5, -6, 7),
            ["email", "link", "content", "url", "token", "snippet", "other"],
        ),
        ((1,) * 7, ["title", "snippet", "token", "url", "content", "link", "other"]),
    ],
)
def test_the_six_largest_effects_are_shown_if_they_are_worth_it(added, expected):
    kinds = ("title", "snippet", "token", "url", "content", "link", "email")[: len(added)]
    columns = [f"dice({kind}(n=1))" if kind == "content" else f"dice({kind})" for kind in kinds]
    page = document(
        "tides",
        title="Leeds",
        snippet="moons",
        url="http://a.com/stars",
        links=("http://b.com",),
        emails=("tb@a.com",),
    )
    table = pair_table(analysis_of(page, page), list(map(parse_similarity, columns)))
    judge = boosted(*(stump(column, 0.0, 0.0, each) for column, each in enumerate(added)))
    (pair,) = explain_pairs([(0, 1)], table, judge, Calibration())
    assert [each.kind for each in pair.effects] == expected
    total = pair.baseline + sum(each.effect for each in pair.effects)
    assert total == pytest.approx(-1 + sum(added), abs=1e-9 if "other" in expected else 0.02)


@pytest.mark.parametrize("calibration", [Calibration(), Calibration(0.7, 0.4)])
def test_baseline_and_effects_add_up_to_the_probability(calibration):
    columns = ("dice(token)", "cosine(token)", "profile(dice(token))", "dice(title)")
    table = table_of_pairs(*columns, "agree(email_domain)")
    trees = boosted(stump(0, 0.1, -0.25, 1.0), stump(1, 0.3, -0.7, 0.5), stump(2, 0.9, 0.0, 0.25))
    line = LogisticClassifier(-0.3, np.array([1, 2, 3, -4, 5, 0, 0, 0, 0], np.float32)[:5])
    averaged = MeanClassifier(trees, np.arange(5), line, np.arange(5))
    every = [(0, 1), (0, 2), (1, 2)]
    for pair in explain_pairs(every, table, averaged, calibration):
        total = pair.baseline + sum(each.effect for each in pair.effects)
        assert expit(total) == pytest.approx(pair.probability, abs=0.002)
