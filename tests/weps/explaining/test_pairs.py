import numpy as np
import pytest

from tests.weps.builders import analysis_of, document
from weps.coreference import BoostedTrees, Classifier, DecisionTree, Ruled
from weps.coreference.reasons import Effect, Step
from weps.explaining.evidence import Evidence
from weps.explaining.pairs import explained
from weps.forms import Origin
from weps.model import Model
from weps.people import ExplainedPair
from weps.similarity import PairTable, pair_table, similarity
from weps.stopping import Threshold

PROBABILITY = np.array([0.123456, 0.5, 1.0])


def table_of(*columns: str) -> PairTable:
    """Three pages with ranks 3, 5 and 9; the second shares words with both others."""
    pages = [
        document("tides moons", rank=3, title="Leeds"),
        document("moons maths tides", rank=5, title="Leeds"),
        document("maths", rank=9, title="York"),
    ]
    return pair_table(analysis_of(*pages), list(map(similarity, columns)))


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


def model(table: PairTable, classifier: Classifier) -> Model:
    return Model(table.similarities, classifier, "average", dict.fromkeys(Origin, Threshold(0.5)))


def explain(table: PairTable, classifier: Classifier, *pairs: tuple[int, int]):
    return explained(pairs, table, model(table, classifier), PROBABILITY)


def test_many_trees_are_told_by_what_each_kind_of_evidence_adds():
    columns = ("dice(token)", "cosine(token)", "profile(dice(token))", "dice(title)")
    table = table_of(*columns, "profile(dice(title))")
    judge = boosted(
        stump(0, 0.0, -0.25, 1.0),
        stump(1, 0.0, 0.0, 0.5),
        stump(2, 0.0, 0.0, 0.25),
        stump(3, 0.0, 0.0, -3.0),
    )
    first, second = explain(table, judge, (0, 1), (1, 2))
    assert first == ExplainedPair(
        pages=(3, 5),
        probability=0.1235,
        evidence=(
            Evidence("token", ("tides", "moons"), (2, 2)),
            Evidence("title", ("leeds",), (2,)),
        ),
        effects=(Effect("title", -3.0), Effect("token", 1.75), Effect("profile", 0.25)),
    )
    assert second.pages == (5, 9)
    assert second.probability == 1.0
    assert second.effects == (Effect("token", 1.75), Effect("profile", 0.25))
    assert second.evidence == (Evidence("token", ("maths",), (2,)),)


def test_one_tree_is_told_by_its_path():
    table = table_of("dice(title)", "dice(token)")
    data = stump(1, 0.12345678, 0.25, 0.87654321)
    tree = DecisionTree.from_data({**data, "probability": data["value"]}, 2)
    shared, none = explain(table, tree, (0, 1), (0, 2))
    assert shared.steps == (Step(1, 0.8, 0.123457, 0.876543),)
    assert none.steps == (Step(1, 0.0, 0.123457, 0.25),)
    assert shared.effects == none.effects == none.evidence == ()


def test_of_a_tree_under_rules_path_and_effects_are_told():
    table = table_of("dice(title)", "dice(token)")
    data = stump(0, 0.5, 0.5, 0.5)
    tree = DecisionTree.from_data({**data, "probability": data["value"]}, 1)
    judge = Ruled(tree, np.array([1], np.int32), np.array([0], np.int32), np.array([2.0]))
    (pair,) = explain(table, judge, (0, 1))
    assert pair.steps == (Step(1, 0.8, 0.5, 0.5),)
    assert pair.effects == (Effect("title", 2.0),)


@pytest.mark.parametrize(
    ("added", "told"),
    [
        ((0.044, 0.056, -0.044, -0.056), ["snippet", "url"]),
        ((1, -2, 3, -4, 5, -6, 7), ["email", "link", "content", "url", "token", "snippet"]),
        ((1,) * 7, ["title", "snippet", "token", "url", "content", "link"]),
    ],
)
def test_the_six_largest_effects_are_told_if_they_are_worth_it(added, told):
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
    table = pair_table(analysis_of(page, page), list(map(similarity, columns)))
    judge = boosted(*(stump(column, 0.0, 0.0, each) for column, each in enumerate(added)))
    (pair,) = explained([(0, 1)], table, model(table, judge), np.ones(1))
    assert [each.kind for each in pair.effects] == told


def test_what_a_user_said_stands_with_the_pair():
    table = table_of("dice(token)")
    judge = model(table, boosted(stump(0, 0.0, 0.0, 1.0)))
    pairs = explained([(0, 1), (1, 2)], table, judge, PROBABILITY, {(1, 2): "same"})
    assert [pair.said for pair in pairs] == ["", "same"]


def test_no_pairs_nothing_to_explain():
    assert explain(table_of("dice(token)"), boosted(stump(0, 0.0, 0.0, 1.0))) == []
