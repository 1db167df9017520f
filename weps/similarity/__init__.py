"""Similarities between the pages of a name, pair by pair."""
