"""The kernel of PWA, MaxPWA and redundancy, over plain arrays.

Measures are rows and instances columns; nothing here depends on pages or names. Counts are exact.
"""
