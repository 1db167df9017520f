"""Cleaning: from the bytes of a page to a :class:`~weps.records.Document`.

``decoding`` unpacks the bytes and finds the charset, ``cleaning`` repairs mark-up and assembles the
document, ``parsing`` or ``beautifulsoup`` read the mark-up into an
:class:`~weps.html.parsing.Outline`; then ``text`` makes blocks and ``links`` finds addresses.
"""
