"""Where pages come from: WePS corpora and folders of saved pages, all behind one class.

source = open_source("corpora/weps-1/training")
for name in select(source, ["Thomas Baker"]):
    search, key = source.search(name), source.key(name)
"""

from weps.sources.base import Source
from weps.sources.joined import joined
from weps.sources.keys import clustering_xml, read_clustering, write_clustering
from weps.sources.opening import READERS, Reader, open_source
from weps.sources.selecting import select

__all__ = [
    "READERS",
    "Reader",
    "Source",
    "clustering_xml",
    "joined",
    "open_source",
    "read_clustering",
    "select",
    "write_clustering",
]
