"""Corrections by users: stored, checked, and passed to the clustering as constraints.

``model`` has the kinds of corrections and the corrections of a name, ``operations`` the edits of an
answer, ``file`` the file format and the pages found again when ranks have changed, ``constraints``
the effect on the clustering.
"""
