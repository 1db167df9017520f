from pathlib import Path

import pytest

from eval.language.corpora import check, crossner, gum, tagged, trees
from tests.eval.language.made_up import WORDS, write_data
from weps.errors import SourceError

OURS = ("B-PERSON", "I-PERSON", "O", "O", "B-LOCATION", "O")


def test_a_complete_folder_passes_and_a_missing_file_is_named(tmp_path: Path) -> None:
    data = write_data(tmp_path, times=1)
    check(data)
    (data / "gum/dev.conllu").unlink()
    (data / "crossner/ai_dev.txt").unlink()
    with pytest.raises(SourceError, match=r"missing: gum/dev\.conllu, crossner/ai_dev\.txt"):
        check(data)


@pytest.mark.parametrize(
    "name",
    [
        "uner/ewt_dev.iob2",
        "broad_twitter/train.conll",
        "wikigold/wikigold.conll",
        "wnut17/test.conll",
        "crossner/music_dev.txt",
    ],
)
def test_every_format_gives_the_same_sentence(tmp_path: Path, name: str) -> None:
    (sentence,) = tagged(write_data(tmp_path, times=1), name)
    assert (sentence.words, sentence.entities) == (WORDS, OURS)


def test_gum_gives_names_and_treebanks_give_trees(tmp_path: Path) -> None:
    data = write_data(tmp_path, times=1)
    assert [each.entities for each in gum(data, "train")] == [OURS]
    assert [each.deps[2] for each in trees(data, "gum/train.conllu")] == ["ROOT"]
    assert len(list(crossner(data, "test"))) == 5


def test_types_are_mapped_as_documented(weps_data: Path) -> None:
    labels = {tag[2:] for each in crossner(weps_data / "nlp", "train") for tag in each.entities}
    assert labels == {"", "PERSON", "LOCATION", "ORGANISATION", "EVENT", "PRODUCT"}
