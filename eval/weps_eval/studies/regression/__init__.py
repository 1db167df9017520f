"""Scores of people estimated from measures, and from other outputs that people have scored."""
