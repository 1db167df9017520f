"""The feature study: which evidence earns its place (EMNLP 2009, sections 4.1 to 4.3)."""
