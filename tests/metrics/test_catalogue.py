"""No metric is forgotten, and each has the name that people know."""

from __future__ import annotations

import inspect
import re
from pathlib import Path

import pytest
import sklearn.metrics

from evalstats import metrics
from evalstats.metrics.catalogue import METRICS
from evalstats.metrics.formulas import LABEL_METRICS

PAGES = Path(__file__).parents[2] / "docs" / "reference" / "metrics"
NOT_METRICS = {"score_from_counts", "count_undefined"}
# of scikit-learn, for numbers; here for labels and probabilities
NAMESAKES = {"root_mean_squared_error"}

each_metric = pytest.mark.parametrize("name", METRICS)


@each_metric
def test_metric_has_its_function_and_its_place_on_a_page(name: str) -> None:
    record = METRICS[name]

    assert record.function in metrics.__all__
    assert inspect.isfunction(getattr(metrics, record.function))
    assert any(re.search(rf"\b{record.function}\b", p.read_text(encoding="utf-8")) for p in PAGES.glob("*.md"))


def test_every_score_of_labels_is_declared() -> None:
    from evalstats.metrics import labels

    assert set(labels.__all__) - NOT_METRICS == {record.function for record in LABEL_METRICS.values()}


def test_public_names_are_there_once() -> None:
    assert len(set(metrics.__all__)) == len(metrics.__all__)
    assert all(hasattr(metrics, name) for name in metrics.__all__)


@each_metric
def test_name_that_scikit_learn_has_is_declared_as_such(name: str) -> None:
    record = METRICS[name]

    assert record.sklearn is None or hasattr(sklearn.metrics, record.sklearn)
    assert record.sklearn or record.function in NAMESAKES or not hasattr(sklearn.metrics, record.function)
