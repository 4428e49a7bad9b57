"""Make the results that the tests read by MTEB.

pip install "mteb==2.26.24"
python scripts/format_samples/mteb_results.py tests/data/formats/mteb
"""

from __future__ import annotations

import sys
from pathlib import Path

import mteb
from mteb.cache import ResultCache
from mteb.models import ModelMeta
from mteb.results import TaskResult

TASKS = {
    "Banking77Classification": {"test": {"default": (0.706, 0.662)}},
    "EmotionClassification": {"validation": {"default": (0.45, 0.42)}, "test": {"default": (0.424, 0.395)}},
    "AmazonCounterfactualClassification": {"test": {"en": (0.738, 0.632), "de": (0.716, 0.571)}},
    "SciFact": {"test": {"default": (0.677, 0.645)}},
}
MODELS = ("acme/alpha", "acme/beta")


def main(out: Path) -> None:
    """Write the results of two models on four tasks, with subsets and with another split."""
    cache = ResultCache(cache_path=out)
    for i, model in enumerate(MODELS):
        meta = ModelMeta.create_empty({"name": model, "revision": "r1"})
        for name, splits in TASKS.items():
            scores = {
                split: {
                    subset: {"accuracy": own[i], "f1": own[i] - 0.02, "main_score": own[i]}
                    for subset, own in subsets.items()
                }
                for split, subsets in splits.items()
            }
            result = TaskResult.from_task_results(mteb.get_task(name), scores, evaluation_time=2.5)
            cache.save_to_cache(result, meta)
    for settings in out.rglob("run_settings.jsonl"):  # of this machine
        settings.unlink()
    (out / "VERSION").write_text(f"mteb {mteb.__version__}, scripts/format_samples/mteb_results.py\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
