"""Read many corrupted inputs, and count the inputs that were read, were rejected or failed.

``python scripts/corrupted_inputs.py COUNTS.json 500`` reads 500 further blocks of 1,000 seeds. Each seed gives a plain
table (`tests/test_corrupted_tables.py`), a file of another program (`tests/test_corrupted_sources.py`), labels of any
type in any format (`tests/test_labels_in_every_format.py`), and an incorrect input that looks correct
(`tests/test_inputs_that_look_good.py`). You can stop and resume the script at any time. The argument ``new`` at the end
starts a new run with the next seeds, for changed code.

``python scripts/corrupted_inputs.py sources 100000 7`` reads inputs of one type with this number of seeds, from the
seventh such block on, and prints the counts.
"""

from __future__ import annotations

import json
import os
import sys
import traceback
import warnings
from collections import Counter
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

sys.path[:0] = [str(Path(__file__).parents[1] / folder) for folder in (".", "tests", "tests/lib")]

import test_corrupted_sources  # noqa: E402 (stands beside the package in a checkout only)
import test_corrupted_tables  # noqa: E402 (likewise)
import test_inputs_that_look_good  # noqa: E402 (likewise)
import test_labels_in_every_format  # noqa: E402 (likewise)

from evalstats._errors import EvalstatsWarning  # noqa: E402 (that of this checkout)

BLOCK = 1000
NOTHING: dict[str, Any] = {"read": 0, "refused": 0, "failed": []}
KINDS = {
    "tables": test_corrupted_tables.outcome,
    "sources": test_corrupted_sources.outcome,
    "labels": test_labels_in_every_format.outcome,
    "inputs": test_inputs_that_look_good.outcome,
}


def counted(kind: str, seeds: range) -> dict[str, Any]:
    """Return the numbers of inputs of one type that were read, were rejected and failed, and the seeds that failed."""
    counts: Counter[str] = Counter()
    failed = []
    for seed in seeds:
        try:
            counts[KINDS[kind](seed)] += 1
        except Exception:  # whatever it is, it is a fault of evalstats
            failed.append(seed)
            sys.stderr.write(f"{kind}, seed {seed}:\n{traceback.format_exc(limit=-4)}\n")
    return {"read": counts["read"], "refused": counts["refused"], "failed": failed}


def main(path: Path, n_blocks: int, *, is_new: bool) -> None:
    """Read the given number of further blocks, and write the file after each block."""
    runs: list[dict[str, Any]] = json.loads(path.read_text()) if path.exists() else []
    if is_new or not runs or not KINDS.keys() <= runs[-1].keys():
        first = runs[-1]["first"] + runs[-1]["seeds"] if runs else 0
        runs.append({"day": "", "first": first, "seeds": 0, **{kind: dict(NOTHING) for kind in KINDS}})
    run = runs[-1]
    for _ in range(n_blocks):
        start = run["first"] + run["seeds"]
        found = {kind: counted(kind, range(start, start + BLOCK)) for kind in KINDS}
        for kind, counts in found.items():
            run[kind] = {name: run[kind][name] + counts[name] for name in NOTHING}
        run |= {"day": datetime.now(UTC).date().isoformat(), "seeds": run["seeds"] + BLOCK}
        beside = path.with_suffix(".part")
        beside.write_text(json.dumps(runs, indent=2) + "\n")
        os.replace(beside, path)


if __name__ == "__main__":
    warnings.simplefilter("error")
    warnings.simplefilter("ignore", EvalstatsWarning)
    if sys.argv[1] in KINDS:
        size, block = map(int, sys.argv[2:])
        sys.stdout.write(f"{counted(sys.argv[1], range(block * size, block * size + size))}\n")
    else:
        main(Path(sys.argv[1]), int(sys.argv[2]), is_new="new" in sys.argv[3:])
