from dataclasses import fields, replace
from math import nan

import pytest

from tests.cases import each_case
from tests.eval.benchmark.conftest import FIRST, SECOND
from weps.page_forms import PageForm
from weps.systems import parse_configuration
from weps_eval.benchmark.report import (
    COUNTERPARTS,
    PAPER_PROTOCOL,
    TABLE_2,
    EvaluationProtocol,
    build_document,
    missing_feature_lines,
    paper_counterparts,
    protocol_differences,
    protocol_of,
    table_2,
)
from weps_eval.benchmark.scoring import Results, score_benchmark
from weps_eval.benchmark.trials import systems_of
from weps_eval.clustering.measures import MEASURES
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
def test_every_section_is_there_and_all_files_are_written(outcome, tmp_path):
    made = build_document(score_benchmark(outcome), "weps benchmark --cv 2")
    assert [each.title for each in made.sections] == [
        "The systems",
        "Beside the paper",
        "Probabilities of pairs",
        "Probabilities of pages",
        "Probabilities of people",
        "Name by name",
    ]
    assert made.signature.endswith("|cv:2|seed:3")
    written = {path.name for path in write_document(made, tmp_path)}
    assert {"index.html", "systems.csv", "differences.csv", "names.md", "hardest.csv"} <= written


@pytest.mark.parametrize("subject", ["pairs", "pages"])
def test_each_system_has_its_calibration(outcome, subject, monkeypatch):
    monkeypatch.setattr("weps_eval.benchmark.report.has_matplotlib", lambda: False)
    scored = score_benchmark(outcome)
    unknown = Estimate(nan, nan, nan)
    figures = {"slope": Estimate(-0.25, -0.5, -0.001), "mce": Estimate(0.5, nan, nan)}
    measures = dict.fromkeys(scored.calibration[FIRST][subject].measures, unknown) | figures
    found = {FIRST: {subject: replace(scored.calibration[FIRST][subject], measures=measures)}}
    made = build_document(replace(scored, calibration={**scored.calibration, **found}), "weps")
    (table,) = (each for each in made.tables() if each.key == f"calibration-of-{subject}")
    assert table.rows[0] == ["", FIRST, SECOND]
    assert len(table.rows) == 1 + len(measures)
    cells = {row[0]: row[1] for row in table.rows}
    assert cells["calibration slope"] == "−0.250 (−0.500 to −0.001)"
    assert (cells["MCE"], cells["log loss"]) == ("0.500 (–)", "–")


@pytest.mark.parametrize("drawn", [True, False])
def test_reliability_is_drawn_if_matplotlib_is_there(outcome, drawn, monkeypatch):
    monkeypatch.setattr("weps_eval.benchmark.report.has_matplotlib", lambda: drawn)
    monkeypatch.setattr(
        "weps_eval.benchmark.report.plot_reliability", lambda systems, _: [*systems]
    )
    made = build_document(score_benchmark(outcome), "weps")
    pictures = {each.key: each.picture for each in made.figures()}
    expected = [FIRST, SECOND] if drawn else None
    assert pictures == {f"reliability-of-{each}": expected for each in ("pairs", "pages", "people")}


def test_a_single_system_that_stands_for_none_is_compared_with_nothing(outcome, monkeypatch):
    monkeypatch.setattr("weps_eval.benchmark.report.has_matplotlib", lambda: False)
    name = "paper:link=average"
    alone = replace(outcome, systems=systems_of([name]), trials={name: outcome.trials[FIRST]})
    made = build_document(score_benchmark(alone), "weps")
    assert "Beside the paper" not in [each.title for each in made.sections]
    assert "differences" not in [each.key for each in made.tables()]


def test_the_circumstances_in_words(outcome):
    assert protocol_of(outcome) == EvaluationProtocol(
        answered_for="2 names of saved pages, 12 pairs",
        learnt_on="the other names",
        pages="whole pages",
        similarities="19 in ML-NON LING",
        not_used="none",
    )
    forms = {"Ada": PageForm.PAGES, "Bea": PageForm.RESULTS}
    found = protocol_of(replace(outcome, corpus=replace(outcome.corpus, forms=forms)))
    assert found.pages == "whole pages (1 name), search results only (1 name)"
    assert found.not_used == "15 of 19 similarities for results"


def test_tables_show_what_systems_are_cost_and_score(outcome, monkeypatch):
    monkeypatch.setattr("weps_eval.benchmark.report.has_matplotlib", lambda: False)
    made = build_document(score_benchmark(outcome), "weps")
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


def test_the_figures_are_f_of_about_their_precision_and_recall():
    # The mean of F is not F of the means, but no system is far from it.
    for line in TABLE_2:
        f = 2 * line.precision * line.recall / (line.precision + line.recall)
        assert line.f05 == pytest.approx(f, abs=0.075)
    assert COUNTERPARTS.keys() <= {line.system for line in TABLE_2}


def test_ours_stand_beside_those_that_they_stand_for():
    systems = {"ours": 0.5, "with all": 0.25, "all_in_one": 1.0}
    figures = Results(
        "how", {name: {"Ada": dict.fromkeys(MEASURES, value)} for name, value in systems.items()}
    )
    rows = table_2(figures, {"ML-NON LING": "ours", "ML-ALL": "with all"})
    assert {len(row) for row in rows} == {8}
    beside = {row[0]: row[1:] for row in rows}
    assert beside["ML-NON LING"] == ["0.83", "0.91", "0.77", "ours", "0.50", "0.50", "0.50"]
    assert beside["ML-ALL"][3:] == ["with all", "0.25", "0.25", "0.25"]
    assert beside["S-1"][3:] == [""] * 4
    assert len(rows) == 1 + len(TABLE_2)
    assert table_2(figures, {})[3] == ["ML-ALL", "0.81", "0.89", "0.76", "", "", "", ""]


@each_case(
    ("texts", "found"),
    [
        (["default"], {}),
        (["paper", "default"], {"ML-NON LING": "paper"}),
        (["paper:features=all"], {"ML-ALL": "paper:features=all"}),
        (
            ["paper:features=non-linguistic", "paper"],
            {"ML-NON LING": "paper:features=non-linguistic"},
        ),
        (["paper:link=average", "paper:features=all,copies=1"], {}),
    ],
)
def test_only_the_paper_s_configurations_stand_for_its_systems(texts, found):
    assert paper_counterparts({text: parse_configuration(text) for text in texts}) == found


@each_case("field", [field.name for field in fields(EvaluationProtocol)])
def test_only_what_differs_is_listed(field):
    heading, row = protocol_differences(replace(PAPER_PROTOCOL, **{field: "something else"}))
    assert heading == ["what differs", "here", "paper"]
    assert row == [field.replace("_", " "), "something else", getattr(PAPER_PROTOCOL, field)]
