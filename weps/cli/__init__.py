"""The commands of the line.

Each module offers ``arguments(parser)`` and ``run(options, console)``.
"""
