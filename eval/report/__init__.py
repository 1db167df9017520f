"""A study as a document: sections with figures, tables and quotes, and the files that show them.

write_document(document, Path("study"))  # index.html, index.md and the files of figures and tables
"""
