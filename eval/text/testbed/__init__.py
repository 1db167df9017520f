"""Testbeds, and the matrices of measure values that are computed on them."""

from eval.text.testbed.matrix import MeasureMatrix
from eval.text.testbed.reading import read_testbed
from eval.text.testbed.records import Output, Reference, Testbed, Text, Topic, whole
from eval.text.testbed.tables import MatrixRead, read_matrix, write_matrix
from eval.text.testbed.writing import write_testbed

__all__ = [
    "MatrixRead",
    "MeasureMatrix",
    "Output",
    "Reference",
    "Testbed",
    "Text",
    "Topic",
    "read_matrix",
    "read_testbed",
    "whole",
    "write_matrix",
    "write_testbed",
]
