"""The commands of the command line.

Each is a function of its options, a dataclass (:mod:`weps._options`), and the console.
"""
