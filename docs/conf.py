"""Configuration of the documentation site: ``sphinx-build -W docs FOLDER``."""

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "eval")]

from weps._version import VERSION  # noqa: E402 - the path comes first

project = "weps"
author = "The weps authors"
project_copyright = author
version = release = VERSION

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon", "docs.extensions"]
root_doc = "index"
exclude_patterns = ["benchmarks", "schema"]
myst_enable_extensions = ["deflist"]
myst_heading_anchors = 4
"""Links to headings are those of code hosts: ``formats.md#limits``."""

autodoc_member_order = "alphabetical"
autodoc_typehints = "description"
autodoc_typehints_description_target = "documented"
toc_object_entries_show_parents = "hide"
autodoc_preserve_defaults = True
napoleon_numpy_docstring = False
napoleon_use_ivar = True
default_role = "code"
smartquotes = False

html_theme = "furo"
html_title = f"weps {VERSION}"
html_copy_source = False
html_show_sphinx = False
html_static_path = ["static"]
html_css_files = ["site.css"]
pygments_style = "default"
pygments_dark_style = "github-dark"
