"""The command line as a person meets it: answers, exit status, one readable line when it fails."""

import argparse
import json
import os
import re
import shlex
import shutil
import signal
import socket
import subprocess
import sys
import tomllib
import warnings
from pathlib import Path
from unittest.mock import Mock

import jsonschema
import pytest

import run_weps
from tests.cases import each_case
from tests.eval.cli.conftest import NAMES, write_saved
from weps._files import resource_path
from weps._version import VERSION
from weps.cli.checks import EXTRAS
from weps.cli.options import ALL_OPTIONS
from weps.errors import SourceError
from weps.features.registry import all_features

ROOT = Path(run_weps.__file__).parent
DEMO = resource_path("demo")
NAME = "Robin_Averdale"
ALL = "paper:features=all"


@pytest.fixture
def pages(tmp_path: Path) -> Path:
    """A folder of three saved pages for the name Ada Lovell."""
    folder = tmp_path / "Ada_Lovell"
    folder.mkdir()
    for number, trade in enumerate(("baker", "baker", "sailor"), start=1):
        text = f"<title>Ada Lovell</title><p>Ada Lovell is a {trade} in Port Merrow."
        (folder / f"{number:03}.html").write_text(text)
    return folder


@pytest.fixture
def corpus(pages: Path, tmp_path: Path) -> Path:
    """A folder of two names with the same pages."""
    for name in ("Ada_Lovell", "Bea_Lovell"):
        shutil.copytree(pages, tmp_path / "corpus" / name)
    return tmp_path / "corpus"


def schema(name: str) -> dict[str, object]:
    loaded: dict[str, object] = json.loads((ROOT / "docs" / "schema" / name).read_text())
    return loaded


def test_the_demo_has_a_report_a_score_and_answers_that_keep_to_their_schema(weps, tmp_path):
    out = tmp_path / "out"
    status, printed, _ = weps("cluster", DEMO, "--out", out, "--json", tmp_path / "answer.json")
    assert status == 0
    assert f"report: {out / NAME}.html" in printed
    assert "score against the correct answers" in printed
    assert (out / f"{NAME}.html").is_file()
    answer = json.loads((tmp_path / "answer.json").read_text())
    jsonschema.validate(answer, schema("cluster.schema.json"))
    assert answer["name"] == "Robin Averdale"
    ranks = [page["rank"] for person in answer["people"] for page in person["pages"]]
    assert sorted(ranks) == list(range(1, 31))

    words = ("evaluate", DEMO, out, "--baselines", "--json", tmp_path / "scores.json")
    status, told, _ = weps(*words)
    assert status == 0
    assert "BER: B-Cubed recall" in told
    assert "IP: inverse purity" in " ".join(told.split())
    scores = json.loads((tmp_path / "scores.json").read_text())
    jsonschema.validate(scores, schema("scores.schema.json"))
    assert set(scores["systems"]) == {"out", "all_in_one", "one_in_one", "combined"}
    assert f"F0.5 {scores['systems']['out']['mean']['bcubed_f05']:.2f}" in printed


BROKEN_KEY = '<clustering>\n<entity id="0">\n<doc rank="1"/>'
STRANGE_KEY = '<clustering><entity id="0"><doc rank="9"/></entity></clustering>'
MODEL = '{"kind": "weps model", "format": %d, "models": {}}'
WARD = resource_path("models/default.json").read_text("utf-8").replace('"average"', '"ward"')


@pytest.mark.parametrize(
    ("files", "words", "where", "remedy"),
    [
        ({}, ["nowhere"], "nowhere", "check the spelling"),
        ({"empty/x.css": ""}, ["empty"], "empty", "a source is"),
        ({"Ada_Lovell/key.xml": BROKEN_KEY}, ["Ada_Lovell"], "key.xml", "line"),
        ({"Ada_Lovell/key.xml": STRANGE_KEY}, ["Ada_Lovell"], "key.xml", "9"),
        ({"Ada_Lovell/1.txt": "Ada Lovell"}, ["Ada_Lovell"], "001.html", "1.txt"),
        ({"out": "in the way"}, ["Ada_Lovell"], "out", "choose another folder"),
        ({"m": MODEL % 99}, ["Ada_Lovell", "--model", "m"], "m: ", "train it again"),
        ({"m": WARD}, ["Ada_Lovell", "--model", "m"], "m: ", "weps train"),
        ({"m": WARD}, ["Ada_Lovell", *"--model m --system paper".split()], "--model", "only one"),
        ({}, ["Ada_Lovell", "--model", "none"], "none: ", "leave --model out"),
    ],
)
@pytest.mark.usefixtures("pages")
def test_bad_input_gives_one_clear_line(weps, tmp_path, monkeypatch, files, words, where, remedy):
    for name, content in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(content)
    monkeypatch.chdir(tmp_path)
    status, _, err = weps("cluster", *words, "--out", "out")
    (line,) = err.splitlines()
    assert status == 1
    assert line.startswith("weps: error: ")
    assert where in line
    assert remedy in line


def test_a_faulty_key_costs_the_score_not_the_answer(weps, tmp_path, pages):
    (pages / "key.xml").write_text(BROKEN_KEY)
    _, out, _ = weps("cluster", pages, "--out", tmp_path / "out")
    assert (tmp_path / "out" / "Ada_Lovell.html").is_file()
    assert "report:" in out
    assert "F0.5" not in out


def test_all_faulty_keys_and_answers_are_reported_before_anything_is_scored(weps, tmp_path, corpus):
    answers = tmp_path / "answers"
    answers.mkdir()
    for folder in corpus.iterdir():
        (folder / "key.xml").write_text("<clustering><entity>")
    (answers / "Ada_Lovell.clust.xml").write_text("<wrong/>")
    status, out, err = weps("evaluate", corpus, answers)
    assert status == 1
    assert out == ""
    assert len(err.splitlines()) == 3


@each_case(
    ("words", "remedy"),
    [
        ("evaluate DEMO --json none/scores.json", "no such folder"),
        ("benchmark DEMO --cv 2 --json none/scores.json", "no such folder"),
        ("evaluate DEMO", "--baselines"),
        ("benchmark", "use "),
        ("benchmark --cv 1 DEMO", "use "),
    ],
)
def test_what_cannot_be_scored_or_written_is_reported_before_the_work(weps, words, remedy):
    status, out, err = weps(*words.replace("DEMO", str(DEMO)).split(" "))
    assert (status, out) == (1, "")
    assert remedy in err


@each_case(
    ("words", "expected"),
    [
        ("nothing x", "invalid choice: 'nothing' (choose from 'cluster', "),
        ("clustr x", "COMMAND: invalid choice: 'clustr'; did you mean 'cluster'?"),
        ("study feature x", "; did you mean 'features'?"),
        ("cluster --thershold=3 x", "arguments: --thershold=3; did you mean '--threshold'?"),
        ("cluster x --write htm,csv", "got 'htm'; did you mean 'html'?"),
        ("evaluate x --scorer weps3", "'weps3'; did you mean 'weps2' or 'weps1'?"),
        ("cluster x y", "unrecognized arguments: y; see `weps cluster --help`\n"),
        (
            "evaluate x y --compare z",
            "unrecognized arguments: z; give it beside the others, before the options",
        ),
    ],
)
def test_words_that_are_misspelt_are_refused_with_the_nearest(weps, capsys, words, expected):
    with pytest.raises(SystemExit, match=r"^2$"):
        weps(*words.split())
    told = capsys.readouterr().err
    assert expected in told
    assert told.count("\n") == 1


def test_the_doctor_has_a_line_for_everything_and_fails_where_something_is_needed(
    weps, tmp_path, monkeypatch
):
    target = tmp_path / "state.json"
    status, out, _ = weps("doctor", "--json", target)
    data = json.loads(target.read_text())
    assert status == 0
    assert len(out.splitlines()) == sum(map(len, data.values()))
    assert set(data["versions"]) >= {"weps", "Python", "numpy", "spacy", "lxml"}
    assert "cache" in data["parts"]
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    declared = {
        extra: {re.split(r"[\[><=]", package)[0] for package in packages}
        for extra, packages in project["optional-dependencies"].items()
        if extra != "test"
    }
    assert {extra: set(packages) for extra, packages in EXTRAS.items()} == declared
    monkeypatch.setenv("BRAVE_API_KEY", "secret")
    monkeypatch.setattr("weps.cli.checks.resource_path", Mock(side_effect=SourceError("gone")))
    status, out, _ = weps("doctor")
    assert status == 1
    assert "brave" in out
    assert "secret" not in out
    assert "--  WordNet" in out


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


def test_the_package_runs_as_the_command_does():
    words = [sys.executable, "-m", "weps", "--version"]
    done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout == f"weps {VERSION}\n"


@pytest.mark.slow
@pytest.mark.parametrize("system", ["default", ALL])
def test_a_second_clustering_loads_no_language_pipeline(tmp_path, system):
    words = ("cluster", str(DEMO), "--system", system, "--cache", str(tmp_path / "cache"))
    first = modules_loaded_by(*words, "--out", str(tmp_path / "first"))
    second = modules_loaded_by(*words, "--out", str(tmp_path / "second"))
    assert ("spacy" in first) == (system == ALL)  # else in a process that recognises names
    assert not second & {"spacy", "sklearn", "joblib", "flask", "pydantic", "weps.html.cleaning"}
    for suffix in ("json", "html", "csv", "clust.xml"):
        name = f"{NAME}.{suffix}"
        assert (tmp_path / "first" / name).read_bytes() == (tmp_path / "second" / name).read_bytes()


def test_linguistic_features_take_part(weps, tmp_path):
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
        (("--system", "paper:features=tokns"), "did you mean 'tokens'"),
        (("--system", "paper:features=url"), "weps train CORPUS --system 'paper:features=url'"),
        (("--system", "default:link=single"), "--model FILE"),
        (("--system", ALL, "--language", "de_core_news_sm"), "spacy download de_core_news_sm"),
        (("--system", ALL, "--language", "de"), "de_core_news_sm"),
        (("--language", "de_core_news_sm"), "spacy download de_core_news_sm"),
    ],
)
def test_systems_and_languages_that_cannot_be_had(weps, tmp_path, words, expected):
    status, _, err = weps("cluster", DEMO, *words, "--out", tmp_path / "out")
    assert status == (2 if "tokns" in words[1] else 1)  # a wrong word, or what is not there
    assert expected in err
    assert err.count("\n") == 1


def test_warnings_of_libraries_are_readable(weps, pages, tmp_path, monkeypatch):
    def warn(*_: object) -> None:
        warnings.warn("made for another release", stacklevel=1)

    monkeypatch.setattr("weps.cli.cluster.pipeline_name", warn)
    with warnings.catch_warnings():
        warnings.simplefilter("default")
        words = ("cluster", pages, "--out", tmp_path / "out", "--language", "weps_en")
        status, _, err = weps(*words)
    assert status == 0
    assert err == "weps: warning: made for another release\n"


def test_a_cache_that_cannot_be_used_costs_a_warning_not_the_answer(weps, pages, tmp_path):
    status, out, err = weps("cluster", pages, "--cache", pages / "001.html", "--out", tmp_path)
    assert status == 0
    assert "3 pages" in out
    assert err.count("warning") == 1


def run_in_shell(line: str) -> subprocess.CompletedProcess[str]:
    command = ["/bin/sh", "-c", f"exec {sys.executable} -m run_weps {line}"]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)


@each_case("words", ["features", "features --help", "--version"])
@each_case("redirection", [">/dev/full", ">&-"])
def test_a_result_that_cannot_be_written_is_one_line(words, redirection):
    run = run_in_shell(f"{words} {redirection}")
    (line,) = run.stderr.splitlines()
    assert run.returncode == 1
    assert line.startswith("weps: error: standard output: the result cannot be written")


@each_case("redirection", ["<&-", "2>&-", "2>/dev/full"])
def test_other_streams_may_be_closed_or_full(redirection):
    run = run_in_shell(f"--quiet features {redirection}")
    assert run.returncode == 0
    assert "There are" in run.stdout


@pytest.mark.parametrize(
    ("error", "status", "words"),
    [
        (ValueError("lost\nthe\x1b thread"), 70, "internal error (ValueError: lost the� thread, "),
        (AssertionError("A" * 100_000), 70, "please report it"),
        (MemoryError(), 1, "not enough memory"),
        (OSError(36, "Name too long", "x" * 300), 1, "x: cannot be used (Name too long); check"),
        (SourceError("W" * 100_000, where="P" * 100_000), 1, "WWW"),
        (KeyboardInterrupt(), 130, "stopped"),
        (BrokenPipeError(), 0, ""),
    ],
)
def test_any_error_is_one_line(weps, monkeypatch, error, status, words):
    monkeypatch.setattr("weps.cli.checks.feature_rows", Mock(side_effect=error))
    found, _, told = weps("features")
    assert found == status
    assert words in told
    assert len(told.splitlines()) == bool(words)
    assert len(told) < 7_000
    assert "Traceback" in weps("features", "--traceback")[2] or status in {0, 130}


@each_case("words", [("features", "--" + "x" * 100_000), ("x" * 100_000,)])
def test_words_that_are_none_are_refused_briefly(weps, capsys, words):
    with pytest.raises(SystemExit, match="2"):
        weps(*words)
    assert len(capsys.readouterr().err) < 3_000


PATHS = (
    "cluster {}|cluster Ada_Lovell --model {}|cluster Ada_Lovell --corrections {}|update {} x|"
    "cluster Ada_Lovell --language {}|cluster Ada_Lovell --embeddings {}|evaluate {} Ada_Lovell|"
    "cluster Ada_Lovell --json {}/answer.json|cluster Ada_Lovell --out Ada_Lovell/001.html/{}|"
    "evaluate Ada_Lovell {}|search Ada --results {} --yes|train {} --out m.json|meta qarla {}|"
    "evaluate {} {} --compare|text score {}|text convert summeval {} --out t.jsonl|"
    "meta hbr {}.csv|meta improvements {}|study features {} --instances a.csv|study key-terms {}"
)


@pytest.mark.parametrize("words", PATHS.split("|"))
@pytest.mark.usefixtures("pages")
def test_a_path_of_any_kind_is_one_line(weps, tmp_path, monkeypatch, words):
    """None is waited for: this test would hang."""
    monkeypatch.chdir(tmp_path)
    os.mkfifo("pipe")
    (tmp_path / "loop").symlink_to("loop")
    (tmp_path / "folder").mkdir()
    with socket.socket(socket.AF_UNIX) as server:
        server.bind("socket")
    for path in ("x" * 300, "loop", "/dev/zero", "pipe", "socket", "folder", "none.txt"):
        try:
            status, _, told = weps(*words.format(path, path).split())
        except SystemExit:  # argparse has told it
            continue
        lines = [line for line in told.splitlines() if line.startswith("weps: error: ")]
        assert status == 1 or path == "folder", path
        assert len(lines) == status, path
        assert "internal error" not in told, path


SETTINGS = """jobs = 2
[evaluate]
measures = "bcubed_f05,lea"
baselines = true
[text.score]
measures = "nothing of evaluate"
"""


def examples(commands=run_weps._COMMANDS, *names):
    """The words of each command's example, and of its name."""
    for name, command in commands.items():
        if command.subcommands:
            yield from examples(command.subcommands, *names, name)
        else:
            yield [*names, name], shlex.split(command.example)


@pytest.mark.slow
def test_the_example_in_the_help_of_each_command_runs(weps, tmp_path, monkeypatch, capsys):
    """Examples of a search, a server, and attributes that people found are parsed only."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("WEPS_CACHE", str(tmp_path / "cache"))
    shutil.copytree(DEMO / NAME, NAME)
    corpus = write_saved(tmp_path / "corpus")
    Path("theirs").mkdir()
    for name in NAMES:
        shutil.copy(corpus / name / "key.xml", f"theirs/{name}.clust.xml")
    rows = "".join(f"{name},{rank},p\n" for name in NAMES for rank in range(1, 7))
    Path("mine.csv").write_text(f"name,page,person\n{rows}")
    for file in ("outputs.txt", "references.txt"):
        Path(file).write_text("the cat sat\nthe dog ran\n")
    shutil.copy(resource_path("testbed/news.jsonl"), "news.jsonl")
    head, *topics = map(json.loads, Path("news.jsonl").read_text("utf-8").splitlines())
    for number, output in enumerate(each for topic in topics for each in topic["outputs"]):
        output["human"] = {"grammar": number % 7}
    lines = map(json.dumps, (head, *topics))
    Path("judged.jsonl").write_text("\n".join(lines))
    words = ("text", "score", "judged.jsonl", "--measures", "rouge1,rouge_l,esk")
    assert weps(*words, "--out", "judged.csv")[0] == 0
    faults = []
    for name, example in examples():
        with pytest.raises(SystemExit):
            run_weps.main([*name, "--help"])
        assert f"Example: weps {' '.join(name)}" in " ".join(capsys.readouterr().out.split())
        if name[-1] in {"search", "serve", "key-terms"}:
            run_weps._parser().parse_args([*name, *example])
        else:
            status, _, err = weps(*name, *example, *(["--yes"] if name == ["forget"] else []))
            faults += [(name, err)] * (status != 0)
    assert faults == []


@pytest.fixture
def configured(tmp_path, monkeypatch) -> Path:
    """The file of settings of the user, who has another working directory."""
    (tmp_path / "config" / "weps").mkdir(parents=True)
    (tmp_path / "work").mkdir()
    monkeypatch.chdir(tmp_path / "work")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.delenv("WEPS_DATA", raising=False)
    return tmp_path / "config" / "weps" / "weps.toml"


def test_settings_come_from_files_the_environment_and_last_the_command(
    weps, configured, monkeypatch
):
    configured.write_text(SETTINGS)
    words = ("evaluate", DEMO, "--format", "csv")

    def measures(*more: str) -> str:
        status, out, _ = weps(*words, *more)
        assert status == 0
        return next(line for line in out.splitlines() if line.startswith('"system"'))

    assert measures() == '"system","F0.5","LEA","±F0.5"'
    Path("weps.toml").write_text('[evaluate]\nmeasures = "purity"')
    assert measures() == '"system","P","±F0.5"'
    monkeypatch.setenv("WEPS_MEASURES", "ari")
    assert measures() == '"system","ARI","±F0.5"'
    assert measures("--measures", "rand") == '"system","Rand","±F0.5"'
    _, shown, _ = weps("config", "show")
    assert [line.split()[0] for line in shown.splitlines()[1:]] == [
        *("jobs", "evaluate.measures", "evaluate.baselines", "text.score.measures"),
        *("evaluate.measures", "measures"),
    ]
    assert shown.splitlines()[-2].split()[2:] == ["weps.toml", "overridden", "by", "WEPS_MEASURES"]
    assert shown.splitlines()[-1].endswith("WEPS_MEASURES")
    monkeypatch.setenv("WEPS_MEASURS", "ari")
    _, shown, _ = weps("config", "show")
    assert "no command has this option; did you mean 'measures'?" in shown


@each_case(
    ("place", "text", "status", "told"),
    [
        ("user", "jobs = 'x'", 2, "got 'x' (in weps.toml or the environment"),
        ("user", "[evaluate]\nmeasure = 'ari'", 2, "no option 'measure'; did you mean 'measures'?"),
        ("user", "[cluster]\nmeasure = 'ari'", 0, ""),
        (
            "user",
            "measure = 'ari'",
            0,
            "weps.toml: no command has 'measure' (did you mean 'measures'?",
        ),
        (
            "work",
            "[evalute]\njobs = 2",
            0,
            "weps.toml: no command has 'evalute' (did you mean 'eval",
        ),
        ("user", "no-such-option = 1\n[x]\na = 1", 0, "'no-such-option'; "),
        ("user", "jobs = 2\npages = 3\n[study.features]\nties = true", 0, ""),
        ("user", "jobs", 1, "no valid TOML"),
        ("user", "plugin = 'x.py:f'", 2, "x.py"),
        ("work", "plugin = 'x.py:f'", 1, "plugin is not taken from the working directory"),
        ("work", "[cluster]\nyes = true", 1, "yes is not taken"),
        ("work", "[train]\nsystem = 'paper:features=x.py:f'", 1, "FILE.py:FUNCTION is not taken"),
        ("work", "measures = ['rouge1', 'x.py:f']", 1, "FILE.py:FUNCTION is not taken"),
        ("work", "json = '../a.json'", 1, "json = ../a.json is not taken"),
        ("work", "[cluster]\nout = '/'", 1, "out = / is not taken"),
        ("work", "json = ['a', '../a.json']", 1, "json = ../a.json is not taken"),
        ("work", "json = '~nobody/a.json'", 1, "json = ~nobody/a.json is not taken"),
        ("work", "[cluster]\nlabel = '~nobody'\nmodel = \"\\u0000\"", 0, ""),
        ("work", "report = 's3://bucket/a'", 1, "report = s3://bucket/a is not taken"),
        ("work", "[cluster]\nout = 'results'\nmodel = '/a.json'", 0, ""),
    ],
)
def test_faulty_settings_are_named(weps, configured, capsys, place, text, status, told):
    (configured if place == "user" else Path("weps.toml")).write_text(text)
    words = ("evaluate", DEMO, "--baselines", *(["--corrections"] if "x.py" in told else []))
    try:
        found, _, err = weps(*words)
    except SystemExit as error:
        found, err = error.code, capsys.readouterr().err
    finally:
        configured.unlink(missing_ok=True)
        Path("weps.toml").unlink(missing_ok=True)
    assert found == status
    assert told in err
    assert err.count("\n") == bool(told)


def test_the_options_of_all_commands_are_known_without_them():
    found, waiting = set(), [run_weps._parser()]
    for parser in waiting:  # grows
        parser.declare_options()
        found.update(flag[2:] for flag in parser._option_string_actions if flag[:2] == "--")
        for action in parser._actions:
            if action.nargs == argparse.PARSER:
                waiting += action.choices.values()
    assert found - {"help", "version"} == ALL_OPTIONS


def test_an_option_given_excludes_settings_of_its_rivals(weps, configured, tmp_path):
    configured.write_text("no-cache = true")
    folder = tmp_path / "cache"
    assert weps("cluster", DEMO, "--cache", folder, "--out", "out")[0] == 0
    assert any(folder.rglob("*"))
    page = Path("out", f"{NAME}.html").read_text("utf-8")
    assert "--no-cache" not in page
    assert weps("cluster", DEMO, "--out", "other")[0] == 0
    assert "--no-cache" not in Path("out", f"{NAME}.html").read_text("utf-8")


@each_case(
    ("words", "kind"),
    [
        ("evaluate resources/demo --baselines --json -", dict),
        ("cluster resources/demo --out {} --json -", dict),
        ("features --json -", dict),
        ("config show --json -", list),
        ("text score - --json - < resources/testbed/news.jsonl", dict),
        ("meta qarla resources/testbed/news.jsonl --json -", dict),
    ],
)
def test_json_goes_to_standard_output_and_tables_to_standard_error(tmp_path, words, kind):
    run = run_in_shell(f"-q {words.format(tmp_path)}")
    assert run.returncode == 0, run.stderr
    assert isinstance(json.loads(run.stdout), kind)
    assert "Traceback" not in run.stderr


def test_a_folder_is_no_standard_output(weps, pages, monkeypatch):
    monkeypatch.chdir(pages.parent)
    status, out, err = weps("cluster", pages, "--out", "-")
    assert (status, out) == (1, "")
    assert "expected a folder, got standard output" in err
    assert not Path("-").exists()


def test_help_is_grouped_and_a_command(weps, capsys):
    for words in (("help", "text", "score"), ("text", "score", "--help")):
        with pytest.raises(SystemExit, match="0"):
            weps(*words)
    first, second = capsys.readouterr().out.split("usage: ")[1:]
    assert first == second
    with pytest.raises(SystemExit, match="0"):
        weps("help")
    told = capsys.readouterr().out
    assert "this installation:\n  doctor  " in told
    assert "WEPS_CACHE" in told


@pytest.mark.skipif(not hasattr(signal, "SIGHUP"), reason="the system has no such signal")
@pytest.mark.parametrize("ignored", [False, True])
def test_the_end_of_the_terminal_is_an_interrupt_unless_it_is_ignored(ignored, capsys):
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN if ignored else signal.SIG_DFL)
    try:
        run_weps.main(["--version"])
    except SystemExit:
        capsys.readouterr()
    found = signal.signal(signal.SIGHUP, before)
    assert found is (signal.SIG_IGN if ignored else signal.default_int_handler)
