"""The local app: results of a folder in the browser, corrected and clustered again at once.

No data leave the machine. ``storage`` (results and uploaded pages), ``session`` (an open result)
and ``workspace`` (jobs, open sessions) are independent of HTTP; ``routes`` and ``factory`` are
built on Flask and waitress: ``pip install 'weps[app]'``.
"""
