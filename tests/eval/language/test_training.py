from pathlib import Path

import pytest

from eval.language.mixing import write_syntax
from eval.language.training import settings, train_parts
from tests.eval.language.made_up import write_data
from weps.errors import OutputError


def test_the_recipes_tell_steps_and_seeds() -> None:
    assert set(settings()) == {"steps", "seeds"}
    assert settings(3)["steps"] == "syntax 3, entities 3"


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_training_that_stops_is_an_error_and_its_log_says_why(tmp_path: Path, jobs: int) -> None:
    write_syntax(write_data(tmp_path / "data", times=1), tmp_path / "syntax")
    (tmp_path / "syntax" / "train.spacy").write_bytes(b"damaged")
    with pytest.raises(OutputError, match="syntax and entities stopped"):
        train_parts(tmp_path, jobs, steps=1)
    assert "entities" in (tmp_path / "entities.log").read_text("utf-8")
