"""What the corpora of the WePS campaigns have in common."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from weps.records import Search
from weps.sources.base import Source, beyond_results
from weps.sources.files import entries, standing
from weps.sources.keys import read_clustering
from weps.sources.messages import listed
from weps.sources.results import Results, read_results
from weps.sources.selecting import as_name, select

if TYPE_CHECKING:
    from pathlib import Path
    from typing import Self

    from weps.records import Clustering, Page

__all__ = ["Corpus"]


@dataclass(frozen=True)
class Corpus(Source):
    """One file of results per name, a folder of keys, and pages if they could be had."""

    results_folder: ClassVar[str]

    @classmethod
    def recognises(cls, root: Path) -> bool:
        """Say whether a folder holds a file of results where this kind of corpus has them."""
        folder = root / cls.results_folder
        return folder.is_dir() and bool(_result_files(folder))

    @classmethod
    def open(cls, root: Path, _name: str | None = None) -> Self:
        """List the names of a corpus, which are those of its files of results."""
        files = _result_files(root / cls.results_folder)
        return cls(root, tuple(sorted(file.stem for file in files)))

    def results(self, name: str) -> Results:
        """Read the list of results of one name."""
        (known,) = select(self, [name])
        return read_results(self.root / self.results_folder / f"{known}.xml")

    def search(self, name: str) -> Search:
        """Read the results of one name with their pages."""
        (known,) = select(self, [name])
        results = self.results(known)
        return Search(results.name or as_name(known), self.with_contents(known, results.pages))

    def ranks(self, name: str) -> tuple[int, ...]:
        """Ranks of the results of one name, ascending."""
        return tuple(page.rank for page in self.results(name).pages)

    def key(self, name: str) -> Clustering | None:
        """Read the gold standard of one name as it stands; None where there is none."""
        (known,) = select(self, [name])
        folder = self.key_folder()
        found = standing((folder / f"{known}.clust.xml", folder / f"{known}.xml"))
        return read_clustering(found) if found else None

    def warnings(self, name: str) -> tuple[str, ...]:
        """Report ranks that a key names without a result, and ranks of several results."""
        (known,) = select(self, [name])
        results, key = self.results(known), self.key(known)
        strange = beyond_results(key, (page.rank for page in results.pages)) if key else ()
        faults = (
            (strange, "the key names ranks that are not among the results"),
            (results.repeated, "several results have one rank, the first counts"),
        )
        return tuple(f"{known}: {what}: {listed(ranks)}" for ranks, what in faults if ranks)

    @abstractmethod
    def key_folder(self) -> Path:
        """The folder of keys, one ``NAME.clust.xml`` or ``NAME.xml`` per name."""

    @abstractmethod
    def with_contents(self, name: str, pages: tuple[Page, ...]) -> tuple[Page, ...]:
        """Add what was saved of the pages; a page that was not saved stays as it is."""


def _result_files(folder: Path) -> list[Path]:
    return [file for file in entries(folder) if file.suffix == ".xml"]
