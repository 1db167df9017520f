"""The evaluation layer: how good an answer is, and which evidence earned it."""
