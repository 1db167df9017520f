"""The local app: names in the browser, searched for or brought, corrected, clustered again at once.

Nothing leaves the machine but searches that the user has confirmed. ``storage`` (results and pages
beside them), ``uploads``, ``jobs``, ``sessions`` (open results) and ``workspace`` (work on results)
are independent of HTTP; ``application`` and ``server`` are built on Flask and waitress:
``pip install 'weps[app]'``.
"""
