"""The evaluation layer: how good an answer is, and which evidence earned it.

The public interface is stated in ``__init__.pyi``; names are imported when used.
"""

from weps._lazy import attach_stub
from weps._version import VERSION

__version__ = VERSION

__getattr__, __dir__, __all__ = attach_stub(__name__, __file__)
