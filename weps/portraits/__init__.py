"""Portraits: what is told of a group of pages, and of each page, so that people know who it is.

``portraits`` puts a group's portrait together: label and further key terms (:mod:`weps.labels`),
the names that stand ``around`` the name searched for, the query that finds the group again
(:mod:`weps.refinement`). ``excerpts`` is what a page says around the name, ``mentions`` where the
name stands in a text, ``named`` how names are normalised.
"""

from weps.portraits.around import Around, around
from weps.portraits.excerpts import excerpt
from weps.portraits.mentions import mentions
from weps.portraits.portraits import Named, Portrait, portraits

__all__ = ["Around", "Named", "Portrait", "around", "excerpt", "mentions", "portraits"]
