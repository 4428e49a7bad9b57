"""Policy of a gate: the requirements of each task, in TOML or from arguments."""

from __future__ import annotations

__all__ = ["Policy", "Rule", "read_policy"]

import os
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from evalstats import _checks, _files
from evalstats._errors import InvalidTypeError, InvalidValueError, did_you_mean, short
from evalstats._result import Record
from evalstats.tables.names import text_of

MOST_BYTES = 10_000_000
TIERS = ("required", "watched")
OF_TASK = ("margin", "tier", "metric")
OF_GATE = (
    *("margin", "metric", "alpha", "cluster", "intersect", "allow_missing", "allow_unequal_samples"),
    *("greater_is_better", "accept_scores", "anytime", "power", "subgroup", "average", "pos_label"),
)
AVERAGES = ("macro", "micro")


@dataclass(frozen=True, kw_only=True, eq=False)
class Rule(Record):
    """Requirements of one task.

    Attributes
    ----------
    margin : float
        Noninferiority margin: the largest acceptable loss, in the unit of the metric.
    metric : str or None
        A name in `evalstats.metrics.METRICS`. None selects accuracy, or the area under the ROC curve if there are only
        scores.
    tier : {'required', 'watched'}
        A watched task is reported and does not affect the status.
    """

    margin: float
    metric: str | None = None
    tier: str = "required"


@dataclass(frozen=True, kw_only=True, eq=False)
class Policy(Record):
    """Requirements of a gate.

    Attributes
    ----------
    rule : Rule
        Rule of every task without its own rule.
    tasks : dict of str to Rule
        Rules of individual tasks. Each of these tasks must exist.
    alpha : float
        Significance level.
    power : float
        Power for which the number of instances for a decision is computed.
    cluster : str or None
        Column of the clusters of questions.
    intersect : bool
        Whether questions that only the baseline or only the candidate has are left out and reported. If False, such
        questions are an error.
    allow_missing : int
        Number of questions of a task that may be left out without a worst-case check.
    allow_unequal_samples : bool
        Whether some questions may have more answers than others.
    greater_is_better : bool or None
        Direction of the scores of datasets. With None, the name of the metric determines it.
    accept_scores : bool
        Whether scores are accepted although they may mix proportions and percentages.
    anytime : bool
        Whether the gate may be repeated when more questions arrive.
    average : {'macro', 'micro'} or None
        Type of the tested mean over all tasks: equal weights for tasks or for questions. With None, every task is
        tested.
    subgroup : str or None
        Column of the baseline that names the subgroups of questions. The gate fails if the candidate is shown to be
        worse in one of them.
    pos_label : str or None
        The positive label. None selects 1 or True. Other labels are then an error if the metric needs a positive label.
    """

    rule: Rule
    tasks: Mapping[str, Rule] = field(default_factory=dict)
    alpha: float = 0.05
    power: float = 0.8
    cluster: str | None = None
    intersect: bool = False
    allow_missing: int = 0
    allow_unequal_samples: bool = False
    greater_is_better: bool | None = None
    accept_scores: bool = False
    anytime: bool = False
    average: str | None = None
    subgroup: str | None = None
    pos_label: str | None = None

    def of(self, task: str) -> Rule:
        """Return the rule of a task. With a mean over tasks, the task is watched unless the policy names it."""
        rule = self.rule if self.average is None else replace(self.rule, tier="watched")
        return self.tasks.get(task, rule)


def read_policy(source: Any, **given: Any) -> Policy:
    """Read a policy from a file, a dict of the same form, or None. Separate arguments take precedence.

    Raises
    ------
    InvalidValueError, InvalidTypeError
        If the file cannot be read, if it contains an unknown key, or if a value is out of range.
    """
    asked = _loaded(source)
    gate = _section(asked.get("gate", {}), "gate", OF_GATE)
    own = _checks.instance(asked.get("task", {}), "task", dict, "a table of tasks")
    if unknown := set(asked) - {"gate", "task"}:
        raise InvalidValueError(f"policy must have the tables 'gate' and 'task' only, not {short(sorted(unknown)[0])}")
    named = {name: f"gate.{name}" for name in gate}  # in messages, where it was given
    arguments = {name: value for name, value in given.items() if value is not None}
    gate, named = gate | arguments, named | {name: name for name in arguments}
    if "margin" not in gate:
        raise InvalidValueError("margin must be given: the largest acceptable loss, such as margin=0.01")
    rule = _rule(gate, named)
    tasks = {}
    # with a mean over tasks, individual tasks are watched by default
    tier = {} if gate.get("average") is None else {"tier": "watched"}
    for name, table in own.items():
        where = f"task.{name}"
        section = _section(table, where, OF_TASK)
        tasks[name] = _rule({**gate, **tier, **section}, named | {key: f"{where}.{key}" for key in section})
    policy = Policy(rule=rule, tasks=tasks)

    def checked(check: Callable[..., Any], name: str, *others: Any, **choices: Any) -> Any:
        value = gate.get(name)
        return getattr(policy, name) if value is None else check(value, named[name], *others, **choices)

    alpha = checked(_checks.significance_level, "alpha")
    if alpha >= 0.5:
        raise InvalidValueError(f"{named['alpha']} must be below 0.5, not {alpha:g}")
    return replace(
        policy,
        alpha=alpha,
        power=checked(_checks.proportion, "power"),
        cluster=checked(_checks.text, "cluster"),
        subgroup=checked(_checks.text, "subgroup"),
        pos_label=None if gate.get("pos_label") is None else text_of(gate["pos_label"]),
        allow_missing=checked(_checks.count, "allow_missing", minimum=0),
        # a number of missing questions implies that they are left out
        intersect=checked(_checks.boolean, "intersect")
        or (gate.get("allow_missing") is not None and "intersect" not in gate),
        allow_unequal_samples=checked(_checks.boolean, "allow_unequal_samples"),
        greater_is_better=checked(_checks.boolean, "greater_is_better"),
        accept_scores=checked(_checks.boolean, "accept_scores"),
        anytime=checked(_checks.boolean, "anytime"),
        average=checked(_checks.choice, "average", AVERAGES),
    )


def _loaded(source: Any) -> Mapping[str, Any]:
    if source is None:
        return {}
    if isinstance(source, Mapping):
        return source
    if not isinstance(source, str | os.PathLike):
        raise InvalidTypeError(f"policy must be a path or a dict, not {type(source).__name__}")
    try:
        with _files.opened(source) as file:
            return tomllib.loads(_files.whole(file, MOST_BYTES).decode())
    except OSError as error:
        raise InvalidValueError(f"policy {short(os.fspath(source))} cannot be read: {error.strerror}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, RecursionError, ValueError) as error:
        raise InvalidValueError(f"policy {short(os.fspath(source))} is not TOML: {short(str(error))}") from None


def _section(table: Any, name: str, known: tuple[str, ...]) -> dict[str, Any]:
    found: dict[str, Any] = dict(_checks.instance(table, name, dict, "a table"))
    for key in found:
        if key not in known:
            hint = did_you_mean(key, known)
            raise InvalidValueError(f"[{name}] of the policy must hold {', '.join(known)}, not {short(key)}{hint}")
    return found


def _rule(asked: Mapping[str, Any], named: Mapping[str, str]) -> Rule:
    margin = _checks.real(asked["margin"], named["margin"])
    if not 0 < margin < float("inf"):
        raise InvalidValueError(f"{named['margin']} must be larger than 0 and finite, not {margin:g}")
    metric = asked.get("metric")
    if metric is not None and not _checks.text(metric, named["metric"]):
        raise InvalidValueError(f"{named['metric']} must be the name of a metric, not ''")
    tier = asked.get("tier", "required")
    return Rule(margin=margin, metric=metric, tier=_checks.choice(tier, named.get("tier", "tier"), TIERS))
