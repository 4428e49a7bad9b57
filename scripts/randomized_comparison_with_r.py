"""Compare every function with R on generated inputs for a given time, and count the results.

``python scripts/randomized_comparison_with_r.py COUNTS.json 3600`` runs for one hour. Inputs are generated in blocks,
each from its own seed, always for the function with the shortest total time so far. You can stop and resume the script
at any time. A block ends after 10,000 inputs or 60 seconds, and ``evalstats validate FUNCTION --fuzz 10000 --seed
BLOCK`` generates the same inputs. The argument ``new`` after the seconds starts a new run with the next seeds, for
changed code.
"""

from __future__ import annotations

import json
import os
import platform
import sys
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from time import monotonic
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))

from evalstats.parity import FunctionParity, validate
from evalstats.parity.fuzz import find_generator
from evalstats.parity.reference_cases import read_stem, reference_directory, stem_names

BLOCK, SECONDS = 10_000, 60.0
PACKAGES = ("numpy", "scipy", "rpy2")


def functions() -> list[str]:
    """Return ``subpackage/module/function`` of every function with generated inputs."""
    directory = reference_directory()
    stems = [read_stem(name, directory) for name in stem_names(directory)]
    names = [f"{stem.name}/{function}" for stem in stems for function in stem.references]
    return [name for name in names if find_generator(name) is not None]


def asked(name: str, block: int) -> FunctionParity:
    """Compare a function with R on one block of generated inputs."""
    checked = validate(live=True, fuzz=BLOCK, rng=block, seconds=SECONDS, functions=[name.rpartition("/")[2]])
    if not checked.complete:  # after Ctrl-C, an incomplete block does not count
        raise KeyboardInterrupt
    # several modules have noninferiority_test
    return next(row for row in checked.rows if f"{row.stem}/{row.statistic}" == name)


def added(counts: dict[str, Any], row: FunctionParity, block: int, seconds: float) -> dict[str, Any]:
    """Return the counts of a function, including one further block."""
    unanswered = dict(counts["unanswered"])
    for why, n in row.unanswered.items():
        unanswered[why] = unanswered.get(why, 0) + n
    generated = [one for one in row.mismatches if one.source == "generated"]
    return {
        "blocks": counts["blocks"] + 1,
        "inputs": counts["inputs"] + row.n_generated,
        "answered": counts["answered"] + row.n_generated - row.n_unanswered,
        "unanswered": unanswered,
        "largest": max(counts["largest"], row.largest_generated or 0.0),
        "differs": counts["differs"] + ([block] if generated else []),
        "seconds": round(counts["seconds"] + seconds, 1),
    }


NOTHING: dict[str, Any] = {
    "blocks": 0, "inputs": 0, "answered": 0, "unanswered": {}, "largest": 0.0, "differs": [], "seconds": 0.0,
}  # fmt: skip


def main(path: Path, seconds: float, *, is_new: bool) -> None:
    """Compare for the given time, and write the file after each block."""
    runs: list[dict[str, Any]] = json.loads(path.read_text()) if path.exists() else []
    if is_new or not runs:
        first = max((run["first"] + one["blocks"] for run in runs for one in run["functions"].values()), default=0)
        versions = {"python": platform.python_version()} | {name: version(name) for name in PACKAGES}
        runs.append({"day": "", "first": first, "machine": platform.machine(), "versions": versions, "functions": {}})
    run = runs[-1]
    counts = {name: dict(NOTHING) for name in functions()} | run["functions"]
    end = monotonic() + seconds
    while monotonic() < end:
        name = min(counts, key=lambda one: counts[one]["seconds"])
        block, start = run["first"] + counts[name]["blocks"], monotonic()
        row = asked(name, block)
        for mismatch in row.mismatches:
            sys.stderr.write(f"{name}, block {block}:\n{mismatch}\n")
        counts[name] = added(counts[name], row, block, monotonic() - start)
        run |= {"day": datetime.now(UTC).date().isoformat(), "r": row.live_versions["R"], "functions": counts}
        beside = path.with_suffix(".part")
        beside.write_text(json.dumps(runs, indent=1) + "\n")
        os.replace(beside, path)


if __name__ == "__main__":
    try:
        main(Path(sys.argv[1]), float(sys.argv[2]), is_new="new" in sys.argv[3:])
    except KeyboardInterrupt:
        raise SystemExit(130) from None
