"""Report of a gate: decision, changed instances, and required number of instances."""

from __future__ import annotations

__all__ = ["document", "task_words", "verdict"]

from collections import Counter
from collections.abc import Iterator

from evalstats.comparison.validity import untested_clause
from evalstats.gating.decision import GatedTask, GateResult
from evalstats.report.blocks import Block, Column, Document, Extent, Section, Table, heads, listing, paragraph, section
from evalstats.report.comparisons.optional_analyses import margin_test_words
from evalstats.report.describe import column, count, percent, pvalue_cell, pvalue_words
from evalstats.wording import metric_name, written_list

# maximum number of tasks that are reported separately
MOST_LEFT_OUT = 10
TITLES = {"pass": "Gate: pass", "fail": "Gate: fail", "inconclusive": "Gate: inconclusive"}


ANYTIME = (
    " The decision is valid at any stopping time, so the gate may be repeated. It has less power than a gate with a "
    "fixed number of instances."
)


def verdict(gate: GateResult) -> str:
    """State whether the candidate may replace the baseline, and why."""
    return f"{_of_tasks(gate)}{_of_subgroups(gate)}{ANYTIME if gate.anytime else ''}"


def _of_tasks(gate: GateResult) -> str:
    """State the result of the required tasks, or only 'Fail.' if the gate fails only because of a subgroup."""
    if gate.status == "fail" and not any(task.status == "fail" and task.tier == "required" for task in gate.tasks):
        return "Fail."
    required = [task for task in gate.tasks if task.tier == "required"]
    if not required:
        return "Inconclusive: no task is required, so the gate cannot pass."
    deciding = [task for task in required if task.status == gate.status]
    where, listed = _tasks(deciding), _listed(deciding, gate.alpha)
    if gate.status == "pass":
        return f"Pass: in {where} the candidate is noninferior at the margin. {listed}"
    if gate.status == "fail":
        return f"Fail: in {where} the candidate is worse by more than the margin. {listed}"
    return (
        f"Inconclusive: in {where} the candidate is neither shown to be noninferior at the margin nor shown to be "
        f"worse by more. {listed}"
    )


def _of_subgroups(gate: GateResult) -> str:
    """Name the subgroups in which the candidate is shown to be worse, or state that there are none."""
    if not gate.subgroups:
        return ""
    worse = [one for one in gate.subgroups if one.is_worse]
    if not worse:
        return f" In no subgroup of {gate.subgroup} is the candidate shown to be worse."
    told = [
        f"{one.subgroup} (difference {column([one.difference], digits=3)[0]}, one-sided "
        f"{pvalue_words(one.pvalue, gate.alpha)}, {count(one.n, 'instance')})"
        for one in worse
    ]
    return (
        f" The candidate is shown to be worse in {written_list(told, at_most=5)}, of the subgroups of {gate.subgroup}."
    )


def task_words(task: GatedTask, alpha: float) -> str:
    """State the result of one task in a sentence."""
    difference, low, high = column([task.difference, task.low, task.high], digits=3)
    needed = ""
    if task.n_needed is not None:
        needed = (
            f"; about {count(task.n_needed, task.unit)} are needed for a decision if the difference does not change"
        )
    elif task.status == "inconclusive":
        needed = f"; {task.reason or f'no number of {task.unit}s would decide'}"
    p = task.pvalue_inferiority if task.status == "fail" else task.pvalue_noninferiority
    if task.validity.untested:
        tested, needed = untested_clause(margin_test_words(task.test), task.validity.reason), ""
    else:
        tested = pvalue_words(p, alpha)
    found = (
        f"{task.task}: {metric_name(task.metric)} {difference}, {percent(1 - 2 * alpha)} interval {low} to {high}, "
        f"margin {task.margin:g}, {tested}, {count(task.n, task.unit)}{needed}."
    )
    doubts = "".join(f" {finding.sentence}" for finding in task.validity.findings if finding.code == "few-cases")
    return f"{found}{_without_margin(task, alpha)}{doubts}"


def _without_margin(task: GatedTask, alpha: float) -> str:
    """State whether the candidate is significantly worse or better, if the test with the margin does not show it."""
    shown = task.shown(alpha)
    if shown is None or task.status == "fail":
        return ""
    p = f"two-sided {pvalue_words(task.pvalue_different, alpha)}"
    p += f", on the common {task.unit}s" if task.n_left_out else ""
    if shown == "better":
        return f" The candidate is shown to be better ({p})."
    by = (
        "by less than the margin"
        if task.status == "pass"
        else "the data do not show by how much; the loss may exceed the margin"
    )
    return f" The candidate is shown to be worse ({p}), {by}."


def document(gate: GateResult, extent: Extent) -> Document:
    """Return the document of a gate: the input, the tasks, the subgroups, the changed instances and the rules."""
    sections = tuple(_sections(gate, extent.max_rows))
    return Document(title=TITLES[gate.status], verdict=paragraph(verdict(gate)), sections=sections)


def _sections(gate: GateResult, max_rows: int) -> Iterator[Section]:
    told = [finding.sentence for finding in gate.findings]
    yield section("reading", "Input", paragraph(_read(gate)), *([listing(told)] if told else []))
    yield section("tasks", "Results of the tasks", _table(gate))
    if gate.subgroups:
        yield section("subgroups", "Results of the subgroups", *_subgroup_blocks(gate, max_rows))
    flips = list(_flips(gate, max_rows))
    if flips:
        yield section("flips", "Changed instances", *flips)
    yield section("rules", "Decision rule", listing(_rules(gate)))


def _read(gate: GateResult) -> str:
    """State how many instances were compared, and how many were excluded because baseline or candidate lacks them."""
    own = [task for task in gate.tasks if gate.average is None or task is not gate.tasks[0]]
    kept, left = Counter[str](), Counter[str]()
    for task in own:
        kept[task.unit] += task.n
        left[task.unit] += task.n_left_out
    words = [f"{count(n, unit)} of {count(len(own), 'task')}" for unit, n in kept.items()]
    gone = [count(n, unit) for unit, n in left.items() if n]
    reason = f"{written_list(gone)} that only one side contains are excluded" if gone else "none left out"
    return f"Read {written_list(words)} on both sides; {reason}."


def _table(gate: GateResult) -> Table:
    tasks = gate.tasks
    numbers = [column([task.difference, task.low, task.high], digits=3) for task in tasks]
    scores = [column([task.baseline, task.candidate], digits=4) for task in tasks]
    heads = ("Baseline", "Candidate", "Difference", "Interval", "Margin", "p not worse", "p worse", "p different", "n")
    return Table(
        name="tasks",
        caption=(
            f"Candidate minus baseline with its {percent(1 - 2 * gate.alpha)} interval; one-sided p-values for "
            "noninferiority and for inferiority by more than the margin; two-sided p-value for any difference."
        ),
        columns=(
            Column(head="Task"),
            Column(head="Status", whole=True),
            Column(head="Metric"),
            *(Column(head=head, numeric=True) for head in heads),
        ),
        rows=tuple(
            (
                task.task if task.tier == "required" else f"{task.task} (watched)",
                task.status,
                metric_name(task.metric),
                old,
                new,
                difference,
                f"{low} to {high}",
                f"{task.margin:g}",
                pvalue_cell(task.pvalue_noninferiority, gate.alpha),
                pvalue_cell(task.pvalue_inferiority, gate.alpha),
                pvalue_cell(task.pvalue_different, gate.alpha),
                str(task.n),
            )
            for task, (old, new), (difference, low, high) in zip(tasks, scores, numbers, strict=True)
        ),
    )


def _subgroup_blocks(gate: GateResult, most: int) -> Iterator[Block]:
    """Yield the table of the subgroups, and the reasons why subgroups are not tested."""
    shown = gate.subgroups[:most]
    rows = []
    for one in shown:
        old, new = column([one.baseline, one.candidate], digits=4)
        p = "not tested" if one.reason else pvalue_cell(one.pvalue, gate.alpha)
        rows.append((one.subgroup, str(one.n), old, new, column([one.difference], digits=3)[0], p))
    yield Table(
        name="subgroups",
        caption=(
            f"Accuracy in each subgroup of {gate.subgroup}, over all required tasks. The one-sided p-value for "
            "inferiority without a margin is adjusted by Holm's method for all tested subgroups. The gate fails if the "
            "candidate is worse in one of them."
        ),
        columns=heads(["Subgroup"], ["n", "Baseline", "Candidate", "Difference", "p worse"]),
        rows=tuple(rows),
    )
    if reasons := [f"{one.subgroup} is not tested: {one.reason}." for one in shown if one.reason]:
        yield listing(reasons)


def _flips(gate: GateResult, most: int) -> Iterator[Block]:
    most = min(most, 20)
    for task in gate.tasks:
        for items, words in ((task.lost, "lost"), (task.won, "won")):
            if items:
                more = f" and {len(items) - most} more" if len(items) > most else ""
                yield paragraph(
                    f"{task.task}, {words}: {count(len(items), task.unit)} ({', '.join(items[:most])}{more})."
                )


def _rules(gate: GateResult) -> Iterator[str]:
    n_required = sum(task.tier == "required" for task in gate.tasks)
    yield (
        f"A task passes if the one-sided test at α = {gate.alpha:g} rejects the hypothesis that the candidate is "
        "worse by the margin or more. The absence of a significant difference is not sufficient."
    )
    if n_required > 1:
        yield (
            f"The gate passes if all of {n_required} required tasks pass, so no adjustment is needed. It fails if one "
            "task is worse, so the p-values for inferiority are adjusted by Holm's method."
        )
    if gate.average is not None:
        counts = "task" if gate.average == "macro" else "instance"
        yield (
            f"The gate tests the mean over all tasks: each {counts} has the same weight, the instances are the "
            "sample, and the tasks are the strata."
        )
    if any(task.has_samples for task in gate.tasks):
        yield (
            "Several answers were given to the same question: the score of the question is the proportion of "
            "correct answers."
        )
    if gate.allow_unequal_samples:
        yield (
            "An option allows different numbers of answers to the questions: if incorrect answers were sampled again, "
            "the proportion of correct answers is too high."
        )
    if gate.anytime:
        yield (
            "The gate may be repeated whenever there are more instances: its p-values and intervals are valid at "
            "all times simultaneously. The instances must arrive in random order."
        )
        if gate.cluster is not None:
            yield "A step is a cluster: all clusters have the same weight, no matter how many instances they contain."
        if gate.average == "macro":
            yield (
                "A step of the mean is the next instance, or cluster, of every task; the remaining instances of "
                "larger tasks are used later."
            )
    if any(task.tier == "watched" for task in gate.tasks):
        yield "Watched tasks are reported but do not affect the decision."
    if gate.cluster is not None:
        clusters = ", ".join(f"{count(task.n_clusters or 0, 'cluster')} in {task.task}" for task in gate.tasks)
        yield f"Instances with the same {gate.cluster} may be correlated ({clusters})."
    yield from _doubts(gate)
    adjusted = " These p-values are adjusted by Holm's method for all tasks." if len(gate.tasks) > 1 else ""
    yield (
        "The test of any difference has no margin: a candidate that passes may be significantly worse by less than "
        f"the margin.{adjusted}"
    )
    yield from _left_out(gate)
    yield f"The required numbers of instances are for a power of {percent(gate.power)}."


def _doubts(gate: GateResult) -> Iterator[str]:
    """Yield the known type-I error rates of the tests with few instances or clusters, each with the affected tasks."""
    tasks_of: dict[str, list[str]] = {}
    for task in gate.tasks:
        for finding in task.validity.findings:
            tasks_of.setdefault(finding.sentence, []).append(task.task)
    for sentence, names in list(tasks_of.items())[:MOST_LEFT_OUT]:
        yield f"{written_list(names, at_most=MOST_LEFT_OUT)}: {sentence}"


def _left_out(gate: GateResult) -> Iterator[str]:
    """Describe the instances that only baseline or candidate contains, their score, and how the gate treats them."""
    left_out = [task for task in gate.tasks if task.n_left_out]
    for task in left_out[:MOST_LEFT_OUT]:
        for lacking, has, n, share, own in (
            ("candidate", "baseline", task.n_left_out_baseline, task.left_out_baseline, task.baseline),
            ("baseline", "candidate", task.n_left_out_candidate, task.left_out_candidate, task.candidate),
        ):
            if n:
                told = ""
                if share is not None:
                    there, elsewhere = column([share, own], digits=3)
                    told = f"; the score of the {has} is {there} on them, and {elsewhere} on the common part"
                yield f"Left out of {task.task}, because the {lacking} lacks them: {count(n, task.unit)}{told}."
    if len(left_out) > MOST_LEFT_OUT:
        rest = sum(task.n_left_out for task in left_out[MOST_LEFT_OUT:])
        yield f"{rest:,} more are left out of {len(left_out) - MOST_LEFT_OUT} other tasks."
    if left_out:
        up_to = (
            f" Up to {gate.allow_missing:,} questions in a task are ignored because of allow_missing."
            if gate.allow_missing
            else ""
        )
        yield (
            "The missing questions may be the difficult questions. A task passes only if it also passes in the worst "
            "case. In the worst case, missing answers of the candidate are incorrect, and missing answers of the "
            "baseline are correct. In addition, the exclusion of these questions must not change any score by more "
            f"than the margin.{up_to}"
        )


def _tasks(tasks: list[GatedTask]) -> str:
    return tasks[0].task if len(tasks) == 1 else f"{len(tasks)} tasks"


def _listed(tasks: list[GatedTask], alpha: float) -> str:
    shown = [task_words(task, alpha) for task in tasks[:3]]
    return " ".join(shown) + (f" And {len(tasks) - 3} more." if len(tasks) > 3 else "")
