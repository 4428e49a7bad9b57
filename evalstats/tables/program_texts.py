"""Is a text what a program shows of its results, instead of the results themselves? It is called by its name."""

from __future__ import annotations

__all__ = ["refuse_program_text"]

import re
from collections.abc import Sequence

from evalstats.tables.grid import TableError

_SCORES = "give the scores of each classifier on each dataset, or its predictions"
# what stands in the first lines, whose it is, and what to give instead
_TEXTS = (
    (
        re.compile(r"^Tester:\s+weka\.experiment\.", re.MULTILINE),
        "what the Analyse panel of WEKA shows, with rounded scores",
        "give the results of the experiment, the file .arff or .csv that the Setup panel writes",
    ),
    (
        re.compile(r"^=== (?:Run information|Stratified cross-validation|Summary|Classifier model)\b", re.MULTILINE),
        "what the Explorer of WEKA shows of one classifier on one dataset",
        "give the predictions of each classifier ('More options', 'Output predictions', CSV), or use the Experimenter",
    ),
    (
        re.compile(r"^\s+precision\s+recall\s+f1-score\s+support\s*$", re.MULTILINE),
        "a report of scikit-learn on the classes of one classifier",
        _SCORES,
    ),
    (
        re.compile(r"^Models: .*\s+Number of resamples: \d+", re.MULTILINE),
        "what caret's summary(resamples()) prints",
        "give write.csv(resamples(...)$values)",
    ),
    (
        re.compile(r"^\|\s*Tasks\s*\|\s*Version\s*\|.*\|\s*Stderr\s*\|", re.MULTILINE),
        "the table that lm-evaluation-harness prints of one model",
        "give the files that it writes with --output_path, of all models",
    ),
    (
        re.compile(r"^[^,\n]*,[^,\n]*,(?:TEST|TRAIN),\d+,(?:MILLI|NANO)?SECONDS,", re.MULTILINE),
        "a result file of tsml, of one estimator on one dataset",
        "give the directory of results, with ESTIMATOR/Predictions/DATASET/testResampleN.csv",
    ),
)


def refuse_program_text(head: Sequence[tuple[int, str]], name: str) -> None:
    """Refuse the first lines of a text that a program shows, and say what to give instead."""
    text = "".join(line if line.endswith("\n") else f"{line}\n" for _, line in head)
    for sign, what, instead in _TEXTS:
        if sign.search(text):
            raise TableError(f"{name} is {what}; {instead}")
