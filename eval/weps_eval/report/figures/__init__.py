"""Figures of a study as SVG and PNG with alternative text.

matplotlib is optional: it is imported when a figure is plotted, never earlier, and without it all
raise OutputError. The same data give the same bytes.
"""
