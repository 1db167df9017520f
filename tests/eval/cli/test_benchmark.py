"""Benchmarks over corpora in which not every name has its pages."""

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest

import run_weps
from tests.cases import each_case
from tests.eval.benchmark.made_up import run_of
from tests.eval.cli.conftest import NAMES, listed, write_weps2
from weps.systems import CONFIGURATIONS
from weps_eval.benchmark.runs import read_runs, write_run

SCHEMA = json.loads(
    (Path(run_weps.__file__).parent / "docs" / "schema" / "scores.schema.json").read_text()
)
BASELINES = {"all_in_one", "one_in_one", "combined"}


@pytest.fixture
def benchmark(tmp_path: Path):
    """Run a benchmark; its JSON, which keeps to the schema."""

    def run(*words: object) -> dict[str, Any]:
        out = tmp_path / "scores.json"
        command = ["--quiet", "benchmark", *map(str, words), "--json", str(out)]
        assert run_weps.main(command) == 0
        data: dict[str, Any] = json.loads(out.read_text())
        jsonschema.validate(data, SCHEMA)
        return data

    return run


def sets(*names: str) -> list[str]:
    return [word for name in names for word in ("--features", name)]


def of(features: str) -> str:
    return f"paper:features={features}"


def test_names_without_pages_learn_from_the_results_of_the_others(benchmark, mixed):
    data = benchmark("--cv", 2, mixed, *sets("non-linguistic"))
    assert set(data["systems"]) == {of("non-linguistic"), *BASELINES}
    assert set(data["systems"][of("non-linguistic")]["names"]) == set(NAMES)
    assert data["forms"] == dict.fromkeys(NAMES, "tokens") | {NAMES[0]: "results"}
    assert data["comparisons"] == []


def test_the_paper_s_system_and_ours_run_unless_others_are_asked_for(benchmark, results, capsys):
    data = benchmark("--cv", 2, results)
    assert set(data["systems"]) == {"paper", "default", *BASELINES}
    assert data["systems"]["default"]["configuration"] == CONFIGURATIONS["default"].as_data()
    assert data["systems"]["paper"]["calibration"]["pairs"]["forecasts"] == 90
    assert "calibration" not in data["systems"]["all_in_one"]
    (comparison,) = data["comparisons"]
    assert (comparison["first"], comparison["second"]) == ("paper", "default")
    out = capsys.readouterr().out
    assert "compared with paper" in out
    assert "EMNLP 2009, table 2" in out
    assert "6 names of WePS-2, 90 pairs" in out
    assert "search results only" in out
    assert "learning s" in out


def test_systems_come_before_feature_sets_in_the_order_of_the_command(benchmark, results):
    words = ["--features", "all", "--system", "paper", "--features", "non-linguistic"]
    data = benchmark("--cv", 2, results, *words)
    first, *others = ["paper", of("all"), of("non-linguistic")]
    assert [each["first"] for each in data["comparisons"]] == [first] * 2
    assert [each["second"] for each in data["comparisons"]] == others
    assert all(each["equal"] == len(NAMES) for each in data["comparisons"])


def test_mixed_names_are_learnt_from_and_answered(benchmark, results, capsys):
    words = ["--mixed", 8, 20, 30, "--system", "default:stop=expected-f-by-name"]
    data = benchmark("--cv", 2, results, *words)
    names = set(next(iter(data["systems"].values()))["names"])
    assert names > set(NAMES)
    # Four groups of one or two names; one of 30 pages is of three, so it is of both parts.
    assert {name.split("_")[-2] for name in names - set(NAMES)} == {"8", "20"}
    assert "|cv:2|mixed:8,20,30|seed:0" in data["signature"]
    out = capsys.readouterr().out
    assert "not mixed" in out
    assert "mixed, 8 pages" in out
    unmixed = benchmark("--cv", 2, results, *words, "--learn-unmixed")
    assert "|cv:2|seed:0" in unmixed["signature"]
    assert set(next(iter(unmixed["systems"].values()))["names"]) == names


def test_names_of_one_origin_are_answered_by_what_the_others_teach(benchmark, tmp_path, capsys):
    corpus = listed(write_weps2(tmp_path / "corpus", NAMES), NAMES[:2])
    data = benchmark("--cv", "origin", corpus, "--system", "paper")
    assert "|cv:origin|seed:0" in data["signature"]
    assert set(data["systems"]["paper"]["names"]) == set(NAMES)
    assert "the other names, by origin" in capsys.readouterr().out


def test_features_that_pages_lack_are_told(benchmark, mixed, capsys):
    data = benchmark("--cv", 2, mixed, *sets("tokens", "token+title"))
    system = data["systems"][of("token+title")]
    assert system["similarities"] == {
        "tokens": ["dice(token)", "dice(title)"],
        "results": ["dice(title)"],
    }
    assert system["absent"] == {
        "tokens": ["dice(token(local=true))"],
        "results": ["dice(token)", "dice(token(local=true))"],
    }
    out = capsys.readouterr().out
    assert "not used for tokens (5 names): token(local=true)\n" in out
    assert "not used for results (1 name): token, token(local=true)\n" in out
    assert "paper:features=tokens has nothing to compare results by" in out
    alone = data["systems"][of("tokens")]["names"][NAMES[0]]
    assert alone == data["systems"]["one_in_one"]["names"][NAMES[0]]


@pytest.mark.parametrize("order", [[0, 1, "--cv", 2], ["--cv", 2, 1, 0]])
def test_several_corpora_are_cross_validated_as_one(benchmark, halves, results, order):
    words = [halves[word] if word in (0, 1) else word for word in order]
    assert benchmark(*words, *sets("title")) == benchmark("--cv", 2, results, *sets("title"))


BASE = {f"N{number}": 0.5 for number in range(8)}
BETTER = dict.fromkeys(BASE, 0.75)


@pytest.fixture
def runs(tmp_path: Path) -> tuple[Path, Path]:
    """Two seeds of one system in a folder, and a file with a better one."""
    folder = tmp_path / "paper"
    for seed in (0, 1):
        write_run(run_of(BASE, seed=seed), folder)
    return folder, write_run(run_of(BETTER, system="boosted"), tmp_path)


def test_a_folder_is_compared_with_a_file(runs, capsys):
    assert run_weps.main(["benchmark", "--compare", *map(str, runs)]) == 0
    out = capsys.readouterr().out
    sides, differences, names, conclusion = out.split("\n\n")
    assert sides.splitlines()[1].split()[:4] == ["paper", "2", "0.500", "±0.000"]
    assert differences.startswith("boosted against paper")
    assert len(names.splitlines()) == 9
    assert conclusion.startswith("boosted against paper: better (F0.5 +0.250")
    assert "One seed only of boosted" in conclusion


def test_systems_of_one_name_are_told_apart_by_their_places(runs, tmp_path, capsys):
    deeper = run_of(BETTER, configuration={"classifier": "tree", "depth": 9})
    path = write_run(deeper, tmp_path / "deeper")
    assert run_weps.main(["benchmark", "--compare", str(runs[0]), str(path)]) == 0
    assert f"{path} against {runs[0]}: better" in capsys.readouterr().out


UNCLEAR = "the mode is missing"


@each_case(
    ("words", "fault"),
    [
        ("--cv 2", UNCLEAR),
        ("{corpus}", UNCLEAR),
        ("--train {corpus} --test {corpus} --cv 2", UNCLEAR),
        ("--train {corpus} --test {corpus} {corpus}", UNCLEAR),
        ("--cv 2 {corpus} --compare a b", UNCLEAR),
        ("--compare a b --system paper", UNCLEAR),
        ("--compare a b --report {corpus}/report", UNCLEAR),
        ("--compare {first}", "two runs are needed"),
        ("--compare {first} {second} {first}", "given twice"),
        ("--cv 1 {corpus}", "nothing to test on"),
        ("--cv origin {corpus} --mixed 8", "mixed names are not of one origin"),
        ("--cv origin {corpus}", "search results only are of one origin (search)"),
        ("--cv 2 {corpus} --runs {second}", "expected a folder, got a file"),
        ("--cv 2 {corpus} --report {second}", "expected a folder, got a file"),
        (
            "--cv 2 {corpus} {mixed}",
            f"{{mixed}}: has names that are also in {{corpus}}: {NAMES[0]}, ",
        ),
        ("--test {mixed} --train {corpus} {mixed}", "has names that are also in {corpus}"),
    ],
)
def test_wrong_use_is_told_in_one_line(results, mixed, runs, words, fault, capsys):
    places = {"corpus": results, "mixed": mixed, "first": runs[0], "second": runs[1]}
    assert run_weps.main(["benchmark", *words.format(**places).split()]) == 1
    (line,) = capsys.readouterr().err.splitlines()
    assert fault.format(**places) in line


def test_runs_and_the_document_are_written_on_request(results, tmp_path, capsys):
    words = ["--cv", "2", str(results), "--system", "paper", "--report", str(tmp_path / "report")]
    assert run_weps.main(["--quiet", "benchmark", *words, "--runs", str(tmp_path / "runs")]) == 0
    page = (tmp_path / "report" / "index.html").read_text("utf-8")
    assert "weps --quiet benchmark --cv 2" in page
    (run,) = read_runs(tmp_path / "runs" / "paper")
    assert (run.system, run.how, len(run.scores)) == ("paper", "cv:2", len(NAMES))
    assert f"report: {tmp_path / 'report' / 'index.html'}" in capsys.readouterr().out
