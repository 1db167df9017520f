"""A tiny training from made-up data makes a pipeline that loads, and its card."""

import argparse
import json
from pathlib import Path

import pytest
import spacy

from tests.eval.language.made_up import WORDS, write_data
from weps.cli.console import Console
from weps.errors import OutputError, SourceError
from weps_eval.cli.train_language import add_arguments, run_command
from weps_eval.language import training

pytestmark = pytest.mark.slow

PIPES = ["tok2vec", "tagger", "morphologizer", "parser", "trainable_lemmatizer", "ner"]
SYNTAX = PIPES[:-1]
TEXT = " ".join(WORDS)


def parsed(*words: str) -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    add_arguments(parser)
    return parser.parse_args(words)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What two steps of training put into a folder."""
    folder = tmp_path_factory.mktemp("language")
    data = write_data(folder / "data")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(training, "_FRAGMENTS", 200)
        patch.setattr(training, "_FRAGMENTS_DEV", 20)
        options = parsed(str(data), "--out", str(folder / "out"), "--steps", "8")
        assert run_command(options, Console(quiet=True)) == 0
    return folder / "out"


def test_pipeline_card_and_licence_are_there_and_the_work_is_gone(made):
    assert sorted(path.name for path in made.iterdir()) == ["LICENSE.md", "README.md", "weps_en"]
    assert "UNER EWT test" in (made / "README.md").read_text("utf-8")
    meta = json.loads((made / "weps_en/meta.json").read_text("utf-8"))
    assert (meta["name"], meta["lang"], meta["license"]) == ("weps_en", "en", "CC BY-SA 4.0")
    assert {"EWT test", "UNER EWT test entities"} <= set(meta["performance"])
    assert meta["sources"]


@pytest.mark.parametrize("resting", [[], ["ner"], ["parser", "ner"], SYNTAX])
def test_any_part_can_rest(made, resting):
    nlp = spacy.load(made / "weps_en", exclude=resting)
    assert nlp.pipe_names == [pipe for pipe in PIPES if pipe not in resting]
    doc = nlp(TEXT)
    assert len(doc) == len(WORDS)
    if "ner" not in resting:
        assert doc.has_annotation("ENT_IOB")
    if "tagger" not in resting:
        assert all(token.lemma_ and token.tag_ and token.pos_ for token in doc)


def test_no_word_of_the_training_data_is_shipped(made):
    strings = json.loads((made / "weps_en/vocab/strings.json").read_text("utf-8"))
    assert not {"Northby", "Quill", "visited"} & set(strings)
    config = (made / "weps_en/config.cfg").read_text("utf-8")
    assert "weps." not in config
    assert str(made.parent) not in config


def test_missing_data_is_told_before_anything_is_made(tmp_path):
    with pytest.raises(SourceError, match="annotated data is missing"):
        run_command(parsed(str(tmp_path), "--out", str(tmp_path / "out")), Console(quiet=True))
    assert not (tmp_path / "out").exists()


def test_a_folder_that_cannot_be_made_is_told(tmp_path):
    data = write_data(tmp_path / "data", times=1)
    (tmp_path / "file").write_text("")
    with pytest.raises(OutputError, match="cannot be made"):
        run_command(parsed(str(data), "--out", str(tmp_path / "file")), Console(quiet=True))


@pytest.mark.parametrize("steps", ["0", "-1", "many", "1.5"])
def test_steps_are_a_number(steps, capsys):
    with pytest.raises(SystemExit):
        parsed("data", "--out", "out", "--steps", steps)
    assert "expected a number of steps" in capsys.readouterr().err
