"""``weps meta hbr`` and ``weps meta heterogeneity``, whose sources and options are alike."""

import json
from pathlib import Path

import jsonschema
import numpy as np
import pytest

import run_weps
from eval.meta.heterogeneity.agreement import PairwisePreferences
from eval.meta.heterogeneity.hbr import hbr
from eval.studies.hbr import report as hbr_drawings
from eval.studies.heterogeneity import findings
from eval.studies.heterogeneity import report as drawings
from eval.tables.reading import read_instances
from eval.tables.writing import write_instances
from eval.text.testbed.matrix import read_matrix
from tests.conftest import Weps
from tests.eval.studies.made_up_groups import instances
from tests.eval.studies.made_up_scores import matrix, write

SCHEMAS = Path(run_weps.__file__).parent / "docs" / "schema"
STUDIES = ("hbr", "heterogeneity")


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Few resamples, no pictures."""
    monkeypatch.setattr(findings, "_GAIN_RESAMPLES", 10)
    for module in (drawings, hbr_drawings):
        monkeypatch.setattr(module, "available", lambda: False)


@pytest.fixture
def table(tmp_path: Path) -> Path:
    return write(tmp_path / "matrix.csv")


@pytest.fixture
def pairs(tmp_path: Path) -> Path:
    write_instances(instances(groups=4, size=20), tmp_path / "pairs.csv")
    return tmp_path / "pairs.csv"


@pytest.fixture
def unjudged(table: Path) -> Path:
    rows = [line.split(",") for line in table.read_text().splitlines()]
    place = rows[0].index('"human:quality"')
    out = table.with_name("unjudged.csv")
    out.write_text("\n".join(",".join(row[:place] + row[place + 1 :]) for row in rows) + "\n")
    return out


@pytest.mark.parametrize("study", STUDIES)
@pytest.mark.parametrize("kind", ["table", "pairs", "unjudged"])
def test_data_obey_the_schema_and_the_document_has_all(
    study: str, kind: str, request: pytest.FixtureRequest, tmp_path: Path, weps: Weps
) -> None:
    source, data, report = request.getfixturevalue(kind), tmp_path / "data.json", tmp_path / "r"
    status, told, _ = weps("meta", study, source, "--json", data, "--report", report)
    assert status == 0
    assert max(map(len, told.splitlines()[:-1])) <= 100
    schema = json.loads((SCHEMAS / f"meta-{study}.schema.json").read_text("utf-8"))
    found = json.loads(data.read_text("utf-8"))
    jsonschema.validate(found, schema)
    assert list(found["people"]) == {"table": ["quality"], "pairs": ["label"], "unjudged": []}[kind]
    assert bool(found["conclusions"]) == bool(found["people"] or study == "heterogeneity")
    text = (report / "index.md").read_text("utf-8")
    assert "the papers' own tables are not reproduced" in text
    assert found["signature"] in told


@pytest.mark.parametrize("study", STUDIES)
def test_the_same_data_come_out(study: str, table: Path, tmp_path: Path, weps: Weps) -> None:
    files = [tmp_path / name for name in ("one", "two")]
    for file in files:
        assert weps("meta", study, table, "--json", file)[0] == 0
    one, two = (json.loads(file.read_text()) for file in files)
    assert {**one, "made": ""} == {**two, "made": ""}


def test_hbr_is_written_beside_the_measures(table: Path, tmp_path: Path, weps: Weps) -> None:
    out = tmp_path / "out.csv"
    assert weps("meta", "hbr", table, "--samples", 0, "--out", out)[0] == 0
    before, after = (read_matrix(each).matrix for each in (table, out))
    assert after.measures == (*before.measures, "hbr")
    assert after.criteria == before.criteria
    topic = np.repeat(np.arange(8), 7)
    expected = hbr(before.values, PairwisePreferences.exact(before.values, topic), topic)
    assert after.column("hbr").tolist() == expected.tolist()
    assert weps("meta", "hbr", out, "--out", tmp_path / "again.csv")[0] == 1


def test_hbr_of_labelled_instances_is_written(pairs: Path, tmp_path: Path, weps: Weps) -> None:
    out = tmp_path / "out.npz"
    assert weps("meta", "hbr", pairs, "--samples", 0, "--rivals", 0, "--out", out)[0] == 0
    found, before = read_instances(out).instances, instances(groups=4, size=20)
    expected = hbr(
        before.values, PairwisePreferences.exact(before.values, before.group), before.group
    )
    assert np.allclose(found.column("hbr"), expected)


def test_trees_and_pwa_stand_beside_hbr_of_labelled_instances(pairs: Path, weps: Weps) -> None:
    told = weps("meta", "hbr", pairs)[1]
    assert "boosted trees" in told
    assert "Agreement with the key" in told


def test_features_are_chosen_side_by_side(pairs: Path, table: Path, weps: Weps) -> None:
    assert "by KING (1)" in weps("meta", "heterogeneity", pairs)[1]
    assert "by KING (1)" not in weps("meta", "heterogeneity", table)[1]


def test_topics_of_one_output_are_compared_within_sets(tmp_path: Path, weps: Weps) -> None:
    found = matrix(topics=1, systems=30)
    topics = [f"set{at % 2}.{at}" for at in range(30)]
    rows = [
        f"{topic},s,{human},{','.join(map(str, values))}"
        for topic, human, values in zip(topics, found.human[0], found.values.T, strict=True)
    ]
    names = ",".join(f'"{name}"' for name in found.measures)
    source = tmp_path / "sets.csv"
    source.write_text("\n".join([f"topic,system,human:quality,{names}", *rows]) + "\n")
    status, told, _ = weps("meta", "hbr", source)
    assert status == 0
    assert "within sets of topics: set0, set1." in told
    assert "across topics" in weps("meta", "hbr", source, "--within", "all")[1]
    status, _, aside = weps("meta", "hbr", source, "--within", "topic")
    assert status == 1
    assert "no topic has two instances" in aside


@pytest.mark.parametrize("study", STUDIES)
def test_scores_of_people_that_are_taken_for_a_measure_are_told(
    study: str, table: Path, tmp_path: Path, weps: Weps
) -> None:
    plain = tmp_path / "plain.csv"
    plain.write_text(table.read_text().replace("human:quality", "quality"))
    told = " ".join(weps("meta", study, plain)[1].split())
    assert (
        "no column is called human:…, or named with --human. Measures: quality, rouge(n=1)" in told
    )
    assert "No scores of people" not in weps("meta", study, plain, "--human", "quality")[1]


def test_columns_of_labels_and_groups_may_be_named(pairs: Path, tmp_path: Path, weps: Weps) -> None:
    named = tmp_path / "named.csv"
    head, *rows = pairs.read_text().splitlines()
    head = head.replace("label", "same").replace("group", "name")
    named.write_text("\n".join([head, *rows]) + "\n")
    found = []
    for source, words in ((pairs, []), (named, ["--label", "same", "--group", "name"])):
        assert weps("meta", "hbr", source, *words, "--json", tmp_path / "data.json")[0] == 0
        data = json.loads((tmp_path / "data.json").read_text())
        found.append((data["predicted"], list(data["people"].values())))
    assert found[0] == found[1]


@pytest.mark.parametrize("ending", ["csv", "parquet"])
def test_instances_without_groups_are_one_group(ending: str, tmp_path: Path, weps: Weps) -> None:
    made, source = instances(groups=1, size=20), tmp_path / f"pairs.{ending}"
    columns = {
        "label": made.positive.tolist(),
        **dict(zip(made.measures, made.values.tolist(), strict=True)),
    }
    if ending == "parquet":
        pyarrow = pytest.importorskip("pyarrow")
        pytest.importorskip("pyarrow.parquet").write_table(pyarrow.table(columns), source)
    else:
        rows = [",".join(map(str, row)) for row in zip(*columns.values(), strict=True)]
        source.write_text("\n".join([",".join(columns), *rows]) + "\n")
    assert "20 instances in 1 group." in weps("meta", "hbr", source)[1]


def test_compressed_instances_are_read(tmp_path: Path, weps: Weps) -> None:
    write_instances(instances(groups=4, size=20), tmp_path / "pairs.csv.gz")
    assert "80 instances in 4 groups" in weps("meta", "hbr", tmp_path / "pairs.csv.gz")[1]


def test_measures_and_criteria_are_chosen(table: Path, tmp_path: Path, weps: Weps) -> None:
    data = tmp_path / "data.json"
    words = ["--measures", "dice,cosine", "--human", "quality", "--json", data]
    assert weps("meta", "hbr", table, *words)[0] == 0
    assert list(json.loads(data.read_text())["predicted"]) == ["dice", "cosine"]


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["hbr", "pairs.csv", "--human", "label"], "no meaning for labelled instances"),
        (["hbr", "pairs.csv", "--out", "x.txt"], "x.txt"),
        (["hbr", "pairs.csv", "--label", "same"], "unknown column 'same'"),
        (["hbr", "matrix.csv", "--group", "topic"], "no meaning for outputs of systems"),
        (["hbr", "nowhere.csv"], "nowhere.csv"),
        (["hbr", "matrix.csv", "--human", "nobody"], "nobody"),
        (["hbr", "matrix.csv", "--rivals", "1"], "1 rivals are too few"),
        (["heterogeneity", "matrix.csv", "--measures", "dice"], "a single measure"),
        (["heterogeneity", "pairs.docx"], "pairs.docx"),
        (["correlation", "pairs.csv"], "labelled instances are no outputs of systems"),
        (["correlation", "pairs.npz"], "labelled instances are no outputs of systems"),
        (["qarla", "matrix.csv"], "does not tell how alike references are"),
        (["regression", "matrix.csv", "--human", "a,b"], "2 criteria are too many"),
    ],
)
def test_wrong_use_is_told_in_one_line(
    words: list[str],
    told: str,
    pairs: Path,
    monkeypatch: pytest.MonkeyPatch,
    weps: Weps,
) -> None:
    write(pairs.with_name("matrix.csv"))
    monkeypatch.chdir(pairs.parent)
    status, _, aside = weps("--quiet", "meta", *words)
    (line,) = aside.splitlines()
    assert status == 1
    assert line.startswith("weps: error: ")
    assert told in line


def test_real_topics(weps_data: Path, tmp_path: Path, weps: Weps) -> None:
    """A few topics of SummEval: HBR of four measures agrees with people more than chance does."""
    testbed, few, data = (tmp_path / name for name in ("all.jsonl", "few.jsonl", "data.json"))
    assert (
        weps("text", "convert", "summeval", weps_data / "text/summeval", "--out", testbed)[0] == 0
    )
    few.write_text("".join(testbed.read_text("utf-8").splitlines(keepends=True)[:13]), "utf-8")
    measures = "rouge(n=1),rouge(n=2),rouge_l,overlap"
    words = ["--human", "relevance", "--measures", measures, "--json", data]
    assert weps("meta", "hbr", few, *words)[0] == 0
    found = json.loads(data.read_text("utf-8"))["people"]["relevance"]
    assert found["auc"]["HBR"]["value"] > 0.55
    assert found["topics"] == 12
