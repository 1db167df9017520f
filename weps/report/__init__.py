"""The report of an answer as HTML: what is shown of it, and in which words."""
