"""Measures of how alike an output and its references are: declared, named, computed."""
