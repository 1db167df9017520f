"""The forms in which people keep pages, each recognised by its content, and all turned into pages.

``recognition`` says what a file is, ``reading`` turns it into :class:`~weps.records.Page`s and
:class:`~weps.records.UnreadInput`s, with one module for each form; ``listing`` says which files
there are in a folder or a ZIP archive.
"""
