"""Sphinx configuration: Markdown pages and notebooks, built by `make docs` with warnings as errors."""

project = "Rednova"
author = "The Rednova developers"
project_copyright = "2026, The Rednova developers"

extensions = ["myst_nb", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
myst_enable_extensions = ["dollarmath", "amsmath", "deflist"]
myst_heading_anchors = 3
exclude_patterns = ["decisions/template.md"]
nb_execution_mode = "off"  # tests/python/test_notebook.py executes them

default_role = "code"  # of `words` in docstrings
autodoc_typehints_format = "short"
autodoc_member_order = "bysource"
napoleon_use_ivar = True
napoleon_use_rtype = False

html_theme = "furo"
html_title = "Rednova"
