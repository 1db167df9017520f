"""A few terms that tell each of the people of one name from their namesakes."""

from weps.labels.choosing import WEIGHTING, labels

__all__ = ["WEIGHTING", "labels"]
