"""The local app: names in the browser, searched for or brought, corrected, clustered again at once.

Nothing leaves the machine but searches that the user has confirmed. ``sessions`` (stored and open
results) and ``workspace`` (uploads, jobs) are independent of HTTP; ``application`` and
``server`` are built on Flask and waitress: ``pip install 'weps[app]'``.
"""
