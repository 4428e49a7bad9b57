"""Reproducible image files of plots."""

from __future__ import annotations

__all__ = ["PICTURE_FORMATS", "picture_bytes", "save"]

import io
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

from evalstats import _checks
from evalstats._errors import InvalidTypeError, InvalidValueError, short
from evalstats.plot.style import letters_told

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# without a time stamp and the version of matplotlib
PICTURE_FORMATS: dict[str, dict[str, Any]] = {
    ".png": {"Software": None},
    ".svg": {"Date": None, "Creator": None},
    ".pdf": {"CreationDate": None, "Creator": None, "Producer": None},
}
# letters can be searched and copied (42: TrueType), in contrast to Type 3; ids are not random
_SETTINGS = {"pdf.fonttype": 42, "svg.hashsalt": "evalstats"}
DOTS_PER_INCH = 300
LARGEST_DPI = 4800


def save(ax: Axes, path: Any, *, dpi: float = DOTS_PER_INCH) -> None:
    """Save the figure of a plot as PNG, SVG or PDF; identical plots give identical files.

    Fonts in a PDF are TrueType (Type 42), as publishers require. Many publishers reject Type 3 fonts, the default of
    matplotlib. The files contain no time stamp.

    Parameters
    ----------
    ax : matplotlib Axes
        Axes of the plot, as returned by a function of `evalstats.plot`. The whole figure is saved.
    path : str or path-like
        Path of the file. The suffix ``.png``, ``.svg`` or ``.pdf`` determines the format.
    dpi : float, default: 300
        Resolution in dots per inch of a PNG file, and of images inside an SVG or PDF file.

    Raises
    ------
    InvalidTypeError
        If `ax` is not an Axes, or `path` is not a path.
    InvalidValueError
        If the suffix is unknown, or `dpi` is not between 1 and 4800.

    Examples
    --------
    >>> import matplotlib, tempfile, pathlib
    >>> matplotlib.use("agg")
    >>> import evalstats
    >>> from evalstats import plot
    >>> ax = plot.scatter(evalstats.example_table("demsar-2006"), "C4.5", "C4.5+m")
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = pathlib.Path(folder, "scatter.pdf")
    ...     plot.save(ax, file)
    ...     file.read_bytes()[:5]
    b'%PDF-'
    """
    target = Path(os.fsdecode(_checks.path(path, "path")))
    content = picture_bytes(ax, target.suffix.lower(), dpi=dpi)
    target.write_bytes(content)


def picture_bytes(ax: Axes, suffix: str, *, dpi: float = DOTS_PER_INCH, trim: bool = False) -> bytes:
    """Return the content of the image file of a plot; `trim` removes empty edges, which changes the width."""
    import matplotlib as mpl

    if not hasattr(ax, "get_position"):
        raise InvalidTypeError(f"ax must be a matplotlib Axes, not {type(ax).__name__}")
    if suffix not in PICTURE_FORMATS:
        raise InvalidValueError(f"path must end in {' or '.join(PICTURE_FORMATS)}, not {short(suffix)}")
    dots = _checks.real(dpi, "dpi")
    if not 1 <= dots <= LARGEST_DPI:
        raise InvalidValueError(f"dpi must lie between 1 and {LARGEST_DPI}, not {short(dpi)}")
    figure: Any = ax.figure.figure
    file = io.BytesIO()
    with mpl.rc_context(_SETTINGS), letters_told():  # type: ignore[arg-type]  # settings have no common type
        figure.savefig(
            file,
            format=suffix[1:],
            bbox_inches="tight" if trim else figure.bbox_inches,
            dpi=dots,
            metadata=PICTURE_FORMATS[suffix],
        )
    return file.getvalue()
