"""Plot the figures of docs/gallery with its scripts: ``python docs/figures/gallery.py``.

``python docs/figures/gallery.py print`` makes the report for print anew, which needs pdfLaTeX (Debian's
texlive-latex-recommended, texlive-science, texlive-pictures and lmodern), and the picture of its beginning, by
poppler-utils.
"""

from __future__ import annotations

import runpy
import subprocess
import sys
from contextlib import chdir
from pathlib import Path
from tempfile import TemporaryDirectory
from unittest.mock import patch

import matplotlib as mpl
import matplotlib.pyplot as plt

HERE = Path(__file__).parent
STYLE = {"svg.fonttype": "none", "svg.hashsalt": "gallery", "font.size": 9, "figure.facecolor": "white"}
GALLERY = HERE.parent / "gallery"
PRINTED = GALLERY / "latex_report.py"
PICTURES = {path.stem.replace("_", "-"): path for path in sorted(GALLERY.glob("*.py")) if path != PRINTED}
UNDATED = {"SOURCE_DATE_EPOCH": "0", "FORCE_SOURCE_DATE": "1"}


def draw(folder: Path) -> None:
    """Run every script without the date, so the same numbers give the same file."""
    undated = patch.dict("os.environ", UNDATED)
    with mpl.rc_context({**mpl.rcParamsDefault, "backend": "agg", **STYLE}), TemporaryDirectory() as place, undated:
        for name, script in PICTURES.items():
            with chdir(place):
                runpy.run_path(str(script))
                (folder / f"gallery-{name}.svg").write_bytes(Path(f"{name}.svg").read_bytes())
            plt.close("all")


def typeset(folder: Path) -> bytes:
    """Write the LaTeX report in a folder, without the date, and return the PDF."""
    with chdir(folder), patch.dict("os.environ", UNDATED):
        runpy.run_path(str(PRINTED))
        return Path("report.pdf").read_bytes()


def print_report() -> None:
    """Write the PDF and a figure of its first page."""
    with TemporaryDirectory() as place:
        (GALLERY / "report.pdf").write_bytes(typeset(Path(place)))
    top = ["-r", "80", "-x", "135", "-y", "120", "-W", "420", "-H", "560"]
    picture = ["pdftocairo", "-png", "-l", "1", "-singlefile", *top, str(GALLERY / "report.pdf")]
    subprocess.run([*picture, str(HERE / "gallery-latex-report")], check=True)


if __name__ == "__main__":
    print_report() if sys.argv[1:] == ["print"] else draw(HERE)
