"""Pages compared for programs: in their order, by columns too, with what answers rest on."""

import numpy as np
import pandas as pd
import pytest
from scipy.cluster.hierarchy import fcluster, is_valid_linkage
from scipy.spatial.distance import squareform

import weps
from tests.cases import each_case
from tests.weps.results.test_result import NAME, ROWS
from weps import pipeline
from weps._files import resource_path
from weps.errors import FeatureError, InputTypeError, InputValueError, SourceError
from weps.similarity import candidates

BORN, TOWNS = [1950, None, 1960, 1970], ["Port Merrow", "Hale", "Merrow", None]
COLUMNS = ["born", "town"]


def pages(order):
    rows = [*ROWS, ROWS[0] | {"url": "http://4.example/"}]
    known = zip(rows, BORN, TOWNS, strict=True)
    rows = [row | {"born": born, "town": town} for row, born, town in known]
    return pd.DataFrame([rows[at] | {"rank": at + 1} for at in order])


def test_pairs_are_in_the_order_of_the_pages_with_the_probabilities_of_explanations():
    order = [2, 0, 3, 1]
    pairs, answer = (
        weps.compare(pages(order), name=NAME, columns=COLUMNS),
        weps.cluster(pages(order)[[*ROWS[0], "rank"]], name=NAME),
    )
    assert pairs.ranks == (3, 1, 4, 2)
    frame = pairs.to_pandas()
    assert list(zip(frame["rank"], frame["other_rank"], strict=True)) == [
        *[(3, 1), (3, 4), (3, 2)],
        *[(1, 4), (1, 2), (4, 2)],
    ]
    for row in frame.itertuples():
        told = answer.explain(row.rank, row.other_rank).pair.probability
        assert row.probability == pytest.approx(told, abs=1e-4)
    assert frame["born"].tolist() == [0.5, 0.5, 0, 0, 0, 0]
    assert frame["dice(town)"].tolist() == [2 / 3, 0, 0, 0, 0, 0]
    np.testing.assert_array_equal(squareform(pairs.distances, checks=False), pairs.condensed)
    in_turn = weps.compare(pages(range(4)), name=NAME, columns=COLUMNS)
    np.testing.assert_allclose(in_turn.probabilities[np.ix_(order, order)], pairs.probabilities)
    for name, values in in_turn.similarities.items():
        np.testing.assert_allclose(
            squareform(values.astype(float))[np.ix_(order, order)],
            squareform(pairs.similarities[name].astype(float)),
            err_msg=name,
        )


def test_of_many_pages_only_candidates_have_similarities(monkeypatch):
    monkeypatch.setattr(pipeline, "MAX_COMPARED_PAGES", 10)
    monkeypatch.setattr(candidates, "NEIGHBOURS", 1)
    monkeypatch.setattr(candidates, "_DRAWN_PAIRS", 10)
    pairs = weps.compare(resource_path("demo"), features="token")
    assert len(pairs.first) == len(pairs.similarities["dice(token)"]) < 435
    assert pairs.condensed.shape == (435,)


@each_case(
    ("given", "kind", "message"),
    [
        ({"columns": "titel"}, InputValueError, "no page has titel; did you mean 'title'"),
        ({"features": "tokn"}, FeatureError, "did you mean 'token'"),
        (
            {"pages": [{"text": NAME, "when": pd.Timestamp("2026-01-01")}], "columns": ["when"]},
            *(InputTypeError, "when: expected texts or numbers"),
        ),
        ({"pages": "resources/demo", "columns": ["born"]}, InputTypeError, "expected pages"),
        ({"pages": pages(range(4)).iloc[:, [0, 0]]}, SourceError, "two columns have one name"),
    ],
)
def test_what_cannot_be_compared_is_told(given, kind, message):
    with pytest.raises(kind, match=message):
        weps.compare(**{"pages": ROWS, "name": NAME, **given})


def test_the_linkage_and_the_graph_of_an_answer_are_what_it_says():
    answer = weps.cluster(resource_path("demo")).correct("different", [1, 5])
    linkage, ranks = answer.linkage(), sorted(answer.clustering.ranks)
    assert is_valid_linkage(linkage)
    assert len(linkage) == len(ranks) - 1
    labels = fcluster(linkage, len(answer.people), "maxclust")
    groups = {frozenset(np.array(ranks)[labels == each].tolist()) for each in set(labels)}
    assert groups == set(answer.clustering.groups)
    graph = answer.to_networkx()
    for person in answer.people:
        near = set(graph[f"person-{person.id}"])
        assert {f"page-{page.rank}" for page in person.pages} <= near
