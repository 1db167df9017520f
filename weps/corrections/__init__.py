"""Corrections by users: stored, checked, and passed to the clustering as constraints.

``model`` has the kinds of corrections, the corrections of a name and their effect on the
clustering, ``edits`` the edits of an answer and the questions to the user, ``file`` the file format
and the pages found again when ranks have changed.
"""
