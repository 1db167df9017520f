"""What was computed from a page before, kept on disk: entries of bytes, found by digest.

A cache is a convenience: nothing that goes wrong in it stops a run or changes a result. Damaged
entries count as absent; a folder that cannot be written leaves ``Cache.problem``. Any number of
processes may use one folder at once.
"""

from weps.cache.digests import digest, source_digest
from weps.cache.places import default_folder
from weps.cache.store import Cache, Usage

__all__ = ["Cache", "Usage", "default_folder", "digest", "source_digest"]
