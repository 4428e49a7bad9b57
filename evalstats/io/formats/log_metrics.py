"""The compared metric of each benchmark, and its direction."""

from __future__ import annotations

__all__ = ["are_of_trec", "chosen_metrics", "direction", "together"]

import re
from collections.abc import Collection, Iterable, Mapping, Sequence

from evalstats._errors import listed
from evalstats.io.columns.directions import unknown_direction
from evalstats.io.options import Asked
from evalstats.io.sources.source import Seen
from evalstats.tables.errors import TableError, short

# measures of trec_eval, as pytrec_eval calls them
_OF_TREC = re.compile(
    r"map(?:_cut_\d+)?|P_\d+|recall_\d+|ndcg|ndcg_cut_\d+|recip_rank|Rprec|bpref|infAP|11pt_avg|success_\d+|gm_map"
    r"|iprec_at_recall_[\d.]+|relative_P_\d+|set_\w+|num_\w+|runid|utility|G|binG"
)
_ALSO_ELSEWHERE = {"map"}  # of object detection, too


def are_of_trec(names: Iterable[str]) -> bool:
    """Return whether names are measures of trec_eval, and one of them is of no other field."""
    found = set(names)
    return bool(found - _ALSO_ELSEWHERE) and all(map(_OF_TREC.fullmatch, found))


def chosen_metrics(seen: Seen, asked: Asked, of_tasks: Mapping[str, Collection[str]]) -> dict[str, str]:
    """Return the metric of each benchmark that is compared.

    Parameters
    ----------
    seen : Seen
        The source, for messages.
    asked : Asked
        Its metric may be written without what follows a comma, or with a space there: ``'acc'`` or ``'acc, none'`` for
        ``'acc,none'``.
    of_tasks : mapping of str to collection of str
        The metrics of each benchmark.

    Returns
    -------
    dict of str to str
        Without the benchmarks that lack the requested metric.

    Raises
    ------
    TableError
        If several metrics could be meant, or none.
    """
    known = list(dict.fromkeys(metric for metrics in of_tasks.values() for metric in metrics))
    if not known:
        raise TableError(f"{seen.name} has no score of a question")
    if asked.metric is not None:
        meant = {task: _meant(asked.metric, metrics) for task, metrics in of_tasks.items()}
        if several := next((metrics for metrics in meant.values() if len(metrics) > 1), None):
            raise _ask(seen, several)
        if any(meant.values()):
            return {task: metrics[0] for task, metrics in meant.items() if metrics}
        raise TableError(f"{seen.name} has no metric {short(asked.metric)}; its metrics are {listed(known)}")
    common = [metric for metric in known if all(metric in metrics for metrics in of_tasks.values())]
    if len(common) == 1:
        return dict.fromkeys(of_tasks, common[0])
    if all(len(metrics) == 1 for metrics in of_tasks.values()):
        return {task: next(iter(metrics)) for task, metrics in of_tasks.items()}
    raise _ask(seen, common or known)


def _meant(asked: str, metrics: Collection[str]) -> list[str]:
    asked = asked.replace(", ", ",")  # as it is typed where a comma separates metrics
    return [asked] if asked in metrics else [metric for metric in metrics if metric.partition(",")[0] == asked]


def _ask(seen: Seen, metrics: Sequence[str]) -> TableError:
    return TableError(
        f"{seen.name} holds the metrics {listed(metrics)}", "choose one, for example {}", "metric", metrics[0]
    )


def direction(seen: Seen, asked: Asked, metrics: Mapping[str, bool | None]) -> bool:
    """Return whether greater metrics are better, from the caller or the log; raise an error if neither gives it."""
    if asked.greater_is_better is not None:
        return asked.greater_is_better
    if unknown := [metric for metric, better in metrics.items() if better is None]:
        raise unknown_direction(seen.name, unknown[0])
    if len(set(metrics.values())) > 1:
        turned = [metric for metric, better in metrics.items() if not better]
        problem = f"{seen.name}: more is better of some metrics, but less of {listed(turned)}"
        raise TableError(problem, "choose one metric, for example {}", "metric", next(iter(metrics)))
    return bool(next(iter(metrics.values())))


def together(metrics: Iterable[str]) -> str:
    """Return the name of the scores of all benchmarks: their only metric, or scores."""
    different = set(metrics)
    return different.pop() if len(different) == 1 else "score"
