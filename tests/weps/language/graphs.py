"""Small ONNX graphs, written without the library for them, and a tokeniser of three words."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import tokenizers

WORDS = ("[UNK]", "sea", "tide", "car")
TABLE = np.array([[1, 1, 1], [3, 4, 0], [4, 3, 0], [0, 0, 2]], dtype=np.float32)
"""The vector of each word."""
_INT32, _INT64 = 6, 7


def write_encoder(
    folder: Path,
    outputs: Sequence[str] = ("last_hidden_state",),
    *,
    inputs: Sequence[str] = ("input_ids", "attention_mask"),
    graph: str = "model.onnx",
    table: np.ndarray = TABLE,
    narrow: bool = False,
) -> str:
    """Write an encoder whose graph has these outputs: vectors of tokens, their mean, their maximum.

    Returns:
        Its folder.
    """
    path = folder / graph
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(_model(outputs, inputs, table, _INT32 if narrow else _INT64))
    words = tokenizers.models.WordLevel(dict(zip(WORDS, range(4), strict=True)), "[UNK]")
    tokenizer = tokenizers.Tokenizer(words)
    tokenizer.pre_tokenizer = tokenizers.pre_tokenizers.Whitespace()
    tokenizer.save(str(folder / "tokenizer.json"))
    return str(folder)


_MADE_BY = {"pooler_output": "ReduceMean", "sentence_embedding": "ReduceMax"}


def _model(outputs: Sequence[str], inputs: Sequence[str], table: np.ndarray, whole: int) -> bytes:
    """A ModelProto, see onnx.proto."""
    nodes = [_node("Gather", ["table", "input_ids"], "last_hidden_state")]
    pooling = (
        _text(1, "axes") + _number(8, 1) + _number(20, 7),
        _text(1, "keepdims") + _number(3, 0) + _number(20, 2),
    )
    nodes += [
        _node(made_by, ["last_hidden_state"], output, *pooling)
        for output, made_by in _MADE_BY.items()
        if output in outputs
    ]
    weights = b"".join(_number(1, size) for size in table.shape)
    weights += _number(2, 1) + _text(8, "table") + _bytes(9, table.tobytes())
    graph = b"".join(_bytes(1, node) for node in nodes) + _text(2, "g") + _bytes(5, weights)
    graph += b"".join(_bytes(11, _value(name, whole, "ab")) for name in inputs)
    dimensions = {"last_hidden_state": "abc"}
    graph += b"".join(_bytes(12, _value(each, 1, dimensions.get(each, "ac"))) for each in outputs)
    return _number(1, 8) + _bytes(7, graph) + _bytes(8, _text(1, "") + _number(2, 13))


def _node(kind: str, inputs: Sequence[str], output: str, *attributes: bytes) -> bytes:
    node = b"".join(_text(1, each) for each in inputs) + _text(2, output) + _text(4, kind)
    return node + b"".join(_bytes(5, each) for each in attributes)


def _value(name: str, kind: int, dimensions: str) -> bytes:
    shape = b"".join(_bytes(1, _text(2, each)) for each in dimensions)
    return _text(1, name) + _bytes(2, _bytes(1, _number(1, kind) + _bytes(2, shape)))


def _text(field: int, value: str) -> bytes:
    return _bytes(field, value.encode())


def _bytes(field: int, value: bytes) -> bytes:
    return _varint(field << 3 | 2) + _varint(len(value)) + value


def _number(field: int, value: int) -> bytes:
    return _varint(field << 3) + _varint(value)


def _varint(value: int) -> bytes:
    more, low = divmod(value, 128)
    return bytes([low | 128]) + _varint(more) if more else bytes([low])
