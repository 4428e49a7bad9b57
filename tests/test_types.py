from __future__ import annotations

import re
import runpy
from pathlib import Path

from evalstats import _types

ROOT = Path(_types.__file__).parent


def test_the_types_of_arrays_are_said_once():
    """No module writes a type of `_types` out again, or gives another one its name."""
    written = set(re.findall(r"NDArray\[.+\]", Path(_types.__file__).read_text(encoding="utf-8")))
    arrays = [name for name in _types.__all__ if name.endswith("Array")]
    names = "|".join(_types.__all__)
    offenders = [
        f"{path.relative_to(ROOT)}: {line}"
        for path in sorted(ROOT.rglob("*.py"))
        if path.name != "_types.py"
        for line in path.read_text(encoding="utf-8").splitlines()
        if any(text in line for text in written) or re.match(rf"({names})\b.* = ", line)
    ]

    assert len(written) == len(arrays)
    assert not offenders


def test_script_that_mypy_checks_runs(capsys):
    """The step `mypy --strict` reads the same file; an attribute that it knows may still be missing."""
    runpy.run_path(str(Path(__file__).parent / "lib" / "user_script.py"))

    assert "coin, exact" in capsys.readouterr().out
