"""WordNet databases: reading, look-up, and personalised PageRank."""
