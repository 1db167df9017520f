"""Measures of measures: which answers are better, and which measures are reliable.

Plain arrays, measures first, on the footing of :mod:`weps_eval.ranking`; nothing here reads a text.
"""
