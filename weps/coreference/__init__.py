"""Coreference: the probability that two pages are about one person, without fitting it."""
