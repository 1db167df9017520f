"""A study as a document: sections with figures, tables and quotes, and the files that show them.

write_document(document, Path("study"))  # index.html, index.md and the files of figures and tables
"""

from eval.document.model import (
    Document,
    Figure,
    Picture,
    Quote,
    Section,
    Table,
    Tone,
)
from eval.document.writing import write_document

__all__ = [
    "Document",
    "Figure",
    "Picture",
    "Quote",
    "Section",
    "Table",
    "Tone",
    "write_document",
]
