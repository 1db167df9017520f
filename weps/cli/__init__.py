"""The commands of the command line.

Each module offers ``add_arguments(parser)`` and ``run_command(options, console)``.
"""
