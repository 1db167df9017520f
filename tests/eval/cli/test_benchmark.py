"""Benchmarks over corpora in which not every name has its pages."""

import contextlib
import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest

import run_weps
from tests.cases import each_case
from tests.eval.benchmark.made_up import run_of
from tests.eval.cli.conftest import NAMES, listed, write_weps2
from weps.cli.console import Console
from weps.errors import SourceError
from weps.systems import CONFIGURATIONS
from weps_eval.benchmark.runs import read_runs, write_run
from weps_eval.cli.benchmark import report_comparison

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


def test_systems_come_before_feature_sets_in_the_order_of_the_command(benchmark, results, capsys):
    words = ["--features", "all", "--system", "paper", "--features", "non-linguistic"]
    data = benchmark("--cv", 2, results, *words)
    first, *others = ["paper", of("all"), of("non-linguistic")]
    assert [each["first"] for each in data["comparisons"]] == [first] * 2
    assert [each["second"] for each in data["comparisons"]] == others
    assert all(each["equal"] == len(NAMES) for each in data["comparisons"])
    alike = " = ".join([first, *others])
    assert f"{alike} for results: the same 4 similarities" in capsys.readouterr().out


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


def test_mixed_names_have_no_origin(results, capsys):
    words = ["benchmark", "--cv", "origin", str(results), "--mixed", "8"]
    assert run_weps.main(words) == 1
    assert "mixed names are not of one origin" in capsys.readouterr().err


def test_names_of_one_origin_are_answered_by_what_the_others_teach(benchmark, tmp_path, capsys):
    corpus = listed(write_weps2(tmp_path / "corpus", NAMES), NAMES[:2])
    data = benchmark("--cv", "origin", corpus, "--system", "paper")
    assert "|cv:origin|seed:0" in data["signature"]
    assert set(data["systems"]["paper"]["names"]) == set(NAMES)
    assert "the other names, by origin" in capsys.readouterr().out


def test_a_single_origin_is_refused_before_anything_is_read(results, capsys):
    assert run_weps.main(["benchmark", "--cv", "origin", str(results)]) == 1
    (line,) = capsys.readouterr().err.splitlines()
    assert "all names with search results only are of one origin (search)" in line


def test_recorded_runs_are_compared(results, tmp_path, capsys):
    runs = tmp_path / "runs"
    for seed in ("0", "1"):
        words = ["--cv", "2", str(results), "--seed", seed, "--runs", str(runs)]
        words += ["--system", "paper", "--system", "paper:link=average"]
        assert run_weps.main(["--quiet", "benchmark", *words]) == 0
    capsys.readouterr()
    sides = [runs / "paper", runs / "paper-link-average"]
    assert [len(read_runs(side)) for side in sides] == [2, 2]
    assert run_weps.main(["benchmark", "--compare", *map(str, sides)]) == 0
    out = capsys.readouterr().out
    assert "paper:link=average against paper: within the noise" in out


def test_the_document_is_written_on_request(results, tmp_path, capsys):
    words = ["--cv", "2", str(results), "--system", "paper", "--report", str(tmp_path / "report")]
    assert run_weps.main(["--quiet", "benchmark", *words]) == 0
    page = (tmp_path / "report" / "index.html").read_text("utf-8")
    assert "weps --quiet benchmark --cv 2" in page
    assert [path.name for path in (tmp_path / "report").iterdir()] == ["index.html"]
    assert f"report: {tmp_path / 'report' / 'index.html'}" in capsys.readouterr().out


@pytest.mark.parametrize("option", ["--runs", "--report"])
def test_a_place_that_is_no_folder_is_told_before_anything_is_read(
    results, tmp_path, option, capsys
):
    (tmp_path / "file").touch()
    words = ["benchmark", "--cv", "2", str(results), option, str(tmp_path / "file")]
    assert run_weps.main(words) == 1
    (line,) = capsys.readouterr().err.splitlines()
    assert "expected a folder, got a file" in line


@each_case(
    "words",
    [
        ["--cv", "2"],
        ["{corpus}"],
        ["--train", "{corpus}"],
        ["--train", "{corpus}", "--test", "{corpus}", "--cv", "2"],
        ["--train", "{corpus}", "--test", "{corpus}", "{corpus}"],
        ["--train", "{corpus}", "{corpus}", "--cv", "2"],
        ["--cv", "2", "{corpus}", "--compare", "a", "b"],
        ["--train", "{corpus}", "--test", "{corpus}", "--compare", "a"],
        ["--compare", "a", "b", "--system", "paper"],
        ["--compare", "a", "b", "--report", "{corpus}/report"],
    ],
)
def test_what_is_unclear_is_asked_back(results, words, capsys):
    assert run_weps.main(["benchmark", *(word.format(corpus=results) for word in words)]) == 1
    assert "the mode is missing" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("parts", "fault"), [("1", "nothing to test on"), ("x", "expected a number")]
)
def test_parts_must_be_several(results, parts, fault, capsys):
    with contextlib.suppress(SystemExit):
        assert run_weps.main(["benchmark", "--cv", parts, str(results)]) == 1
    assert fault in capsys.readouterr().err


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


def test_common_features_are_those_that_every_name_has(benchmark, mixed, saved):
    data = benchmark(
        *("--train", saved, "--test", mixed, "--common-features"), *sets("token+title", "title")
    )
    assert data["signature"].endswith("|features:common")
    for system in (of("token+title"), of("title")):
        used = data["systems"][system]["similarities"]
        assert used == {"tokens": ["dice(title)"], "results": ["dice(title)"]}
    assert data["systems"][of("token+title")]["absent"]["tokens"] == [
        "dice(token)",
        "dice(token(local=true))",
    ]


def test_systems_are_learnt_on_one_corpus_and_answer_for_another(benchmark, mixed, saved):
    data = benchmark("--train", saved, "--test", mixed, *sets("non-linguistic", "tokens"))
    assert "|train:sha256-" in data["signature"]
    assert set(data["systems"][of("non-linguistic")]["names"]) == set(NAMES)


@pytest.mark.parametrize("order", [[0, 1, "--cv", 2], ["--cv", 2, 1, 0]])
def test_several_corpora_are_cross_validated_as_one(benchmark, halves, results, order):
    words = [halves[word] if word in (0, 1) else word for word in order]
    assert benchmark(*words, *sets("title")) == benchmark("--cv", 2, results, *sets("title"))


def test_several_corpora_teach_together(benchmark, halves, results):
    words = ["--test", results, *sets("title")]
    together = benchmark(*words, "--train", *halves)
    assert together == benchmark("--train", *halves[::-1], *words)
    assert together == benchmark(*words, "--train", results)
    assert together["signature"] != benchmark(*words, "--train", halves[0])["signature"]


@pytest.mark.parametrize("words", [["--cv", "2"], ["--test", "{corpus}", "--train"]])
def test_corpora_that_share_names_are_refused(results, mixed, words, capsys):
    given = [*(word.format(corpus=mixed) for word in words), str(results), str(mixed)]
    assert run_weps.main(["benchmark", *given]) == 1
    (line,) = capsys.readouterr().err.splitlines()
    assert f"{mixed}: has names that are also in {results}: {NAMES[0]}, " in line


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
    assert report_comparison(runs, Console()) == 0
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
    report_comparison([runs[0], path], Console())
    assert f"{path} against {runs[0]}: better" in capsys.readouterr().out


@pytest.mark.parametrize("number", [0, 1])
def test_one_system_is_no_comparison(runs, number):
    with pytest.raises(SourceError, match="two runs are needed"):
        report_comparison(runs[:number], Console())


def test_a_system_is_not_compared_with_itself(runs):
    with pytest.raises(SourceError, match="given twice") as caught:
        report_comparison([*runs, runs[0]], Console())
    assert caught.value.where == runs[0]
