"""The way to the Web: search engines are asked, pages downloaded. Nothing else opens connections.

Only the commands that are asked to import this package, so that nothing else leaves the machine.
"""
