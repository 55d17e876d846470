"""Sphinx configuration: Markdown pages, built by `make docs` with warnings as errors."""

project = "Rednova"
author = "The Rednova developers"
project_copyright = "2026, The Rednova developers"

extensions = ["myst_parser"]
myst_enable_extensions = ["dollarmath", "amsmath", "deflist"]
myst_heading_anchors = 3
source_suffix = {".md": "markdown"}
exclude_patterns = ["decisions/template.md"]

html_theme = "furo"
html_title = "Rednova"
