"""Draw the pictures of docs/gallery by its scripts: ``python docs/figures/gallery.py``."""

from __future__ import annotations

import runpy
from contextlib import chdir
from pathlib import Path
from tempfile import TemporaryDirectory
from unittest.mock import patch

import matplotlib as mpl
import matplotlib.pyplot as plt

HERE = Path(__file__).parent
STYLE = {"svg.fonttype": "none", "svg.hashsalt": "gallery", "font.size": 9, "figure.facecolor": "white"}
PICTURES = {path.stem.replace("_", "-"): path for path in sorted((HERE.parent / "gallery").glob("*.py"))}


def draw(folder: Path) -> None:
    """Run every script, without the date, so that the same numbers give the same file."""
    undated = patch.dict("os.environ", SOURCE_DATE_EPOCH="0")
    with mpl.rc_context({**mpl.rcParamsDefault, "backend": "agg", **STYLE}), TemporaryDirectory() as place, undated:
        for name, script in PICTURES.items():
            with chdir(place):
                runpy.run_path(str(script))
                (folder / f"gallery-{name}.svg").write_bytes(Path(f"{name}.svg").read_bytes())
            plt.close("all")


if __name__ == "__main__":
    draw(HERE)
