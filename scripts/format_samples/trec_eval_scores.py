"""Scores of trec_eval for the queries of two runs: computed by its bindings, and written as the program prints them.

pip install pytrec-eval-terrier
python scripts/format_samples/trec_eval_scores.py tests/data/formats/trec-eval
"""

from __future__ import annotations

import random
import sys
from importlib.metadata import version
from pathlib import Path

import pytrec_eval

N_QUERIES, N_DOCUMENTS = 8, 12


def main(out: Path) -> None:
    """Write what trec_eval -q prints of two runs, in its own format."""
    out.mkdir(parents=True, exist_ok=True)
    draw = random.Random(1)
    queries = [f"{301 + q}" for q in range(N_QUERIES)]
    qrels = {q: {f"d{d}": int(draw.random() < 0.3) for d in range(N_DOCUMENTS)} for q in queries}
    for name, skill in (("bm25", 0.2), ("splade", 0.6)):
        run = {q: {d: draw.random() + skill * grade for d, grade in own.items()} for q, own in qrels.items()}
        measured = pytrec_eval.RelevanceEvaluator(qrels, {"map", "P.5", "ndcg"}).evaluate(run)
        lines = [(measure, q, f"{value:6.4f}") for q, own in measured.items() for measure, value in own.items()]
        means = {measure: sum(own[measure] for own in measured.values()) / N_QUERIES for measure in measured["301"]}
        lines += [("runid", "all", name), ("num_q", "all", str(N_QUERIES))]
        lines += [(measure, "all", f"{value:6.4f}") for measure, value in means.items()]
        (out / f"{name}.txt").write_text("".join(f"{measure:<22}\t{q}\t{value}\n" for measure, q, value in lines))
    words = f"Scores of pytrec_eval {version('pytrec-eval-terrier')}, printed as trec_eval 9 does"
    (out / "COMPOSED").write_text(f"{words}; scripts/format_samples/trec_eval_scores.py\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
