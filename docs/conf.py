"""How Sphinx builds the documentation: `make docs` writes the site to build/site, which works without a network."""

from tacit import __version__

project = "tacit"
author = "The tacit developers"
copyright = "the tacit developers, Apache-2.0"  # noqa: A001 - Sphinx reads this name
release = version = __version__

extensions = ["myst_nb", "sphinx.ext.autodoc", "sphinx.ext.napoleon", "sphinx.ext.viewcode"]
exclude_patterns = ["conf.py"]
myst_heading_anchors = 4
myst_enable_extensions = ["dollarmath"]
# The tutorial is kept without what it printed: the site shows what it prints now.
nb_execution_mode = "force"
nb_execution_in_temp = True
nb_execution_raise_on_error = True
nb_execution_timeout = 300
autodoc_typehints = "description"
autodoc_member_order = "bysource"
autodoc_class_signature = "separated"
# Types are written as in the source; links into NumPy and polars would need a network.
nitpicky = False

html_theme = "furo"
html_title = f"tacit {release}"
html_copy_source = False
html_show_sphinx = False
html_static_path = ["static"]
html_css_files = ["wide.css"]
html_theme_options = {"source_repository": "", "navigation_with_keys": True}
templates_path: list[str] = []
