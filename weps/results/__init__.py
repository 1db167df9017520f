"""Results written before: found, read again, and their pages collected together with new ones.

stored = read_result(find_result(Path("weps-out"), "Thomas Baker"))
collected = collect(stored, open_source("new-pages", stored.name))
"""

from weps.results.collecting import Collected, collect
from weps.results.finding import find_result
from weps.results.stored import StoredResult, read_result

__all__ = ["Collected", "StoredResult", "collect", "find_result", "read_result"]
