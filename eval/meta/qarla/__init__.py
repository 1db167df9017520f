"""QARLA: measures, outputs and test sets judged by models and peers, without human judgements.

Amigó and others, ACL 2004 (the early estimate) and ACL 2005 (QUEEN, KING and JACK, and the
workshop on evaluation measures, where they are put to the test of DUC 2004).
"""

from eval.meta.qarla.clusters import Cluster, Linkage, agreement, clusters
from eval.meta.qarla.conditions import Conditions
from eval.meta.qarla.early import early
from eval.meta.qarla.jack import Form, jack, jack_by_peers
from eval.meta.qarla.king import king, kings, mean_king
from eval.meta.qarla.queen import queen, queen_left_out
from eval.meta.qarla.sets import Selection, best_set, every_set, greedy
from eval.meta.qarla.triples import Triples
from eval.meta.similarities import Similarities

__all__ = [
    "Cluster",
    "Conditions",
    "Form",
    "Linkage",
    "Selection",
    "Similarities",
    "Triples",
    "agreement",
    "best_set",
    "clusters",
    "early",
    "every_set",
    "greedy",
    "jack",
    "jack_by_peers",
    "king",
    "kings",
    "mean_king",
    "queen",
    "queen_left_out",
]
