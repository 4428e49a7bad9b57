"""Run every benchmark of this folder: ``python -m benchmarks [stem ...]``."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path

from benchmarks.timing import HEADER, run


def main(stems: list[str]) -> None:
    here = Path(__file__).parent
    stems = stems or sorted(p.stem for p in here.glob("*.py") if p.stem not in {"__init__", "__main__", "timing"})
    print(HEADER)
    for stem in stems:
        for race in importlib.import_module(f"benchmarks.{stem}").races():
            for row in run(race):
                print(row, flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
