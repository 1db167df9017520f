"""The commands of text."""

import contextlib
import json
import sys
from pathlib import Path

import jsonschema
import pyarrow
import pyarrow.parquet
import pytest

from docs.extensions import measure_sections
from tests.cases import each_case
from tests.eval.text.made_up import tides
from tests.eval.text.made_up_wordnet import packed
from tests.eval.text.test_convert import duc_files, write
from weps._cache import Cache
from weps_eval.text import scoring
from weps_eval.text.declaration import MEASURE_SETS, measure_families
from weps_eval.text.testbed import (
    Output,
    Reference,
    Testbed,
    Topic,
    read_matrix,
    read_testbed,
    write_testbed,
)

ROOT = Path(__file__).resolve().parents[3]
MEASURES = "rouge(n=1),rouge_l"

STOPPED = (
    "weps: error: stopped; finished topics are kept in the cache; run the same command again to "
    "continue\n"
)


@pytest.fixture
def testbed(tmp_path: Path) -> Path:
    write_testbed(tides(), tmp_path / "tides.jsonl")
    return tmp_path / "tides.jsonl"


def sections(out: str) -> list[list[list[str]]]:
    """The cells of each table; two blanks part them."""
    return [[line.split() for line in block.splitlines()] for block in out.split("\n\n")]


def test_what_is_told(weps, testbed):
    status, out, err = weps("text", "score", testbed, "--measures", MEASURES)
    assert (status, err) == (0, "")
    measures, agreement, systems, remarks, signature = sections(out)
    assert [row[0] for row in measures] == ["measure", "rouge(n=1)", "rouge_l"]
    assert [len(row) for row in measures] == [6, 6, 6]
    assert agreement[0] == ["agreement", "with", "people", "fluency:", "r", "τ"]
    assert [row[0] for row in systems] == ["system", "two", "one", "three"]
    assert [row[1] for row in systems[1:]] == ["3", "4", "4"]
    assert " ".join(word for line in remarks for word in line) == (
        "fluency: Pearson's r and Kendall's τ of the means of 3 systems over 3 topics. "
        "1 output is empty, with 0: 'two' on 'flood'."
    )
    assert signature[0][0].startswith("testbed:sha256-")


def test_the_usual_measures_need_nothing(weps, testbed, monkeypatch):
    for library in ("nltk", "sacrebleu", "spacy"):
        monkeypatch.setitem(sys.modules, library, None)
    status, out, _ = weps("text", "score", testbed, "--wordnet", "nowhere", "--language", "no_such")
    assert status == 0
    (measures, *_) = sections(out)
    assert [row[0] for row in measures[1:]] == [
        str(each) for each in MEASURE_SETS["usual"].measures
    ]


def test_one_system_has_no_rivals(weps, tmp_path):
    topic = Topic("ebb", (Reference("A", "It fell."),), (Output("one", "It.", {"good": 1.0}),))
    write_testbed(Testbed("Ebb", "en", "made up", (topic,)), tmp_path / "ebb.jsonl")
    status, out, _ = weps("text", "score", tmp_path / "ebb.jsonl", "--measures", "rouge(n=1)")
    assert status == 0
    table, remarks, _ = sections(out)
    assert table == [["measure", "mean"], ["rouge(n=1)", "0.6667"]]
    assert " ".join(remarks[0]).startswith(
        "No correlation with good: people judged 1 system, on 1 topic all of them; 3 systems"
    )


def test_the_matrix_and_json_hold_the_same(weps, testbed, tmp_path):
    matrix, data = tmp_path / "m.csv", tmp_path / "m.json"
    words = ["--measures", MEASURES, "--out", matrix, "--json", data]
    assert weps("text", "score", testbed, *words)[0] == 0
    found = read_matrix(matrix)[0]
    assert found.measures == ("rouge(n=1)", "rouge_l")
    assert found.criteria == ("fluency",)
    summary = json.loads(data.read_text())
    schema = json.loads((ROOT / "docs" / "schema" / "text-scores.schema.json").read_text())
    jsonschema.validate(summary, schema)
    assert summary["mean"]["rouge_l"] == pytest.approx(found.values[1].mean())
    assert list(summary["systems"]) == ["one", "two", "three"]
    assert summary["agreement"]["fluency"]["topics"] == 3
    assert summary["empty"] == [{"topic": "flood", "system": "two"}]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["m.csv", "m.json", "tides.jsonl"]


def test_ctrl_c_keeps_what_is_finished(weps, testbed, tmp_path, monkeypatch):
    words = ["text", "score", testbed, "--measures", MEASURES, "--out", tmp_path / "m.csv"]
    words += ["--cache", tmp_path / "cache"]
    put, scored = Cache.put, []

    def interrupted(self, key, value) -> None:
        if len(scored) == 2:
            raise KeyboardInterrupt
        scored.append(key)
        put(self, key, value)

    monkeypatch.setattr(Cache, "put", interrupted)
    assert weps(*words) == (130, "", STOPPED)
    scored.clear()
    assert weps(*words)[0] == 0
    assert len(scored) == 2
    monkeypatch.undo()
    resumed = (tmp_path / "m.csv").read_bytes()
    weps(*words[:-2], "--no-cache")
    assert (tmp_path / "m.csv").read_bytes() == resumed


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--measures", "no_such"], "there is neither a measure nor a set 'no_such'"),
        (["--out", "nowhere/m.csv"], "no such folder"),
        (["--out", "tides.jsonl"], "tides.jsonl: this is the testbed already; choose another"),
        (["--measures", "grouge(n=1)", "--wordnet", "nowhere"], "nowhere"),
        (["--measures", "rouge_we(n=1)"], "give a file of them with --vectors"),
        (["--measures", "rouge_we(n=1)", "--vectors", "nowhere"], "nowhere"),
        (["--measures", "esk", "--language", "no_such"], "there is no such language pipeline"),
    ],
)
def test_wrong_use_is_reported_before_the_work(weps, testbed, monkeypatch, words, message):
    monkeypatch.chdir(testbed.parent)
    monkeypatch.setattr(scoring, "parallel_map", lambda *_: pytest.fail("work was begun"))
    if "esk" in words:
        words = [*words, "--wordnet", str(packed(testbed.parent / "wordnet"))]
    status, out, err = weps("text", "score", "tides.jsonl", "--measures", "rouge(n=1)", *words)
    assert (status, out) == (2 if "no_such'" in message else 1, "")
    (line,) = err.splitlines()
    assert message in line


def test_a_cache_that_cannot_be_used_is_told(weps, testbed):
    _, _, err = weps("text", "score", testbed, "--measures", "rouge(n=1)", "--cache", testbed)
    assert "read pages cannot be cached" in err


def test_files_under_other_names_are_the_same(weps, testbed, monkeypatch):
    monkeypatch.chdir(testbed.parent)
    Path("link.jsonl").symlink_to(testbed)
    before = testbed.read_bytes()
    for words in (["--out", "link.jsonl"], ["--json", f"../{testbed.parent.name}/tides.jsonl"]):
        assert "this is the testbed" in weps("text", "score", testbed, *words)[2]
    printed = weps("text", "score", testbed, "--out", "m.csv", "--json", "m.csv")[2]
    assert "this is the file of --json already" in printed
    assert testbed.read_bytes() == before


@pytest.fixture
def sts(tmp_path: Path) -> Path:
    folder = tmp_path / "sts"
    folder.mkdir()
    (folder / "STS.input.OnWN.txt").write_text("It rose.\tIt fell.\nBoats.\tA boat.\n")
    (folder / "STS.gs.OnWN.txt").write_text("1.5\n4\n")
    return folder


def test_a_testbed_is_made(weps, sts, tmp_path):
    out = tmp_path / "sts.jsonl.gz"
    status, printed, err = weps("text", "convert", "sts", sts, "--out", out)
    assert (status, err) == (0, "")
    assert printed == (
        f"testbed: {out}\n2 topics, 2 outputs, 2 references; systems: second; human scores: "
        "similarity\n"
    )
    assert [topic.topic for topic in read_testbed(out).topics] == ["OnWN.1", "OnWN.2"]


def test_a_matrix_is_made_of_one_of_the_tables(weps, tmp_path):
    folder, out = write(tmp_path / "duc", duc_files()), tmp_path / "duc.csv"
    words = ["text", "convert", "duc", folder, "--out", out]
    status, printed, err = weps(*words, "--table", "2001_sameLen_stop_words_removed")
    assert (status, err) == (0, "")
    assert printed.startswith(f"measure matrix: {out}\n3 outputs, measures: R1_recall, R1_f, ")
    assert read_matrix(out)[0].criteria == ("coverage",)
    for name, fault in (("nope", "unknown table 'nope'"), ("", "one of several tables must")):
        status, _, err = weps(*words, *(["--table", name] if name else []))
        assert status == 1
        assert fault in err
        assert "2001_sameLen_stop_words_remaining" in err


@each_case(
    ("words", "message"),
    [
        ("summeval . --out t.jsonl", "summeval.jsonl.gz not found"),
        ("sts sts --out nowhere/t.jsonl", "no such folder"),
        ("sts sts --out t.jsonl --table x", "--table has no meaning for sts"),
    ],
)
def test_wrong_use_is_told_in_one_line(weps, sts, words, message):
    with contextlib.chdir(sts.parent):
        status, out, err = weps("text", "convert", *words.split())
    assert (status, out) == (1, "")
    (line,) = err.splitlines()
    assert message in line


def test_every_family_and_set_is_listed(weps):
    status, out, err = weps("text", "measures")
    assert (status, err) == (0, "")
    for each in measure_families().values():
        assert each.name in out
        assert each.description[1:] in out
        assert all(name in out for name in each.parameters)
    assert all(name in out and each.description in out for name, each in MEASURE_SETS.items())


def test_the_page_tells_formula_source_and_needs():
    page = f"\n{measure_sections()}"
    for each in measure_families().values():
        section = page.split(f"\n### `{each.name}`\n")[1].split("\n###", maxsplit=1)[0]
        assert f"- formula: {each.formula}\n" in section
        assert f"- source: {each.source}\n" in section
        needs = f"- needs: {', '.join(sorted(each.needs))}"
        assert (needs in section) == bool(each.needs or each.needs_when)
        assert section.count(" where `") == len(each.needs_when)
        assert (f"together`: {each.joined}" in section) == bool(each.joined)
        for name, parameter in each.parameters.items():
            assert f"\n| `{name}` | " in section
            assert f" | {parameter.allowed} | {parameter.about} |" in section


def test_json_keeps_to_its_schema(weps, tmp_path):
    weps("text", "measures", "--json", tmp_path / "measures.json")
    data = json.loads((tmp_path / "measures.json").read_text())
    schema = json.loads((ROOT / "docs" / "schema" / "measures.schema.json").read_text())
    jsonschema.validate(data, schema)
    assert [each["name"] for each in data["families"]] == list(measure_families())
    (rouge,) = [each["parameters"] for each in data["families"] if each["name"] == "rouge"]
    assert (rouge["n"]["default"], rouge["n"]["allowed"]) == (None, "1 to 100")
    assert rouge["stem"]["default"] is False
    assert {name: each["measures"] for name, each in data["sets"].items()} == {
        name: list(map(str, each.measures)) for name, each in MEASURE_SETS.items()
    }


def own_files(folder: Path) -> dict[str, list[str]]:
    """Forms of files, each with the same outputs and references."""
    (folder / "a.txt").write_text("It rose.\nIt stood.\n")
    (folder / "b.txt").write_text("It fell.\nIt stays.")
    (folder / "ref.txt").write_text("It did rise.\nIt did stand.\n")
    for name in ("a", "b", "ref"):
        lines = (folder / f"{name}.txt").read_text().splitlines()
        records = [{"_id": str(at), "title": "", "text": text} for at, text in enumerate(lines, 1)]
        (folder / f"{name}.jsonl").write_text("\n".join(map(json.dumps, reversed(records))))
    rows = [
        (str(at), name, text, reference)
        for at, reference in enumerate(("It did rise.", "It did stand."), 1)
        for name in ("a", "b")
        for text in [(folder / f"{name}.txt").read_text().splitlines()[at - 1]]
    ]
    for sep, suffix in ((",", "csv"), ("\t", "tsv")):
        lines = [sep.join(row) for row in (("id", "model", "prediction", "target"), *rows)]
        (folder / f"all.{suffix}").write_text("\n".join(lines))
    fields = ("id", "system", "prediction", "references")
    records = [dict(zip(fields, (*row[:3], [row[3]]), strict=True)) for row in rows]
    (folder / "all.jsonl").write_text("\n".join(map(json.dumps, records)))
    (folder / "all.json").write_text(json.dumps(records, indent=2))
    pyarrow.parquet.write_table(pyarrow.Table.from_pylist(records), folder / "all.parquet")
    return {
        "lines": ["a.txt", "b.txt", "ref.txt"],
        "ids": ["a.jsonl", "b.jsonl", "ref.jsonl"],
        **{each: [f"all.{each}"] for each in ("csv", "tsv", "jsonl", "json", "parquet")},
    }


def test_texts_of_one_s_own_of_any_form_are_one_testbed(weps, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    found = {}
    for form, words in own_files(tmp_path).items():
        assert weps("text", "convert", "texts", *words, "--out", f"{form}.out.jsonl")[0] == 0
        topics = read_testbed(Path(f"{form}.out.jsonl")).topics
        found[form] = sorted(
            (
                each.topic,
                [r.text for r in each.references],
                {o.system: o.text for o in each.outputs},
            )
            for each in topics
        )
    assert found["lines"] == [
        ("1", ["It did rise."], {"a": "It rose.", "b": "It fell."}),
        ("2", ["It did stand."], {"a": "It stood.", "b": "It stays."}),
    ]
    assert all(each == found["lines"] for each in found.values())


def test_human_scores_are_read_and_what_is_not_is_told(weps, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("own.csv").write_text("id,output,target,human:x,rating\n1,,b,2.5,1\n2,a,b,,1\n")
    status, out, err = weps("text", "convert", "texts", "own.csv", "--out", "own.jsonl")
    assert (status, "human scores: x" in out) == (0, True)
    unread, empty = err.splitlines()
    assert "columns not read: rating; columns of human scores are human:NAME" in unread
    assert "1 output is empty, with 0: 'output' on '1'" in empty
    found = [(each.text, each.human) for _, each in read_testbed(Path("own.jsonl")).instances]
    assert found == [("", {"x": 2.5}), ("a", {})]


@each_case(
    ("words", "content", "message"),
    [
        (["a.txt", "x.txt"], "One.", "a.txt: there are 2 lines where 1 are expected; give as many"),
        (["a.jsonl", "x.csv"], "id,text\n1,a", "topic '2' has no references"),
        (["x.csv"], "id,words\n1,a", "topic '1' has no references; columns found are id, words,"),
        (["x.csv"], "id,output,target\n1,a,b\n1,c,b", "x.csv, line 3: system 'output' has another"),
        (["x.csv"], "output,target,human:x\na,b,good", "line 2: expected a finite number, got 'go"),
        (["x.jsonl"], "[1]", "x.jsonl, line 1: expected an object of JSON"),
        (["x.json"], '[{"output": "a",\n"target" "b"}]', "x.json, line 2: expected an object"),
        (["x.jsonl"], '{"output": 1, "reference": "a"}', "topic '1': outputs"),
        (["nowhere.txt", "a.txt"], "", "nowhere.txt: cannot be read"),
    ],
)
def test_faulty_texts_of_one_s_own_are_one_line(
    weps, tmp_path, monkeypatch, words, content, message
):
    monkeypatch.chdir(tmp_path)
    own_files(tmp_path)
    if content:
        (tmp_path / words[-1]).write_text(content)
    status, _, err = weps("text", "convert", "texts", *words, "--out", "t.jsonl")
    assert status == 1
    assert message in err
    assert err.count("\n") == 1


def test_tables_of_systems_are_printed_as_csv_and_latex(weps, testbed):
    words = ("text", "score", testbed, "--measures", MEASURES, "--format")
    blocks = weps(*words, "csv")[1].strip().split("\n\n")
    assert blocks[-1].splitlines()[0] == '"system","topics","rouge(n=1)","rouge_l"'
    latex = weps(*words, "latex")[1]
    assert latex.count(r"\begin{tabular}") == 3
    assert r"rouge\_l" in latex
    assert weps("-q", *words, "csv")[1].strip() == "\n\n".join(blocks)


def test_a_testbed_without_its_first_line_is_told_so(weps, testbed):
    testbed.write_text("\n".join(testbed.read_text().splitlines()[1:]))
    status, _, err = weps("text", "score", testbed)
    assert status == 1
    assert "the first line, which names it, is missing" in err
    for files in ((testbed, "other.txt"), (testbed,)):
        status, _, err = weps("text", "score", *files)
        assert status == 1
        assert "`weps text convert texts` makes a testbed of plain texts and tables" in err
