"""Scores of ir_measures for the queries of two runs: a table of iter_calc, and what its command prints.

pip install ir-measures pandas
python scripts/format_samples/ir_measures_scores.py tests/data/formats/ir-measures
"""

from __future__ import annotations

import csv
import random
import subprocess
import sys
import tempfile
from importlib.metadata import version
from pathlib import Path

import ir_measures
from ir_measures import AP, nDCG

N_QUERIES, N_DOCUMENTS = 8, 12


def main(out: Path) -> None:
    """Write relevance judgements and two runs, and what ir_measures makes of them."""
    out.mkdir(parents=True, exist_ok=True)
    draw = random.Random(0)
    with tempfile.TemporaryDirectory() as folder:
        qrels = Path(folder) / "qrels"
        relevant = {(q, d): int(draw.random() < 0.3) for q in range(1, N_QUERIES + 1) for d in range(N_DOCUMENTS)}
        qrels.write_text("".join(f"q{q} 0 d{d} {grade}\n" for (q, d), grade in relevant.items()))
        rows = []
        for name, skill in (("bm25", 0.5), ("splade", 1.5)):
            run = Path(folder) / name
            scored = {key: draw.random() + skill * grade for key, grade in relevant.items()}
            run.write_text("".join(f"q{q} Q0 d{d} 1 {score:.4f} {name}\n" for (q, d), score in scored.items()))
            found = ir_measures.iter_calc(
                [AP, nDCG @ 10], ir_measures.read_trec_qrels(str(qrels)), ir_measures.read_trec_run(str(run))
            )
            rows += [(name, one.query_id, str(one.measure), one.value) for one in found]
            command = [str(Path(sys.executable).with_name("ir_measures")), str(qrels), str(run), "AP nDCG@10", "-q"]
            printed = subprocess.run(command, capture_output=True, text=True, check=True)
            (out / f"{name}.txt").write_text(printed.stdout)
        with (out / "scores.csv").open("w", newline="") as file:
            csv.writer(file).writerows([("run", "query_id", "measure", "value"), *rows])
    (out / "VERSION").write_text(
        f"ir_measures {version('ir-measures')}; scripts/format_samples/ir_measures_scores.py\n"
    )


if __name__ == "__main__":
    main(Path(sys.argv[1]))
