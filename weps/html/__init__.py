"""Cleaning: from the bytes of a page to a :class:`~weps.records.Document`.

``text`` unpacks the bytes, finds the charset, and finds addresses in text; ``cleaning`` reads the
mark-up into an :class:`~weps.html.cleaning.Outline` and does the rest.
"""
