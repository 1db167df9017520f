"""The commands of the studies of measures: what they print and write, and what they refuse."""

import os
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from tests.cases import each_case
from tests.eval.studies import made_up
from tests.eval.studies.made_up_groups import write_source
from tests.eval.studies.made_up_scores import NAMES, by_system, matrix, run_study, write


@pytest.fixture
def sources(tmp_path, monkeypatch):
    """Tables, testbeds and a folder of results, which is the current one."""
    monkeypatch.chdir(tmp_path)
    for kind in ("table", "pairs", "unjudged"):
        write_source(tmp_path, kind)
    whole, both = by_system(), matrix()
    human = np.vstack([both.human, whole.human])
    write(tmp_path / "both.csv", replace(both, criteria=("quality", "rank"), human=human))
    write(tmp_path / "one-topic.csv", matrix(topics=1))
    write(tmp_path / "named.csv", matrix(("hbr", "dice")))
    same = dict.fromkeys(made_up.OUTPUTS, made_up.REFERENCES[0])
    made_up.written(tmp_path / "same.jsonl", made_up.words(topics=1, **same))
    made_up.written(tmp_path / "one.jsonl", made_up.words(references=1))
    made_up.written(tmp_path / "few.jsonl", made_up.words(references=3))
    return tmp_path


@pytest.mark.slow
@each_case(
    ("study", "source", "words", "printed", "fields"),
    [
        ("correlation", "both", (), "Agreement with people: rank", {"criteria"}),
        ("heterogeneity", "table", ("--sets", 5), "Random sets by size", {"sets", "people"}),
        ("heterogeneity", "unjudged", ("--sets", 5), "Random sets by size", {"sets", "people"}),
        ("hbr", "unjudged", (), "Systems by HBR, without people", {"systems"}),
        ("improvements", "table", ("--chosen", "s6"), "s6 is used instead here", {"improvements"}),
        ("regression", "table", ("--variables", 3), "3 are variables, the least similar", {"vrm"}),
        ("regression", "one-topic", ("--leave-out", "systems", "--variables", 2), "VRM", {"vrm"}),
    ],
)
def test_a_table_is_studied(sources, study, source, words, printed, fields):
    made = run_study(sources, study, sources / f"{source}.csv", *words, report=study == "hbr")
    assert printed in " ".join(made.out.split())
    assert fields <= made.data.keys()
    assert made.out.rstrip().endswith(made.data["signature"]) or "report: " in made.out
    assert made.data["conclusions"] or source == "unjudged"


@pytest.mark.usefixtures("sources")
@each_case(
    ("words", "message"),
    [
        (["hbr", "pairs.csv", "--human", "label"], "no meaning for labelled instances"),
        (["hbr", "pairs.csv", "--label", "same"], "unknown column 'same'"),
        (["hbr", "pairs.csv", "--out", "x.txt"], "x.txt"),
        (["hbr", "table.csv", "--group", "topic"], "no meaning for outputs of systems"),
        (["hbr", "table.csv", "--human", "nobody"], "nobody"),
        (["hbr", "table.csv", "--out", "ranked.tsv"], "a matrix is written as .csv"),
        (["hbr", "table.csv", "--rivals", "1"], "1 rivals are too few"),
        (["hbr", "named.csv", "--out", "out.csv"], "there is a measure called hbr already"),
        (["hbr", "nowhere.csv"], "nowhere.csv"),
        (["hbr", "same.jsonl", "--measures", "cosine"], "every output equals a reference"),
        (["heterogeneity", "pairs.docx"], "pairs.docx"),
        (["heterogeneity", "table.csv", "--measures", NAMES[0]], "contradicts nothing"),
        (["correlation", "pairs.csv"], "labelled instances are not outputs of systems"),
        (["correlation", "table.csv", "--human", "qualty"], "did you mean 'human:quality'"),
        (["correlation", "table.csv", "--measures", "rouge(n=7)"], "no measure 'rouge(n=7)'"),
        (["correlation", "table.csv", "--report", "pairs.csv"], "expected a folder, got a file"),
        (["orange", "one.jsonl"], "2 references are needed, and no topic has more than 1"),
        (["qarla", "table.csv"], "has no similarities between references"),
        (["qarla", "few.jsonl"], "choose --triples pairs (3 references) or all (2 references)"),
        (["qarla", "few.jsonl", "--triples", "all", "--human", "taste"], "no criterion 'taste'"),
        (["regression", "table.csv", "--human", "a,b"], "2 criteria are too many"),
        (["regression", "both.csv", "--human", "rank"], "people judged whole systems by rank"),
        (["regression", "few.jsonl", "--similarity", "cosinus"], "a measure nor a set 'cosinus'"),
        (["regression", "one-topic.csv"], "try --leave-out systems"),
    ],
)
def test_wrong_use_is_an_error_of_one_line(weps, words, message):
    status, _, error = weps("--quiet", "meta", *words)
    (line,) = error.splitlines()
    assert status == (2 if "cosinus" in message else 1)
    assert line.startswith("weps: error: ")
    assert message in line


@pytest.mark.usefixtures("sources")
@each_case(
    ("study", "file", "words"),
    [
        ("heterogeneity", "table.csv", ("--sets", 5)),
        ("hbr", "pairs.csv", ()),
        ("qarla", "few.jsonl", ("--triples", "all", "--measures", "cosine,dice")),
    ],
)
def test_a_pipe_is_what_its_bytes_are(weps, study, file, words):
    before, found = os.dup(0), [weps("meta", study, file, *words)]
    pipe, end = os.pipe()
    os.write(end, Path(file).read_bytes())
    os.close(end)
    for given in (pipe, os.open(file, os.O_RDONLY), before):
        os.dup2(given, 0)
        os.close(given)
        found += [weps("meta", study, "-", *words)] if given != before else []
    assert [status for status, _, _ in found] == [0, 0, 0]
    assert len({out.splitlines()[-1] for _, out, _ in found}) == 1
