"""The local app: results of a folder in the browser, corrected and clustered anew at once.

Nothing here goes beyond the machine. The work is in plain classes, which know nothing of HTTP:
:class:`~weps.app.library.Library` (the results of a folder), :mod:`~weps.app.uploads` (pages that
come in), :class:`~weps.app.jobs.Jobs` (long work), :class:`~weps.app.workshop.Workshop`
(clustering, corrections, deletion). Needs Flask and waitress: ``pip install 'weps[app]'``.
"""

from weps.app.factory import create_app
from weps.app.opened import Settings

__all__ = ["Settings", "create_app"]
