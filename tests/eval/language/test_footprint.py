from pathlib import Path

import spacy

from eval.language.footprint import LAYERS, footprint, size
from tests.eval.language.made_up import write_data
from weps.resources import resource


def test_size_counts_all_files(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "b").write_bytes(b"123")
    (tmp_path / "c").write_bytes(b"45")
    assert size(tmp_path) == 5


def test_every_layer_is_measured(tmp_path: Path) -> None:
    spacy.blank("en").to_disk(tmp_path / "pipeline")
    measured = footprint(tmp_path / "pipeline", write_data(tmp_path / "data", times=1000))
    assert set(measured) == {*LAYERS, "memory"}
    assert all(speed > 0 for layer, speed in measured.items() if layer != "memory")


def test_layers_let_pipes_rest_that_there_are() -> None:
    pipes = set(spacy.load(resource("language/weps_en")).pipe_names)
    assert all(pipes.issuperset(resting) for resting in LAYERS.values())
