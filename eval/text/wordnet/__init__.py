"""WordNet as its authors publish it: read, looked up, and walked at random."""

from eval.text.wordnet.finding import wordnet
from eval.text.wordnet.lemmas import senses_of
from eval.text.wordnet.ranks import Ranks
from eval.text.wordnet.reading import WordNet, read

__all__ = ["Ranks", "WordNet", "read", "senses_of", "wordnet"]
