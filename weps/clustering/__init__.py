"""Hierarchical agglomerative clustering of a name's pages (EMNLP 2009, section 4.3.1)."""
