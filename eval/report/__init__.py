"""Judging the conclusions of papers by figures with intervals; what all studies share."""
