"""The commands of the command line.

Each module offers ``arguments(parser)`` and ``run(options, console)``.
"""
