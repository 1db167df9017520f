from pathlib import Path

import numpy as np
import pytest

from eval.text.convert.sts import convert_sts, convert_sts_scores
from eval.text.declarations.words import cosine_similarity, words_in_common
from eval.text.testbed.records import Output, Reference, Topic, whole_text
from weps.errors import SourceError, ValuesError


def add(folder: Path, name: str, pairs: str, gold: str) -> None:
    (folder / f"STS.input.{name}.txt").write_text(pairs, "utf-8")
    (folder / f"STS.gs.{name}.txt").write_text(gold, "utf-8")


def test_a_pair_becomes_a_topic(tmp_path: Path) -> None:
    add(tmp_path, "OnWN", "to sail\tto go by sea\n", "3.250\n")
    add(tmp_path, "MSRvid", "A man sails.\tA man rows. \nOne.\tTwo.\n", "1.000\n0.5\n")
    (tmp_path / "STS.gs.MSRpar.txt").write_text("4.400\n")
    bed = convert_sts(tmp_path)
    assert [topic.topic for topic in bed.topics] == ["MSRvid.1", "MSRvid.2", "OnWN.1"]
    assert bed.topics[0] == Topic(
        "MSRvid.1",
        (Reference("first", ("A man sails.",)),),
        (Output("second", ("A man rows.",), {"similarity": 1.0}),),
    )
    assert bed.source.endswith(": MSRvid, OnWN")


CASES = [
    ("One.\tTwo.\n", "1\n2\n", "2 lines where 1 are expected"),
    ("One.\tTwo.\nThree.\n", "1\n2\n", "line 2: expected a pair"),
    ("1\tOne.\tTwo.\n", "1\n", "line 1: expected a pair"),
    ("One.\tTwo.\n", "nan\n", "line 1: expected a finite number, got 'nan'"),
    ("\tTwo.\n", "1\n", "line 1: expected a pair"),
]


@pytest.mark.parametrize(("pairs", "gold", "told"), CASES)
def test_files_that_do_not_fit(tmp_path: Path, pairs: str, gold: str, told: str) -> None:
    add(tmp_path, "OnWN", pairs, gold)
    with pytest.raises(ValuesError, match=told):
        convert_sts(tmp_path)


def test_a_folder_without_pairs(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="give the folder of the train or test sets"):
        convert_sts(tmp_path)


@pytest.mark.parametrize(
    ("part", "sizes"),
    [("test", {"SMTeuroparl": 459, "OnWN": 750, "SMTnews": 399}), ("train", {"SMTeuroparl": 734})],
)
def test_the_sets_themselves(weps_data: Path, part: str, sizes: dict[str, int]) -> None:
    bed = convert_sts(weps_data / "text" / "sts2012" / part)
    assert bed.name == f"STS-2012 {part}"
    names = [topic.topic.split(".")[0] for topic in bed.topics]
    assert {name: names.count(name) for name in dict.fromkeys(names)} == sizes
    assert bed.empty_outputs == ()


def common_words(topic: Topic) -> float:
    """The baseline of the task."""
    texts = [
        (tuple(whole_text(each.text).split()),) for each in (topic.references[0], topic.outputs[0])
    ]
    return cosine_similarity(words_in_common(*texts, repeated=False))


@pytest.mark.parametrize(
    ("name", "published"), [("SMTeuroparl", 0.4542), ("OnWN", 0.5868), ("SMTnews", 0.3908)]
)
def test_the_baseline_of_the_task_is_as_published(
    weps_data: Path, name: str, published: float
) -> None:
    bed = convert_sts(weps_data / "text" / "sts2012" / "test")
    topics = [topic for topic in bed.topics if topic.topic.startswith(f"{name}.")]
    human = [topic.outputs[0].human["similarity"] for topic in topics]
    found = np.corrcoef(list(map(common_words, topics)), human)[0, 1]
    assert found == pytest.approx(published, abs=5e-5)


SCORES = {
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


def folder(path: Path, **changed: str) -> Path:
    for name, text in {**SCORES, **{name: text for name, text in changed.items() if text}}.items():
        if changed.get(name) != "":
            (path / name).parent.mkdir(parents=True, exist_ok=True)
            (path / name).write_text(text)
    return path


def test_training_pairs_have_a_file_for_each_measure(tmp_path: Path) -> None:
    found = convert_sts_scores(folder(tmp_path))["train"]
    assert found.topic == ("MSRpar.1", "MSRpar.2", "SMTeuroparl.1")
    assert set(found.system) == {"second"}
    assert found.measures == ("ESA", "Jaro")
    np.testing.assert_array_equal(found.values, [[1, 0, 0.5], [0.1, 0.2, 0.3]])
    assert found.criteria == ("similarity",)
    np.testing.assert_array_equal(found.human, [[1.5, 4, 5]])


def test_test_pairs_have_a_table_for_each_set(tmp_path: Path) -> None:
    found = convert_sts_scores(folder(tmp_path))["test"]
    assert found.topic == ("OnWN.1", "SMTnews.1", "SMTnews.2")
    assert found.measures == ("BEER", "METEOR-all")
    np.testing.assert_array_equal(found.values, [[0.5, 0.7, 0.9], [0.6, 0.8, 0.1]])
    np.testing.assert_array_equal(found.human, [[3, 2, 1]])


def test_either_may_be_missing(tmp_path: Path) -> None:
    tables = {name: "" for name in SCORES if name.startswith("meteor")}
    assert list(convert_sts_scores(folder(tmp_path, **tables))) == ["train"]
    with pytest.raises(SourceError, match="no scores found in"):
        convert_sts_scores(tmp_path / "nowhere")


@pytest.mark.parametrize(
    ("name", "text", "told"),
    [
        ("ukp_feature_scores_train/content/ESA.txt", "1\n0\n", "ESA.*2 lines where 3"),
        (
            "ukp_feature_scores_train/content/ESA.txt",
            "1\n0\nx\n",
            "line 3: expected a finite number, got 'x'",
        ),
        (
            "meteor_beer_scores_test/STS.OnWN.tsv",
            "BEER\tMETEOR-all\n0.5\n",
            "line 2: the row has 1 cells, the head has 2",
        ),
        ("meteor_beer_scores_test/STS.OnWN.tsv", "BEER\n0.5\n", "METEOR-all.*2 lines where 3"),
        ("train/STS.gs.MSRpar.txt", "1.5\nhigh\n", "line 2: expected a finite number, got 'high'"),
    ],
)
def test_files_that_do_not_fit_together(tmp_path: Path, name: str, text: str, told: str) -> None:
    with pytest.raises(ValuesError, match=told):
        convert_sts_scores(folder(tmp_path, **{name: text}))


def test_the_scores_themselves(weps_data: Path) -> None:
    found = convert_sts_scores(weps_data / "text" / "sts2012")
    assert found["train"].values.shape == (21, 2_234)
    assert found["test"].values.shape == (6, 3_108)
    assert found["test"].column("BEER")[0] == 0.5135096562881468
    assert found["train"].column("Jaro")[0] == 0.865224923920576
