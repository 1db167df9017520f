from __future__ import annotations

import json
from collections.abc import Collection
from dataclasses import replace
from fractions import Fraction
from math import nan
from pathlib import Path

import numpy as np
import pytest

from tests.cases import each_case
from tests.eval.benchmark.conftest import FIRST, RIGHT, SECOND
from weps.coreference.classifiers import CLASSIFIERS
from weps.errors import FeatureError
from weps.reading import Origin, PageForm
from weps.records import Clustering
from weps.sources.base import Source
from weps.sources.corpora import clustering_xml
from weps.sources.opening import open_source
from weps.systems import parse_configuration, similarities_of
from weps.training import Example, ExampleAnswer, TrainingSettings, make_folds, read_examples
from weps_eval.benchmark import scoring
from weps_eval.benchmark.comparison import name_rows
from weps_eval.clustering.measures import MEASURES, scorer_for
from weps_eval.stats import Estimate


def test_answers_are_scored_beside_the_baselines(benchmark):
    scores = benchmark.scores
    assert list(scores) == [FIRST, SECOND, "all_in_one", "one_in_one", "combined"]
    assert scores[SECOND]["Ada"]["bcubed_f05"] == 1
    assert scores[FIRST] == scores["all_in_one"]
    (compared,) = benchmark.comparisons
    assert (compared.first, compared.second) == (FIRST, SECOND)
    assert (compared.difference.better, compared.difference.equal) == (1, 1)
    assert {*benchmark.calibration} == {FIRST, SECOND}
    assert scoring.judged_pairs(benchmark.examples.values()) == 2 * 6


def test_the_signature_states_how_the_answers_came_about(benchmark):
    assert "|scorer:weps2|" in benchmark.signature
    assert benchmark.signature.endswith("|cv:2|seed:3")
    tools = {"language": "weps_en-1", "encoder": "sha256-1"}
    signature = replace(benchmark, tools=tools).signature
    assert signature.endswith("|seed:3|language:weps_en-1|encoder:sha256-1")


def test_the_json_states_what_each_system_is_and_no_seconds(benchmark):
    text = json.dumps(benchmark.as_data(), allow_nan=False)
    data = json.loads(text)
    assert data["systems"][SECOND]["configuration"]["link"] == "average"
    assert data["systems"][SECOND]["similarities"] == {"pages": ["dice(title)"]}
    assert data["systems"][SECOND]["absent"] == {"pages": []}
    assert data["systems"][FIRST]["calibration"]["pages"]["forecasts"] == 8
    (comparison,) = data["comparisons"]
    assert (comparison["first"], comparison["second"]) == (FIRST, SECOND)
    assert (comparison["measure"], comparison["better"]) == ("bcubed_f05", 1)
    assert data["forms"] == {"Ada": "pages", "Bea": "pages"}
    assert "learning" not in text
    trials = {name: replace(each, learning=9.0) for name, each in benchmark.trials.items()}
    assert json.dumps(replace(benchmark, trials=trials).as_data()) == text


def test_every_name_counts_the_same():
    examples, answers = {}, {}
    for name, pages in (("Ada", 2), ("Bea", 10)):
        ranks, pairs = tuple(range(pages)), pages * (pages - 1) // 2
        key, share = Clustering((frozenset(ranks),)), 1 / pages
        examples[name] = Example(name, ranks, (), np.zeros((pairs, 0), np.float32), key)
        page, one = np.full(pages, share), np.array([share])
        answers[name] = ExampleAnswer(key, np.full(pairs, share), page, one)
    for each in scoring._summarise_calibration(examples, answers).values():
        assert each.measures["brier"].value == pytest.approx((0.5**2 + 0.9**2) / 2)


def test_what_the_keys_do_not_judge_is_left_out(benchmark):
    example = benchmark.examples["Ada"]
    single = Example("Ada", example.ranks, (), example.values, Clustering((frozenset({1}),)))
    some = scoring._summarise_calibration({"Ada": single}, {"Ada": RIGHT})
    assert set(some) == {"pages"}


def test_all_subjects_are_forecast(benchmark):
    # All pairs at .7, half of them coreferent; all pages at .6, three of four right; the one person
    # of each name, at .4, is two people.
    for subject, *expected in (
        ("pairs", 12, 0.29, 0.2),
        ("pages", 8, 0.21, 0.15),
        ("people", 2, 0.16, 0.4),
    ):
        summary = benchmark.calibration[FIRST][subject]
        values = [summary.measures[measure].value for measure in ("brier", "ece")]
        assert [summary.forecasts, *values] == pytest.approx(expected)
    data = benchmark.as_data()["systems"][FIRST]["calibration"]
    assert data["pairs"]["slope"] == {"value": None, "interval": None}
    assert data["pairs"]["forecasts"] == 12
    assert data["pages"]["brier"]["interval"] == pytest.approx([0.21, 0.21])


def scores(**names: float) -> dict[str, dict[str, float]]:
    return {name: dict.fromkeys(MEASURES, value) for name, value in names.items()}


SYSTEMS = {"tree": scores(Ada=0.5, Bea=1.0), "base": scores(Ada=0.25, Bea=0.25)}


def test_the_names_table_ends_in_mean_and_standard_error():
    assert name_rows(SYSTEMS) == [
        ["tree", "BEP", "BER", "F0.5", "F0.5 base"],
        ["Ada", "0.50", "0.50", "0.50", "0.25"],
        ["Bea", "1.00", "1.00", "1.00", "0.25"],
        ["mean", "0.75", "0.75", "0.75", "0.25"],
        ["standard error", "0.25", "0.25", "0.25", "0.00"],
    ]


THREE = scoring.Systems.parse(
    ["paper:features=token+title", "paper:features=title", "paper:features=link"]
)


def test_what_pages_lack_is_stated():
    assert list(scoring.missing_feature_lines(THREE, {PageForm.PAGES: 3})) == []
    assert list(
        scoring.missing_feature_lines(THREE, {PageForm.TOKENS: 2, PageForm.RESULTS: 1})
    ) == [
        "not used for tokens (2 names): link, token(local=true)",
        "  paper:features=link has nothing to compare tokens by",
        "not used for results (1 name): link, token, token(local=true)",
        "  paper:features=link has nothing to compare results by",
    ]


@pytest.mark.parametrize("subject", ["pairs", "pages"])
def test_each_system_has_its_calibration(benchmark, subject, monkeypatch):
    monkeypatch.setattr("weps_eval.report.charts.has_matplotlib", lambda: False)
    summaries = benchmark.calibration[FIRST]
    measures = dict.fromkeys(summaries[subject].measures, Estimate(nan, nan, nan))
    figures = {"slope": Estimate(-0.25, -0.5, -0.001), "ece": Estimate(0.5, nan, nan)}
    summary = replace(summaries[subject], measures=measures | figures)
    changed = replace(benchmark)
    changed.__dict__["calibration"] = benchmark.calibration | {FIRST: {subject: summary}}
    made = scoring.build_document(changed, "weps")
    (table,) = (each for each in made.tables() if each.key == f"calibration-of-{subject}")
    assert table.rows[0] == [subject, FIRST, SECOND]
    assert len(table.rows) == 1 + len(measures)
    cells = {row[0]: row[1] for row in table.rows}
    assert cells["calibration slope"] == "−0.250 (−0.500 to −0.001)"
    assert (cells["ECE, bins of equal count"], cells["Brier score"]) == ("0.500 (–)", "–")


def test_reliability_is_drawn_of_both_systems(benchmark):
    pytest.importorskip("matplotlib")
    figures = {each.key: each for each in scoring.build_document(benchmark, "weps").figures()}
    scatter = figures.pop("precision-recall")
    assert FIRST in scatter.alt
    assert [*figures] == [f"reliability-of-{each}" for each in ("pairs", "pages", "people")]
    assert all(each.svg and FIRST in each.alt and SECOND in each.alt for each in figures.values())
    assert figures["reliability-of-pairs"].alt.startswith(
        "Probability that two pages are about one person. Against the forecast probability, in "
        "bins, the share that happened: paper: forecasts from 0.70 to 0.70, shares from 0.50 to "
        "0.50, farthest off at 0.70, of which 0.50 happened; paper:features=title"
    )


def test_the_circumstances_in_words(benchmark):
    told = scoring.build_document(benchmark, "weps", drawn=False).summary[0]
    assert told.startswith(
        "Answered for: 2 names of saved pages, 12 pairs; available of the pages: whole pages. "
        "Learnt from: the other names. "
    )
    forms = {"Ada": PageForm.PAGES, "Bea": PageForm.RESULTS}
    changed = replace(benchmark, corpus=replace(benchmark.corpus, forms=forms))
    told = scoring.build_document(changed, "weps", drawn=False).summary[0]
    assert "pages: whole pages (1 name), search results only (1 name). Learnt" in told


def test_tables_show_what_systems_cost_and_score(benchmark, monkeypatch):
    monkeypatch.setattr("weps_eval.report.charts.has_matplotlib", lambda: False)
    made = scoring.build_document(benchmark, "weps")
    tables = {each.key: each.rows for each in made.tables()}
    baselines = ["all_in_one", "one_in_one", "combined"]
    heading, *rows = tables["systems"]
    assert heading[-3:] == ["±F0.5", "learning s", "answering s"]
    assert [row[0] for row in rows] == [FIRST, SECOND, *baselines]
    assert [row[-2:] for row in rows[:3]] == [["1.2", "0.5"], ["2.0", "0.2"], ["–", "–"]]
    _, bea, ada = tables["hardest"]
    assert ada == ["Ada", "4", "2", "2", "1.00", "1.00", "1.00"]
    assert (bea[:4], bea[-1]) == (["Bea", "4", "2", "1"], "1.00")


def figures_by_page(benchmark: scoring.Benchmark) -> list[str]:
    """F0.5, BEP and BER as the paper has them, page by page in exact arithmetic."""
    rows = []
    for name, example in benchmark.examples.items():
        answer = benchmark.trials[FIRST].answers[name].clustering.groups
        key = {page: group for group in example.key.groups for page in group}
        pairs = [(group, key[page]) for group in answer for page in group]
        precision = Fraction(sum(Fraction(len(a & k), len(a)) for a, k in pairs), len(pairs))
        recall = Fraction(sum(Fraction(len(a & k), len(k)) for a, k in pairs), len(pairs))
        rows.append((2 / (1 / precision + 1 / recall), precision, recall))
    means = (float(sum(column) / len(rows)) for column in zip(*rows, strict=True))
    return [f"{mean + 1e-9:.2f}" for mean in means]  # halves are rounded up


def example(*groups: set[int], pages: int = 4, name: str = "Ada") -> Example:
    key = Clustering(tuple(map(frozenset, groups)))
    values = np.zeros((pages * (pages - 1) // 2, 0), dtype=np.float32)
    return Example(name, tuple(range(1, pages + 1)), (), values, key)


@each_case(
    ("key", "answer", "right"),
    [
        ([{1, 2}, {3, 4}], [{1, 2}, {3, 4}], {1: 1, 2: 1, 3: 1, 4: 1}),
        ([{1, 2}, {3, 4}], [{1, 2, 3}, {4}], {1: 0, 2: 0, 3: 0, 4: 0}),
        ([{1, 2}, {3, 4}], [{1}, {2}, {3, 4}], {1: 0, 2: 0, 3: 1, 4: 1}),
        ([{1, 2}, {3, 4}], [{4, 2}, {3, 1}], {1: 0, 2: 0, 3: 0, 4: 0}),
        ([{1, 2}, {4}], [{1, 2, 3, 4}], {1: 0, 2: 0, 4: 0}),  # the key leaves out 3
    ],
)
def test_a_page_is_right_where_most_others_are_of_its_person(key, answer, right):
    judged, found = scoring._judge_answer(example(*key), Clustering(tuple(map(frozenset, answer))))[
        "pages"
    ]
    ranks = np.flatnonzero(judged) + 1
    assert dict(zip(ranks.tolist(), found[judged].tolist(), strict=True)) == right


def test_without_evidence_every_page_is_alone_and_forecasts_are_the_shares_of_training():
    training = [example({1, 2}, {3, 4}), example({1}, {2}, pages=2)]
    found = scoring._answer_without_evidence(training, [example({1, 2, 3}, pages=3, name="Bea")])
    assert list(found) == ["Bea"]
    assert set(found["Bea"].clustering.groups) == {frozenset({rank}) for rank in (1, 2, 3)}
    assert found["Bea"].probability == pytest.approx([(2 + 1) / (7 + 2)] * 3)
    assert found["Bea"].page_confidence == pytest.approx([(2 + 1) / (6 + 2)] * 3)


SETTINGS = TrainingSettings()
PAPER, BOOSTED = (
    parse_configuration("paper"),
    parse_configuration("default:features=non-linguistic,copies=0"),
)
PLAIN = similarities_of("non-linguistic")
TRADES = {"baker": "bread oven flour dough crust", "sailor": "ship sail harbour rope tide"}


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Source:
    """Six names with a baker and a sailor each, three pages of either, and a key."""
    root = tmp_path_factory.mktemp("corpus")
    for first in ("Ada", "Bea", "Cleo", "Dora", "Ella", "Fay"):
        write_name(root / f"{first}_Lovell", first)
    return open_source(root)


def write_name(folder: Path, first: str) -> None:
    folder.mkdir()
    for rank in range(1, 7):
        trade = "baker" if rank <= 3 else "sailor"
        own = " ".join(f"{word}{first.lower()}" for word in TRADES[trade].split())
        text = f"<title>{first} Lovell</title><p>{first} Lovell, {own}.<p>Page{rank} of many."
        (folder / f"{rank:03}.html").write_text(text)
    key = Clustering((frozenset({1, 2, 3}), frozenset({4, 5, 6})))
    (folder / "key.xml").write_text(clustering_xml(key), "utf-8")


def load(
    corpus: Source, similarities: scoring.Columns, forms: Collection[PageForm] | None = None
) -> dict[str, dict[PageForm, Example]]:
    return {name: read_examples(name, corpus, similarities, forms) for name in corpus.names}


def of_origin(name: str, origin: Origin = Origin.SEARCH) -> Example:
    return Example(name, (), (), np.zeros((0, 0), np.float32), Clustering(()), origin)


@pytest.mark.parametrize("chosen", [PAPER, BOOSTED])
def test_people_who_differ_clearly_are_separated(corpus, chosen, monkeypatch):
    for grower in CLASSIFIERS.values():
        monkeypatch.setitem(grower.choices, "leaf", 3)
    examples = [by_form[PageForm.PAGES] for by_form in load(corpus, PLAIN).values()]
    parts = make_folds(len(examples), 3, seed=0)
    trial = scoring.evaluate_parts(examples, PLAIN, parts, chosen, SETTINGS)
    answers = {name: each.clustering for name, each in trial.answers.items()}
    assert set(answers) == set(corpus.names)
    scores = scoring.score_answers(answers, corpus, scorer_for(corpus))
    assert [each["bcubed_f05"] for each in scores.values()] == pytest.approx([1.0] * 6)
    assert trial.learning > 0


def test_no_name_is_answered_by_what_it_has_taught(monkeypatch):
    taught: list[set[str]] = []
    examples = [of_origin(str(number)) for number in range(7)]

    def watched(rest: list[Example], unseen: list[Example], *_: object) -> scoring.Trial:
        taught.append({each.name for each in rest})
        given = ExampleAnswer(Clustering(()), *np.zeros((3, 0)))
        return scoring.Trial({each.name: given for each in unseen}, 1.0, 0.5)

    monkeypatch.setattr("weps_eval.benchmark.scoring.evaluate_transfer", watched)
    parts = make_folds(7, 3, seed=0)
    trial = scoring.evaluate_parts(examples, PLAIN, parts, PAPER, SETTINGS)
    names = [{str(number) for number in part} for part in parts]
    assert [set(trial.answers) - each for each in taught] == names
    assert all(len(each) in (4, 5) for each in taught)
    assert (trial.learning, trial.answering) == (3.0, 1.5)


def test_without_similarities_no_pages_are_put_together(corpus):
    held = [by_form[PageForm.PAGES] for by_form in load(corpus, ()).values()]
    trial = scoring.evaluate_parts(held, (), make_folds(len(held), 3, seed=0), PAPER, SETTINGS)
    alone = {frozenset([rank]) for rank in range(1, 7)}
    answered = {name: set(each.clustering.groups) for name, each in trial.answers.items()}
    assert answered == dict.fromkeys(corpus.names, alone)


def test_a_form_has_features_and_choices_of_its_own():
    own = "paper:features=token,results.features=title,results.link=average"
    systems = scoring.Systems.parse(
        [own, "paper:features=token", "paper:features=title,link=average"]
    )
    assert [str(each) for each in systems.wanted[own]] == [
        *("dice(token)", "dice(token(local=true))", "dice(title)")
    ]
    assert [str(each) for each in systems.used(PageForm.TOKENS)[own]] == ["dice(token)"]
    assert [str(each) for each in systems.missing(PageForm.RESULTS)[own]] == []
    assert {*map(str, systems.union)} == {*map(str, systems.wanted[own])}


def test_what_cannot_be_read_is_named():
    for text, fault in (("paper:features=tokne", "tokne"), ("papre", "papre")):
        with pytest.raises(FeatureError, match=f"'{fault}'"):
            scoring.Systems.parse(["paper", text]).wanted  # noqa: B018 - features are read when needed
