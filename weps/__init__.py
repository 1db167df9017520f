"""Web people search: which of the pages found for a name are about the same person, and why.

answer = weps.cluster("resources/demo")

The public interface is stated in ``__init__.pyi``; names are imported when used.
"""

from weps._lazy import attach_stub
from weps._version import VERSION

__version__ = VERSION

__getattr__, __dir__, __all__ = attach_stub(__name__, __file__)
