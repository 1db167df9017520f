"""Coreference: the probability that two pages are about one person.

A classifier reads the similarities of a pair. It is fitted by :mod:`weps.training`; here it is only
read, so that clustering needs no learning library.
"""
