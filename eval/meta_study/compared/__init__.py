"""Texts of topics compared with one another: on a testbed, or in a table that somebody kept."""

from eval.meta_study.compared.records import Compared, ComparedTopic
from eval.meta_study.compared.source import Wanted, compared
from eval.meta_study.compared.writing import write_compared

__all__ = ["Compared", "ComparedTopic", "Wanted", "compared", "write_compared"]
