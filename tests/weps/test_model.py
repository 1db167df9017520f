import hashlib
import json
from dataclasses import replace

import numpy as np
import pytest

from weps.coreference import DecisionTree
from weps.errors import ModelError, OutputError
from weps.forms import Form, Origin
from weps.model import FORMAT, Model, ModelSet, load, save
from weps.similarity import similarity

TREE = {
    "column": [1, -1, -1],
    "threshold": [0.25, 0.0, 0.0],
    "left": [1, -1, -1],
    "right": [2, -1, -1],
    "probability": [0.3, 1 / 3, 0.9],
}


def model_of(*columns: str) -> Model:
    similarities = tuple(map(similarity, columns))
    tree = DecisionTree.from_data(TREE, len(similarities))
    return Model(similarities, tree, {Origin.SEARCH: 0.1 + 0.2, Origin.LISTED: 0.75})


MODELS = ModelSet(
    {
        Form.PAGES: model_of("dice(token)", "cosine(ngram(n=2, local=true))", "linked"),
        Form.RESULTS: model_of("dice(title)", "same_domain"),
    },
    card={"corpus": "WePS-1, Zoë", "names": 34},
)


@pytest.fixture
def path(tmp_path):
    return tmp_path / "model.json"


@pytest.fixture
def damaged(path):
    """A function that saves the models after a change to their data, or other text instead."""

    def write(change) -> None:
        save(MODELS, path)
        data = json.loads(path.read_text("utf-8"))
        result = change(data)
        path.write_text(result if isinstance(result, str) else json.dumps(data), "utf-8")

    return write


def test_a_model_reads_back(path):
    save(MODELS, path)
    again = load(path)
    assert again.card == MODELS.card
    assert list(again.models) == [Form.PAGES, Form.RESULTS]
    for form, model in MODELS.models.items():
        assert again.for_form(form).similarities == model.similarities
        assert again.for_form(form).thresholds == model.thresholds
        assert again.for_form(form).tree.to_data() == model.tree.to_data()


def test_a_model_read_back_predicts_the_same(path):
    save(MODELS, path)
    values = np.random.default_rng(0).random((20, 3)).astype(np.float32)
    before, after = MODELS.models[Form.PAGES].tree, load(path).models[Form.PAGES].tree
    assert after.predict(values).tolist() == before.predict(values).tolist()


def test_saving_again_makes_the_same_bytes(path, tmp_path):
    save(MODELS, path)
    save(load(path), tmp_path / "again.json")
    assert (tmp_path / "again.json").read_bytes() == path.read_bytes()


def test_the_digest_is_that_of_the_file(path):
    save(MODELS, path)
    assert load(path).digest == hashlib.sha256(path.read_bytes()).hexdigest()[:8]


def test_a_form_without_model_is_named():
    with pytest.raises(ModelError, match="tokens") as caught:
        MODELS.for_form(Form.TOKENS)
    assert "weps train" in caught.value.remedy


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "[]",
        "null",
        "7",
        '"weps model"',
        "{}",
        '{"kind": "weps model"}',
        '{"kind": "other", "format": 1}',
        "[" * 100_000,
        "\0\1\2",
    ],
)
def test_what_is_no_model_file_is_refused(path, text):
    path.write_text(text, "utf-8")
    with pytest.raises(ModelError) as caught:
        load(path)
    assert caught.value.where == path
    assert caught.value.remedy
    assert "\n" not in str(caught.value)


def test_bytes_that_are_no_text_are_refused(path):
    path.write_bytes(b"\xff\xfe\xfa model")
    with pytest.raises(ModelError):
        load(path)


def set_pages(name, value):
    return lambda data: data["models"]["pages"].__setitem__(name, value)


@pytest.mark.parametrize(
    "change",
    [
        lambda data: data.pop("models") and None,
        lambda data: data.update(models=[1]),
        lambda data: data.update(models={"leaflets": {}}),
        lambda data: data.update(models={"pages": 7}),
        lambda data: data["models"]["pages"].clear(),
        lambda data: json.dumps(data)[:-40],
        set_pages("similarities", ["dice(tokne)", "linked", "linked"]),
        set_pages("similarities", ["dice(token)"]),
        set_pages("similarities", [7, 7]),
        set_pages("similarities", ["f(" * 100_000, "linked"]),
        set_pages("tree", {}),
        set_pages("tree", None),
        set_pages("thresholds", None),
        set_pages("thresholds", 0.5),
        set_pages("thresholds", {"search": 0.5}),
        set_pages("thresholds", {"search": 0.5, "listed": "high"}),
    ],
)
def test_a_damaged_model_is_refused_with_file_and_remedy(damaged, path, change):
    damaged(change)
    with pytest.raises(ModelError) as caught:
        load(path)
    assert caught.value.where == path
    assert "weps train" in caught.value.remedy


@pytest.mark.parametrize(
    "threshold", [float("nan"), float("inf"), 10**400], ids=["nan", "infinite", "huge"]
)
def test_a_threshold_is_a_number(damaged, path, threshold):
    damaged(set_pages("thresholds", {"search": 0.5, "listed": threshold}))
    with pytest.raises(ModelError):
        load(path)


def test_a_card_is_a_table(damaged, path):
    damaged(lambda data: data.update(card=["WePS-1"]))
    with pytest.raises(ModelError):
        load(path)


@pytest.mark.parametrize("other", [0, FORMAT + 1, "1", None])
def test_a_model_of_another_version_is_refused(damaged, path, other):
    damaged(lambda data: data.update(format=other))
    with pytest.raises(ModelError, match=f"format {other!r}") as caught:
        load(path)
    assert caught.value.where == path
    assert "train it again" in caught.value.remedy


def test_a_missing_model_is_named(path):
    with pytest.raises(ModelError, match="No such file") as caught:
        load(path)
    assert caught.value.where == path
    assert caught.value.remedy


def test_a_folder_is_no_model(tmp_path):
    with pytest.raises(ModelError):
        load(tmp_path)


def test_a_file_far_too_large_is_not_even_read(path):
    with path.open("wb") as file:
        file.truncate(60_000_000)
    with pytest.raises(ModelError, match="too large"):
        load(path)


def test_a_place_that_cannot_be_written_is_named(tmp_path):
    with pytest.raises(OutputError) as caught:
        save(MODELS, tmp_path / "no" / "such" / "folder.json")
    assert caught.value.where == tmp_path / "no" / "such" / "folder.json"
    assert caught.value.remedy


def test_features_of_other_forms_are_absent():
    assert MODELS.absent(Form.RESULTS) == ("token", "ngram(n=2, local=true)", "linked")
    assert MODELS.absent(Form.PAGES) == ("title", "same_domain")


@pytest.mark.parametrize("name", ["", "weps_en", "de_core_news_sm"])
def test_the_language_pipeline_is_named(path, name):
    save(replace(MODELS, language=name), path)
    assert load(path).language == name


@pytest.mark.parametrize("name", ["../en", "os", "en_core;x", "/var/en_x", 3, "en_" + 99 * "x"])
def test_a_language_that_is_no_name_of_a_pipeline_is_refused(damaged, path, name):
    damaged(lambda data: data.update(language=name))
    with pytest.raises(ModelError):
        load(path)
