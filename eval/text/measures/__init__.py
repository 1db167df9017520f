"""Measures of how alike an output and its references are: declared, named, computed."""

from eval.text.measures.family import Family, Need
from eval.text.measures.measure import Measure
from eval.text.measures.registry import FAMILIES, family
from eval.text.measures.scoring import scores, similarities

__all__ = ["FAMILIES", "Family", "Measure", "Need", "family", "scores", "similarities"]
