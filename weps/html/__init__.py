"""Cleaning: the bytes of a page in, a :class:`~weps.records.Document` out.

The steps, one module each: ``unpack`` (gzip, HTTP header, foreign formats), ``decode`` (charset),
``mend`` (damage that would cost a parser the rest of the page), ``stream`` or ``soup`` (mark-up
to an :class:`~weps.html.parsing.Outline`), then ``blocks``, ``links`` and ``emails``.
"""
