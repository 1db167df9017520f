from pathlib import Path

import pytest

from eval.language.corpora import (
    check_files,
    crossner_sentences,
    gum_sentences,
    mark_outside,
    mark_uncertain,
    mask_handles,
    tagged_sentences,
    treebank_sentences,
    words_only,
)
from eval.language.readers import Sentence
from tests.eval.language.made_up import WORDS, write_data
from weps.errors import SourceError

OURS = ("B-PERSON", "I-PERSON", "O", "O", "B-LOCATION", "O")


def test_a_complete_folder_passes_and_a_missing_file_is_named(tmp_path: Path) -> None:
    data = write_data(tmp_path, times=1)
    check_files(data)
    (data / "gum/dev.conllu").unlink()
    (data / "crossner/ai_dev.txt").unlink()
    with pytest.raises(SourceError, match=r"missing: gum/dev\.conllu, crossner/ai_dev\.txt"):
        check_files(data)


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
    (sentence,) = tagged_sentences(write_data(tmp_path, times=1), name)
    assert (sentence.words, sentence.entities) == (WORDS, OURS)


def test_gum_gives_names_and_treebanks_give_trees(tmp_path: Path) -> None:
    data = write_data(tmp_path, times=1)
    assert [each.entities for each in gum_sentences(data, "train")] == [OURS]
    assert [each.deps[2] for each in treebank_sentences(data, "gum/train.conllu")] == ["ROOT"]
    assert len(list(crossner_sentences(data, "test"))) == 5


def test_types_are_mapped_as_documented(weps_data: Path) -> None:
    labels = {
        tag[2:] for each in crossner_sentences(weps_data / "nlp", "train") for tag in each.entities
    }
    assert labels == {"", "PERSON", "LOCATION", "ORGANISATION", "EVENT", "PRODUCT"}


def sentence(text: str, tags: str, pos: str = "") -> Sentence:
    words = tuple(text.split())
    given = tuple(tag.replace("?", "") for tag in tags.split())
    return Sentence(words, (True,) * len(words), pos=tuple(pos.split()), entities=given)


def shown(each: Sentence) -> str:
    return " ".join(tag or "?" for tag in each.entities)


@pytest.mark.parametrize(
    ("text", "tags", "after"),
    [
        ("the Widget broke", "O O O", "O ? O"),
        ("Widgets broke", "O O", "O O"),
        ("on Monday in Dutch", "O O O O", "O O O O"),
        ("saw Ada", "O B-PERSON", "O B-PERSON"),
        ("plan A", "O O", "O O"),
    ],
)
def test_capitals_within_a_sentence_are_doubtful(text: str, tags: str, after: str) -> None:
    assert [shown(each) for each in mark_uncertain([sentence(text, tags)])] == [after]


@pytest.mark.parametrize(
    ("text", "tags", "after"),
    [
        ("the German Prize", "O ? ?", "O O ?"),
        ("gene therapy", "? ?", "O O"),
        ("saw Ada", "O B-PERSON", "O B-PERSON"),
    ],
)
def test_what_is_no_name_is_settled(text: str, tags: str, after: str) -> None:
    assert [shown(each) for each in mark_outside([sentence(text, tags)])] == [after]


@pytest.mark.parametrize(
    ("text", "pos", "after"),
    [
        ("she slept", "PRON VERB", "O O"),
        ("saw Ada", "VERB PROPN", "O ?"),
        ("Museum of Northby", "PROPN ADP PROPN", "? ? ?"),
        ("Museum of the North slept", "PROPN ADP DET PROPN VERB", "? ? ? ? O"),
        ("Ada left on Monday", "PROPN VERB ADP PROPN", "? ? ? O"),
    ],
)
def test_proper_nouns_and_what_joins_them_are_missing(text: str, pos: str, after: str) -> None:
    assert [shown(each) for each in words_only([sentence(text, "", pos)])] == [after]


@pytest.mark.parametrize(
    ("text", "tags", "after"),
    [
        ("@ adaq met Ada", "B-PERSON B-PERSON O B-PERSON", "? ? O B-PERSON"),
        ("met @", "O O", "O ?"),
        ("@adaq slept", "O O", "O O"),
    ],
)
def test_user_names_are_no_names(text: str, tags: str, after: str) -> None:
    assert [shown(each) for each in mask_handles([sentence(text, tags)])] == [after]
