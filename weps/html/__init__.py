"""Cleaning: from the bytes of a page to a :class:`~weps.records.Document`.

``decoding`` unpacks the bytes and finds the charset, ``parsing`` reads the mark-up into an
:class:`~weps.html.cleaning.Outline`, ``links`` finds addresses, and ``cleaning`` does the rest.
"""
