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
from evalstats.report.comparisons.verdict import verdict
from evalstats.report.parts import PARTS, part_of

FORMATS = ("text", "markdown", "latex", "html")


@pytest.mark.parametrize(
    ("part", "kind"),
    [("sentence", Paragraph), ("methods", Paragraph), ("scores", Table), ("ranks", Table), ("figure", Figure)],
)
def test_kinds(named: Callable[[str], Comparison], part: str, kind: type) -> None:
    (block,) = part_of(named("all pairs: some differ"), part, max_rows=9)

    assert isinstance(block, kind)


@pytest.mark.sampled
@pytest.mark.parametrize("style", FORMATS)
@pytest.mark.parametrize("part", PARTS)
def test_every_format_has_every_part(on_every_comparison, style: str, part: str) -> None:
    @on_every_comparison
    def law(comparison: Comparison) -> None:
        if part in {"figure", "pairs"} and comparison.omnibus is None:
            with pytest.raises(InvalidValueError, match=f"part must not be '{part}': .*two classifiers"):
                getattr(report, style)(comparison, part=part)
        else:
            assert getattr(report, style)(comparison, part=part).endswith("\n")


def test_sentence_is_the_verdict(named: Callable[[str], Comparison]) -> None:
    comparison = named("all pairs: some differ")

    assert " ".join(report.text(comparison, part="sentence").split()) == verdict(comparison)


def test_long_table_of_pairs_is_cut_and_says_so(named: Callable[[str], Comparison]) -> None:
    said, table = part_of(named("all pairs: 30 classifiers"), "pairs", max_rows=5)

    assert said.content == ("The table shows the 5 of 435 pairs with the smallest p-values.",)
    assert len(table.rows) == 5


def test_one_dataset_has_every_part() -> None:
    folds = {"dataset": ["d"] * 20, "classifier": ["a"] * 10 + ["b"] * 10, "fold": [*range(10)] * 2}
    comparison = compare(folds | {"accuracy": [0.5 + i % 7 / 30 for i in range(20)]})

    assert all(report.latex(comparison, part=part) for part in PARTS)


@pytest.mark.sampled
@pytest.mark.parametrize("style", FORMATS)
@pytest.mark.parametrize("part", PARTS)
def test_several_metrics_have_every_part(style: str, part: str) -> None:
    several = compare(example_path("sklearn-predictions"), metric=["accuracy", "brier"])

    assert getattr(report, style)(several, part=part).endswith("\n")


def answers(n_benchmarks: int) -> dict[str, list[object]]:
    """Answers of three models, of which the first is far better, to 40 questions of each benchmark."""
    keys = [(f"b{b}", model, f"q{q}") for b in range(n_benchmarks) for model in "ABC" for q in range(40)]
    columns = dict(
        zip(("benchmark", "model", "question_id"), (list(one) for one in zip(*keys, strict=True)), strict=True)
    )
    return columns | {"correct": [int(model == "A" or int(q[1:]) % 3 == 0) for _, model, q in keys]}


@pytest.mark.parametrize("style", FORMATS)
@pytest.mark.parametrize("part", PARTS)
@pytest.mark.parametrize("n_benchmarks", [1, 3])
def test_questions_have_every_part(style: str, part: str, n_benchmarks: int) -> None:
    assert getattr(report, style)(compare(answers(n_benchmarks)), part=part).endswith("\n")


def test_table_of_questions_has_the_benchmarks_and_their_average() -> None:
    (table,) = part_of(compare(answers(3)), "scores", max_rows=9)

    assert isinstance(table, Table)
    assert [row[0] for row in table.rows] == ["b0", "b1", "b2", "Macro average"]
    assert table.rows[-1][1:] == ("1.000", "0.350", "0.350")
    assert table.best == {(i, 1) for i in range(4)}
    assert table.foot
    assert "°" not in table.caption  # the best differs from all others


def test_who_is_not_shown_to_differ_from_the_control_is_marked_among_questions() -> None:
    (table,) = part_of(compare(answers(3), control="B"), "scores", max_rows=9)

    assert isinstance(table, Table)
    assert table.rows[-1][1:] == ("1.000", "0.350", "0.350°")
    assert "° not shown to differ from the control, B" in table.caption


@pytest.mark.parametrize("style", FORMATS)
def test_other_words_and_other_records_are_refused(style: str) -> None:
    write = getattr(report, style)

    with pytest.raises(InvalidValueError, match=r"part must be 'sentence' or 'methods' or .* not 'table'"):
        write(compare(example_table("demsar-2006")), part="table")
    with pytest.raises(InvalidTypeError, match=r"part requires a result of compare, but record is a WhichTestResult"):
        write(which_test(n_classifiers=3, n_datasets=9), part="scores")
