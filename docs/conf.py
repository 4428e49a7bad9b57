"""How Sphinx makes the site from the Markdown pages of this folder: ``tox -e docs``."""

from __future__ import annotations

import sys
from pathlib import Path

from evalstats import __version__

sys.path.insert(0, str(Path(__file__).parent))  # the extensions of the site

project = "evalstats"
author = "The evalstats developers"
project_copyright = author
release = version = __version__

extensions = [
    "myst_nb",
    "numpydoc",
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "sphinx_copybutton",
    "site_extensions.plain_markdown",
    "site_extensions.docstrings",
    "site_extensions.formulas",
    "site_extensions.llms_txt",
    "site_extensions.sample_reports",
    "site_extensions.accessible",
    "site_extensions.version_switch",
]
root_doc = "index"
default_role = "py:obj"
highlight_language = "none"

myst_enable_extensions = ["dollarmath"]
myst_heading_anchors = 4
nb_execution_mode = "auto"
nb_execution_raise_on_error = True
nb_execution_timeout = 120
nb_merge_streams = True

autosummary_generate = False
autodoc_typehints = "none"
autodoc_member_order = "bysource"
numpydoc_show_class_members = False

copybutton_prompt_text = r">>> |\.\.\. |\$ "
copybutton_prompt_is_regexp = True

html_theme = "pydata_sphinx_theme"
html_title = "evalstats"
html_static_path = ["site_extensions/static"]
html_css_files = ["site.css"]
html_js_files = ["version-switch.js"]
templates_path = ["site_extensions/templates"]
html_math_renderer = "mathml"
# nothing stands below these pages
html_sidebars = {
    page: []
    for page in ("index", "installation", "quickstart", "which-test", "glossary", "migration", "versions", "hosting")
}
html_show_sourcelink = False
html_copy_source = False
html_theme_options = {
    "navigation_depth": 3,
    "show_nav_level": 1,
    "collapse_navigation": True,
    "header_links_before_dropdown": 7,
    "navbar_align": "left",
    "navbar_end": ["version-switch", "theme-switcher"],
    "navbar_persistent": ["search-button"],
    "show_prev_next": True,
    "secondary_sidebar_items": ["page-toc"],
    "footer_start": ["copyright"],
    "footer_end": [],
    "pygments_light_style": "a11y-high-contrast-light",
    "pygments_dark_style": "a11y-high-contrast-dark",
}
