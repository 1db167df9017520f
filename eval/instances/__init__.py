"""The instances of a study, and the files they are kept in."""

from eval.instances.reading import read_instances
from eval.instances.records import Counts, Instances, joined
from eval.instances.table import TableRead
from eval.instances.writing import write_instances

__all__ = [
    "Counts",
    "Instances",
    "TableRead",
    "joined",
    "read_instances",
    "write_instances",
]
