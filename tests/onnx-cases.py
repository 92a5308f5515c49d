#!/usr/bin/env python3
"""Writes small ONNX models, byte by byte, as cases of the fuzz target.

usage: onnx-cases.py [FOLDER]      (default tests/cases/onnx)
The folder's other files, what fuzzing found, are left alone.
"""
import os
import sys


def varint(n):
    out = b""
    while n > 127:
        out += bytes([n & 127 | 128])
        n >>= 7
    return out + bytes([n])


def number(field, n):
    return varint(field << 3) + varint(n)


def block(field, content):
    content = content.encode() if isinstance(content, str) else content
    return varint(field << 3 | 2) + varint(len(content)) + content


def value(field, name, shape, kind=1):
    dims = b"".join(
        block(1, number(1, d) if isinstance(d, int) else block(2, d))
        for d in shape)
    tensor = number(1, kind) + block(2, dims)
    return block(field, block(1, name) + block(2, block(1, tensor)))


def weight(name, shape, raw=b""):
    return block(5, b"".join(number(1, d) for d in shape) + number(2, 1)
                 + block(8, name) + (block(9, raw) if raw else b""))


def node(op, inputs, outputs, attributes=b""):
    return block(1, b"".join(block(1, i) for i in inputs)
                 + b"".join(block(2, o) for o in outputs)
                 + block(4, op) + attributes)


def attribute(name, field, content):
    return block(5, block(1, name) + (number(field, content)
                                      if isinstance(content, int)
                                      else block(field, content)))


def model(graph):
    return (number(1, 8) + block(2, "by hand") + block(7, graph)
            + block(8, number(2, 17)))


def models():
    relu = node("Relu", ["x"], ["y"])
    yield "relu", model(relu + value(11, "x", [2, 3]) + value(12, "y", [2, 3]))
    yield "symbol", model(relu + value(11, "x", ["batch", 3])
                          + value(12, "y", ["batch", 3]))
    yield "beyond-int64", model(relu + value(11, "x", ["n", 8])
                                + value(12, "y", ["n", 8]))
    yield "unknown-symbol", model(relu + value(11, "x", ["k"])
                                  + value(12, "y", ["k"]))
    yield "no-shape", model(relu + value(11, "x", [2]))
    yield "cycle", model(node("Relu", ["b"], ["a"]) + node("Relu", ["a"], ["b"])
                         + value(13, "a", [1]) + value(12, "b", [1]))
    yield "views", model(
        node("Relu", ["x"], ["a"]) + node("Reshape", ["a", "s"], ["b"])
        + node("Flatten", ["b"], ["c"]) + node("Add", ["c", "a"], ["d"])
        + weight("s", [2]) + value(11, "x", [4, 4]) + value(13, "a", [4, 4])
        + value(13, "b", [2, 8]) + value(13, "c", [2, 8])
        + value(12, "d", [4, 4], 10))
    yield "matmul", model(
        node("MatMul", ["x", "W"], ["y"]) + node("Gemm", ["y", "V", "b"], ["z"])
        + node("Split", ["z"], ["p", "q"])
        + weight("W", [4, 5]) + weight("V", [5, 6]) + weight("b", [6])
        + value(11, "x", ["batch", 4]) + value(13, "y", ["batch", 5])
        + value(13, "z", ["batch", 6]) + value(12, "p", ["batch", 3])
        + value(12, "q", ["batch", 3]))
    yield "conv", model(
        node("Conv", ["x", "W"], ["y"], attribute("group", 3, 2))
        + node("MaxPool", ["y"], ["z"]) + weight("W", [8, 2, 3, 3])
        + value(11, "x", [1, 4, 8, 8]) + value(13, "y", [1, 8, 6, 6])
        + value(12, "z", [1, 8, 3, 3]))
    inner = node("Add", ["y", "y"], ["w"])
    yield "if", model(
        relu + node("If", ["c"], ["r"], attribute("then_branch", 6, inner)
                    + attribute("else_branch", 6, inner))
        + value(11, "x", [4]) + value(11, "c", [], 9) + value(13, "y", [4])
        + value(12, "r", [4]))
    yield "constant", model(
        node("Constant", [], ["c"],
             attribute("value", 5, number(1, 2) + number(2, 7)
                       + block(9, b"\0" * 16)))
        + node("Add", ["x", "c"], ["y"]) + value(11, "x", [2], 7)
        + value(13, "c", [2], 7) + value(12, "y", [2], 7))
    yield "group", b"\x08\x08\x0b"
    yield "nothing", number(1, 8)


def main():
    folder = sys.argv[1] if len(sys.argv) > 1 else "tests/cases/onnx"
    os.makedirs(folder, exist_ok=True)
    for name, content in models():
        with open(os.path.join(folder, name + ".onnx"), "wb") as out:
            out.write(content)


if __name__ == "__main__":
    main()
