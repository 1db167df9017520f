"""The commands of the command line.

Each module offers a dataclass ``Options`` (:mod:`weps._options`) and
``run_command(options, console)``.
"""
