import re

import pytest

from eval.ranking.pwa import auc, max_pwa
from eval.report.tables import Table
from eval.studies.features.findings import Findings, Plan, compute_findings
from eval.studies.features.tables import (
    PANELS,
    additions_table,
    bounds_table,
    counts_row,
    gains_table,
    groups_table,
    precision_table,
    rankings_table,
    redundancy_table,
)
from eval.studies.features.trees import cross_validate_trees
from tests.eval.studies.features.made_up import SMALL, made, noisy, small_findings
from weps.features.registry import all_features, feature_by_name
from weps.systems import FEATURE_SETS

SHOWN = {panel.key: {str(each) for each in all_features() if panel.holds(each)} for panel in PANELS}


@pytest.mark.parametrize(
    ("name", "keys"),
    [
        ("token", {"figure-1"}),
        ("token(local=true)", {"figure-1"}),
        ("title", {"figure-1"}),
        ("lemma", {"figure-1"}),
        ("ngram(n=2)", {"figure-2"}),
        ("ngram(n=2, local=true)", set()),
        ("phrase", {"figure-2"}),
        ("capitalised", {"figure-3", "figure-4"}),
        ("entity(type=person, local=true)", {"figure-3"}),
        ("fine_entity(type=time)", {"figure-4"}),
        ("fine_entity(type=time, local=true)", set()),
        ("linked", {"gazetteers-and-links"}),
        ("gazetteer(list=place)", {"gazetteers-and-links"}),
    ],
)
def test_panels_of_a_feature(name: str, keys: set[str]) -> None:
    assert {key for key, shown in SHOWN.items() if str(feature_by_name(name)) in shown} == keys


def test_no_panel_is_empty_and_no_two_are_called_alike() -> None:
    assert len(SHOWN) == len(PANELS)
    assert all(len(each) > 1 for each in SHOWN.values())


def test_every_feature_of_the_paper_and_the_whole_page_is_in_a_panel() -> None:
    of_paper = FEATURE_SETS["all"].features()
    whole_page = {str(each) for each in of_paper if not each.parameters.get("local")}
    assert whole_page <= set.union(*SHOWN.values())


SEVERAL, ONE_GROUP = small_findings(), small_findings(groups=1)
ONE_MEASURE = small_findings(("only",), 2)
STUDIES = pytest.mark.parametrize("found", [SEVERAL, ONE_GROUP, ONE_MEASURE])


def tables_of(found: Findings) -> list[Table]:
    return [
        rankings_table(found, "topic"),
        precision_table(found),
        redundancy_table(found, "topic"),
        bounds_table(found, "topic"),
        additions_table(found.search),
        gains_table(found.search),
        groups_table(found, "topic"),
    ]


def leading(table: Table, column: int) -> list[float]:
    """The numbers that the cells of a column begin with."""
    cells = [row[column].split()[0] for row in table.rows[1:]]
    return [float(cell.replace("−", "-")) for cell in cells]


@STUDIES
def test_tables_have_one_shape_and_keys_of_their_own(found: Findings) -> None:
    tables = tables_of(found)
    assert len({each.key for each in tables}) == len(tables)
    for each in tables:
        assert len({len(row) for row in each.rows}) == 1
        assert len(set(each.rows[0])) == len(each.rows[0])
        assert 1 <= each.left <= len(each.rows[0])


@STUDIES
def test_nothing_in_a_table_is_no_number(found: Findings) -> None:
    for table in tables_of(found):
        assert not [cell for row in table.rows for cell in row if re.search(r"\bnan\b", cell)]


@pytest.mark.parametrize(
    ("place", "column", "rows"),
    [(0, 1, 4), (2, 1, 3), (3, 4, len(SEVERAL.bounds)), (5, 1, 4)],
    ids=["rankings", "redundancy", "bounds", "gains"],
)
def test_rows_stand_best_first(place: int, column: int, rows: int) -> None:
    figures = leading(tables_of(SEVERAL)[place], column)
    assert len(figures) == rows
    assert figures == sorted(figures, reverse=True)


def test_the_base_is_ahead_of_itself_by_nothing() -> None:
    heading, *rows = rankings_table(SEVERAL, "topic").rows
    (base,) = (row for row in rows if row[0] == "m0")
    assert heading[2] == "ahead of m0"
    assert base[2] == "+0.000 (+0.000 to +0.000)"


def test_redundancy_leaves_the_base_out_and_its_shares_add_up() -> None:
    table = redundancy_table(SEVERAL, "topic")
    assert {row[0] for row in table.rows[1:]} == {"m1", "m2", "m3"}
    for parts in zip(*(leading(table, column) for column in (1, 2, 3)), strict=True):
        assert sum(parts) == pytest.approx(100, abs=0.16)


def test_groups_stand_hardest_first_with_figures_of_their_own() -> None:
    heading, *rows = groups_table(SEVERAL, "topic").rows
    assert heading[3] == "AUC of m0"
    some, trees = SEVERAL.tested, SEVERAL.bound_of_all.tree_auc.by_group
    hardness = []
    for name, instances, positive, alone, bound, judged in rows:
        place = some.groups.index(name)
        part = some.of(some.group == place)
        sides = part.values[:, part.positive], part.values[:, ~part.positive]
        hardness.append(auc(sides[0][0], sides[1][0]))
        assert instances == "20"
        assert positive == f"{100 * part.positive.mean():.1f} %"
        figures = [hardness[-1], max_pwa(*sides), trees[place]]
        assert [alone, bound, judged] == [f"{figure:.3f}" for figure in figures]
    assert len(rows) == len(some.groups)
    assert hardness == sorted(hardness)


def test_a_group_whose_instances_are_alike_stands_last_with_dashes() -> None:
    values = [[3, 1, 2, 5, 1, 4, 2, 3]]
    alike = [True, True, True, False, False, True, False, True]
    some = made(values, alike, [0, 0, 1, 1, 2, 2, 3, 3])
    found = compute_findings(
        some, some, lambda _: cross_validate_trees(some, SMALL), Plan("m0", (), 0, 0, 0)
    )
    rows = groups_table(found, "topic").rows[1:]
    assert [row[0] for row in rows] == ["g1", "g2", "g3", "g0"]
    assert rows[-1] == ["g0", "2", "100.0 %", "–", "–", "–"]


def test_a_single_group_has_figures_without_brackets() -> None:
    for table in tables_of(ONE_GROUP):
        assert not [cell for row in table.rows[1:] for cell in row[2:] if " to " in cell]


def test_steps_of_the_search_grow_from_one() -> None:
    table = additions_table(SEVERAL.search)
    assert [row[0] for row in table.rows[1:]] == ["1", "2", "3", "4"]
    assert [bool(row[-1]) for row in table.rows[1:]] == [False, True, False, False]
    figures = leading(table, 2)
    assert figures == sorted(figures)


def test_precision_is_interpolated_so_it_never_rises() -> None:
    heading, *rows = precision_table(SEVERAL).rows
    assert heading == ["recall", *(f"{tenth / 10:.1f}" for tenth in range(1, 11))]
    for row in rows:
        figures = [float(cell) for cell in row[1:] if cell != "–"]
        assert figures == sorted(figures, reverse=True)


def test_counts_are_positive_negative_all_and_groups() -> None:
    some = noisy(groups=3, size=400)
    positive = int(some.positive.sum())
    assert counts_row("both", some) == ["both", str(positive), str(1200 - positive), "1,200", "3"]
