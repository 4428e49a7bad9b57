"""Make the run directories of HELM that the tests read, by its own classes: two mock models on two scenarios.

pip install "crfm-helm==0.5.16"
python scripts/format_samples/helm_runs.py tests/data/formats/helm
"""

from __future__ import annotations

import sys
from importlib.metadata import version
from pathlib import Path
from types import ModuleType

for name in ("spacy",):  # which only perturbations need that are not made here
    sys.modules.setdefault(name, ModuleType(name))

from helm.benchmark.adaptation.adapter_spec import AdapterSpec
from helm.benchmark.augmentations.perturbation_description import PerturbationDescription
from helm.benchmark.metrics.metric import PerInstanceStats
from helm.benchmark.metrics.metric_name import MetricName
from helm.benchmark.metrics.statistic import Stat
from helm.benchmark.run_spec import RunSpec
from helm.benchmark.scenarios.scenario import ScenarioSpec
from helm.common.codec import to_json
from helm.common.general import write

# the instances that each mock model gets wrong, by scenario
WRONG = {
    "acme/alpha": {"anatomy": {3}, "botany": {1, 2}},
    "acme/beta": {"anatomy": {2, 3, 5, 7}, "botany": {1, 4, 5}},
}
TYPOS = PerturbationDescription(name="typos", robustness=True)


def _record(i: int, trial: int, values: dict[str, float], perturbation=None) -> PerInstanceStats:
    stats = [Stat(MetricName(name, split="test", perturbation=perturbation)).add(v) for name, v in values.items()]
    stats.append(Stat(MetricName("training_co2_cost", split="test", perturbation=perturbation)))
    return PerInstanceStats(f"id{i}", perturbation, trial, stats)


def main(out: Path) -> None:
    """Write run_spec.json and per_instance_stats.json of each run, as the runner of HELM does."""
    for model, scenarios in WRONG.items():
        for subject, wrong in scenarios.items():
            name = f"mmlu:subject={subject},method=multiple_choice_joint,model={model.replace('/', '_')}"
            spec = RunSpec(
                name=name,
                scenario_spec=ScenarioSpec("mmlu_scenario.MMLUScenario", {"subject": subject}),
                adapter_spec=AdapterSpec(method="multiple_choice_joint", model=model, model_deployment=model),
                metric_specs=[],
            )
            records = []
            for i in range(1, 9):
                right = float(i not in wrong)
                records.append(_record(i, 0, {"num_output_tokens": i, "exact_match": right, "max_prob": 0.5 + i / 100}))
                records.append(_record(i, 0, {"num_output_tokens": i, "exact_match": 0.0}, TYPOS))
            directory = out / name.replace(":", "-")  # a colon is no character of a file name everywhere
            directory.mkdir(parents=True, exist_ok=True)
            write(str(directory / "run_spec.json"), to_json(spec))
            write(str(directory / "per_instance_stats.json"), to_json(records))
    text = f"crfm-helm {version('crfm-helm')}, its classes, scripts/format_samples/helm_runs.py"
    (out / "VERSION").write_text(f"{text}; the colon of a run's folder is written as a hyphen\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
