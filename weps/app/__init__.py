"""The local app: results of a folder in the browser, corrected and clustered anew at once.

Nothing here goes beyond the machine. The work is in plain classes, which know nothing of HTTP:
:class:`~weps.app.storage.ResultStore` (the results of a folder), :mod:`~weps.app.storage` (pages
that come in), :class:`~weps.app.jobs.Jobs` (long work), :class:`~weps.app.workspace.SessionPool`
(clustering, corrections, deletion). Needs Flask and waitress: ``pip install 'weps[app]'``.
"""
