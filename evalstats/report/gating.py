"""May the candidate replace the baseline? What is shown, which cases changed, and how many would decide."""

from __future__ import annotations

__all__ = ["document", "task_words", "verdict"]

from collections import Counter
from collections.abc import Iterator

from evalstats.gating.deciding import GatedTask, GateResult
from evalstats.report.blocks import Block, Column, Document, Extent, Section, Table, listing, paragraph, section
from evalstats.report.numbers import column, count, percent, pvalue_cell, pvalue_words
from evalstats.wording import metric_name, written_list

TITLES = {"pass": "Gate: pass", "fail": "Gate: fail", "inconclusive": "Gate: inconclusive"}


def verdict(gate: GateResult) -> str:
    """Say whether the candidate may replace the baseline, and why."""
    required = [task for task in gate.tasks if task.tier == "required"]
    if not required:
        return "Inconclusive: no task is required, so that nothing can pass."
    deciding = [task for task in required if task.status == gate.status]
    where, listed = _tasks(deciding), _listed(deciding, gate.alpha)
    if gate.status == "pass":
        return f"Pass: in {where} the candidate is shown not to be worse by the margin. {listed}"
    if gate.status == "fail":
        return f"Fail: in {where} the candidate is worse by more than the margin. {listed}"
    return (
        f"Inconclusive: in {where} the candidate is neither shown to be as good, up to the margin, nor to be worse by "
        f"more. {listed}"
    )


def task_words(task: GatedTask, alpha: float) -> str:
    """Say in a sentence what was found in one task."""
    difference, low, high = column([task.difference, task.low, task.high], digits=3)
    needed = ""
    if task.n_needed is not None:
        needed = f"; about {count(task.n_needed, task.unit)} would decide, if the difference stays as it is"
    elif task.status == "inconclusive":
        needed = f"; {task.reason or f'no number of {task.unit}s would decide'}"
    p = task.pvalue_worse if task.status == "fail" else task.pvalue_not_worse
    return (
        f"{task.task}: {metric_name(task.metric)} {difference}, {percent(1 - 2 * alpha)} interval {low} to {high}, "
        f"margin {task.margin:g}, {pvalue_words(p, alpha)}, {count(task.n, task.unit)}{needed}."
    )


def document(gate: GateResult, extent: Extent) -> Document:
    """Put a gate into words and tables."""
    sections = tuple(_sections(gate, extent.most_rows))
    return Document(title=TITLES[gate.status], verdict=paragraph(verdict(gate)), sections=sections)


def _sections(gate: GateResult, most_rows: int) -> Iterator[Section]:
    yield section("reading", "What was read", paragraph(_read(gate)))
    yield section("tasks", "What was found in each task?", _table(gate))
    flips = list(_flips(gate, most_rows))
    if flips:
        yield section("flips", "Which cases changed?", *flips)
    yield section("rules", "How it was decided", listing(_rules(gate)))


def _read(gate: GateResult) -> str:
    """Say how much was compared, and how much was left out because only one side has it."""
    own = [task for task in gate.tasks if gate.average is None or task is not gate.tasks[0]]
    kept, left = Counter[str](), Counter[str]()
    for task in own:
        kept[task.unit] += task.n
        left[task.unit] += task.n_left_out
    words = [f"{count(n, unit)} of {count(len(own), 'task')}" for unit, n in kept.items()]
    gone = [count(n, unit) for unit, n in left.items() if n]
    reason = f"{written_list(gone)} that only one side has left out" if gone else "none left out"
    return f"Read {written_list(words)} on both sides; {reason}."


def _table(gate: GateResult) -> Table:
    tasks = gate.tasks
    numbers = [column([task.difference, task.low, task.high], digits=3) for task in tasks]
    scores = [column([task.baseline, task.candidate], digits=4) for task in tasks]
    heads = ("Baseline", "Candidate", "Difference", "Interval", "Margin", "p not worse", "p worse", "n")
    return Table(
        name="tasks",
        caption=(
            f"Candidate minus baseline with its {percent(1 - 2 * gate.alpha)} interval; one-sided p-values of being "
            "not worse, and of being worse, by more than the margin."
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
                pvalue_cell(task.pvalue_not_worse, gate.alpha),
                pvalue_cell(task.pvalue_worse, gate.alpha),
                str(task.n),
            )
            for task, (old, new), (difference, low, high) in zip(tasks, scores, numbers, strict=True)
        ),
    )


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
        f"A task passes where the one-sided test rejects, at α = {gate.alpha:g}, that the candidate is worse by the "
        "margin or more. That no difference is significant passes nothing."
    )
    if n_required > 1:
        yield (
            f"The gate passes where all of {n_required} required tasks do, which needs no adjustment; p-values of "
            "being worse, one of which is enough to fail, are adjusted by Holm's method."
        )
    if gate.average is not None:
        counts = "task" if gate.average == "macro" else "case"
        yield (
            f"The mean over all tasks is decided: each {counts} counts the same, the cases are the sample, and the "
            "tasks are its strata."
        )
    if any(task.has_samples for task in gate.tasks):
        yield "Several answers were given to the same case: the share of right ones is its score."
    if gate.anytime:
        yield (
            "The gate may be asked again whenever more cases have come: its p-values and intervals hold at all times "
            "together. The cases must come in random order."
        )
        if gate.cluster is not None:
            yield "A step is a cluster: each cluster counts the same, however many cases it has."
        if gate.average == "macro":
            yield "A step of the mean is the next case, or cluster, of every task: what some tasks have more of waits."
    if any(task.tier == "watched" for task in gate.tasks):
        yield "Watched tasks are shown, and decide nothing."
    if gate.cluster is not None:
        clusters = ", ".join(f"{count(task.n_clusters or 0, 'cluster')} in {task.task}" for task in gate.tasks)
        yield f"Cases with the same {gate.cluster} may depend on each other ({clusters})."
    left_out = [task for task in gate.tasks if task.n_left_out]
    if left_out:
        told = ", ".join(f"{count(task.n_left_out, task.unit)} of {task.task}" for task in left_out)
        yield f"Left out, because only one side has them: {told}. What is missing may be what is hard."
    yield f"Numbers of cases that would decide are for a power of {percent(gate.power)}."


def _tasks(tasks: list[GatedTask]) -> str:
    return tasks[0].task if len(tasks) == 1 else f"{len(tasks)} tasks"


def _listed(tasks: list[GatedTask], alpha: float) -> str:
    shown = [task_words(task, alpha) for task in tasks[:3]]
    return " ".join(shown) + (f" And {len(tasks) - 3} more." if len(tasks) > 3 else "")
