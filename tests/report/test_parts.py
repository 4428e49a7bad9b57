"""Parts of a report: each by its name, in each format, and refused where there is none."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from evalstats import (
    Comparison,
    InvalidTypeError,
    InvalidValueError,
    compare,
    example_path,
    example_table,
    report,
    which_test,
)
from evalstats.report.blocks import Figure, Paragraph, Table
from evalstats.report.parts import PARTS, part_of
from evalstats.report.verdict import verdict

FORMATS = ("text", "markdown", "latex", "html")


@pytest.mark.parametrize(
    ("part", "kind"),
    [("sentence", Paragraph), ("methods", Paragraph), ("scores", Table), ("ranks", Table), ("figure", Figure)],
)
def test_kinds(named: Callable[[str], Comparison], part: str, kind: type) -> None:
    (block,) = part_of(named("all pairs: some differ"), part, most_rows=9)

    assert isinstance(block, kind)


@pytest.mark.parametrize("style", FORMATS)
@pytest.mark.parametrize("part", PARTS)
def test_every_format_has_every_part(on_every_comparison, style: str, part: str) -> None:
    @on_every_comparison
    def law(comparison: Comparison) -> None:
        if part in {"figure", "pairs"} and comparison.omnibus is None:
            with pytest.raises(InvalidValueError, match=f"part must be another than '{part}': .*two classifiers"):
                getattr(report, style)(comparison, part=part)
        else:
            assert getattr(report, style)(comparison, part=part).endswith("\n")


def test_sentence_is_the_verdict(named: Callable[[str], Comparison]) -> None:
    comparison = named("all pairs: some differ")

    assert " ".join(report.text(comparison, part="sentence").split()) == verdict(comparison)


def test_long_table_of_pairs_is_cut_and_says_so(named: Callable[[str], Comparison]) -> None:
    said, table = part_of(named("all pairs: 30 classifiers"), "pairs", most_rows=5)

    assert said.content == ("The table shows the 5 of 435 pairs with the smallest p-values.",)
    assert len(table.rows) == 5


def test_one_dataset_has_every_part() -> None:
    folds = {"dataset": ["d"] * 20, "classifier": ["a"] * 10 + ["b"] * 10, "fold": [*range(10)] * 2}
    comparison = compare(folds | {"accuracy": [0.5 + i % 7 / 30 for i in range(20)]})

    assert all(report.latex(comparison, part=part) for part in PARTS)


@pytest.mark.parametrize("style", FORMATS)
@pytest.mark.parametrize("part", PARTS)
def test_several_metrics_have_every_part(style: str, part: str) -> None:
    several = compare(example_path("sklearn-predictions"), metric=["accuracy", "brier"])

    assert getattr(report, style)(several, part=part).endswith("\n")


@pytest.mark.parametrize("style", FORMATS)
def test_other_words_and_other_records_are_refused(style: str) -> None:
    write = getattr(report, style)

    with pytest.raises(InvalidValueError, match=r"part must be 'sentence' or 'methods' or .* not 'table'"):
        write(compare(example_table("demsar-2006")), part="table")
    with pytest.raises(
        InvalidTypeError, match=r"part belongs to what compare returns of scores or .* is a WhichTestResult"
    ):
        write(which_test(n_classifiers=3, n_datasets=9), part="scores")
