"""A few terms that tell each of the people of one name from their namesakes."""

from weps.labels.choosing import WEIGHTING, Label, labels, labels_with_words

__all__ = ["WEIGHTING", "Label", "labels", "labels_with_words"]
