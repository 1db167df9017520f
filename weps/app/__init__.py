"""The local app: names in the browser, searched for or brought, corrected, clustered again at once.

Nothing leaves the machine but searches that the user has confirmed. ``storage`` (results and pages
beside them), ``uploads``, ``searching``, ``jobs``, ``session`` (an open result) and ``workspace``
(what is done with them) are independent of HTTP; ``routes`` and ``factory`` are built on Flask and
waitress: ``pip install 'weps[app]'``.
"""
