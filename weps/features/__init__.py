"""Features: a named bag of strings or vector per document, or a flag per pair of documents.

All modules of this package are imported: the functions that they declare are found by name in the
registry.
"""

from importlib import import_module
from pkgutil import iter_modules

for _module in iter_modules(__path__):
    import_module(f"{__name__}.{_module.name}")
