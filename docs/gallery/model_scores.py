"""Plot mean scores of language models with cluster-robust intervals."""

import numpy as np

from evalstats import compare, plot

rng = np.random.default_rng(3)
rows = []
for benchmark in ("reading", "sums"):
    for passage in range(15):
        hard = rng.normal(0, 0.8)
        for question in range(4):
            for model, strength in (("small", 0.0), ("medium", 0.5), ("large", 0.9)):
                correct = int(rng.normal(strength - hard) > 0)
                rows.append((benchmark, model, f"{passage}-{question}", f"{benchmark} {passage}", correct))
columns = ("benchmark", "model", "question", "passage", "correct")
table = dict(zip(columns, map(list, zip(*rows, strict=True)), strict=True))
ax = plot.score_intervals(compare(table))
ax.figure.savefig("model-scores.svg")
