"""Benchmarks over corpora in which not every name has its pages."""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import jsonschema
import pytest

import run_weps
import weps_eval
from tests.cases import each_case
from tests.eval.benchmark.made_up import SCORER, run_of
from tests.eval.cli.conftest import KEY, NAMES, listed, write_weps2
from tests.weps.language.graphs import write_encoder
from weps.language.sentence_encoder import encoder_identity
from weps.model import ModelSet, load
from weps.people.pages import SIGNS
from weps.reading import PageForm, available_similarities
from weps.records import Clustering
from weps.sources.corpora import clustering_xml
from weps.sources.opening import open_source
from weps.systems import CONFIGURATIONS, parse_configuration, similarities_of
from weps_eval.benchmark.corpus import answers_in
from weps_eval.benchmark.runs import read_runs, write_run

ROOT = Path(run_weps.__file__).parent
DEMO = ROOT / "resources" / "demo"
SCHEMA = json.loads((ROOT / "docs" / "schema" / "scores.schema.json").read_text("utf-8"))
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
    return [word for name in names for word in ("--system", of(name))]


def of(features: str) -> str:
    return f"paper:features={features}"


def test_the_paper_s_system_and_ours_run_unless_others_are_asked_for(benchmark, results, capsys):
    data = benchmark("--cv", 2, results)
    assert set(data["systems"]) == {"paper", "default", *BASELINES}
    assert data["systems"]["default"]["configuration"] == CONFIGURATIONS["default"].as_data()
    assert data["systems"]["paper"]["calibration"]["pairs"]["forecasts"] == 90
    assert "calibration" not in data["systems"]["all_in_one"]
    (comparison,) = data["comparisons"]
    assert (comparison["first"], comparison["second"]) == ("paper", "default")
    out = capsys.readouterr().out
    assert re.search(r"default against paper\s+within the noise", out)
    assert "learning s" in out


def test_progress_from_python(results):
    told = []
    found = weps_eval.cross_validate("paper", results, 2, lambda *each: told.append(each))
    assert {*found.scores} >= {"paper"}
    assert len({what for what, *_ in told}) > 1
    assert all(0 <= done <= total for _, done, total in told)


def test_systems_are_compared_in_the_order_of_the_command(benchmark, results):
    first, *others = ["paper", of("all"), of("non-linguistic")]
    words = [word for system in (first, *others) for word in ("--system", system)]
    data = benchmark("--cv", 2, results, *words)
    pairs = [(each["first"], each["second"]) for each in data["comparisons"]]
    assert pairs == [(first, others[0]), (first, others[1]), tuple(others)]
    assert all(each["equal"] == len(NAMES) for each in data["comparisons"])


def test_mixed_names_are_learnt_from_and_answered(benchmark, results, capsys):
    words = ["--mixed", 8, 20, 30, "--system", "default:stop=expected-f-by-name,mixed=learn"]
    data = benchmark("--cv", 2, results, *words)
    names = set(next(iter(data["systems"].values()))["names"])
    assert names > set(NAMES)
    # Four groups of one or two names; one of 30 pages is of three, so it is of both parts.
    assert {name.split("_")[-2] for name in names - set(NAMES)} == {"8", "20"}
    assert "|cv:2|mixed:8,20,30|seed:0" in data["signature"]
    out = capsys.readouterr().out
    assert "not mixed" in out
    assert "mixed, 8 pages" in out
    unmixed = benchmark("--cv", 2, results, *words[:-1], words[-1].replace("learn", "skip"))
    assert set(next(iter(unmixed["systems"].values()))["names"]) == names


def test_names_of_one_origin_are_answered_by_what_the_others_teach(benchmark, tmp_path):
    corpus = listed(write_weps2(tmp_path / "corpus", NAMES), NAMES[:2])
    data = benchmark("--cv", "origin", corpus, "--system", "paper")
    assert "|cv:origin|seed:0" in data["signature"]
    assert set(data["systems"]["paper"]["names"]) == set(NAMES)


def test_features_that_pages_lack_are_told(benchmark, mixed, capsys):
    data = benchmark("--cv", 2, mixed, *sets("tokens", "token+title"))
    assert data["forms"] == dict.fromkeys(NAMES, "tokens") | {NAMES[0]: "results"}
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


def test_several_corpora_are_cross_validated_as_one(benchmark, halves, results):
    expected = benchmark("--cv", 2, results, *sets("title"))
    assert benchmark("--cv", 2, *halves[::-1], *sets("title")) == expected


BASE = {f"N{number}": 0.5 for number in range(8)}
BETTER = dict.fromkeys(BASE, 0.75)


@pytest.fixture
def runs(tmp_path: Path) -> tuple[Path, Path]:
    """Two seeds of one system in a folder, and a file with a better one."""
    folder = tmp_path / "paper"
    for seed in (0, 1):
        write_run(run_of(BASE, seed=seed), folder)
    return folder, write_run(run_of(BETTER, system="boosted"), tmp_path)


def test_recorded_runs_are_compared_without_a_corpus(runs, tmp_path, capsys):
    """Files, folders of seeds, or a folder of these; of one name they are called by their paths."""
    deeper = run_of(BETTER, configuration={"classifier": "tree", "depth": 9})
    path = write_run(deeper, tmp_path / "deep" / "paper")
    out = tmp_path / "compared.json"
    assert evaluate(*runs, "--compare", "--json", out) == 0
    data = json.loads(out.read_text())
    jsonschema.validate(data, SCHEMA)
    assert data["systems"]["paper"]["seeds"] == [0, 1]
    assert data["systems"]["paper"]["between_seeds"]["mean"] == 0
    (pair,) = data["comparisons"]
    assert (pair["verdict"], pair["difference"]) == ("better", 0.25)
    assert pair["remarks"] == [f"one seed only of {runs[1].stem}"]
    printed = capsys.readouterr().out
    assert re.search(rf"{runs[1].stem} against paper\s+better\s+\+0.250", printed)
    assert printed.endswith(f"{SCORER}\n")
    assert evaluate(path.parent.parent, runs[0], "--compare", "--format", "csv") == 0
    assert f'"{runs[0]}","{path.parent}","within' not in (shown := capsys.readouterr().out)
    assert f'"{runs[0]}","{path.parent}","worse","-0.250"' in shown
    assert evaluate(*runs, "--baselines") == 1
    assert "only recorded runs can be compared without a key" in capsys.readouterr().err


UNCLEAR = "the mode is missing"


@each_case(
    ("words", "fault"),
    [
        ("--cv 2", UNCLEAR),
        ("--train {corpus} --test {corpus} --cv 2", UNCLEAR),
        ("--cv 1 {corpus}", "nothing to test on"),
        (
            "--cv 99 {corpus}",
            f"more than the {len(NAMES)} names of the corpus; use --cv {len(NAMES)}",
        ),
        ("--cv origin {corpus} --mixed 8", "mixed names are not of one origin"),
        ("--cv origin {corpus}", "search results only are of one origin (search)"),
        ("--cv 2 {corpus} --runs {second}", "expected a folder, got a file"),
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


def test_names_that_taught_the_systems_are_told(results, capsys):
    words = ["--train", str(results), "--test", str(results), "--system", "paper"]
    assert run_weps.main(["benchmark", *words]) == 0
    told = f"{len(NAMES)} names to answer for taught the systems, too: scores are too high"
    assert told in capsys.readouterr().err


def test_runs_and_the_document_are_written_on_request(results, tmp_path, capsys):
    words = ["--cv", "2", str(results), "--system", "paper", "--report", str(tmp_path / "report")]
    assert run_weps.main(["--quiet", "benchmark", *words, "--runs", str(tmp_path / "runs")]) == 0
    page = (tmp_path / "report" / "index.html").read_text("utf-8")
    assert "weps --quiet benchmark --cv 2" in page
    (run,) = read_runs(tmp_path / "runs" / "paper")
    assert (run.system, run.how, len(run.scores)) == ("paper", "cv:2", len(NAMES))
    assert f"report: {tmp_path / 'report' / 'index.html'}" in capsys.readouterr().out


pytestmark = pytest.mark.slow


@pytest.fixture
def train(tmp_path: Path):
    """Train on a corpus; the models."""

    def run(*words: object) -> ModelSet:
        out = tmp_path / "model.json"
        assert run_weps.main(["--quiet", "train", *map(str, words), "--out", str(out)]) == 0
        return load(out)

    return run


def columns(models: ModelSet) -> dict[PageForm, list[str]]:
    return {form: list(map(str, model.similarities)) for form, model in models.models.items()}


def test_the_default_is_the_default_system(train, saved):
    models = train(saved)
    default = CONFIGURATIONS["default"]
    wanted = {form: similarities_of(default.for_form(form).features) for form in PageForm}
    assert {form: each.similarities for form, each in models.models.items()} == {
        form: available_similarities(wanted[form], form) for form in PageForm
    }
    kinds = {form: each.classifier.kind for form, each in models.models.items()}
    assert kinds == dict.fromkeys(PageForm, "ruled")
    assert models.card["system"] == "default"
    assert models.card["configuration"] == CONFIGURATIONS["default"].as_data()
    assert models.card["command"].startswith(f"weps --quiet train {saved} --out ")
    assert set(models.card["similarities"]) == set(map(str, wanted[PageForm.RESULTS]))
    assert models.language == ""


def test_a_model_names_its_sentence_encoder_and_is_used_with_it(train, saved, tmp_path, weps):
    mine, other = (write_encoder(tmp_path / name) for name in ("mine", "other"))
    models = train(saved, "--system", "default:features=embeddings", "--embeddings", mine)
    assert models.encoder == encoder_identity(mine)
    assert {form: len(each.similarities) for form, each in models.models.items()} == dict.fromkeys(
        PageForm, 6
    )
    words = ("cluster", saved, "--model", tmp_path / "model.json", "--out", tmp_path / "out")
    status, out, _ = weps(*words, "--embeddings", mine)
    assert status == 0
    assert "pages" in out
    made = json.loads(next((tmp_path / "out").glob("*.json")).read_text())
    assert f"|encoder:{models.encoder}|" in made["signature"]
    assert made["settings"]["embeddings"] == mine
    assert "accuracy may be lower" in weps(*words, "--embeddings", other)[2]
    status, _, err = weps(*words, "--embeddings", "none")
    assert status == 1
    assert "there is no sentence encoder; pip install" in err


def test_the_card_records_the_system(train, saved):
    card = train(saved, *sets("title")).card
    assert card["system"] == "paper:features=title"
    assert card["configuration"] == parse_configuration(card["system"]).as_data()
    assert set(card["cross_validation"]) == {"pages", "tokens", "results"}


def test_which_pages_to_set_aside_is_learnt_if_asked_for(train, saved):
    system = ("--system", "paper")
    assert train(saved, *system).for_form(PageForm.PAGES).set_aside.shares == {}
    models = train(saved, *system, "--set-aside")
    assert list(models.for_form(PageForm.PAGES).set_aside.shares) == list(SIGNS)
    assert models.for_form(PageForm.RESULTS).set_aside.shares == {}


def test_a_model_learns_from_mixed_names(train, results, capsys):
    system = "paper:stop=expected-f-by-name,features=title"
    models = train(results, "--mixed", 8, 12, "--system", system)
    (validation,) = models.card["cross_validation"].values()
    assert set(validation["mixed"]) <= {"8", "12"}
    assert set(validation["mean"]) == set(next(iter(validation["mixed"].values())))
    assert set(NAMES) < set(models.card["corpus"]["names"])
    assert "mixed, 8 pages" in capsys.readouterr().out
    kinds = {each.kind for model in models.models.values() for each in model.stopping.values()}
    assert kinds == {"expected-f-by-name"}


def test_there_is_no_model_for_pages_with_nothing_to_compare(train, saved, capsys):
    models = train(saved, *sets("token"))
    assert columns(models) == {
        PageForm.PAGES: ["dice(token)", "dice(token(local=true))"],
        PageForm.TOKENS: ["dice(token)"],
    }
    assert models.card["absent"] == {
        "pages": [],
        "tokens": ["dice(token(local=true))"],
        "results": ["dice(token)", "dice(token(local=true))"],
    }
    assert "paper:features=token has nothing to compare results by" in capsys.readouterr().out


@each_case(
    ("words", "status", "told"),
    [
        (
            "train {} --out {} --system paper:features=token",
            1,
            "nothing to compare by for paper:features=",
        ),
        ("train {} --out {} --system paper:features=tokn", 2, "did you mean 'token'"),
        ("study features {} --features token", 1, "choose from: none, the pages lack them all"),
        ("study features {} --features token+title --base token", 1, "choose from: title"),
        ("study features {} --features title --base token", 2, "choose from: title"),
        ("study features {} --features tokn", 2, "did you mean 'token'"),
        ("benchmark {} --cv 2 --system paper:features=tokn", 2, "did you mean 'token'"),
        ("evaluate {} {} --measures bcubed", 2, "there is no measure"),
    ],
)
def test_a_fault_of_pages_is_no_fault_of_the_command_line(
    words, status, told, results, tmp_path, capsys
):
    assert run_weps.main(words.format(results, tmp_path / "m.json").split()) == status
    assert told in capsys.readouterr().err
    assert not (tmp_path / "m.json").exists()


def evaluate(*words: object) -> int:
    return run_weps.main(["--quiet", "evaluate", *map(str, words)])


def test_how_few_corrections_reach_the_key(tmp_path, capsys):
    assert evaluate(DEMO, "--corrections", "--json", tmp_path / "one.json") == 0
    printed = capsys.readouterr().out
    data = json.loads((tmp_path / "one.json").read_text())
    jsonschema.validate(data, SCHEMA)
    ((title, system),) = data["systems"].items()
    assert title == "default (model)"
    assert "|model:" in data["signature"]
    (course,) = system["corrections"]["names"].values()
    assert course["anew"][0] == course["alone"][0] == system["mean"]["bcubed_f05"]
    assert course["anew"][-1] == course["alone"][-1] == course["best"]
    assert "mean F0.5 after corrections" in printed
    assert evaluate(DEMO, "--corrections", "--json", tmp_path / "two.json") == 0
    assert (tmp_path / "one.json").read_bytes() == (tmp_path / "two.json").read_bytes()


def test_names_that_the_model_has_learnt_from_are_told(tmp_path, capsys):
    data = json.loads((ROOT / "resources" / "models" / "default.json").read_text())
    data["card"]["corpus"]["names"] = ["Robin_Averdale", 7, "Nobody"]
    (tmp_path / "mine.json").write_text(json.dumps(data))
    assert evaluate(DEMO, "--corrections", "--model", tmp_path / "mine.json") == 0
    told = capsys.readouterr()
    assert "the model was trained on 1 of these 1 names" in told.err
    assert "mine (model)" in told.out


def test_facts_are_judged_where_annotators_found_attributes(results, tmp_path, capsys):
    answers, name = tmp_path / "answers", NAMES[0]
    command = ["--quiet", "cluster", results, "--name", name, "--out", answers, "--no-cache"]
    assert run_weps.main(list(map(str, command))) == 0
    data = json.loads((answers / f"{name}.json").read_text())
    source = {"page": 1, "sentence": "She bakes."}
    fact = {"attribute": "occupation", "value": "baker", "certainty": 0.9, "sources": [source]}
    data["people"][0]["facts"] = [fact | {"pages": [1, 3]}]
    (answers / f"{name}.json").write_text(json.dumps(data))
    capsys.readouterr()
    assert evaluate(results, answers, "--facts") == 1
    assert "none of the names has a key and attributes" in capsys.readouterr().err
    assert evaluate(results, "--facts", "--baselines") == 1
    assert "no answers to score" in capsys.readouterr().err

    (results / "attributes").mkdir()
    (results / "attributes" / f"{name}.txt").write_text("1\toccupation\tbaker\n1\tfax\t1234567")
    assert evaluate(results, answers, "--facts", "--json", tmp_path / "scores.json") == 0
    table = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert ["occupation", "1", "1", *["1.00"] * 7] in table
    assert ["all", "1", "2", *["1.00", "0.50", "0.67"] * 2, "0.50"] in table
    scores = json.loads((tmp_path / "scores.json").read_text())
    jsonschema.validate(scores, SCHEMA)
    found = scores["systems"]["answers"]["facts"]
    assert found["judged"][0]["sentence"] == "She bakes."
    assert found["unread"] == 1
    assert [each["attribute"] for each in found["missed"]] == ["fax"]


@pytest.fixture
def systems(tmp_path: Path) -> list[Path]:
    """Answers that equal the keys; that put one page elsewhere; and that put all pages together."""
    wrong = Clustering((frozenset({1, 3}), frozenset({2, 4, 5, 6})))
    all_in_one = Clustering((frozenset(range(1, 7)),))
    folders = []
    for system, answer in {"right": KEY, "near": wrong, "rough": all_in_one}.items():
        folders.append(tmp_path / system)
        folders[-1].mkdir()
        for name in NAMES:
            (folders[-1] / f"{name}.clust.xml").write_text(clustering_xml(answer), "utf-8")
    return folders


def test_every_two_systems_are_compared_on_the_same_names(results, systems, tmp_path, capsys):
    out = tmp_path / "scores.json"
    assert evaluate(results, *systems, "--compare", "--json", out) == 0
    data = json.loads(out.read_text())
    jsonschema.validate(data, SCHEMA)
    means = {system: each["mean"]["bcubed_f05"] for system, each in data["systems"].items()}
    pairs = {(each["second"], each["first"]): each for each in data["comparisons"]}
    assert list(pairs) == [("near", "right"), ("rough", "right"), ("rough", "near")]
    for (second, first), each in pairs.items():
        assert each["difference"] == pytest.approx(means[second] - means[first])
        # All six names are worse: 2 of 64 ways, and three tests.
        assert (each["better"], each["worse"], each["equal"]) == (0, 6, 0)
        assert each["p"] == each["randomisation"] == 2 / 64
        assert each["holm"] == {"randomisation": 6 / 64, "p": 6 / 64}
        assert each["verdict"] == "within the noise"
    printed = capsys.readouterr().out
    assert re.search(r"near against right\s+within the noise", printed)
    measured = evaluate(
        results, *systems[:2], "--compare", "--measures", "purity,ari", "--json", out
    )
    assert measured == 0
    comparisons = json.loads(out.read_text())["comparisons"]
    assert [each["measure"] for each in comparisons] == ["purity", "ari"]
    assert {each["verdict"] for each in comparisons} == {"worse"}


@pytest.mark.parametrize("words", [["--compare"], []])
def test_names_without_an_answer_are_told_where_their_zeros_count(
    results, systems, tmp_path, capsys, words
):
    out = tmp_path / "scores.json"
    (systems[1] / f"{ADA}.clust.xml").unlink()
    told = f"Names without an answer, which count 0: near 1 of 6 ({ADA})."
    for form in ("latex", "markdown", "html"):
        assert evaluate(results, *systems[:2], *words, "--format", form, "--json", out) == 0
        shown = capsys.readouterr()
        assert shown.err == f"weps: warning: {told}\n"
        # By name, by pair and of the means; else of these alone.
        assert shown.out.replace("\\_", "_").count(told) == (3 if words else 1)
    found = json.loads(out.read_text())["systems"]
    assert {system: each["unanswered"] for system, each in found.items()} == {
        "right": [],
        "near": [ADA],
    }
    assert found["near"]["names"][ADA]["bcubed_f05"] == 0


def test_one_system_cannot_be_compared(results, systems, capsys):
    assert evaluate(results, systems[0], "--compare") == 1
    assert "two systems are needed" in capsys.readouterr().err


def test_files_of_answers_are_named_as_people_write_names(results, systems, capsys):
    folder = systems[0]
    named, answer = folder / "ADA_LOVELL.clust.xml", folder / "Ada lovell.clust.xml"
    named.rename(answer)
    assert evaluate(results, folder) == 0
    assert "no answer" not in capsys.readouterr().err
    named.write_bytes(answer.read_bytes())
    assert evaluate(results, folder) == 1
    assert f"{named}: is an answer for the same name as {answer};" in capsys.readouterr().err
    named.unlink()
    answer.rename(folder / "Ida_lovell.clust.xml")
    assert evaluate(results, folder) == 1
    told = capsys.readouterr()
    assert told.out == ""
    assert "the corpus has no name 'Ida_lovell' (did you mean 'ADA_LOVELL'" in told.err


@each_case(
    ("words", "fault"),
    [
        ("{folder} {table}", "{folder}: none of the names has a key: Ada_Lovell; give a corpus"),
        ("{table} {corpus}", "{table}: none of the names has a key: good; give a corpus"),
        ("{corpus} {table} --files", "--files writes beside a report; name its folder"),
        ("{corpus} {table} --measures b3", "no measure 'b3'; F1 of B-Cubed is called bcubed_f05;"),
    ],
)
def test_what_is_at_fault_is_told(results, tmp_path, capsys, words, fault):
    places = {"folder": tmp_path, "table": tmp_path / "good.csv", "corpus": results}
    places["table"].write_text(as_csv(ROWS))
    (tmp_path / "Ada_Lovell").mkdir(exist_ok=True)
    (tmp_path / "Ada_Lovell/1.html").write_text("<p>Ada")
    assert evaluate(*words.format(**places).split()) in {1, 2}
    (line,) = capsys.readouterr().err.splitlines()
    assert fault.format(**places) in line


def test_a_table_of_zeros_is_an_error(results, systems, capsys):
    folder = systems[0]
    for each in folder.iterdir():
        each.write_text(clustering_xml(Clustering((frozenset({91}), frozenset({92})))), "utf-8")
    assert evaluate(results, folder, "--scorer", "weps1") == 1
    assert "every name scores 0" in capsys.readouterr().err
    assert evaluate(results, folder, "--name", NAMES[0], "--scorer", "weps1") == 1


ROWS = [(name, rank, f"p{rank % 2}") for name in NAMES for rank in range(1, 7)]
"""The keys, as a table has them."""


def as_csv(rows: Iterable[Sequence[object]], head: str = "name,page,person", sep: str = ",") -> str:
    return "\n".join([head.replace(",", sep), *(sep.join(map(str, row)) for row in rows)]) + "\n"


def as_lines(rows: Iterable[Sequence[object]]) -> str:
    fields = ("name", "page", "person")
    return "".join(json.dumps(dict(zip(fields, row, strict=True))) + "\n" for row in rows)


@pytest.mark.filterwarnings("always:.*is about")
def test_answers_of_every_form_are_one_answer(results, systems, tmp_path, capsys):
    tables = tmp_path / "tables"
    tables.mkdir()
    (tables / "comma.csv").write_text("\ufeff" + as_csv(ROWS))
    reordered = ((person, name, rank) for name, rank, person in reversed(ROWS))
    (tables / "tab.v2.tsv").write_text(as_csv(reordered, "person,name,page", "\t"))
    (tables / "lines.jsonl").write_text(as_lines(ROWS) + "\n")
    command = ["cluster", results, "--out", tmp_path / "out", "--write", "json,csv", "--no-cache"]
    assert run_weps.main(["--quiet", *map(str, command)]) == 0
    written = tmp_path / "out/people.parquet"
    out = tmp_path / "scores.json"
    assert evaluate(results, systems[0], tables, tmp_path / "out", written, "--json", out) == 0
    found = {
        system: each["mean"] for system, each in json.loads(out.read_text())["systems"].items()
    }
    assert list(found) == ["right", "comma", "lines", "tab.v2", "out", "people"]
    assert found["right"]["bcubed_f05"] == 1
    assert all(found[system] == found["right"] for system in ("comma", "lines", "tab.v2"))
    assert found["out"]["bcubed_f05"] > 0
    assert found["people"] == found["out"]
    assert "no answer" not in capsys.readouterr().err
    source = open_source(results)
    (one,) = answers_in(tmp_path / f"out/{ADA}.json", source).values()
    assert answers_in(tmp_path / f"out/{ADA}.csv", source)[ADA]() == replace(one(), labels=())
    (tmp_path / f"out/{ADA}.json").rename(tmp_path / f"out/{NAMES[1]}.json")
    assert evaluate(results, tmp_path / "out") == 0
    assert "is about 'ADA LOVELL', not 'BEA LOVELL'" in capsys.readouterr().err
    (tmp_path / f"out/{NAMES[1]}.json").rename(tmp_path / "mine.json")
    assert [*answers_in(tmp_path / "mine.json", source)] == [ADA]


def test_a_page_without_a_person_is_nobody_s(results, tmp_path):
    (tmp_path / "one.csv").write_text(as_csv([(NAMES[0], 1, ""), (NAMES[0], 2, "a")]))
    answer = answers_in(tmp_path / "one.csv", open_source(results))[NAMES[0]]()
    assert answer == Clustering((frozenset({2}),), frozenset({1}))


ADA = NAMES[0]


@each_case(
    ("file", "content", "message"),
    [
        ("a.csv", as_csv([(ADA, 1)], "name,page"), "a.csv, line 2: there is no column person; the"),
        (
            "a.csv",
            as_csv([("x", 1, "a"), ("y", 1, "a")]),
            "a.csv: the corpus has no name 'x', 'y'; give answers for this corpus",
        ),
        ("a.csv", as_csv(ROWS, sep=";"), "there is no column name, page, person"),
        ("a.csv", "", "a.csv: the table has no rows"),
        ("a.csv", as_csv(ROWS, "name,page,page"), "two columns are called 'page'"),
        (
            "a.csv",
            as_csv([(ADA, 1, "a"), (ADA, 1, "b")]),
            "a.csv, line 3: page 1 of 'ADA_LOVELL' is",
        ),
        ("a.csv", as_csv([(ADA, 9, "a")]), "line 2: the corpus has no page 9 of ADA_LOVELL"),
        ("a.csv", as_csv([("Ada lovell", 9, "a")]), "the corpus has no page 9 of ADA_LOVELL"),
        ("a.csv", as_csv([("Ada_lovell", 9, "a")]), "the corpus has no page 9 of ADA_LOVELL"),
        (f"{ADA}.json", json.dumps([{"name": ADA}]), "this is not a result of `weps cluster`"),
        ("a.csv", as_csv([(ADA, "1.5", "a")]), "line 2: '1.5' is not the rank"),
        ("a.csv", as_csv([(ADA, 1, "a,b")]), "line 2: the row has 4 cells"),
        (
            "a.csv",
            as_csv([("ada lovel", 1, "a")]),
            "no name 'ada lovel' (did you mean 'ADA_LOVELL'",
        ),
        ("a.csv", as_csv([(ADA, 1, "é")]).encode("latin-1"), "a.csv: not valid UTF-8"),
        ("a.csv", as_csv(ROWS).encode("utf-16"), "a.csv: not valid UTF-8"),
        ("a.jsonl", "[1, 2]\n", "line 1: expected an object of JSON"),
        ("a.jsonl", as_lines(ROWS) + '{"name": "x"}\n', "line 37: there is no column page, person"),
        ("a.jsonl", "[" * 100_000, "line 1: expected an object of JSON"),
        ("a.csv", "name,page,person\n", "a.csv: the table has no rows"),
    ],
)
def test_a_faulty_table_of_answers_gets_one_clear_line(
    results, tmp_path, capsys, file, content, message
):
    path = tmp_path / file
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    assert evaluate(results, path) == 1
    told = capsys.readouterr()
    assert told.out == ""
    (line,) = told.err.splitlines()
    assert message in line


def test_recorded_runs_are_compared_with_answers(
    benchmark, results, halves, systems, tmp_path, capsys
):
    runs, out = tmp_path / "runs", tmp_path / "compared.json"
    for seed in (0, 1):
        benchmark("--cv", 2, results, *sets("title"), "--seed", seed, "--runs", runs)
    words = [runs, systems[0], "--compare", "--json", out]
    assert evaluate(results, *words) == 0
    data = json.loads(out.read_text())
    assert list(data["systems"]) == ["paper-features-title", "right"]
    scores = [each.scores for each in read_runs(runs / "paper-features-title")]
    for name, of_name in data["systems"]["paper-features-title"]["names"].items():
        assert of_name["purity"] == pytest.approx(sum(each[name]["purity"] for each in scores) / 2)
    capsys.readouterr()
    assert evaluate(results, *words, "--measures", "ari") == 1
    assert "was recorded without ari" in capsys.readouterr().err
    assert evaluate(results, *words, "--scorer", "weps1") == 1
    assert "was recorded on other data or by another scorer" in capsys.readouterr().err
    assert evaluate(halves[0], *words) == 1
    assert evaluate(results, *words[:2], "--name", NAMES[1]) == 0
    benchmark("--cv", 2, results, *sets("title"), "--exclude", ADA, "--runs", tmp_path / "fewer")
    capsys.readouterr()
    assert evaluate(results, systems[0], tmp_path / "fewer") == 0
    assert "scored are the 5 of 6 names that all runs have" in capsys.readouterr().err


def test_results_are_printed_in_the_form_of_tables_texts_or_pages(
    results, systems, tmp_path, capsys
):
    strange = systems[1].rename(tmp_path / "a_b & <i>50%|")
    words = [results, systems[0], strange, "--compare", "--measures", "bcubed_f05,lea"]

    def printed(form: str) -> str:
        capsys.readouterr()
        out = tmp_path / "scores.json"
        assert evaluate(*words, "--format", form, "--json", out) == 0
        return capsys.readouterr().out

    assert json.loads(printed("json")) == json.loads((tmp_path / "scores.json").read_text())
    blocks = [list(csv.reader(each.splitlines())) for each in printed("csv").strip().split("\n\n")]
    assert [len(each) for each in blocks] == [9, 2, 9, 2, 3]  # names and pairs twice, systems
    assert blocks[0][0] == ["F0.5", "right", strange.name]
    assert blocks[1][1][:3] == [strange.name, "right", "worse"]
    assert not blocks[1][1][4].startswith("'")
    latex = printed("latex")
    assert r"a\_b \& $<$i$>$50\%|" in latex
    # A row of pairs fits a page, with the names of systems that papers have.
    pairs = [line for line in latex.splitlines() if " against right & " in line]
    assert len(pairs) == 2
    assert all(len(pair.partition(" against ")[2]) < 90 for pair in pairs)
    assert all(" & worse & " in pair for pair in pairs)
    assert latex.count(r"\begin{tabular}") == latex.count(r"\end{tabular}") == 5
    rows = [line for line in latex.splitlines() if line.endswith(r"\\")]
    assert len(rows) == 9 + 2 + 9 + 2 + 3
    assert r"| a\_b &amp; &lt;i&gt;50%\| |" in printed("markdown")
    page = printed("html")
    assert page.startswith("<!doctype html>")
    assert "a_b &amp; &lt;i&gt;50%|" in page
    assert "<i>" not in page
    assert page.count("data:image/svg+xml") == 1


def test_a_report_has_tables_and_precision_against_recall(results, systems, tmp_path, capsys):
    for out in ("one", "two"):
        words = [*systems, "--report", tmp_path / out, "--files"]
        assert evaluate(results, *words) == 0
    assert f"report: {tmp_path / 'two' / 'index.html'}" in capsys.readouterr().out
    files = {path.name: path.read_bytes() for path in (tmp_path / "one").iterdir()}
    assert {"precision-recall.svg", "systems.csv", "names-3.csv", "index.md"} <= files.keys()
    drawn = (tmp_path / "two" / "precision-recall.svg").read_bytes()
    assert drawn == files["precision-recall.svg"]
    assert "among them right, near and rough" in files["index.html"].decode()
