"""Models for feature sets, and what their cards say of features that pages lack."""

from pathlib import Path

import pytest

import run_weps
from weps.feature_sets import similarities_of
from weps.forms import Form, offered
from weps.model import ModelSet, load


@pytest.fixture
def train(tmp_path: Path):
    """Train on a corpus; the models."""

    def run(*words: object) -> ModelSet:
        out = tmp_path / "model.json"
        assert run_weps.main(["--quiet", "train", *map(str, words), "--out", str(out)]) == 0
        return load(out)

    return run


def columns(models: ModelSet) -> dict[Form, list[str]]:
    return {form: list(map(str, model.similarities)) for form, model in models.models.items()}


def test_the_default_is_non_linguistic(train, saved: Path) -> None:
    models = train(saved)
    plain = similarities_of("non-linguistic")
    assert {form: each.similarities for form, each in models.models.items()} == {
        form: offered(plain, form) for form in Form
    }
    assert models.card["features"] == "non-linguistic"
    assert models.card["command"].startswith(f"weps --quiet train {saved} --out ")
    assert models.card["similarities"] == list(map(str, plain))
    assert models.language == ""


def test_there_is_no_model_for_pages_with_nothing_to_compare(
    train, saved: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    models = train(saved, "--features", "token")
    assert columns(models) == {
        Form.PAGES: ["dice(token)", "dice(token(local=true))"],
        Form.TOKENS: ["dice(token)"],
    }
    assert models.card["absent"] == {
        "pages": [],
        "tokens": ["dice(token(local=true))"],
        "results": ["dice(token)", "dice(token(local=true))"],
    }
    assert "token has nothing to compare results by" in capsys.readouterr().out


def test_a_model_may_keep_to_the_features_of_another_corpus(
    train, saved: Path, mixed: Path
) -> None:
    models = train(saved, "--features", "token+title", "--common-features", mixed)
    assert columns(models) == {form: ["dice(title)"] for form in Form}
    assert models.card["absent"]["pages"] == ["dice(token)", "dice(token(local=true))"]


def test_nothing_to_learn_from_is_an_error(
    saved: Path, mixed: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = [saved, "--out", tmp_path / "m.json", "--features", "token", "--common-features", mixed]
    assert run_weps.main(["train", *map(str, words)]) == 1
    assert "nothing to compare by 'token'" in capsys.readouterr().err
    assert not (tmp_path / "m.json").exists()
