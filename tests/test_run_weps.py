"""The command line as a person meets it: answers, exit status, one readable line when it fails."""

import json
import shutil
import subprocess
import sys
import warnings
from collections.abc import Callable
from pathlib import Path

import jsonschema
import pytest

import run_weps
from weps._files import resource_path
from weps.features.registry import all_features

ROOT = Path(run_weps.__file__).parent
DEMO = resource_path("demo")
NAME = "Robin_Averdale"
ALL = "paper:features=all"

Weps = Callable[..., tuple[int, str, str]]


@pytest.fixture
def pages(tmp_path: Path) -> Path:
    """A folder of three saved pages for the name Ada Lovell."""
    folder = tmp_path / "Ada_Lovell"
    folder.mkdir()
    for number, trade in enumerate(("baker", "baker", "sailor"), start=1):
        text = f"<title>Ada Lovell</title><p>Ada Lovell is a {trade} in Port Merrow."
        (folder / f"{number:03}.html").write_text(text)
    return folder


def schema(name: str) -> dict[str, object]:
    loaded: dict[str, object] = json.loads((ROOT / "docs" / "schema" / name).read_text())
    return loaded


def test_the_demo_names_its_report_and_its_score(weps: Weps, tmp_path: Path) -> None:
    status, out, _ = weps("cluster", DEMO, "--out", tmp_path / "out")
    assert status == 0
    report = tmp_path / "out" / f"{NAME}.html"
    assert f"report: {report}" in out
    assert report.is_file()
    assert "F0.5" in out
    assert "scorer:weps2" in out


def test_every_page_of_the_demo_ends_with_one_person(weps: Weps, tmp_path: Path) -> None:
    weps("cluster", DEMO, "--out", tmp_path)
    answer = json.loads((tmp_path / f"{NAME}.json").read_text())
    ranks = [page["rank"] for person in answer["people"] for page in person["pages"]]
    assert sorted(ranks) == list(range(1, 31))


def test_json_of_cluster_keeps_to_its_schema(weps: Weps, tmp_path: Path) -> None:
    weps("cluster", DEMO, "--out", tmp_path / "out", "--json", tmp_path / "answer.json")
    answer = json.loads((tmp_path / "answer.json").read_text())
    jsonschema.validate(answer, schema("cluster.schema.json"))
    assert answer["name"] == "Robin Averdale"


def test_json_of_evaluate_keeps_to_its_schema(weps: Weps, tmp_path: Path) -> None:
    weps("cluster", DEMO, "--out", tmp_path / "out")
    status, _, _ = weps(
        "evaluate", DEMO, tmp_path / "out", "--baselines", "--json", tmp_path / "scores.json"
    )
    assert status == 0
    scores = json.loads((tmp_path / "scores.json").read_text())
    jsonschema.validate(scores, schema("scores.schema.json"))
    assert set(scores["systems"]) == {"out", "all_in_one", "one_in_one", "combined"}


def test_evaluate_agrees_with_the_score_that_cluster_prints(weps: Weps, tmp_path: Path) -> None:
    _, clustered, _ = weps("cluster", DEMO, "--out", tmp_path / "out")
    weps("evaluate", DEMO, tmp_path / "out", "--json", tmp_path / "scores.json")
    mean = json.loads((tmp_path / "scores.json").read_text())["systems"]["out"]["mean"]
    assert f"F0.5 {mean['bcubed_f05']:.2f}" in clustered


def test_the_same_pages_give_the_same_bytes(weps: Weps, tmp_path: Path) -> None:
    for out in ("first", "second"):
        weps("cluster", DEMO, "--out", tmp_path / out)
    for file in (tmp_path / "first").iterdir():
        assert file.read_bytes() == (tmp_path / "second" / file.name).read_bytes()


def test_a_name_may_be_given_for_saved_pages(weps: Weps, pages: Path, tmp_path: Path) -> None:
    status, out, _ = weps("cluster", pages, "--name", "Ada M. Lovell", "--out", tmp_path / "out")
    assert status == 0
    assert "Ada M. Lovell: 3 pages" in out


def test_threshold_decides_how_much_is_put_together(
    weps: Weps, pages: Path, tmp_path: Path
) -> None:
    _, strict, _ = weps("cluster", pages, "--threshold", "1", "--out", tmp_path / "out")
    _, lenient, _ = weps("cluster", pages, "--threshold", "0", "--out", tmp_path / "out")
    assert "3 people" in strict
    assert "3 pages, 1 person, " in lenient


def test_a_threshold_takes_the_place_of_the_default_system_s_decision(
    weps: Weps, pages: Path, tmp_path: Path
) -> None:
    signatures = []
    for number, words in enumerate([(), ("--threshold", "0.25")]):
        target = tmp_path / f"{number}.json"
        weps("cluster", pages, *words, "--out", tmp_path / "out", "--json", target)
        signatures.append(json.loads(target.read_text("utf-8"))["signature"].split("|"))
    own, given = ([part for part in each if part.startswith("stop:")] for each in signatures)
    assert own[0].startswith("stop:expected-f(")
    assert given == ["stop:threshold(0.25)"]
    assert set(signatures[0]) - set(own) == set(signatures[1]) - set(given)


@pytest.mark.parametrize(
    ("system", "decisions"),
    [
        ("default", "|classifier:boosted+rules|link:average|stop:expected-f("),
        ("paper", "|classifier:tree|link:single|stop:threshold("),
    ],
)
def test_a_system_is_chosen_by_name(
    weps: Weps, pages: Path, tmp_path: Path, system: str, decisions: str
) -> None:
    target = tmp_path / "answer.json"
    words = ("cluster", pages, "--system", system, "--out", tmp_path / "out", "--json", target)
    assert weps(*words)[0] == 0
    answer = json.loads(target.read_text("utf-8"))
    jsonschema.validate(answer, schema("cluster.schema.json"))
    assert decisions in answer["signature"]


def test_quiet_leaves_the_table_out_wherever_it_stands(
    weps: Weps, pages: Path, tmp_path: Path
) -> None:
    words = ("cluster", pages, "--out", tmp_path)
    _, told, _ = weps(*words)
    brief = [weps(*quiet)[1] for quiet in (("--quiet", *words), (*words, "--quiet"))]
    assert len(told.splitlines()) > len(brief[0].splitlines()) == len(brief[1].splitlines()) == 2


@pytest.mark.slow
def test_several_jobs_give_the_same_answers(weps: Weps, pages: Path, tmp_path: Path) -> None:
    corpus = tmp_path / "corpus"
    for name in ("Ada_Lovell", "Bea_Lovell"):
        shutil.copytree(pages, corpus / name)
    weps("cluster", corpus, "--out", tmp_path / "one")
    weps("cluster", corpus, "--out", tmp_path / "two", "--jobs", "2")
    for file in sorted((tmp_path / "one").iterdir()):
        assert file.read_bytes() == (tmp_path / "two" / file.name).read_bytes()


def broken_key(tmp_path: Path, pages: Path) -> list[object]:
    (pages / "key.xml").write_text('<clustering>\n<entity id="0">\n<doc rank="1"/>')
    return [pages, "--out", tmp_path / "out"]


def key_with_unknown_rank(tmp_path: Path, pages: Path) -> list[object]:
    (pages / "key.xml").write_text(
        '<clustering><entity id="0"><doc rank="9"/></entity></clustering>'
    )
    return [pages, "--out", tmp_path / "out"]


def two_files_for_a_rank(tmp_path: Path, pages: Path) -> list[object]:
    (pages / "1.txt").write_text("Ada Lovell")
    return [pages, "--out", tmp_path / "out"]


def file_for_a_folder(tmp_path: Path, pages: Path) -> list[object]:
    (tmp_path / "out").write_text("in the way")
    return [pages, "--out", tmp_path / "out"]


def model_of_another_version(tmp_path: Path, pages: Path) -> list[object]:
    (tmp_path / "model.json").write_text('{"kind": "weps model", "format": 99, "models": {}}')
    return [pages, "--model", tmp_path / "model.json", "--out", tmp_path / "out"]


def model_of_format_1(tmp_path: Path, pages: Path) -> list[object]:
    (tmp_path / "model.json").write_text('{"kind": "weps model", "format": 1, "models": {}}')
    return [pages, "--model", tmp_path / "model.json", "--out", tmp_path / "out"]


def model_with_unknown_link(tmp_path: Path, pages: Path) -> list[object]:
    written = resource_path("models/default.json").read_text("utf-8")
    (tmp_path / "model.json").write_text(written.replace('"average"', '"ward"'))
    return [pages, "--model", tmp_path / "model.json", "--out", tmp_path / "out"]


def model_and_system(tmp_path: Path, pages: Path) -> list[object]:
    model = resource_path("models/paper.json")
    return [pages, "--model", model, "--system", "paper", "--out", tmp_path / "out"]


def no_model(tmp_path: Path, pages: Path) -> list[object]:
    return [pages, "--model", tmp_path / "none.json", "--out", tmp_path / "out"]


def missing_folder(tmp_path: Path, pages: Path) -> list[object]:  # noqa: ARG001 - one shape for all
    return [tmp_path / "nowhere", "--out", tmp_path / "out"]


def empty_folder(tmp_path: Path, pages: Path) -> list[object]:  # noqa: ARG001
    (tmp_path / "empty").mkdir()
    return [tmp_path / "empty", "--out", tmp_path / "out"]


@pytest.mark.parametrize(
    ("prepare", "where", "remedy"),
    [
        (missing_folder, "nowhere", "check the spelling"),
        (empty_folder, "empty", "a source is"),
        (broken_key, "key.xml", "line"),
        (key_with_unknown_rank, "key.xml", "9"),
        (two_files_for_a_rank, "001.html", "1.txt"),
        (file_for_a_folder, "out", "choose another folder"),
        (model_of_another_version, "model.json", "train it again"),
        (model_of_format_1, "model.json", "train it again"),
        (model_with_unknown_link, "model.json", "weps train"),
        (model_and_system, "--model and --system", "give only one of them"),
        (no_model, "none.json", "leave --model out"),
    ],
)
def test_bad_input_gives_one_clear_line(
    weps: Weps,
    tmp_path: Path,
    pages: Path,
    prepare: Callable[[Path, Path], list[object]],
    where: str,
    remedy: str,
) -> None:
    status, _, err = weps("cluster", *prepare(tmp_path, pages))
    lines = err.splitlines()
    assert status == 1
    assert len(lines) == 1
    assert lines[0].startswith("weps: error: ")
    assert where in lines[0]
    assert remedy in lines[0]


def test_a_faulty_key_costs_the_score_not_the_answer(
    weps: Weps, tmp_path: Path, pages: Path
) -> None:
    _, out, _ = weps("cluster", *broken_key(tmp_path, pages))
    assert (tmp_path / "out" / "Ada_Lovell.html").is_file()
    assert "report:" in out
    assert "F0.5" not in out


def test_names_that_succeed_are_kept_when_another_fails(
    weps: Weps, tmp_path: Path, pages: Path
) -> None:
    corpus = tmp_path / "corpus"
    for name in ("Ada_Lovell", "Bea_Lovell"):
        shutil.copytree(pages, corpus / name)
    (corpus / "Ada_Lovell" / "key.xml").write_text("<clustering><entity>")
    status, out, _ = weps("cluster", corpus, "--out", tmp_path / "out")
    assert status == 1
    assert "Bea Lovell: 3 pages" in out
    assert (tmp_path / "out" / "Bea_Lovell.html").is_file()


def test_all_unknown_names_are_reported_at_once(weps: Weps, tmp_path: Path, pages: Path) -> None:
    corpus = tmp_path / "corpus"
    for name in ("Ada_Lovell", "Bea_Lovell"):
        shutil.copytree(pages, corpus / name)
    status, _, err = weps("cluster", corpus, "--name", "Ada Lovel", "--name", "Zoe Hale")
    assert status == 1
    assert "did you mean Ada_Lovell" in err
    assert "Zoe Hale" in err


def test_all_faulty_keys_and_answers_are_told_before_anything_is_scored(
    weps: Weps, tmp_path: Path, pages: Path
) -> None:
    corpus, answers = tmp_path / "corpus", tmp_path / "answers"
    answers.mkdir()
    for name in ("Ada_Lovell", "Bea_Lovell"):
        shutil.copytree(pages, corpus / name)
        (corpus / name / "key.xml").write_text("<clustering><entity>")
    (answers / "Ada_Lovell.clust.xml").write_text("<wrong/>")
    status, out, err = weps("evaluate", corpus, answers)
    assert status == 1
    assert out == ""
    assert len(err.splitlines()) == 3


@pytest.mark.parametrize("option", [["--json"], ["--cv", "2", "--json"]])
def test_a_result_that_cannot_be_written_is_told_before_the_work(
    weps: Weps, tmp_path: Path, option: list[str]
) -> None:
    command = "benchmark" if "--cv" in option else "evaluate"
    status, out, err = weps(command, DEMO, *option, tmp_path / "none" / "scores.json")
    assert status == 1
    assert out == ""
    assert "no such folder" in err


def test_nothing_to_score_says_what_to_do(weps: Weps) -> None:
    status, _, err = weps("evaluate", DEMO)
    assert status == 1
    assert "--baselines" in err


@pytest.mark.parametrize("words", [["benchmark"], ["benchmark", "--cv", "1", str(DEMO)]])
def test_a_benchmark_that_cannot_run_says_what_to_do(weps: Weps, words: list[str]) -> None:
    status, _, err = weps(*words)
    assert status == 1
    assert "use " in err


@pytest.mark.parametrize("command", run_weps._COMMANDS)
def test_every_command_has_help(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        run_weps.main([command, "--help"])
    assert ended.value.code == 0
    assert "usage: weps " + command in capsys.readouterr().out


def modules_loaded_by(*words: str) -> set[str]:
    """The modules in memory after a command, in a process of its own."""
    code = (
        "import sys, run_weps\n"
        f"status = run_weps.main({list(words)!r})\n"
        "print('\\n'.join(sys.modules), file=sys.stderr)\n"
        "sys.exit(status)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    )
    return set(done.stderr.split())


def test_clustering_imports_no_learning_library(tmp_path: Path) -> None:
    loaded = modules_loaded_by("cluster", str(DEMO), "--out", str(tmp_path))
    assert "weps.pipeline" in loaded
    assert not loaded & {"sklearn", "joblib", "flask"}


@pytest.mark.slow
@pytest.mark.parametrize("system", ["default", ALL])
def test_a_second_clustering_loads_no_language_pipeline(tmp_path: Path, system: str) -> None:
    words = ("cluster", str(DEMO), "--system", system, "--cache", str(tmp_path / "cache"))
    first = modules_loaded_by(*words, "--out", str(tmp_path / "first"))
    second = modules_loaded_by(*words, "--out", str(tmp_path / "second"))
    assert "spacy" in first
    assert not second & {"spacy", "sklearn", "joblib"}
    for suffix in ("json", "html", "csv", "clust.xml"):
        name = f"{NAME}.{suffix}"
        assert (tmp_path / "first" / name).read_bytes() == (tmp_path / "second" / name).read_bytes()


def test_linguistic_features_take_part(weps: Weps, tmp_path: Path) -> None:
    target = tmp_path / "all.json"
    words = ("cluster", DEMO, "--system", ALL, "--json", target)
    assert weps(*words, "--out", tmp_path / "out")[0] == 0
    answer = json.loads(target.read_text("utf-8"))
    assert "language:en/weps_en-" in answer["signature"]
    compared = {each["feature"] for pair in answer["pairs"] for each in pair["evidence"]}
    linguistic = {str(each) for each in all_features() if each.linguistic}
    assert compared & linguistic


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (("--system", "papers"), "choose from paper, default"),
        (("--system", "paper:features=tokns"), "did you mean tokens"),
        (("--system", "paper:features=url"), "weps train CORPUS --system 'paper:features=url'"),
        (("--system", "default:link=single"), "--model FILE"),
        (("--system", ALL, "--language", "de_core_news_sm"), "spacy download de_core_news_sm"),
        (("--system", ALL, "--language", "de"), "de_core_news_sm"),
    ],
)
def test_systems_and_languages_that_cannot_be_had(
    weps: Weps, tmp_path: Path, words: tuple[str, ...], expected: str
) -> None:
    status, _, err = weps("cluster", DEMO, *words, "--out", tmp_path / "out")
    assert status == 1
    assert expected in err
    assert err.count("\n") == 1


def test_a_language_finds_names_even_if_the_model_needs_none(
    weps: Weps, pages: Path, tmp_path: Path
) -> None:
    words = ("cluster", pages, "--out", tmp_path / "out", "--language")
    assert weps(*words, "weps_en")[::2] == (0, "")
    status, _, err = weps(*words, "de_core_news_sm")
    assert status == 1
    assert "spacy download de_core_news_sm" in err


def test_warnings_of_libraries_are_readable(
    weps: Weps, pages: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def warn(*_: object) -> None:
        warnings.warn("made for another release", stacklevel=1)

    monkeypatch.setattr("weps.cli.cluster._check_reading", warn)
    with warnings.catch_warnings():
        warnings.simplefilter("default")
        status, _, err = weps("cluster", pages, "--out", tmp_path / "out")
    assert status == 0
    assert err == "weps: warning: made for another release\n"


def test_a_cache_that_cannot_be_used_costs_a_warning_not_the_answer(
    weps: Weps, pages: Path, tmp_path: Path
) -> None:
    (tmp_path / "file").touch()
    words = ("cluster", pages, "--cache", tmp_path / "file", "--out", tmp_path / "out")
    status, out, err = weps(*words)
    assert status == 0
    assert "3 pages" in out
    assert err.count("warning") == 1
