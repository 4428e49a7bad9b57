"""The geometry of the critical-difference diagram: nothing crosses, nothing overlaps, no bar covers a stranger."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from repetitions import repetitions

from evalstats import Comparison, InvalidTypeError, ScoreTable, compare, example_table
from evalstats.cd_layout import Diagram, Picture, Segment, lay_out, place
from evalstats.multiple import homogeneous_subsets

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefgh"


def comparison(scores: object, control: str | None = None, **choices: object) -> Comparison:
    scores = np.asarray(scores, dtype=float)
    n, k = scores.shape
    table = ScoreTable(scores=scores, datasets=tuple(map(str, range(n))), classifiers=tuple(LETTERS[:k]))
    return compare(table, control=control, **choices)


def ordered(n: int, k: int) -> np.ndarray:
    """Scores that rank k classifiers alike on n datasets, the last the best."""
    return np.linspace(0, 1, n)[:, None] + np.arange(k)


def with_relation(c: Comparison, different: Callable[[int, int], bool]) -> Comparison:
    """Change a comparison as if a test had found these places of the ranking different."""
    names = c.table.classifiers
    order = [names.index(name) for name in c.ranking]
    matrix = np.zeros((len(names), len(names)), dtype=bool)
    for i, j in itertools.combinations(range(len(names)), 2):
        matrix[order[i], order[j]] = matrix[order[j], order[i]] = different(i, j)
    found = homogeneous_subsets(matrix, order)
    return replace(
        c,
        significant=True,
        different=matrix,
        homogeneous_subsets=tuple(tuple(names[i] for i in group) for group in found.subsets),
        pairs_outside_subsets=tuple((names[a], names[b]) for a, b in found.pairs_outside_subsets),
    )


# --- What a reader must be able to trust, for any diagram -------------------------------------------------------------


def assert_sound(diagram: Diagram) -> None:
    labels = diagram.labels
    assert [label.position for label in labels] == sorted(label.position for label in labels)
    for side in ("left", "right"):
        rows = [label.row for label in labels if label.side == side]
        assert sorted(rows) == list(range(len(rows)))
    assert diagram.n_rows == (len(labels) + 1) // 2
    for one, other in itertools.combinations(diagram.bars, 2):
        if one.level == other.level:
            assert one.end < other.start or other.end < one.start
    for bar in diagram.bars:
        covered = {label.classifier for label in labels if bar.start <= label.position <= bar.end}
        assert covered == set(bar.members)


def assert_legible(picture: Picture, measure: Callable[[str], float]) -> None:
    """Texts stay inside and apart; leader lines meet at their ends only; no line runs through a name."""
    boxes = []
    for text in picture.texts:
        width = measure(text.text) * text.size
        start = text.x - {"start": 0, "middle": width / 2, "end": width}[text.anchor]
        boxes.append((start, start + width, text.y - text.size / 2, text.y + text.size / 2, text))
    for left, right, top, bottom, _ in boxes:
        assert left >= 0
        assert right <= picture.width + 1e-9
        assert top >= 0
        assert bottom <= picture.height
    for one, other in itertools.combinations(boxes, 2):
        apart = one[1] <= other[0] or other[1] <= one[0] or one[3] <= other[2] or other[3] <= one[2]
        assert apart, (one[4], other[4])
    leaders = [s for s in picture.segments if s.kind == "leader"]
    for one, other in itertools.combinations(leaders, 2):
        assert not _cross(one, other)
    for segment, (left, right, top, bottom, text) in itertools.product(leaders, boxes):
        low, high = sorted((segment.x1, segment.x2))
        up, down = sorted((segment.y1, segment.y2))
        assert high <= left or low >= right or down <= top or up >= bottom, text


def _cross(one: Segment, other: Segment) -> bool:
    """Whether a vertical and a horizontal line cross in a point that is an end of neither."""
    for vertical, horizontal in ((one, other), (other, one)):
        if vertical.x1 == vertical.x2 and horizontal.y1 == horizontal.y2:
            x_inside = min(horizontal.x1, horizontal.x2) < vertical.x1 < max(horizontal.x1, horizontal.x2)
            if x_inside and min(vertical.y1, vertical.y2) < horizontal.y1 < max(vertical.y1, vertical.y2):
                return True
    return False


def width(text: str) -> float:
    return 0.6 * len(text)


class TestAnyTable:
    @settings(max_examples=repetitions(80))
    @given(
        hnp.arrays(float, st.tuples(st.integers(1, 12), st.integers(2, 9)), elements=st.integers(0, 30).map(float)),
        st.sampled_from(["left", "right"]),
        st.sampled_from([None, "A"]),
        st.sampled_from([0.05, 0.9]),
    )
    def test_diagram_is_sound_and_legible(
        self, scores: np.ndarray, best: str, control: str | None, alpha: float
    ) -> None:
        c = comparison(scores, control, alpha=alpha)

        diagram = lay_out(c, best_side=best)

        assert_sound(diagram)
        assert_legible(place(diagram, width, title="A title", caption=True), width)

    @settings(max_examples=repetitions(80))
    @given(st.data(), st.integers(3, 7))
    def test_any_relation_is_drawn_or_written(self, data: st.DataObject, k: int) -> None:
        """Two classifiers that are not different share a bar, or the caption says it; no bar joins two that differ."""
        ranks = data.draw(hnp.arrays(float, (4, k), elements=st.integers(0, 5).map(float)))
        relation = {pair: data.draw(st.booleans()) for pair in itertools.combinations(range(k), 2)}
        c = with_relation(comparison(ranks), lambda i, j: relation[i, j])

        diagram = lay_out(c)

        assert_sound(diagram)
        caption = " ".join(diagram.caption)
        for (i, j), differs in relation.items():
            a, b = c.ranking[i], c.ranking[j]
            joined = any({a, b} <= set(bar.members) for bar in diagram.bars)
            assert not (joined and differs)
            if not joined and not differs:
                assert f"{a} with {b}" in caption or "and" in caption or "more" in caption


class TestLabels:
    def test_demsar_figure_1(self) -> None:
        """Demšar (2006), Table 6: the two best on the left, the two others on the right, the outermost on top."""
        diagram = lay_out(compare(example_table("demsar-2006")))

        assert [(x.classifier, x.side, x.row) for x in diagram.labels] == [
            ("C4.5+m+cf", "left", 0),
            ("C4.5+m", "left", 1),
            ("C4.5+cf", "right", 1),
            ("C4.5", "right", 0),
        ]
        assert [x.position for x in diagram.labels] == pytest.approx([0.929 / 3, 1 / 3, 1.929 / 3, 2.143 / 3], abs=2e-4)

    def test_best_on_the_right_is_the_mirror_image(self) -> None:
        c = compare(example_table("demsar-2006"))
        left, right = lay_out(c), lay_out(c, best_side="right")

        assert [x.classifier for x in right.labels] == [x.classifier for x in left.labels][::-1]
        assert [1 - x.position for x in right.labels] == pytest.approx([x.position for x in left.labels][::-1])
        assert [t.text for t in right.ticks] == ["4", "3", "2", "1"]
        assert "rank 1, on the right, is the best" in right.caption[0]

    def test_control_is_marked(self) -> None:
        diagram = lay_out(compare(example_table("demsar-2006"), control="C4.5"))

        assert [x.classifier for x in diagram.labels if x.is_control] == ["C4.5"]

    def test_side_must_be_one_of_two(self) -> None:
        with pytest.raises(ValueError, match="best_side must be 'left' or 'right', not 'top'"):
            lay_out(compare(example_table("demsar-2006")), best_side="top")


class TestTicks:
    @pytest.mark.parametrize(
        ("k", "numbered"),
        [
            (2, [1, 2]),
            (4, [1, 2, 3, 4]),
            (12, list(range(1, 13))),
            (13, [1, 4, 6, 8, 10, 13]),
            (30, [1, 5, 10, 15, 20, 25, 30]),
            (34, [1, 5, 10, 15, 20, 25, 30, 34]),
        ],
    )
    def test_first_last_and_round_numbers(self, k: int, numbered: list[int]) -> None:
        ticks = lay_out(comparison(ordered(3, k))).ticks

        assert [t.rank for t in ticks] == list(range(1, k + 1))
        assert [int(t.text) for t in ticks if t.text] == numbered


class TestBars:
    def test_demsar_at_ten_percent(self) -> None:
        """CD 1.118: the first three are a group, and the last two; their bars overlap and lie on two levels."""
        diagram = lay_out(compare(example_table("demsar-2006"), alpha=0.10, posthoc="nemenyi"))

        assert [(bar.members, bar.level) for bar in diagram.bars] == [
            (("C4.5+m+cf", "C4.5+m", "C4.5+cf"), 0),
            (("C4.5+cf", "C4.5"), 1),
        ]

    def test_bars_by_default_join_what_the_wilcoxon_test_does_not_tell_apart(self) -> None:
        """C4.5 differs from C4.5+m and not from the one ranked above it: there is no ruler, and the caption says so."""
        diagram = lay_out(compare(example_table("demsar-2006")))

        assert [bar.members for bar in diagram.bars] == [("C4.5+m+cf", "C4.5+m", "C4.5+cf"), ("C4.5+cf", "C4.5")]
        assert (diagram.ruler, diagram.interval, diagram.conclusive) == (None, None, True)
        assert diagram.caption[1:] == (
            (
                "A bar joins classifiers that are not shown to differ (Wilcoxon signed-rank test with Holm's method, "
                "family-wise α = 0.05)."
            ),
            "No bar can join these classifiers, which are not shown to differ: C4.5+m+cf and C4.5.",
        )

    def test_groups_apart_share_a_level(self) -> None:
        c = with_relation(comparison(ordered(9, 6)), lambda i, j: (i, j) not in {(0, 1), (2, 3), (4, 5)})

        diagram = lay_out(c)

        assert [bar.level for bar in diagram.bars] == [0, 0, 0]
        assert diagram.n_levels == 1

    def test_chain_of_groups_needs_two_levels_only(self) -> None:
        c = with_relation(comparison(ordered(9, 8)), lambda i, j: j - i > 1)

        assert [bar.level for bar in lay_out(c).bars] == [0, 1, 0, 1, 0, 1, 0]

    def test_no_bar_where_every_pair_differs(self) -> None:
        diagram = lay_out(with_relation(comparison(ordered(9, 3), posthoc="nemenyi"), lambda i, j: True))

        assert diagram.bars == ()
        assert diagram.n_levels == 0
        assert diagram.caption[1] == (
            "No bar is drawn: every pair is shown to differ (Nemenyi test, family-wise α = 0.05 if all classifiers "
            "perform equally)."
        )

    def test_relation_that_is_not_contiguous_is_written_and_not_drawn(self) -> None:
        """The best and the worst are not different, the one between them differs from both."""
        c = with_relation(comparison(ordered(9, 3)), lambda i, j: j - i == 1)

        diagram = lay_out(c)

        assert diagram.bars == ()
        assert diagram.caption[1] == "No bar can join these classifiers, which are not shown to differ: C and A."

    def test_group_with_a_stranger_at_its_mean_rank_is_written_and_not_drawn(self) -> None:
        """B and C share a mean rank; A is not different from B, but from C: a bar from A to B would cover C."""
        c = comparison([[1, 2, 3], [1, 3, 2], [1, 2, 3], [1, 3, 2]])
        assert c.ranking == ("B", "C", "A")
        c = with_relation(c, lambda i, j: (i, j) != (1, 2) and (i, j) != (0, 1))
        c = replace(c, homogeneous_subsets=(("C", "A"),), pairs_outside_subsets=())

        diagram = lay_out(c)

        assert diagram.bars == ()
        assert diagram.caption[1] == "No bar can join these classifiers, which are not shown to differ: C and A."

    def test_many_loose_pairs_are_counted(self) -> None:
        c = with_relation(comparison(ordered(9, 9)), lambda i, j: j - i != 2 and j - i != 3)

        assert len(c.pairs_outside_subsets) == 13
        assert lay_out(c).caption[-1].endswith("; and 7 more.")

    def test_bar_of_equals_in_rank_can_be_seen(self) -> None:
        bar = lay_out(comparison(np.full((5, 3), 0.5))).bars[0]

        assert bar.end - bar.start == pytest.approx(0.024)

    def test_overhang_stops_before_a_stranger(self) -> None:
        """Mean ranks 2.00 and 2.01 of three: the bar of the first two ends between them."""
        names = ("A", "B", "C")
        c = comparison(ordered(9, 3))
        c = replace(
            c, mean_ranks=(1.0, 2.0, 2.01), ranking=names, homogeneous_subsets=(("A", "B"),), pairs_outside_subsets=()
        )

        bar = lay_out(c).bars[0]

        assert 0.5 < bar.end < 0.505


class TestRulerAndInterval:
    def test_ruler_starts_at_the_best_rank(self) -> None:
        ruler = lay_out(compare(example_table("demsar-2006"), posthoc="nemenyi")).ruler
        assert ruler is not None

        assert (ruler.start, ruler.end) == pytest.approx((0, 1.2536 / 3), abs=1e-4)
        assert ruler.fits

    def test_ruler_longer_than_the_axis(self) -> None:
        ruler = lay_out(comparison(ordered(2, 4), posthoc="nemenyi")).ruler
        assert ruler is not None

        assert (ruler.start, ruler.end, ruler.fits) == (0, 1, False)

    def test_two_classifiers_have_no_ruler(self) -> None:
        c = compare(example_table("raeder-2010-seed-459"))
        diagram = lay_out(c)

        assert diagram.ruler is None
        assert [bar.members for bar in diagram.bars] == [c.ranking]
        assert diagram.caption[1] == (
            "The Wilcoxon signed-rank test does not reject at α = 0.05, so no conclusion is possible."
        )

    def test_two_classifiers_that_differ(self) -> None:
        caption = lay_out(compare(example_table("raeder-2010-seed-216"), control="C4.5")).caption

        assert caption[1] == "No bar is drawn: every pair is shown to differ (Wilcoxon signed-rank test, α = 0.05)."

    def test_demsar_figure_1b(self) -> None:
        """C4.5 as the control, 3.143 ± 1.168: the interval goes on beyond the worst rank; C4.5+m+cf lies outside."""
        diagram = lay_out(compare(example_table("demsar-2006"), control="C4.5", posthoc="bonferroni-dunn"))
        interval = diagram.interval
        assert interval is not None

        assert interval.start == pytest.approx((3.1429 - 1.1681 - 1) / 3, abs=1e-4)
        assert (interval.end, interval.start_cut, interval.end_cut) == (1, False, True)
        outside = [x.classifier for x in diagram.labels if not interval.start <= x.position <= interval.end]
        assert outside == ["C4.5+m+cf"]
        assert diagram.caption[-1] == "C4.5+m+cf lies outside it and is shown to differ from the control."

    @pytest.mark.parametrize("control", list("ABCDEF"))
    def test_who_differs_lies_outside(self, control: str) -> None:
        rng = np.random.default_rng(3)
        c = comparison(rng.random((25, 6)) + np.linspace(0, 0.8, 6), control, posthoc="bonferroni-dunn")
        diagram = lay_out(c)
        interval = diagram.interval
        assert interval is not None

        outside = {x.classifier for x in diagram.labels if not interval.start <= x.position <= interval.end}

        assert outside == {pair.first for pair in c.pairs if pair.different}

    def test_nobody_outside(self) -> None:
        c = compare(example_table("demsar-2006"), control="C4.5+cf", posthoc="bonferroni-dunn")

        assert lay_out(c).caption[-1] == "No classifier lies outside it."

    def test_control_by_default_has_no_interval(self) -> None:
        diagram = lay_out(compare(example_table("demsar-2006"), control="C4.5"))

        assert (diagram.ruler, diagram.interval, diagram.conclusive) == (None, None, True)
        assert diagram.caption[-1] == (
            "C4.5+m+cf and C4.5+m are shown to differ from the control, C4.5 (Wilcoxon signed-rank test with Holm's "
            "method, family-wise α = 0.05)."
        )


class TestConclusions:
    @pytest.mark.parametrize(("control", "posthoc"), [(None, "nemenyi"), ("C4.5", "bonferroni-dunn")])
    def test_omnibus_that_does_not_reject(self, control: str | None, posthoc: str) -> None:
        diagram = lay_out(compare(example_table("demsar-2006"), control=control, posthoc=posthoc, alpha=0.001))

        assert not diagram.conclusive
        assert diagram.caption[1] == "The omnibus test does not reject at α = 0.001, so no conclusion is possible."
        assert len(diagram.caption) == 2

    def test_description_says_what_the_picture_shows(self) -> None:
        description = lay_out(compare(example_table("demsar-2006"), alpha=0.10, posthoc="nemenyi")).description

        assert description.startswith("Mean ranks: C4.5+m+cf 1.93, C4.5+m 2.00, C4.5+cf 2.93, C4.5 3.14.")
        assert "Bars join: C4.5+m+cf, C4.5+m, C4.5+cf; C4.5+cf, C4.5." in description


class TestPicture:
    def test_unit_is_the_font_size_and_width_is_kept(self) -> None:
        diagram = lay_out(compare(example_table("demsar-2006")))

        assert place(diagram, width, width=60).width == pytest.approx(60)

    def test_long_names_have_two_lines_or_are_shortened_and_kept_in_full(self) -> None:
        diagram = lay_out(compare(example_table("demsar-2006")))
        wide, narrow = (
            [t for t in place(diagram, width, longest_name=longest).texts if t.kind == "name"] for longest in (3.6, 2.4)
        )

        assert [t.text for t in wide if t.full == "C4.5+m+cf"] == ["C4.5", "+m+cf"]
        assert wide[1].y - wide[0].y == pytest.approx(1.15)
        assert [t.text for t in narrow if t.full == "C4.5+m+cf"] == ["C4.…", "+cf"]

    def test_title_is_wrapped(self) -> None:
        texts = place(lay_out(compare(example_table("demsar-2006"))), width, title="word " * 40).texts

        assert sum(t.kind == "title" for t in texts) > 2


def test_one_dataset_has_no_diagram() -> None:
    one = compare({"dataset": ["d"] * 4, "classifier": list("AABB"), "fold": [1, 2, 1, 2], "acc": [0.8, 0.9, 0.7, 0.6]})

    with pytest.raises(InvalidTypeError, match="a result of compare for several datasets, not for the folds of one"):
        lay_out(one)
