"""The diagram in matplotlib: measured texts stay inside and apart, lines lie where the geometry says."""

from __future__ import annotations

import io
import itertools
import sys
from dataclasses import replace

import matplotlib as mpl
import numpy as np
import pytest
from matplotlib import pyplot as plt
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure
from matplotlib.transforms import Bbox

from evalstats import Comparison, ScoreTable, compare, example_table
from evalstats._errors import EvalstatsWarning
from evalstats.cd_layout import lay_out
from evalstats.plot import critical_difference_diagram


def comparison(scores: np.ndarray, names: object = "ABCDEFGH", **choices: object) -> Comparison:
    n, k = scores.shape
    table = ScoreTable(scores=scores, datasets=tuple(map(str, range(n))), classifiers=tuple(names)[:k])
    return compare(table, **choices)


def many(k: int = 30, **choices: object) -> Comparison:
    rng = np.random.default_rng(1)
    scores = rng.random((40, 1)) + rng.normal(0, 0.05, (40, k)) + np.linspace(0, 0.15, k)
    names = [f"gradient-boosting-depth-{i:02d}-learning-rate-0.{i:02d}" if i % 2 else f"net {i}" for i in range(k)]
    return comparison(scores, names, **choices)


CASES = {
    "Demšar's Table 6": lambda: compare(example_table("demsar-2006"), posthoc="nemenyi"),
    "two levels of bars": lambda: compare(example_table("demsar-2006"), posthoc="nemenyi", alpha=0.10),
    "control": lambda: compare(example_table("demsar-2006"), posthoc="bonferroni-dunn", control="C4.5"),
    "not rejected": lambda: compare(example_table("demsar-2006"), posthoc="nemenyi", alpha=0.001),
    "by default": lambda: compare(example_table("demsar-2006")),
    "control by default": lambda: compare(example_table("demsar-2006"), control="C4.5"),
    "two classifiers": lambda: compare(example_table("raeder-2010-seed-459")),
    "all tied": lambda: comparison(np.full((6, 5), 0.5)),
    "critical difference longer than the axis": lambda: comparison(np.arange(8.0).reshape(2, 4), posthoc="nemenyi"),
    "thirty long names": many,
    "thirty long names and a control": lambda: many(
        control="gradient-boosting-depth-15-learning-rate-0.15", posthoc="bonferroni-dunn"
    ),
    "names like markup": lambda: comparison(np.arange(24.0).reshape(6, 4), ["$x_1$", "a_b^c", "\\alpha $", "100 %"]),
    "very long names": lambda: comparison(np.arange(18.0).reshape(6, 3), ["W" * 200, "W" * 199 + "i", "i" * 300]),
}
every_case = pytest.mark.parametrize("case", CASES.values(), ids=CASES.keys())


def boxes(ax: Axes) -> list[tuple[str, Bbox]]:
    """Return what each text really covers, in pixels."""
    figure = ax.figure.figure
    renderer = FigureCanvasAgg(figure).get_renderer()
    return [(text.get_label(), text.get_window_extent(renderer)) for text in ax.texts]


def segments(ax: Axes, kind: str) -> list[np.ndarray]:
    """Lines of one kind, in pixels."""
    return [ax.transData.transform(line.get_xydata()) for line in ax.lines if line.get_label() == f"_{kind}"]


def assert_legible(ax: Axes) -> None:
    inside = ax.get_window_extent()
    for label, box in boxes(ax):
        assert box.x0 >= inside.x0 - 1, label
        assert box.x1 <= inside.x1 + 1, label
        assert box.y0 >= inside.y0 - 1, label
        assert box.y1 <= inside.y1 + 1, label
    for (one_label, one), (other_label, other) in itertools.combinations(boxes(ax), 2):
        overlap = Bbox.intersection(one, other)
        assert overlap is None or min(overlap.width, overlap.height) < 1.5, (one_label, other_label)
    names = [box for label, box in boxes(ax) if label in {"_name", "_control", "_rank"}]
    for line, box in itertools.product(segments(ax, "leader"), names):
        (x1, y1), (x2, y2) = line
        outside = max(x1, x2) <= box.x0 or min(x1, x2) >= box.x1 or max(y1, y2) <= box.y0 or min(y1, y2) >= box.y1
        assert outside


@pytest.mark.sampled
@every_case
def test_new_figure_is_legible(case: object) -> None:
    ax = critical_difference_diagram(case(), title="A title of the figure")

    assert_legible(ax)


@pytest.mark.sampled
@every_case
@pytest.mark.parametrize("best", ["left", "right"])
def test_given_axes_are_legible(case: object, best: str) -> None:
    figure = Figure(figsize=(7, 7))
    FigureCanvasAgg(figure)

    ax = critical_difference_diagram(case(), figure.add_subplot(), best_side=best)

    assert_legible(ax)


def test_bars_lie_at_their_levels() -> None:
    c = compare(example_table("demsar-2006"), posthoc="nemenyi", alpha=0.10)

    ax = critical_difference_diagram(c)

    (first, second), (axis,) = segments(ax, "bar"), segments(ax, "axis")
    left, right = axis[0][0], axis[1][0]
    for bar, drawn in zip(lay_out(c).bars, (first, second), strict=True):
        assert (drawn[:, 0] - left) / (right - left) == pytest.approx([bar.start, bar.end])
    assert first[0][1] == first[1][1]
    assert axis[0][1] > first[0][1] > second[0][1]


def test_leaders_start_at_the_mean_ranks() -> None:
    c = compare(example_table("demsar-2006"))

    ax = critical_difference_diagram(c)

    (axis,) = segments(ax, "axis")
    left, right = axis[0][0], axis[1][0]
    stems = sorted({round(float(s[0][0]), 3) for s in segments(ax, "leader") if s[0][0] == s[1][0]})
    assert [1 + 3 * (x - left) / (right - left) for x in stems] == pytest.approx(sorted(c.mean_ranks), abs=1e-3)


def test_names_are_never_mathematics() -> None:
    ax = critical_difference_diagram(CASES["names like markup"]())
    drawn = {text.get_text() for text in ax.texts}

    assert {"$x_1$", "a_b^c", "\\alpha $", "100 %"} <= drawn
    assert not any(text.get_parse_math() for text in ax.texts)


@pytest.mark.parametrize(("alpha", "dotted"), [(0.05, False), (0.001, True)])
@pytest.mark.parametrize(("control", "kind"), [(None, "bar"), ("C4.5", "interval")])
def test_no_conclusion_is_dotted_and_said(alpha: float, dotted: bool, control: str | None, kind: str) -> None:
    posthoc = "nemenyi" if control is None else "bonferroni-dunn"
    c = compare(example_table("demsar-2006"), control=control, posthoc=posthoc, alpha=alpha)
    ax = critical_difference_diagram(c)

    lines = [line for line in ax.lines if line.get_label() == f"_{kind}"]
    caption = " ".join(t.get_text() for t in ax.texts if t.get_label() == "_caption")
    assert lines
    assert all((line.get_linestyle() != "-") == dotted for line in lines)
    assert ("no conclusion is possible" in caption) == dotted


def test_test_that_needs_no_leading_test_has_solid_bars_and_no_ruler() -> None:
    """The Friedman test does not reject, and the bars are decisions all the same."""
    rng = np.random.default_rng(1)
    x = rng.normal(size=14)
    c = comparison(np.column_stack([x, x + 0.01, rng.normal(size=(14, 6))]))
    assert not c.significant

    ax = critical_difference_diagram(c)

    bars = [line for line in ax.lines if line.get_label() == "_bar"]
    assert bars
    assert {line.get_linestyle() for line in bars} == {"-"}
    assert segments(ax, "ruler") == []
    assert not any(text.get_text().startswith("CD") for text in ax.texts)


def test_loose_pairs_stand_in_the_caption() -> None:
    c = compare(example_table("demsar-2006"))
    c = replace(c, homogeneous_subsets=(), pairs_outside_subsets=(("C4.5+m+cf", "C4.5"),))

    ax = critical_difference_diagram(c)

    caption = " ".join(t.get_text() for t in ax.texts if t.get_label() == "_caption")
    assert segments(ax, "bar") == []
    assert "which are not shown to differ: C4.5+m+cf and C4.5." in caption


def test_caption_and_title_are_choices() -> None:
    c = compare(example_table("demsar-2006"))
    kinds = {t.get_label() for t in critical_difference_diagram(c, caption=False).texts}

    assert "_caption" not in kinds
    assert "_title" not in kinds
    assert "Trees" in [t.get_text() for t in critical_difference_diagram(c, title="Trees").texts]


def test_given_axes_need_no_pyplot(monkeypatch: pytest.MonkeyPatch) -> None:
    """An axes of a figure of one's own: pyplot knows nothing of it and is not asked."""
    monkeypatch.setitem(sys.modules, "matplotlib.pyplot", None)
    ax = Figure(figsize=(6, 3)).add_subplot()

    assert critical_difference_diagram(compare(example_table("demsar-2006")), ax) is ax


def test_new_figure_is_pyplots() -> None:
    ax = critical_difference_diagram(compare(example_table("demsar-2006")))

    assert plt.gcf() is ax.figure


def test_layout_engine_is_respected() -> None:
    figure, axes = plt.subplots(2, 2, figsize=(11, 6), layout="constrained")
    for ax in axes.flat:
        critical_difference_diagram(CASES["control"](), ax)

    figure.draw_without_rendering()

    for ax in axes.flat:
        assert_legible(ax)


def test_font_size_sets_the_size_of_the_figure() -> None:
    c = compare(example_table("demsar-2006"))
    small, large = (critical_difference_diagram(c, font_size=size).figure.get_size_inches() for size in (8, 16))

    assert large == pytest.approx(2 * small)


def test_style_of_the_user_is_kept() -> None:
    with mpl.rc_context({"text.color": "navy", "font.size": 7, "font.family": "serif"}):
        ax = critical_difference_diagram(compare(example_table("demsar-2006")))

        assert_legible(ax)
    names = [t for t in ax.texts if t.get_label() == "_name"]
    assert {(to_rgb(t.get_color()), t.get_fontsize()) for t in names} == {(to_rgb("navy"), 7.0)}


@pytest.mark.parametrize("suffix", ["png", "svg", "pdf"])
def test_figure_can_be_saved(suffix: str) -> None:
    file = io.BytesIO()

    critical_difference_diagram(compare(example_table("demsar-2006"))).figure.savefig(file, format=suffix)

    assert len(file.getvalue()) > 2000


class TestMessages:
    def test_axes_too_small(self) -> None:
        ax = Figure(figsize=(2, 1)).add_subplot()

        with pytest.raises(ValueError, match=r"ax must have space for 30 classifiers, but it is 1.6 x 0.8 inches"):
            critical_difference_diagram(many(), ax)

    def test_not_an_axes(self) -> None:
        with pytest.raises(TypeError, match="ax must be a matplotlib Axes, not str"):
            critical_difference_diagram(compare(example_table("demsar-2006")), "here")

    @pytest.mark.parametrize("size", [0, -3, float("nan")])
    def test_font_size(self, size: float) -> None:
        with pytest.raises(ValueError, match="font_size must lie between 4 and 200 points"):
            critical_difference_diagram(compare(example_table("demsar-2006")), font_size=size)

    def test_side(self) -> None:
        with pytest.raises(ValueError, match="best_side must be 'left' or 'right', not 'top'"):
            critical_difference_diagram(compare(example_table("demsar-2006")), best_side="top")


def test_many_classifiers_are_drawn_with_a_warning_that_names_the_right_picture() -> None:
    with pytest.warns(EvalstatsWarning, match=r"of 41 classifiers is not readable: plot\.ranked_list"):
        critical_difference_diagram(many(41))


def test_forty_classifiers_are_drawn_without_a_warning() -> None:
    assert len(critical_difference_diagram(many(40)).texts) > 80


@pytest.mark.sampled
@every_case
@pytest.mark.parametrize("inches", [3.4, 7.0])
def test_width_is_kept_and_legible(case: object, inches: float) -> None:
    ax = critical_difference_diagram(case(), width=inches, title="A title", font_size=8)

    assert_legible(ax)
    assert ax.figure.get_size_inches()[0] == pytest.approx(inches)


def test_width_messages() -> None:
    c = compare(example_table("demsar-2006"))

    with pytest.raises(ValueError, match=r"width must have space for 4 names, but it is 0\.5 inches"):
        critical_difference_diagram(c, width=0.5)
    with pytest.raises(ValueError, match="width is the width of a new figure; omit it if ax is given"):
        critical_difference_diagram(c, Figure().add_subplot(), width=3)
    with pytest.raises(ValueError, match="width must be greater than 0 and at most 100 inches, not -1"):
        critical_difference_diagram(c, width=-1)
