"""Pages that nobody looked at, and that can be held neither for nor against a refinement.

For WePS-2 the annotators looked at up to 100 pages of a name. The key sets the others aside with
a note; among them may be pages of any of the people.
"""

from __future__ import annotations

from weps.errors import KeyFileError
from weps.sources import Source
from weps.sources.files import standing
from weps.sources.keys import parse_rank
from weps.sources.weps2 import Weps2
from weps.sources.xmlfile import read_xml

__all__ = ["unjudged"]

_NOTE = "not included in annotation"


def unjudged(source: Source, name: str) -> frozenset[int]:
    """The ranks of pages that the key of a name sets aside unseen.

    Raises:
        KeyFileError: the key is malformed.
    """
    if not isinstance(source, Weps2):
        return frozenset()
    folder = source.key_folder()
    path = standing((folder / f"{name}.clust.xml", folder / f"{name}.xml"))
    if path is None:
        return frozenset()
    parts = read_xml(path, "clustering", KeyFileError).all("discarded")
    unseen = (
        parse_rank(doc.get("rank"))
        for part in parts
        for doc in part.all("doc")
        if doc.get("notes").strip().lower() == _NOTE
    )
    return frozenset(rank for rank in unseen if rank is not None)
