"""Read many inputs with a fault from seeds, and count what came of them: read, refused, failed.

``python scripts/mutated_inputs.py COUNTS.json 1000`` does as many blocks of 1,000 seeds as are lacking in the file,
half of them with plain tables (`tests/test_mutated_tables.py`), half with files of other programs
(`tests/test_mutated_sources.py`). It may be stopped and started again at any time.
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

sys.path[:0] = [str(Path(__file__).parents[1]), str(Path(__file__).parents[1] / "tests")]

import test_mutated_sources  # noqa: E402 (stands beside the package in a checkout only)
import test_mutated_tables  # noqa: E402 (likewise)

from evalstats._errors import EvalstatsWarning  # noqa: E402 (that of this checkout)

BLOCK = 1000
KINDS = {"tables": test_mutated_tables.outcome, "sources": test_mutated_sources.outcome}


def counted(kind: str, seeds: range) -> Counter[str]:
    """Return what came of inputs of one kind."""
    counts: Counter[str] = Counter()
    for seed in seeds:
        try:
            counts[KINDS[kind](seed)] += 1
        except Exception:  # whatever it is, it is a fault of evalstats
            counts["failed"] += 1
            sys.stderr.write(f"{kind}, seed {seed}:\n{traceback.format_exc(limit=-4)}\n")
    return counts


def main(path: Path, n_blocks: int) -> None:
    """Do the blocks that the file lacks, and write it after each."""
    record: dict[str, Any] = json.loads(path.read_text()) if path.exists() else {"tables": {}, "sources": {}}
    for i in range(n_blocks):
        kind = ("tables", "sources")[i % 2]
        done = record[kind].setdefault("blocks", 0)
        if done > i // 2:
            continue
        seeds = range(done * BLOCK, (done + 1) * BLOCK)
        counts = Counter(record[kind].get("outcomes", {})) + counted(kind, seeds)
        record[kind] = {"seeds": [0, seeds.stop - 1], "blocks": done + 1, "outcomes": dict(sorted(counts.items()))}
        record["last day"] = datetime.now(UTC).date().isoformat()
        beside = path.with_suffix(".part")
        beside.write_text(json.dumps(record, indent=2) + "\n")
        os.replace(beside, path)


if __name__ == "__main__":
    warnings.simplefilter("error")
    warnings.simplefilter("ignore", EvalstatsWarning)
    main(Path(sys.argv[1]), int(sys.argv[2]))
