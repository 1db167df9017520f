"""What the paper reports (ACL-IJCNLP 2009), shown beside our own figures. Numbers are facts."""

from __future__ import annotations

import re
from typing import NamedTuple

__all__ = [
    "ATTRIBUTES",
    "BEST_ATTRIBUTE_COUNTS",
    "BEST_ATTRIBUTE_SHARES",
    "PEOPLE",
    "PUBLISHED_MEANS",
    "PublishedMeans",
]


class PublishedMeans(NamedTuple):
    """A row of Tables 1 to 6: means over the people who have a candidate of the kind."""

    f: float
    precision: float
    recall: float
    coverage: float
    """Share of the people who have one."""


def _rows(table: str) -> dict[str, list[float]]:
    """Name → numbers, of lines that give both with two blanks between."""
    cells = (re.split(" {2,}", line, maxsplit=1) for line in table.strip().splitlines())
    return {name: [*map(float, numbers.split())] for name, numbers in cells}


PEOPLE = {"1": 335, "2": 92, "≥3": 125}
"""People by the number of their pages (section 3)."""

_MEANS = _rows("""
ae affiliation    0.99 0.98 1.00 0.46  0.76 0.99 0.65 0.40  0.51 0.96 0.39 0.81
ae award          1.00 1.00 1.00 0.04  0.67 1.00 0.50 0.02  0.26 1.00 0.16 0.20
ae birthplace     1.00 1.00 1.00 0.09  0.67 1.00 0.50 0.10  0.33 0.99 0.24 0.28
ae degree         0.85 0.80 1.00 0.10  0.63 0.87 0.54 0.15  0.37 0.90 0.26 0.36
ae email          1.00 1.00 1.00 0.11  0.74 1.00 0.60 0.16  0.35 0.96 0.23 0.33
ae fax            1.00 1.00 1.00 0.06  0.67 1.00 0.50 0.09  0.30 1.00 0.19 0.15
ae location       0.99 0.99 1.00 0.27  0.77 1.00 0.66 0.32  0.34 0.96 0.23 0.64
ae major          1.00 1.00 1.00 0.07  0.71 1.00 0.56 0.09  0.30 0.97 0.20 0.22
ae mentor         1.00 1.00 1.00 0.03  0.75 1.00 0.63 0.04  0.23 0.95 0.15 0.22
ae nationality    1.00 1.00 1.00 0.01  0.67 1.00 0.50 0.01  0.36 0.88 0.26 0.16
ae occupation     0.95 0.93 1.00 0.48  0.76 0.98 0.65 0.52  0.52 0.93 0.40 0.80
ae phone          0.99 0.99 1.00 0.13  0.75 1.00 0.63 0.13  0.34 0.96 0.23 0.33
ae relatives      0.99 0.98 1.00 0.15  0.78 0.96 0.68 0.15  0.32 0.95 0.22 0.16
ae school         0.99 0.99 1.00 0.15  0.68 0.96 0.56 0.17  0.40 0.95 0.29 0.43
ae work           0.96 0.95 1.00 0.07  0.81 1.00 0.72 0.17  0.45 0.94 0.34 0.38
ner location      0.96 0.95 1.00 0.93  0.83 0.97 0.77 0.98  0.62 0.87 0.53 1.00
ner organisation  1.00 1.00 1.00 0.98  0.89 1.00 0.83 1.00  0.67 0.96 0.56 1.00
ner person        0.98 0.97 1.00 0.82  0.83 0.99 0.74 0.98  0.59 0.95 0.47 1.00
tokens            1.00 1.00 1.00 1.00  0.96 0.99 0.94 1.00  0.87 0.90 0.86 1.00
bigrams           1.00 1.00 1.00 0.98  0.95 1.00 0.92 1.00  0.79 0.95 0.70 1.00
trigrams          1.00 1.00 1.00 1.00  0.94 1.00 0.92 1.00  0.75 0.96 0.65 1.00
fourgrams         1.00 1.00 1.00 0.98  0.91 1.00 0.86 0.99  0.67 0.97 0.55 1.00
fivegrams         1.00 1.00 1.00 0.98  0.89 1.00 0.84 0.99  0.62 0.96 0.50 1.00
best-ae           1.00 0.99 1.00 0.74  0.77 1.00 0.65 0.79  0.60 0.97 0.47 0.92
best-all          1.00 1.00 1.00 1.00  0.95 1.00 0.93 1.00  0.89 0.96 0.85 1.00
best-ner          1.00 1.00 1.00 0.99  0.92 0.99 0.88 1.00  0.74 0.95 0.63 1.00
best-nl           1.00 1.00 1.00 1.00  0.96 1.00 0.94 1.00  0.89 0.95 0.85 1.00
""")
"""F, precision, recall and coverage for people with one page, two, and three or more."""
PUBLISHED_MEANS = {
    size: {kind: PublishedMeans(*row[at : at + 4]) for kind, row in _MEANS.items()}
    for size, at in zip(PEOPLE, (0, 4, 8), strict=True)
}
"""Pages of a person → kind of refinement → figures (Tables 1 to 3, and 4 to 6)."""

BEST_ATTRIBUTE_SHARES = _rows("""
ae affiliation  20.96 17.88 29.41
ae occupation   20.25 21.79 24.60
ae work          3.23  8.38  8.56
ae location     12.66 12.29  8.02
ae school        7.03  6.70  6.42
ae degree        3.23  3.91  5.35
ae email         5.34  6.15  4.28
ae phone         6.19  5.03  3.21
ae nationality   0.28  0.00  3.21
ae relatives     7.03  5.03  2.67
ae birthplace    4.22  5.03  1.60
ae fax           2.95  1.68  1.60
ae major         3.52  3.91  1.07
ae mentor        1.41  2.23  0.00
ae award         1.69  0.00  0.00
""")
"""Attribute → of all wins of an attribute the per cent that are its own, for people with one page,
two, and three or more (Table 7).

Taken together they are whole numbers of :data:`BEST_ATTRIBUTE_COUNTS` alone.
"""

BEST_ATTRIBUTE_COUNTS = {"1": 711, "2": 179, "≥3": 187}
"""More than the people who have an attribute (.74 · 335, .79 · 92, .92 · 125): where attributes
tie, each of them wins. The paper does not say so; it follows from the percentages."""

ATTRIBUTES = tuple(sorted(BEST_ATTRIBUTE_SHARES))
"""Those that the paper studies."""
