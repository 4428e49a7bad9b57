"""Plan of an experiment to show noninferiority or equivalence."""

from __future__ import annotations

__all__ = ["MarginPlan", "PlannedMargin", "plan_margin"]

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from evalstats import _checks
from evalstats._result import Record
from evalstats._types import Progress
from evalstats.adjustment.pair_indexing import USUAL_TEST
from evalstats.design.noninferiority import (
    TESTS,
    NoninferiorityPowerResult,
    noninferiority_power,
    noninferiority_sample_size,
)
from evalstats.design.plan import lines_of_cases
from evalstats.paired.noninferiority_results import understand_margin

# default sizes: standard deviations in units of the margin, and other quantities in their own units
SPREADS = (0.5, 1.0, 2.0, 4.0)
SIZES = {"discordance": (0.02, 0.05, 0.1, 0.2), "auc": (0.7, 0.8, 0.9)}
# true differences in units of the margin, if no other quantity varies
DIFFERENCES = (0.25, 0.0, -0.25, -0.5)


@dataclass(frozen=True, kw_only=True, eq=False)
class PlannedMargin(Record):
    """Value of an unknown quantity of the experiment, with the power and the sample size.

    Attributes
    ----------
    size : float
        Value of the quantity that `MarginPlan.varied` names.
    power : NoninferiorityPowerResult or None
        Power of the given design, or None if its sample size is not given.
    required : NoninferiorityPowerResult
        The sample size for the target power.
    """

    size: float
    power: NoninferiorityPowerResult | None
    required: NoninferiorityPowerResult


@dataclass(frozen=True, kw_only=True, eq=False)
class MarginPlan(Record):
    """Result of `plan_margin`. `evalstats.report` renders it.

    Attributes
    ----------
    test, hypothesis : str
        The values passed to the function.
    n : int or None
        Sample size, or None if only the required sample size is computed.
    margin, alpha : float
        The values passed to the function.
    target_power : float
        Target power.
    varied : {'sd', 'discordance', 'auc', 'difference'}
        Quantity that varies between the `cases`.
    known : dict of str to float
        Given properties of the scores.
    cases : tuple of PlannedMargin
    """

    test: str
    hypothesis: str
    n: int | None
    margin: float
    alpha: float
    target_power: float
    varied: str
    known: Mapping[str, float]
    cases: tuple[PlannedMargin, ...]

    def __str__(self) -> str:
        return f"{super().__str__()}{lines_of_cases(self.cases)}"

    def _rows(self) -> Sequence[Record]:
        return self.cases


def plan_margin(
    test: str = USUAL_TEST,
    *,
    margin: float,
    n: int | None = None,
    hypothesis: str = "noninferiority",
    difference: float | None = None,
    power: float = 0.8,
    alpha: float = 0.05,
    n_simulations: int = 10_000,
    rng: Any = None,
    progress: Progress | None = None,
    **known: float | None,
) -> MarginPlan:
    """Compute the power and the sample size of an experiment to show noninferiority or equivalence.

    Parameters
    ----------
    test : str, default: 'wilcoxon'
        A test of `noninferiority_power`.
    margin, hypothesis
        As in `noninferiority_power`.
    n : int, optional
        Sample size. None: the function computes only the required sample size.
    difference : float, optional
        True difference x - y. Default: 0, or several usual values if all other quantities are given.
    power : float, default: 0.8
        Target power.
    alpha, n_simulations
        As in `noninferiority_power`.
    rng : None, int or numpy.random.Generator, optional
        Source of the random numbers. None means the seed 0, so the same call returns the same result. An integer is
        used as the seed. A Generator is used directly.
    progress : callable, optional
        As in `noninferiority_power`.
    **known : float, optional
        Properties of the scores that the test requires: `sd`, `discordance`, `auc` and so on, as in
        `noninferiority_power`. If `sd`, `discordance` or `auc` is required but not given, the plan shows results for
        several usual values.

    Returns
    -------
    MarginPlan

    Raises
    ------
    ValueError, TypeError
        Under the same conditions as `noninferiority_power`.

    See Also
    --------
    plan_design : the plan for tests of differences.

    Examples
    --------
    >>> from evalstats.design import plan_margin
    >>> plan = plan_margin("accuracy", margin=0.01, n=2000)
    >>> [(case.size, round(case.power.power, 2), case.required.n) for case in plan.cases]
    [(0.02, 0.92, 1354), (0.05, 0.63, 3133), (0.1, 0.41, 6203), (0.2, 0.26, 12372)]
    """
    test = _checks.choice(test, "test", tuple(TESTS))
    target = _checks.proportion(power, "power")
    given: dict[str, Any] = {name: value for name, value in known.items() if value is not None}
    if difference is not None:
        difference = _checks.finite_real(difference, "difference")
    options: dict[str, Any] = {
        "margin": margin, "hypothesis": hypothesis, "alpha": alpha, "n_simulations": n_simulations, "rng": rng,
        "progress": progress,
    }  # fmt: skip
    margin = understand_margin(margin, are_shares=test in ("accuracy", "auc"))
    varied = next((name for name in ("sd", *SIZES) if name in TESTS[test].needs and name not in given), None)
    if varied is None:
        varied = "difference"
        inside = [share * margin for share in DIFFERENCES if abs(share * margin) <= given.get("discordance", 1.0)]
        sizes = inside if difference is None else [difference]
    else:
        given["difference"] = 0.0 if difference is None else difference
        sizes = [margin * spread for spread in SPREADS] if varied == "sd" else list(SIZES[varied])
    if varied == "discordance":
        sizes = [size for size in sizes if abs(given["difference"]) <= size]
    cases = []
    for size in sizes:
        asked: dict[str, Any] = {**options, **given, varied: size}
        cases.append(
            PlannedMargin(
                size=float(size),
                power=None if n is None else noninferiority_power(test, n=n, **asked),
                required=noninferiority_sample_size(test, power=target, **asked),
            )
        )
    return MarginPlan(
        test=test,
        hypothesis=hypothesis,
        n=n,
        margin=margin,
        alpha=float(alpha),
        target_power=target,
        varied=varied,
        known={name: float(value) for name, value in known.items() if value is not None},
        cases=tuple(cases),
    )
