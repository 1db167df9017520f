from dataclasses import replace
from math import nan

import pytest

from tests.cases import each_case
from tests.eval.benchmark.conftest import FIRST, SECOND
from weps.page_forms import PageForm
from weps_eval.benchmark.report import (
    build_document,
    missing_feature_lines,
    paper_tables,
    protocol_of,
)
from weps_eval.benchmark.trials import systems_of
from weps_eval.report.document import write_document
from weps_eval.stats.estimate import Estimate

SYSTEMS = systems_of(["paper:features=token+title", "paper:features=title", "paper:features=link"])


def test_what_pages_lack_and_what_that_makes_equal_is_stated():
    assert list(missing_feature_lines(SYSTEMS, {PageForm.PAGES: 3})) == []
    assert list(missing_feature_lines(SYSTEMS, {PageForm.TOKENS: 2, PageForm.RESULTS: 1})) == [
        "not used for tokens (2 names): link, token(local=true)",
        "  paper:features=link has nothing to compare tokens by",
        "not used for results (1 name): link, token, token(local=true)",
        "  paper:features=link has nothing to compare results by",
        "  paper:features=token+title = paper:features=title for results: the same 1 similarities",
    ]


def test_a_feature_is_never_broken_over_lines():
    lines = list(missing_feature_lines(systems_of(["paper"]), {PageForm.RESULTS: 1}))
    assert max(map(len, lines)) <= 100
    assert " ".join(line.strip() for line in lines).count("ngram(n=5, local=true)") == 1
    assert any("ngram(n=5, local=true)" in line for line in lines)


@pytest.mark.slow
def test_every_section_is_there_and_all_files_are_written(benchmark, tmp_path):
    made = build_document(benchmark, "weps benchmark --cv 2")
    assert [each.title for each in made.sections] == [
        "The systems",
        "Beside the paper",
        "Probabilities of pairs",
        "Probabilities of pages",
        "Probabilities of people",
        "Name by name",
    ]
    assert made.signature.endswith("|cv:2|seed:3")
    written = {path.name for path in write_document(made, tmp_path, files=True)}
    assert {"index.html", "systems.csv", "differences.csv", "names.csv", "hardest.csv"} <= written


@pytest.mark.parametrize("subject", ["pairs", "pages"])
def test_each_system_has_its_calibration(benchmark, subject, monkeypatch):
    monkeypatch.setattr("weps_eval.report.charts.has_matplotlib", lambda: False)
    summaries = benchmark.calibration[FIRST]
    measures = dict.fromkeys(summaries[subject].measures, Estimate(nan, nan, nan))
    figures = {"slope": Estimate(-0.25, -0.5, -0.001), "mce": Estimate(0.5, nan, nan)}
    summary = replace(summaries[subject], measures=measures | figures)
    changed = replace(benchmark)
    changed.__dict__["calibration"] = benchmark.calibration | {FIRST: {subject: summary}}
    made = build_document(changed, "weps")
    (table,) = (each for each in made.tables() if each.key == f"calibration-of-{subject}")
    assert table.rows[0] == ["", FIRST, SECOND]
    assert len(table.rows) == 1 + len(measures)
    cells = {row[0]: row[1] for row in table.rows}
    assert cells["calibration slope"] == "−0.250 (−0.500 to −0.001)"
    assert (cells["MCE"], cells["log loss"]) == ("0.500 (–)", "–")


def test_reliability_is_drawn_of_both_systems(benchmark):
    pytest.importorskip("matplotlib")
    figures = {each.key: each for each in build_document(benchmark, "weps").figures()}
    assert [*figures] == [f"reliability-of-{each}" for each in ("pairs", "pages", "people")]
    assert all(each.svg and FIRST in each.alt and SECOND in each.alt for each in figures.values())


def test_a_single_system_that_stands_for_none_is_compared_with_nothing(benchmark, monkeypatch):
    monkeypatch.setattr("weps_eval.report.charts.has_matplotlib", lambda: False)
    name = "paper:link=average"
    alone = replace(benchmark, systems=systems_of([name]), trials={name: benchmark.trials[FIRST]})
    made = build_document(alone, "weps")
    assert "Beside the paper" not in [each.title for each in made.sections]
    assert "differences" not in [each.key for each in made.tables()]


def test_the_circumstances_in_words_and_what_differs_from_the_paper_s(benchmark):
    circumstances = {
        "answered for": "2 names of saved pages, 12 pairs",
        "learnt on": "the other names",
        "pages": "whole pages",
        "similarities": "19 in ML-NON LING",
        "not used": "none",
    }
    assert protocol_of(benchmark) == circumstances
    _, (heading, *rows) = paper_tables(benchmark)
    assert heading == ["what differs", "here", "paper"]
    differing = ["answered for", "learnt on", "similarities"]
    assert [row[:2] for row in rows] == [[key, circumstances[key]] for key in differing]
    forms = {"Ada": PageForm.PAGES, "Bea": PageForm.RESULTS}
    changed = protocol_of(replace(benchmark, corpus=replace(benchmark.corpus, forms=forms)))
    assert changed["pages"] == "whole pages (1 name), search results only (1 name)"
    assert changed["not used"] == "15 of 19 similarities for results"


def test_tables_show_what_systems_are_cost_and_score(benchmark, monkeypatch):
    monkeypatch.setattr("weps_eval.report.charts.has_matplotlib", lambda: False)
    made = build_document(benchmark, "weps")
    tables = {each.key: each.rows for each in made.tables()}
    baselines = ["all_in_one", "one_in_one", "combined"]
    heading, *rows = tables["systems"]
    assert heading[-3:] == ["±F0.5", "learning s", "answering s"]
    assert [row[0] for row in rows] == [FIRST, SECOND, *baselines]
    assert [row[-2:] for row in rows[:3]] == [["1.2", "0.5"], ["2.0", "0.2"], ["–", "–"]]
    assert tables["configurations"] == [
        ["system", "features", "classifier", "link", "stop", "copies", "rules", "similarities"],
        [FIRST, "non-linguistic", "tree", "single", "threshold", "0", "none", "19"],
        [SECOND, "title", "tree", "average", "threshold", "0", "none", "1"],
    ]
    heading, ada, bea = tables["names"]
    assert heading == ["name", "pages", FIRST, SECOND, *baselines]
    assert (ada[:2], ada[3]) == (["Ada", "4"], "1.00")
    assert bea[2] == bea[3] == bea[4]
    _, bea, ada = tables["hardest"]
    assert ada == ["Ada", "4", "2", "2", "1.00", "1.00", "1.00"]
    assert (bea[:4], bea[-1]) == (["Bea", "4", "2", "1"], "1.00")


@each_case(
    ("texts", "ours"),
    [
        (["default"], None),
        (["paper", "default"], {"ML-NON LING": "paper"}),
        (["paper:features=all"], {"ML-ALL": "paper:features=all"}),
        (
            ["paper:features=non-linguistic", "paper"],
            {"ML-NON LING": "paper:features=non-linguistic"},
        ),
        (["paper:link=average", "paper:features=all,copies=1"], None),
    ],
)
def test_only_the_paper_s_configurations_stand_beside_its_systems(benchmark, texts, ours):
    trials = dict.fromkeys(texts, benchmark.trials[FIRST])
    tables = paper_tables(replace(benchmark, systems=systems_of(texts), trials=trials))
    assert (tables is None) == (ours is None)
    if tables:
        beside = {row[0]: row[1:] for row in tables[0]}
        assert {theirs: cells[3] for theirs, cells in beside.items() if cells[3]} == {
            "EMNLP 2009, table 2": "here",
            **ours,
        }
        assert beside["S-1"] == ["0.82", "0.87", "0.79", "", "", "", ""]
        (cells,) = (beside[theirs] for theirs in ours)
        assert cells[4:] == ["0.77", "0.63", "1.00"]
