"""Hierarchical agglomerative clustering of a name's pages (EMNLP 2009, section 4.3.1)."""

from importlib import import_module

import numpy as np

_UNUSED = dict.fromkeys({"ctypeslib", "f2py", "ma", "testing"} - vars(np).keys())
"""Parts of NumPy that SciPy, which copies all its names, would import and does not use: they take
nearly half of the time of its own import. Afterwards they are imported where they are used."""

vars(np).update(_UNUSED)
import_module("scipy.special")
for _part in _UNUSED:
    del vars(np)[_part]
