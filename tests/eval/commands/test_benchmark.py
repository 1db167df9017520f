"""Benchmarks over corpora in which not every name has its pages."""

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest

import run_weps
from tests.eval.commands.conftest import NAMES

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


def test_names_without_pages_learn_from_the_results_of_the_others(benchmark, mixed: Path) -> None:
    data = benchmark("--cv", 2, mixed, *sets("non-linguistic"))
    assert set(data["systems"]) == {"non-linguistic", *BASELINES}
    assert set(data["systems"]["non-linguistic"]["names"]) == set(NAMES)
    assert data["forms"] == dict.fromkeys(NAMES, "tokens") | {NAMES[0]: "results"}
    assert data["comparisons"] == []


def test_the_paper_s_two_systems_run_unless_others_are_asked_for(
    benchmark, results: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data = benchmark("--cv", 2, results)
    assert set(data["systems"]) == {"non-linguistic", "all", *BASELINES}
    (comparison,) = data["comparisons"]
    assert (comparison["first"], comparison["second"]) == ("non-linguistic", "all")
    assert comparison["equal"] == len(NAMES)
    out = capsys.readouterr().out
    assert "non-linguistic = all for results: the same 4 similarities" in out
    assert "compared with non-linguistic" in out
    assert "EMNLP 2009, table 2" in out
    assert "6 names of WePS-2, 90 pairs" in out
    assert "search results only" in out


def test_other_feature_sets_are_not_held_against_the_paper(
    benchmark, results: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data = benchmark("--cv", 2, results, *sets("title", "url + title"))
    assert set(data["systems"]) == {"title", "url + title", *BASELINES}
    assert "EMNLP" not in capsys.readouterr().out


def test_features_that_pages_lack_are_told(
    benchmark, mixed: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data = benchmark("--cv", 2, mixed, *sets("tokens", "token+title"))
    system = data["systems"]["token+title"]
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
    assert "tokens has nothing to compare results by" in out
    alone = data["systems"]["tokens"]["names"][NAMES[0]]
    assert alone == data["systems"]["one_in_one"]["names"][NAMES[0]]


def test_common_features_are_those_that_every_name_has(benchmark, mixed: Path, saved: Path) -> None:
    data = benchmark(
        *("--train", saved, "--test", mixed, "--common-features"), *sets("token+title", "title")
    )
    assert data["signature"].endswith("|features:common")
    for system in ("token+title", "title"):
        used = data["systems"][system]["similarities"]
        assert used == {"tokens": ["dice(title)"], "results": ["dice(title)"]}
    assert data["systems"]["token+title"]["absent"]["tokens"] == [
        "dice(token)",
        "dice(token(local=true))",
    ]


def test_systems_are_learnt_on_one_corpus_and_answer_for_another(
    benchmark, mixed: Path, saved: Path
) -> None:
    data = benchmark("--train", saved, "--test", mixed, *sets("non-linguistic", "tokens"))
    assert "|train:sha256-" in data["signature"]
    assert set(data["systems"]["non-linguistic"]["names"]) == set(NAMES)


@pytest.mark.parametrize("jobs", [1, 2])
def test_the_same_bytes_come_out(benchmark, mixed: Path, jobs: int) -> None:
    words = ("--cv", 2, mixed, *sets("non-linguistic", "tokens"))
    assert benchmark(*words) == benchmark(*words, "--jobs", jobs)


def test_all_unknown_features_are_told_in_one_line(
    results: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["benchmark", "--cv", "2", str(results), *sets("tokne", "all", "titel")]
    assert run_weps.main(words) == 1
    (line,) = capsys.readouterr().err.splitlines()
    assert "'tokne'" in line
    assert "'titel'" in line
