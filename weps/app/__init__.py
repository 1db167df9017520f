"""The local app: names in the browser, searched for or brought, corrected, clustered again at once.

Nothing leaves the machine but searches that the user has confirmed. ``uploads``, ``sessions``
(stored and open results) and ``workspace`` (jobs) are independent of HTTP; ``application`` and
``server`` are built on Flask and waitress: ``pip install 'weps[app]'``.
"""
