"""The log of a search by FLAML, which is no table of datasets and classifiers.

pip install "flaml[automl]"
python scripts/format_samples/search_logs.py tests/data/formats/search-logs
"""

from __future__ import annotations

import sys
from importlib.metadata import version
from pathlib import Path

from flaml import AutoML
from sklearn.datasets import load_iris


def main(out: Path) -> None:
    """Write the log of all settings that were tried, and the log of those that were better than the others before."""
    out.mkdir(parents=True, exist_ok=True)
    x, y = load_iris(return_X_y=True)
    for log_type in ("all", "better"):
        AutoML().fit(
            x,
            y,
            task="classification",
            time_budget=-1,
            max_iter=6,
            log_file_name=str(out / f"flaml_{log_type}.log"),
            log_type=log_type,
            estimator_list=["rf", "kneighbor"],
            seed=1,
            verbose=0,
        )
    (out / "VERSION").write_text(f"flaml {version('flaml')}; scripts/format_samples/search_logs.py\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
