"""Hierarchical agglomerative clustering of a name's pages (EMNLP 2009, section 4.3.1).

The link says how alike two clusters are: ``dendrogram`` is what every link gives, ``links`` are
the links, ``chains`` is how their merges are found, ``expectation`` how good an answer to expect
along them, ``constrained`` what is settled beforehand.
"""

from weps.clustering.constrained import Ruling
from weps.clustering.dendrogram import Dendrogram, Merge, pair_position
from weps.clustering.links import LINKS, Link, average_link, complete_link, single_link

__all__ = [
    "LINKS",
    "Dendrogram",
    "Link",
    "Merge",
    "Ruling",
    "average_link",
    "complete_link",
    "pair_position",
    "single_link",
]
