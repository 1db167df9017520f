"""The commands of the evaluation layer, made like those of :mod:`weps.cli`."""
