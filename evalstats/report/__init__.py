"""A comparison in words, tables and diagrams: results in, strings out.

Renderers know no statistics: every number and every decision is read from the comparison.
"""

__all__ = ["bibliography", "html", "json", "latex", "markdown", "r_script", "sentence", "text"]

from evalstats.report.describe import sentence
from evalstats.report.html import html
from evalstats.report.json import json
from evalstats.report.latex import latex
from evalstats.report.markdown import markdown
from evalstats.report.r_script import r_script
from evalstats.report.references import bibliography
from evalstats.report.text import text
