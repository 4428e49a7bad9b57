from __future__ import annotations

from evalstats.io.formats.positive_class_scores import positive_scores
from evalstats.io.options import Asked

TOLD = {"no": [0.9, 0.2], "yes": [0.1, 0.8]}


def test_positive_label_is_that_of_the_dataset() -> None:
    datasets, true = ["d", "d"], ["no", "yes"]

    assert positive_scores(Asked(), datasets, true, TOLD) == [0.1, 0.8]
    assert positive_scores(Asked(pos_label="no"), datasets, true, TOLD) == [0.9, 0.2]
    assert positive_scores(Asked(pos_label={"d": "no"}), datasets, true, TOLD) == [0.9, 0.2]


def test_three_labels_have_no_positive_one_unless_asked() -> None:
    datasets, true = ["d"] * 3, ["a", "b", "c"]
    told = {label: [0.1, 0.2, 0.3] for label in true}

    assert positive_scores(Asked(), datasets, true, told) is None
    assert positive_scores(Asked(pos_label="b"), datasets, true, told) == [0.1, 0.2, 0.3]


def test_label_without_a_probability_has_no_score() -> None:
    assert positive_scores(Asked(), ["d", "d"], ["no", "yes"], {"no": [0.9, 0.2]}) is None
