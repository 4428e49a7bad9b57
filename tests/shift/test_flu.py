"""The flu domain: its laws, and each change where it should be and nowhere else."""

from __future__ import annotations

import numpy as np
import pytest

from evalstats import EvalstatsError
from evalstats.shift import make_flu_patients
from evalstats.shift.flu import AGE_GROUPS, CHANGES, LIMITS

N = 40_000
ERROR = 4 / np.sqrt(N)  # four standard errors of a mean with a standard deviation of 1


def drawn(change: str = "none", **choices):
    return make_flu_patients(N, change=change, rng=5, **choices)


USUAL = drawn()


def test_ages_are_uniform_within_groups_and_exponential_in_the_last():
    assert np.bincount(USUAL.age_group, minlength=6) / N == pytest.approx(CHANGES["none"].ages, abs=ERROR)
    assert np.array_equal(np.searchsorted(LIMITS, USUAL.age, side="right") - 1, USUAL.age_group)
    adults, elderly = USUAL.age[USUAL.age_group == 3], USUAL.age[USUAL.age_group == 5] - 65
    assert adults.mean() == pytest.approx(42.5, abs=0.2)
    assert adults.var() == pytest.approx(15**2 / 12, rel=0.05)
    assert elderly.mean() == pytest.approx(elderly.std(), rel=0.05)
    assert elderly.max() > 40


def test_codes_are_rounded_normal_values():
    """P(1) = Phi((1.5 - 2) / sqrt(.75)) = .2819, and the same for 3."""
    for codes in (USUAL.social, USUAL.symptoms):
        assert np.bincount(codes)[1:] / N == pytest.approx([0.2819, 0.4363, 0.2819], abs=ERROR)


def test_health_declines_with_age_and_poverty():
    means = [USUAL.health[USUAL.age_group == group].mean() for group in range(6)]
    by_status = [USUAL.health[USUAL.social == status].mean() for status in (1, 2, 3)]

    assert np.all(np.diff(means) > -0.02)
    assert means[5] - means[0] > 0.3
    assert np.all(np.diff(by_status) > 0.1)


def test_complications_follow_the_principles_of_the_slides():
    def rate(rows):
        return USUAL.y[rows].mean()

    for codes in (USUAL.symptoms, USUAL.health):
        assert rate(codes == 1) < rate(codes == 2) < rate(codes == 3)
    assert min(rate(USUAL.age_group == 0), rate(USUAL.age_group == 5)) > rate(USUAL.age_group == 2)
    assert rate(USUAL.social == 3) > rate(USUAL.social == 1)
    assert USUAL.y.mean() == pytest.approx(1 - USUAL.p_remission.mean(), abs=ERROR)


@pytest.mark.parametrize(
    ("change", "less", "more"),
    [
        ("W", (), ("symptoms",)), ("SW", ("symptoms",), ()), ("DW", (), ("symptoms", "health")),
        ("P", (), ("social", "health")), ("P+DW", (), ("social", "health", "symptoms")),
    ],
)  # fmt: skip
def test_population_drift_moves_what_it_names(change, less, more):
    changed = drawn(change)

    for name in ("symptoms", "social", "health"):
        step = getattr(changed, name).mean() - getattr(USUAL, name).mean()
        assert (step > 0.05, step < -0.05) == (name in more, name in less), name
    assert np.bincount(changed.age_group).tolist() == np.bincount(USUAL.age_group).tolist()


def test_populations_of_other_growth_have_other_ages():
    assert drawn("DP").age.mean() < USUAL.age.mean() - 5
    assert (drawn("ZGP").age_group == 5).mean() > (USUAL.age_group == 5).mean()


@pytest.mark.parametrize(("change", "sign"), [("MC", 1), ("FC", -1)])
def test_change_of_the_class_leaves_the_patients_as_they_are(change, sign):
    changed = drawn(change)

    assert np.array_equal(changed.X, USUAL.X)
    assert sign * (changed.y.mean() - USUAL.y.mean()) > 0.02
    assert (sign * (USUAL.p_remission - changed.p_remission) >= 0).all()


@pytest.mark.long
def test_population_drift_leaves_the_class_as_it_is():
    for change in ("DP", "ZGP", "W", "SW", "DW", "P", "P+DW"):
        changed = drawn(change)
        known = {tuple(row): p for row, p in zip(USUAL.X.tolist(), USUAL.p_remission.tolist(), strict=True)}
        same = [
            (known[tuple(row)], p)
            for row, p in zip(changed.X.tolist(), changed.p_remission, strict=True)
            if tuple(row) in known
        ]
        assert len(same) > 0.99 * N
        assert np.array(same)[:, 0] == pytest.approx(np.array(same)[:, 1])


def test_group_can_be_missing():
    lacking = drawn(exclude=["elderly", "infant"])

    assert set(lacking.age_group.tolist()) == {1, 2, 3, 4}


def test_same_seed_same_patients():
    one, other, third = make_flu_patients(50, rng=1), make_flu_patients(50, rng=1), make_flu_patients(50, rng=2)

    assert np.array_equal(one.X, other.X)
    assert np.array_equal(one.y, other.y)
    assert not np.array_equal(one.X, third.X)
    assert (one.seed, make_flu_patients(5, rng=np.random.default_rng(0)).seed) == (1, None)


def test_one_hot_has_one_column_for_each_value():
    some = make_flu_patients(200)
    coded = some.one_hot()

    assert coded.shape == (200, 15)
    assert (coded.sum(axis=1) == 4).all()
    assert coded[:, :6].argmax(axis=1).tolist() == some.age_group.tolist()
    assert (coded[:, 6:9].argmax(axis=1) + 1).tolist() == some.symptoms.tolist()


@pytest.mark.parametrize(
    ("choices", "message"),
    [
        ({"n": 0}, "n must be at least 1"),
        ({"n": 9, "change": "XX"}, "change must be 'none' or 'DP'"),
        ({"n": 9, "exclude": ["old"]}, "exclude must name age groups among infant"),
        ({"n": 9, "exclude": "elderly"}, "exclude must be a sequence of age groups"),
        ({"n": 9, "exclude": AGE_GROUPS}, "exclude must leave at least one age group"),
        ({"n": 9, "rng": "a"}, "rng must be"),
    ],
)
def test_bad_choices_are_refused(choices, message):
    with pytest.raises(EvalstatsError, match=message):
        make_flu_patients(**choices)
