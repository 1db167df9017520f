import pytest

from eval.refinement_study.looked_up import looked_up
from tests.weps.builders import analysis_of
from weps.refinement import attribute_bags

PAGES = ["He leads Acme Tools, York", "the acme-tools of York", "Acme and tools", "York"]


def found(values: dict[int, list[str]], rows: list[int], *pages: str) -> tuple | None:
    analysis = analysis_of(*pages)
    ranks = [page.rank for page in analysis.documents]
    attributes = {rank: {"work": several} for rank, several in values.items()}
    bags = list(attribute_bags(ranks, attributes).values())
    (best,) = looked_up(analysis, bags, [rows])
    return best and (best.hits, best.returned, set(best.strings))


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ({1: ["Acme Tools"]}, (2, 2, {"acme tools"})),
        ({1: ["Acme Tools"], 2: ["York"]}, (2, 2, {"acme tools"})),
        ({2: ["York"]}, (2, 3, {"york"})),
        ({1: ["Acme"], 2: ["tools"]}, (2, 3, {"acme", "tools"})),
        ({1: ["Whitby"]}, None),
        ({4: ["Acme Tools"]}, None),
        ({}, None),
    ],
)
def test_results_are_the_pages_whose_text_has_the_value(values, expected):
    assert found(values, [0, 1], *PAGES) == expected


def test_lists_of_words_have_only_some_words_of_a_value():
    pages = ["professor greek history", "greek professor", "tide"]
    assert found({1: ["Professor of Greek Histories"]}, [0], *pages) == (
        1,
        1,
        {"professor of greek histories"},
    )


def test_values_of_which_lists_of_words_keep_nothing_are_no_candidates():
    assert found({1: ["1944"]}, [0], "born york", "tide") is None
    assert found({1: ["1944"]}, [0], "Born 1944 in York", "tide") == (1, 1, {"1944"})
