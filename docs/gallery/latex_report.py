"""Write a LaTeX report with its references, and compile it with pdfLaTeX."""

import subprocess
from pathlib import Path

from evalstats import compare, example_path, report

comparison = compare(example_path("japkowicz-accuracy"), metric="accuracy")
tex = report.latex(comparison, standalone=True).replace("{article}", "{article}\n\\usepackage{lmodern}")
Path("report.tex").write_text(tex, encoding="utf-8")
Path("evalstats.bib").write_text(report.bibliography(), encoding="utf-8")
for command in ("pdflatex -interaction=batchmode", "bibtex -terse", *["pdflatex -interaction=batchmode"] * 2):
    subprocess.run([*command.split(), "report"], check=True, stdout=subprocess.DEVNULL)
