from pathlib import Path

import numpy as np
import pytest

from eval.text.convert import convert_sts
from eval.text.testbed import Output, Reference, Topic, whole
from eval.text.words_in_common import cosine, words_in_common
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
    ("One.\tTwo.\nThree.\n", "1\n2\n", "line 2: this is no pair"),
    ("1\tOne.\tTwo.\n", "1\n", "line 1: this is no pair"),
    ("One.\tTwo.\n", "nan\n", "line 1: 'nan' is no finite number"),
    ("\tTwo.\n", "1\n", "line 1: this is no pair"),
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
    texts = [(tuple(whole(each.text).split()),) for each in (topic.references[0], topic.outputs[0])]
    return cosine(words_in_common(*texts, repeated=False))


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
