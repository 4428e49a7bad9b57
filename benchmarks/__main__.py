"""Run every benchmark of this folder: ``python -m benchmarks [stem ...]``.

A package that is not installed is named in the table, and everything else runs.
"""

from __future__ import annotations

import importlib
import sys
from pathlib import Path

from benchmarks.timing import HEADER, not_run, run


def main(stems: list[str]) -> None:
    here = Path(__file__).parent
    stems = stems or sorted(p.stem for p in here.glob("*.py") if p.stem not in {"__init__", "__main__", "timing"})
    print(HEADER)
    for stem in stems:
        try:
            for race in importlib.import_module(f"benchmarks.{stem}").races():
                for row in run(race):
                    print(row, flush=True)
        except ImportError as error:
            print(not_run(stem, error), flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
