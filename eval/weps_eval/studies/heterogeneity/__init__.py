"""Heterogeneity of measures: how reliable they are together (2011), and the principle (2012)."""
