"""Testbeds, matrices and tables of improvements are read from published sets."""

import gzip
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.cases import each_case
from weps.errors import SourceError, ValuesError
from weps_eval.text.convert import (
    convert_duc,
    convert_sts,
    convert_sts_scores,
    convert_summeval,
    convert_wmt,
    read_official,
)
from weps_eval.text.testbed import Output, Reference, Topic


def write(folder: Path, files: Mapping[str, str | bytes]) -> Path:
    for name, content in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(content.encode() if isinstance(content, str) else content)
    return folder


def sts_set(name: str, pairs: str, gold: str) -> dict[str, str]:
    return {f"STS.input.{name}.txt": pairs, f"STS.gs.{name}.txt": gold}


def test_a_pair_becomes_a_topic(tmp_path):
    files = {
        **sts_set("OnWN", "to sail\tto go by sea\n", "3.250\n"),
        **sts_set("MSRvid", "A man sails.\tA man rows. \nOne.\tTwo.\n", "1.000\n0.5\n"),
        "STS.gs.MSRpar.txt": "4.400\n",
    }
    bed = convert_sts(write(tmp_path, files))
    assert [topic.topic for topic in bed.topics] == ["MSRvid.1", "MSRvid.2", "OnWN.1"]
    assert bed.topics[0] == Topic(
        "MSRvid.1",
        (Reference("first", ("A man sails.",)),),
        (Output("second", ("A man rows.",), {"similarity": 1.0}),),
    )
    assert bed.source.endswith(": MSRvid, OnWN")


@pytest.mark.parametrize(
    ("part", "sizes"),
    [("test", {"SMTeuroparl": 459, "OnWN": 750, "SMTnews": 399}), ("train", {"SMTeuroparl": 734})],
)
def test_the_sets_themselves(weps_data, part, sizes):
    bed = convert_sts(weps_data / "text" / "sts2012" / part)
    assert bed.name == f"STS-2012 {part}"
    names = [topic.topic.split(".")[0] for topic in bed.topics]
    assert {name: names.count(name) for name in dict.fromkeys(names)} == sizes
    assert bed.empty_outputs == ()


STS_SCORES = {
    "train/STS.gs.MSRpar.txt": "1.5\n4\n",
    "train/STS.gs.SMTeuroparl.txt": "5\n",
    "ukp_feature_scores_train/content/string/Jaro.txt": "0.1\n0.2\n0.3\n",
    "ukp_feature_scores_train/content/ESA.txt": "1\n0\n0.5\n",
    "ukp_feature_scores_train/style/Gap.txt": "0.1\nNaN\n0.3\n",
    "ukp_feature_scores_train/style/Same.txt": "7\n7\n7\n",
    "test/STS.gs.OnWN.txt": "3\n",
    "test/STS.gs.SMTnews.txt": "2\n1\n",
    "meteor_beer_scores_test/STS.OnWN.tsv": "BEER\tMETEOR-all\n0.5\t0.6\n",
    "meteor_beer_scores_test/STS.SMTnews.tsv": "BEER\tMETEOR-all\n0.7\t0.8\n0.9\t0.1\n",
}


def test_training_pairs_have_a_file_for_each_measure(tmp_path):
    found = convert_sts_scores(write(tmp_path, STS_SCORES))["train"]
    assert found.topic == ("MSRpar.1", "MSRpar.2", "SMTeuroparl.1")
    assert set(found.system) == {"second"}
    assert found.measures == ("ESA", "Jaro")
    np.testing.assert_array_equal(found.values, [[1, 0, 0.5], [0.1, 0.2, 0.3]])
    assert found.criteria == ("similarity",)
    np.testing.assert_array_equal(found.human, [[1.5, 4, 5]])


def test_test_pairs_have_a_table_for_each_set(tmp_path):
    found = convert_sts_scores(write(tmp_path, STS_SCORES))["test"]
    assert found.topic == ("OnWN.1", "SMTnews.1", "SMTnews.2")
    assert found.measures == ("BEER", "METEOR-all")
    np.testing.assert_array_equal(found.values, [[0.5, 0.7, 0.9], [0.6, 0.8, 0.1]])
    np.testing.assert_array_equal(found.human, [[3, 2, 1]])


ESA, ON_WN = "ukp_feature_scores_train/content/ESA.txt", "meteor_beer_scores_test/STS.OnWN.tsv"


def test_the_scores_themselves(weps_data):
    found = convert_sts_scores(weps_data / "text" / "sts2012")
    assert found["train"].values.shape == (21, 2_234)
    assert found["test"].values.shape == (6, 3_108)
    assert found["test"].column("BEER")[0] == 0.5135096562881468
    assert found["train"].column("Jaro")[0] == 0.865224923920576


HUMAN = "system_name,010,100\n7,-,.5\n12,.25,1\nA,1,1\n"
HEAD = "ROUGE_type,010_r,100_r,010_f,100_f\n\n"
ROUGE = HEAD + "12\nR1,.1,.2,.3,.4\nRSU,.01,.02,.03,.04\n\n\n7\nR1,-,.6,-,.8\nRSU,-,.06,-,.08\n\n\n"


def duc_files(rouge: str = ROUGE, human: str = HUMAN) -> dict[str, str]:
    return {
        "scores_human/2001_human.csv": human,
        "scores_human/2002_human.csv": human,
        "stop_words_removed/scores_ROUGE/2001_sameLen.csv": rouge,
        "stop_words_remaining/scores_ROUGE/2001_STANDARD_sameLen.csv": rouge,
        "stop_words_removed/scores_ROUGE/other_2001_sameLen.csv": "none",
    }


def test_tables_become_matrices(tmp_path):
    found = convert_duc(write(tmp_path, duc_files()))
    assert list(found) == ["2001_sameLen_stop_words_remaining", "2001_sameLen_stop_words_removed"]
    matrix = found["2001_sameLen_stop_words_removed"]
    assert matrix.topic == ("10 words", "100 words", "100 words")
    assert matrix.system == ("12", "12", "7")
    assert matrix.measures == ("R1_recall", "R1_f", "RSU_recall", "RSU_f")
    expected = [[0.1, 0.2, 0.6], [0.3, 0.4, 0.8], [0.01, 0.02, 0.06], [0.03, 0.04, 0.08]]
    np.testing.assert_array_equal(matrix.values, expected)
    assert matrix.criteria == ("coverage",)
    np.testing.assert_array_equal(matrix.human, [[0.25, 1.0, 0.5]])


def test_the_tables_themselves(weps_data):
    found = convert_duc(weps_data / "text" / "duc0102_scores")
    assert len(found) == 36
    assert {each.values.shape[0] for each in found.values()} == {24}
    assert not any(np.isnan(each.human).any() for each in found.values())
    matrix = found["2002_sameLen_stop_words_remaining"]
    assert (matrix.topic[0], matrix.system[0]) == ("10 words", "16")
    assert [matrix.column(name)[0] for name in ("R1_recall", "coverage")] == [0.1516, 0.12]
    sizes = {name: each.values.shape[1] for name, each in found.items() if name.endswith("removed")}
    assert sizes.pop("2001_toOneLonger_stop_words_removed") == 42
    assert sizes.pop("2001_toOneShorter_stop_words_removed") == 42
    assert sizes.pop("2002_toOneLonger_stop_words_removed") == 26
    assert sizes.pop("2002_toOneShorter_stop_words_removed") == 30
    assert {name[:4]: size for name, size in sizes.items()} == {"2001": 56, "2002": 36}


LINE: dict[str, Any] = {
    "doc_id": "d1",
    "references": ["By hand .", "Highlights .", "By another\u2028hand ."],
    "cnndm_reference": "Highlights .",
    "systems": {
        "M10": {"summary": "", "scores": {"fluency": 1.0}},
        "M2": {"summary": "Low water .", "scores": {"fluency": 4.5}},
    },
}


def summeval_files(text: str) -> dict[str, bytes]:
    return {"summeval.jsonl.gz": gzip.compress(text.encode(), mtime=0)}


def test_a_line_becomes_a_topic(tmp_path):
    text = json.dumps(LINE, ensure_ascii=False) + "\n"
    assert convert_summeval(write(tmp_path, summeval_files(text))).topics == (
        Topic(
            "d1",
            (
                Reference("cnndm", "Highlights ."),
                Reference("1", "By hand ."),
                Reference("2", "By another\u2028hand ."),
            ),
            (Output("M2", "Low water .", {"fluency": 4.5}), Output("M10", "", {"fluency": 1.0})),
        ),
    )


def test_the_summaries_themselves(weps_data):
    bed = convert_summeval(weps_data / "text" / "summeval")
    assert len(bed.topics) == 100
    assert len(bed.systems) == 16
    assert bed.criteria == ("coherence", "consistency", "fluency", "relevance")
    assert {(len(topic.references), len(topic.outputs)) for topic in bed.topics} == {(11, 16)}
    assert all(len(each.human) == 4 for topic in bed.topics for each in topic.outputs)
    assert bed.empty_outputs == ()


WMT_FILES = {
    "sources/news.de-en.src.de": "Ebbe\nFlut\n",
    "references/news.de-en.ref.A.en": "Low water\nHigh\u2028water\n",
    "references/news.de-en.ref.B.en": "Ebb\nFlow\n",
    "system-outputs/news.de-en.hyp.NVIDIA-NeMo.en": "Ebb\n\n",
    "system-outputs/news.de-en.hyp.UF.en": "Low tide\nHigh tide\n",
    "humaneval/ad-sys-ranking-de-en-z-names.csv": (
        "9 1 2 3 Nemo.7 NVIDIA-NeMo\n8 1 2 3 HUMAN.0 HUMAN\n"
    ),
    "humaneval/ad-sys-scores-de-en.csv": (
        "RAW.SCR Z.SCR N SYS N.ALL \n69.5 -0.25 100 Nemo.7 120 \n70 0.5 10 HUMAN.0 12 \n"
    ),
}


def test_lines_of_several_files_become_topics(tmp_path):
    human = {"system_raw": 69.5, "system_z": -0.25}
    assert convert_wmt(write(tmp_path, WMT_FILES)).topics == (
        Topic(
            "1",
            (Reference("A", "Low water"), Reference("B", "Ebb")),
            (Output("NVIDIA-NeMo", "Ebb", human), Output("UF", "Low tide")),
            ("Ebbe",),
        ),
        Topic(
            "2",
            (Reference("A", "High\u2028water"), Reference("B", "Flow")),
            (Output("NVIDIA-NeMo", "", human), Output("UF", "High tide")),
            ("Flut",),
        ),
    )


WMT_SCORES = "humaneval/ad-sys-scores-de-en.csv"
PUBLISHED_TWICE = f"{json.dumps(LINE)}\n" * 2


@each_case(
    ("convert", "files", "message"),
    [
        *(
            (convert_sts, sts_set("OnWN", pairs, gold), message)
            for pairs, gold, message in [
                ("One.\tTwo.\n", "1\n2\n", "2 lines where 1 are expected"),
                ("One.\tTwo.\nThree.\n", "1\n2\n", "line 2: expected a pair"),
                ("1\tOne.\tTwo.\n", "1\n", "line 1: expected a pair"),
                ("\tTwo.\n", "1\n", "line 1: expected a pair"),
                *(
                    ("One.\tTwo.\n", f"{cell}\n", f"line 1: expected a finite number, got '{cell}'")
                    for cell in ("", "-", "nan", "inf", "1,5")
                ),
            ]
        ),
        *(
            (convert_sts_scores, STS_SCORES | {name: text}, message)
            for name, text, message in [
                (ESA, "1\n0\n", "ESA.*2 lines where 3"),
                (ESA, "1\n0\nx\n", "line 3: expected a finite number, got 'x'"),
                (ON_WN, "BEER\tMETEOR-all\n0.5\n", "line 2: the row has 1 cells, the head has 2"),
                (ON_WN, "BEER\n0.5\n", "METEOR-all.*2 lines where 3"),
                ("train/STS.gs.MSRpar.txt", "1.5\nhigh\n", "line 2: .* finite number, got 'high'"),
            ]
        ),
        *(
            (convert_duc, duc_files(rouge, human), message)
            for rouge, human, message in [
                (ROUGE.replace("R1,-,.6,-,.8", "R1,.6"), HUMAN, "line 9: the row has 2 cells"),
                (ROUGE.replace("R1,-,.6", "R1,-,-"), HUMAN, "7 on 100 words: the value"),
                (ROUGE.replace(".04", "x"), HUMAN, "line 5: expected a finite number, got 'x'"),
                (ROUGE.replace("010_r", "all_r"), HUMAN, "expected a number of words, got 'all'"),
                (ROUGE, HUMAN + "B,1\n", "line 5: the row has 2 cells, the head has 3"),
            ]
        ),
        *(
            (convert_summeval, summeval_files(text), message)
            for text, message in [
                ("{", "line 1: is not as published"),
                ("[]", "line 1: is not as published"),
                (json.dumps({**LINE, "systems": {}}), "line 1: outputs: expected at least 1"),
                (json.dumps({**LINE, "systems": []}), "line 1: outputs: expected at least 1"),
                (json.dumps(LINE).replace("4.5", "NaN"), "fluency: expected a finite number"),
                (PUBLISHED_TWICE, "occur twice: 'd1'"),
            ]
        ),
        *(
            (convert_wmt, WMT_FILES | {name: text}, message)
            for name, text, message in [
                ("references/news.de-en.ref.B.en", "Ebb\n", "1 lines where 2 are expected"),
                ("system-outputs/news.de-en.hyp.UF.en", "a\nb\nc\n", "3 lines where 2 are"),
                ("references/news.de-en.ref.A.en", "Low water\n\n", "topic '2'.*text that"),
                (WMT_SCORES, "RAW.SCR Z.SCR N SYS\n1 2 3 Nobody.1\n", "line 2: '1 2 3 Nobody.1'"),
                (WMT_SCORES, "RAW.SCR Z.SCR N SYS\n1 2 Nemo.7\n", "scores no known system"),
                (WMT_SCORES, "RAW.SCR SYS\n1 Nemo.7\n", "scores no known system"),
                (WMT_SCORES, "RAW.SCR Z.SCR SYS\nnan 2 Nemo.7\n", "line 2: expected a finite"),
            ]
        ),
    ],
)
def test_files_that_are_not_as_published(tmp_path_factory, convert, files, message):
    with pytest.raises(ValuesError, match=message):
        convert(write(tmp_path_factory.mktemp("set"), files))


@each_case(
    ("convert", "files", "message"),
    [
        (convert_sts, {}, "give the folder of the train or test sets"),
        (convert_sts_scores, {}, "no scores found"),
        (convert_duc, {}, r"2001_human\.csv not found"),
        (
            convert_duc,
            {f"scores_human/{year}_human.csv": HUMAN for year in (2001, 2002)},
            "no tables of ROUGE scores",
        ),
        (convert_summeval, {}, r"summeval\.jsonl\.gz not found"),
        (convert_summeval, {"summeval.jsonl.gz": "damaged"}, "cannot be read"),
        (convert_wmt, {}, r"src\.de not found"),
        (convert_wmt, {"sources/news.de-en.src.de": "Ebbe\n"}, "ref.* not found"),
        (
            convert_wmt,
            {name: text for name, text in WMT_FILES.items() if name != WMT_SCORES},
            "cannot be read",
        ),
    ],
)
def test_files_that_are_missing(tmp_path_factory, convert, files, message):
    with pytest.raises(SourceError, match=message):
        convert(write(tmp_path_factory.mktemp("set"), files))


def test_the_translations_themselves(weps_data):
    bed = convert_wmt(weps_data / "text" / "wmt21_deen")
    assert len(bed.topics) == 1_000
    assert len(bed.systems) == 19
    assert {(len(each.references), len(each.outputs)) for each in bed.topics} == {(2, 19)}
    assert all(len(each.sources) == 1 for each in bed.topics)
    assert all(len(each.human) == 2 for topic in bed.topics for each in topic.outputs)
    nemo = next(each for each in bed.topics[0].outputs if each.system == "NVIDIA-NeMo")
    assert nemo.human["system_z"] == pytest.approx(-0.01, abs=0.005)


TABLE = """ Ann.3 B-1.0 HUMAN.0 Cy.12
Ann.3 - 0.02* 0.1** 0.3***
B-1.0 -0.02 - 0.08 0.2**
HUMAN.0 -0.1 -0.08 - 0.1*
Cy.12 -0.3 -0.2* -0.1 -
"""
SYSTEMS = ("Cyril", "B-1", "Ann", "Dora")


@pytest.fixture
def table(tmp_path: Path) -> Path:
    (tmp_path / "ad-ranking-names.csv").write_text("71 0.1 90 Cy.12 Cyril\n70 0.1 90 Ann.3 Ann\n")
    (tmp_path / "table.csv").write_text(TABLE)
    return tmp_path / "table.csv"


def test_rows_improve_columns(table):
    found = read_official(table, SYSTEMS)
    assert found.systems == ("Cyril", "B-1", "Ann")
    assert found.unknown == ("HUMAN",)
    # Cyril improves B-1 by the test, though not by the mean.
    assert found.improves.tolist() == [
        [False, True, False],
        [True, False, False],
        [True, True, False],
    ]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (TABLE.replace("B-1.0 -0.02", "B-2.0 -0.02"), "line 3: 'B-2.0 .*' is not the row"),
        (TABLE.replace(" 0.2**", ""), "line 3: .* is not the row"),
        (TABLE.replace("0.08 ", "0,08 "), "line 3: '0,08' is no difference with stars"),
        ("\n".join(TABLE.splitlines()[:3]), "there are 2 rows for 4 systems"),
        (TABLE + "Cy.12 - - - -\n", "line 6: .* is not the row"),
        (TABLE.replace("Ann.3", "Eve.3").replace("B-1.0", "Fay.0"), "knows 1 of the 4 systems"),
    ],
)
def test_faulty_tables_are_refused(table, text, message):
    table.write_text(text)
    with pytest.raises(ValuesError, match=message):
        read_official(table, SYSTEMS)


def test_the_published_table_of_tests(weps_data):
    path = weps_data / "text/wmt21_deen/humaneval/ad-DA-diff-wilcoxon-rs-deen.csv"
    found = read_official(path, ("happypoet", "NVIDIA-NeMo", "Borderline", "UF"), 1)
    assert set(found.unknown) >= {"HUMAN"}
    better = {
        (found.systems[row], found.systems[column])
        for row, column in zip(*found.improves.nonzero(), strict=True)
    }
    assert better >= {("Borderline", "NVIDIA-NeMo"), ("UF", "happypoet")}
    assert ("Borderline", "UF") not in better
