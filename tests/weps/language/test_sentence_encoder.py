import re

import numpy as np
import onnxruntime
import pytest

from tests.weps.language.graphs import write_encoder
from weps._cache import Cache
from weps.errors import LanguageError
from weps.language import sentence_encoder as module
from weps.language.sentence_encoder import (
    IDENTITY_PATTERN,
    MAX_TOKENS,
    NO_ENCODER,
    encode_texts,
    encoder_identity,
    load_encoder,
    require_encoder,
)

SEA, TIDE, CAR = "She studies the sea.", "Her research is about tides.", "He sells used cars."


@pytest.fixture(autouse=True)
def _fresh():
    yield
    encoder_identity.cache_clear()


def test_texts_of_like_meaning_have_like_vectors():
    vectors = encode_texts([SEA, TIDE, CAR, " ", SEA])
    assert (vectors.shape, vectors.dtype) == ((5, 384), np.float32)
    assert np.linalg.norm(vectors, axis=1) == pytest.approx([1, 1, 1, 0, 1], abs=1e-3)
    cosines = vectors @ vectors.T
    assert cosines[0, 1] > 0.4 > cosines[0, 2]
    assert (vectors[0] == vectors[4]).all()
    assert encode_texts([]).shape[0] == 0


def test_vectors_are_those_of_the_weights_in_fractions():
    """The graph of the package that carries the weights is not used by weps."""
    tokenizer = load_encoder().tokenizer
    theirs = onnxruntime.InferenceSession(module.installed_weights())
    for text in (SEA, TIDE, CAR, "Ada", f"{TIDE} {CAR} " * 9):
        ids = np.array([tokenizer.encode(text).ids])
        given = {"input_ids": ids, "attention_mask": ids * 0 + 1, "token_type_ids": ids * 0}
        vector = theirs.run(None, given)[0][0].mean(axis=0)
        assert encode_texts([text])[0] @ vector / np.linalg.norm(vector) > 0.98


def test_where_sums_of_bytes_overflow_vectors_are_the_same(monkeypatch):
    expected = load_encoder()(TIDE)
    monkeypatch.setattr(module, "_LARGEST_SUM", 2 * (2**15 - 1))
    encoder = load_encoder.__wrapped__()
    options, exact = encoder.session.get_session_options(), encoder(TIDE)
    assert options.get_session_config_entry("session.x64quantprecision") == "1"
    assert options.graph_optimization_level.name == "ORT_ENABLE_ALL"  # else it is not obeyed
    np.testing.assert_allclose(exact.astype(float), expected.astype(float), atol=1e-4)


def test_a_vector_depends_on_its_text_alone_whatever_is_cached_or_done_at_once(cache: Cache):
    texts = [SEA, f"{TIDE} " * 30, CAR, ""]
    alone = np.concatenate([encode_texts([text]) for text in texts[:3]])
    np.testing.assert_array_equal(encode_texts(texts, cache=cache, jobs=2)[:3], alone)
    assert cache.usage().entries == 3
    np.testing.assert_array_equal(encode_texts([*texts, TIDE], cache=cache)[:3], alone)
    assert cache.usage().entries == 4


def test_what_is_cached_needs_no_encoder(cache: Cache, monkeypatch):
    before = encode_texts([SEA, CAR], cache=cache)
    monkeypatch.setattr(module, "load_encoder", None)
    np.testing.assert_array_equal(encode_texts([CAR, SEA], cache=cache), before[::-1])


def test_the_vocabulary_divides_words_as_bert_does():
    encode = load_encoder().tokenizer.encode
    assert encode("Hello World").ids == [101, 7592, 2088, 102]
    assert encode("unaffable").tokens == ["[CLS]", "una", "##ffa", "##ble", "[SEP]"]
    assert len(encode("tide " * 500).ids) == MAX_TOKENS
    assert "[SEP]" not in encode("a [SEP] b").tokens[1:-1]


@pytest.mark.parametrize(
    "text", ["\ud800", "\0", "[CLS]" * 9, "x" * 100_000, "a" * 9 + "\u0301" * 999]
)
def test_hostile_text_is_encoded(text):
    assert np.isfinite(encode_texts([text])).all()


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ({}, [7, 7, 2]),
        ({"graph": "onnx/model.onnx"}, [7, 7, 2]),
        ({"graph": "onnx/model_int8.onnx", "narrow": True}, [7, 7, 2]),
        ({"inputs": ["input_ids"]}, [7, 7, 2]),
        ({"inputs": ["input_ids", "attention_mask", "token_type_ids"]}, [7, 7, 2]),
        ({"outputs": ["pooler_output"]}, [7, 7, 2]),
        ({"outputs": ["pooler_output", "last_hidden_state"]}, [7, 7, 2]),
        ({"outputs": ["last_hidden_state", "sentence_embedding"]}, [4, 4, 2]),
    ],
    ids=["tokens", "folder", "int32", "one input", "all inputs", "pooled", "both", "sentence"],
)
def test_graphs_differ_in_inputs_and_outputs(tmp_path, written, expected):
    folder = write_encoder(tmp_path / "small encoder", **written)
    (vector,) = encode_texts(["sea tide car"], folder)
    np.testing.assert_allclose(vector, expected / np.linalg.norm(expected), atol=1e-3)
    assert encoder_identity(folder).startswith("small_encoder ")


def test_an_identity_is_of_all_that_vectors_depend_on(tmp_path):
    first, same, other = (tmp_path / place / "e" for place in "abc")
    folders = [write_encoder(first), write_encoder(same), write_encoder(other, narrow=True)]
    one, two, three = map(encoder_identity, folders)
    assert one == two != three
    encoder_identity.cache_clear()
    (same / "tokenizer.json").write_bytes((same / "tokenizer.json").read_bytes() + b" ")
    (other / "model.onnx_data").write_bytes(b"weights")
    assert len({one, *map(encoder_identity, folders[1:]), three}) == 4
    assert re.fullmatch(IDENTITY_PATTERN, require_encoder())


@pytest.mark.parametrize(
    ("name", "value"), [("_WEIGHTS_PACKAGE", "no_such"), ("_REQUIRED", ("numpy", "no_such"))]
)
def test_without_an_encoder_there_is_no_identity(monkeypatch, name, value):
    """Platforms for which there is no onnxruntime have none."""
    assert encoder_identity(NO_ENCODER) == ""
    monkeypatch.setattr(module, name, value)
    encoder_identity.cache_clear()
    assert encoder_identity() == ""
    for encoder in ("", NO_ENCODER):
        with pytest.raises(LanguageError, match="pip install onnxruntime tokenizers"):
            encode_texts([SEA], encoder)


def test_installed_weights_are_run_only_if_known(monkeypatch):
    monkeypatch.setattr(module, "_WEIGHTS_DIGEST", "0" * 64)
    encoder_identity.cache_clear()
    with pytest.raises(LanguageError, match="not the weights of all-MiniLM-L6-v2") as caught:
        require_encoder()
    assert caught.value.remedy


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (lambda folder: (folder / "model.onnx").unlink(), "there is no model.onnx"),
        (lambda folder: (folder / "tokenizer.json").unlink(), "there is no tokenizer.json"),
        (lambda folder: (folder / "model.onnx").write_bytes(b"\x08\x08:"), "cannot be loaded"),
        (lambda folder: (folder / "tokenizer.json").write_text("{}"), "cannot be loaded"),
        (lambda folder: write_encoder(folder, table=np.zeros((4, 3), "f")), "no finite vector"),
        (
            lambda folder: write_encoder(folder, inputs=["input_ids", "position_ids"]),
            "position_ids",
        ),
    ],
    ids=["no graph", "no tokeniser", "graph", "tokeniser", "zeros", "inputs"],
)
def test_a_damaged_encoder_is_one_clear_message(tmp_path, damage, message):
    folder = write_encoder(tmp_path)
    damage(tmp_path)
    with pytest.raises(LanguageError, match=message) as caught:
        encode_texts(["sea"], folder)
    assert "--embeddings" in caught.value.remedy
    assert str(tmp_path) in str(caught.value.where)
