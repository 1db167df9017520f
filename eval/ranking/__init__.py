"""Who ranks above whom: the kernel of PWA, MaxPWA and redundancy, over plain arrays.

Measures are rows and instances columns; nothing here knows of pages or names. Every count is exact.
"""
