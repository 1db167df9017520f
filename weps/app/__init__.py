"""The local app: results of a folder in the browser, corrected and clustered again at once.

No data leave the machine. The work is done by classes that are independent of HTTP:
:class:`~weps.app.storage.ResultStore` (the results of a folder), :mod:`~weps.app.storage`
(uploaded pages), :class:`~weps.app.jobs.Jobs` (long work),
:class:`~weps.app.workspace.SessionPool` (clustering, corrections, deletion). Needs Flask and
waitress: ``pip install 'weps[app]'``.
"""
