"""Writes a BERT sentence encoder as an ONNX graph from its weights: one pass, a pooled vector and token vectors.

No torch: the layers are spelled out with ONNX Runtime's own operators. In 8 bits the weights are MatMulNBits, whose
activations are quantised row by row, so that a text's vectors do not depend on what else is in its batch (with
quantize_dynamic they do: cosines down to .976 for the same text).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import TensorProto, helper, numpy_helper

Array = NDArray[Any]
Weights = dict[str, Array]
_MICROSOFT = "com.microsoft"


@dataclass(frozen=True)
class Shape:
    """What the weights do not say of themselves. `block`: weights per scale in 8 bits."""

    heads: int = 12
    epsilon: float = 1e-12
    positions: int = 512
    block: int = 128


@dataclass(frozen=True)
class Projection:
    """mean float32[d], basis float32[d, k]: token vectors are (unit(h) - mean) @ basis, made unit again."""

    mean: Array
    basis: Array


class Graph:
    """Nodes and constants, named as they come; `op` returns the name of its output."""

    def __init__(self) -> None:
        self.nodes: list[onnx.NodeProto] = []
        self.constants: list[onnx.TensorProto] = []

    def const(self, value: Array | float | list[int], dtype: type | None = None) -> str:
        name = f"c{len(self.constants)}"
        self.constants.append(numpy_helper.from_array(np.ascontiguousarray(value, dtype), name))
        return name

    def op(self, kind: str, *inputs: str, domain: str = "", **attributes: Any) -> str:
        return self.ops(kind, 1, *inputs, domain=domain, **attributes)[0]

    def ops(self, kind: str, count: int, *inputs: str, domain: str = "", **attributes: Any) -> list[str]:
        outputs = [f"n{len(self.nodes)}_{number}" for number in range(count)]
        self.nodes.append(
            helper.make_node(kind, inputs, outputs, domain=domain, name=f"{kind}{len(self.nodes)}", **attributes)
        )
        return outputs

    def output(self, inner: str, name: str) -> None:
        self.nodes.append(helper.make_node("Identity", [inner], [name], name=f"out_{name}"))


def encoder(weights: Weights, shape: Shape, eight_bits: bool, tail: tuple[Projection, Array] | None) -> onnx.ModelProto:
    """The whole graph. Inputs input_ids, attention_mask int64[B,S].

    With `tail` = (projection, rotation float32[d, 1024]): outputs `embedding` float32[B,1024] (masked mean, unit,
    rotated) and `tokens` float32[B,S,k], one row per position, [CLS] and [SEP] included. Without: `hidden`
    float32[B,S,d], the last layer as it is, to fit a projection on.
    """
    graph = Graph()
    writer = _Layers(graph, weights, shape, eight_bits)
    hidden = writer.embeddings()
    mask = graph.op("Cast", "attention_mask", to=TensorProto.INT32)
    for number in range(_depth(weights)):
        hidden = writer.layer(number, hidden, mask)
    width = weights["embeddings.LayerNorm.weight"].shape[0]
    if tail is None:
        graph.output(hidden, "hidden")
        outputs: dict[str, list[str | int]] = {"hidden": ["B", "S", width]}
    else:
        projection, turn = tail
        graph.output(_pooled(graph, hidden, turn), "embedding")
        graph.output(_tokens(graph, hidden, projection), "tokens")
        outputs = {"embedding": ["B", turn.shape[1]], "tokens": ["B", "S", projection.basis.shape[1]]}
    return _model(graph, outputs)


class _Layers:
    def __init__(self, graph: Graph, weights: Weights, shape: Shape, eight_bits: bool) -> None:
        self.graph, self.weights, self.shape, self.eight_bits = graph, weights, shape, eight_bits

    def embeddings(self) -> str:
        graph, weights = self.graph, self.weights
        words = self._table(weights["embeddings.word_embeddings.weight"])
        places = weights["embeddings.position_embeddings.weight"][: self.shape.positions]
        places = (places + weights["embeddings.token_type_embeddings.weight"][0]).astype(np.float32)
        length = graph.op("Slice", graph.op("Shape", "input_ids"), graph.const([1]), graph.const([2]))
        # Slice, not Gather by Range: that pattern is fused into EmbedLayerNormalization, which then fails.
        here = graph.op("Slice", graph.const(places), graph.const([0]), length, graph.const([0]))
        return graph.op("LayerNormalization", graph.op("Add", words, here), *self._norm("embeddings.LayerNorm"),
                        epsilon=self.shape.epsilon)  # fmt: skip

    def layer(self, number: int, hidden: str, mask: str) -> str:
        graph, weights, name = self.graph, self.weights, f"encoder.layer.{number}."
        parts = [f"{name}attention.self.{part}" for part in ("query", "key", "value")]
        joined = self._linear(hidden, np.concatenate([weights[f"{part}.weight"] for part in parts]))
        width = weights[f"{parts[0]}.weight"].shape[0]
        query, key, value = graph.ops("Split", 3, joined, graph.const([width] * 3), axis=-1)
        bias = graph.const(np.concatenate([weights[f"{part}.bias"] for part in parts]))
        seen = graph.op(
            "MultiHeadAttention", query, key, value, bias, mask, domain=_MICROSOFT, num_heads=self.shape.heads
        )
        hidden = self._add_norm(f"{name}attention.output", seen, hidden)
        inner = self._linear(hidden, weights[f"{name}intermediate.dense.weight"])
        inner = graph.op("BiasGelu", inner, graph.const(weights[f"{name}intermediate.dense.bias"]), domain=_MICROSOFT)
        return self._add_norm(f"{name}output", inner, hidden)

    def _add_norm(self, name: str, new: str, old: str) -> str:
        dense = self._linear(new, self.weights[f"{name}.dense.weight"])
        bias = self.graph.const(self.weights[f"{name}.dense.bias"])
        return self.graph.op("SkipLayerNormalization", dense, old, *self._norm(f"{name}.LayerNorm"), bias,
                             domain=_MICROSOFT, epsilon=self.shape.epsilon)  # fmt: skip

    def _norm(self, name: str) -> tuple[str, str]:
        return self.graph.const(self.weights[f"{name}.weight"]), self.graph.const(self.weights[f"{name}.bias"])

    def _linear(self, left: str, weight: Array) -> str:
        """left @ weight.T, without the bias."""
        rows, columns = weight.shape
        if not self.eight_bits:
            return self.graph.op("MatMul", left, self.graph.const(weight.T, np.float32))
        codes, scales = quantise_blocks(weight, self.shape.block)
        return self.graph.op(
            "MatMulNBits", left, self.graph.const(codes), self.graph.const(scales), domain=_MICROSOFT,
            K=columns, N=rows, bits=8, block_size=self.shape.block, accuracy_level=4,
        )  # fmt: skip

    def _table(self, table: Array) -> str:
        graph = self.graph
        if not self.eight_bits:
            return graph.op("Gather", graph.const(table, np.float32), "input_ids")
        codes, scales = quantise_rows(table)
        wide = graph.op("Cast", graph.op("Gather", graph.const(codes), "input_ids"), to=TensorProto.FLOAT)
        return graph.op("Mul", wide, graph.op("Gather", graph.const(scales), "input_ids"))


def quantise_blocks(weight: Array, block: int) -> tuple[Array, Array]:
    """uint8[N, K/block, block] around 128 and one float32 scale per block, for MatMulNBits."""
    parts = weight.astype(np.float32).reshape(len(weight), -1, block)
    scales = (np.abs(parts).max(-1) / np.float32(127)).astype(np.float32)
    scales[scales == 0] = 1
    codes = np.clip(np.rint(parts / scales[..., None]), -127, 127) + 128
    return codes.astype(np.uint8), scales.reshape(-1)


def quantise_rows(table: Array) -> tuple[Array, Array]:
    """int8[V, d] and float32[V, 1]."""
    scales = (np.abs(table).max(1, keepdims=True) / np.float32(127)).astype(np.float32)
    scales[scales == 0] = 1
    return np.clip(np.rint(table / scales), -127, 127).astype(np.int8), scales


def _pooled(graph: Graph, hidden: str, turn: Array) -> str:
    # The mean's divisor falls away in the unit length, so the masked sum does.
    mask = graph.op("Unsqueeze", graph.op("Cast", "attention_mask", to=TensorProto.FLOAT), graph.const([-1]))
    total = graph.op("ReduceSum", graph.op("Mul", hidden, mask), graph.const([1]), keepdims=0)
    return graph.op("MatMul", graph.op("LpNormalization", total, axis=-1, p=2), graph.const(turn, np.float32))


def _tokens(graph: Graph, hidden: str, projection: Projection) -> str:
    unit = graph.op("LpNormalization", hidden, axis=-1, p=2)
    centred = graph.op("Sub", unit, graph.const(projection.mean, np.float32))
    short = graph.op("MatMul", centred, graph.const(projection.basis, np.float32))
    return graph.op("LpNormalization", short, axis=-1, p=2)


def _depth(weights: Weights) -> int:
    return 1 + max(int(name.split(".")[2]) for name in weights if name.startswith("encoder.layer."))


def _model(graph: Graph, outputs: dict[str, list[str | int]]) -> onnx.ModelProto:
    sequence = ["B", "S"]
    inputs = [
        helper.make_tensor_value_info(name, TensorProto.INT64, sequence) for name in ("input_ids", "attention_mask")
    ]
    results = [helper.make_tensor_value_info(name, TensorProto.FLOAT, dims) for name, dims in outputs.items()]
    whole = helper.make_graph(graph.nodes, "sentence-encoder", inputs, results, graph.constants)
    opsets = [helper.make_opsetid("", 17), helper.make_opsetid(_MICROSOFT, 1)]
    return helper.make_model(whole, opset_imports=opsets, ir_version=8)
