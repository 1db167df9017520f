"""What the routes ask: results, long work, and the workshop that does it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import partial
from typing import BinaryIO

from weps.app.jobs import Job, Jobs
from weps.app.library import Library
from weps.app.uploads import identifier_of, receive
from weps.app.workshop import Workshop
from weps.errors import SourceError
from weps.resources import resource
from weps.sources.selecting import as_name

__all__ = ["DEMO", "Office"]

DEMO = "Robin_Averdale"
"""The made-up person of the pages that come with weps."""


@dataclass(frozen=True, slots=True)
class Office:
    """The results of a folder, and the work on them."""

    library: Library
    workshop: Workshop
    jobs: Jobs

    def take_in(
        self, name: str, files: Iterable[tuple[str, BinaryIO]], threshold: float | None
    ) -> Job:
        """Save the pages of a name that is not there yet, and have them clustered.

        Raises:
            WepsError: if there is no name, one that is there, or no pages.
        """
        identifier = identifier_of(name)
        taken = {known.casefold() for known in self.library.all()}
        if identifier.casefold() in taken:
            raise SourceError(
                f"there are pages of {as_name(identifier)} already",
                remedy="delete them first, give these another name, or add them by `weps update`",
            )
        receive(files, self.library.pages(identifier))
        return self.cluster(identifier, threshold)

    def demo(self) -> Job:
        """Have the pages clustered that come with weps."""
        pages = [
            (path.name, path.open("rb")) for path in sorted(resource(f"demo/{DEMO}").iterdir())
        ]
        try:
            return self.take_in(DEMO, pages, None)
        finally:
            for _, file in pages:
                file.close()

    def cluster(self, identifier: str, threshold: float | None = None) -> Job:
        """Have the pages of a name clustered that came in from the browser."""
        work = partial(self.workshop.cluster, identifier, threshold)
        return self.jobs.busy_with(identifier) or self.jobs.submit(identifier, work)

    def open(self, identifier: str) -> Job:
        """Have a result opened, so that it can be corrected."""
        work = partial(self.workshop.open, identifier)
        return self.jobs.busy_with(identifier) or self.jobs.submit(identifier, work)
