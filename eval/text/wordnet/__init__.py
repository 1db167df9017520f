"""WordNet as its authors publish it: read, looked up, and walked at random."""
