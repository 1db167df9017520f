"""The benchmark: systems cluster held-out names, and their scores are compared."""
