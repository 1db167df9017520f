"""Measures of the similarity of an output and its references: declared, named, computed."""
