"""What people could be called or searched by: the words and names of a name's pages."""

from weps.candidates.page_words import PageWords, page_words
from weps.candidates.strings import Candidates, candidates

__all__ = ["Candidates", "PageWords", "candidates", "page_words"]
