"""The results of Acme, a metric and a way to write reports, for evalstats."""

import numpy as np

from evalstats.io.formats.format import Format, Sign, rows_of, scores_found
from evalstats.metrics.registry import ExternalMetric


def read_results(seen, asked):
    """Return the scores of the jobs that were done."""
    rows = rows_of(seen, ("acme_job", "task", "learner", "loss", "state"), "the results of Acme")
    rows = rows.where("state", lambda cell: cell == "done")
    columns = {"dataset": rows.texts("task"), "classifier": rows.texts("learner"), "score": rows["loss"]}
    return scores_found(seen, columns, metric="loss", greater_is_better=False, numbers=rows.numbers)


RESULTS = Format(
    name="acme",
    title="Acme, its table of jobs",
    description="The losses of jobs that were done.",
    example="acme_job,task,learner,loss,state\n1,iris,tree,0.08,done\n2,iris,forest,0.05,done\n",
    recognises=(Sign("columns", ("acme_job", "learner", "loss")),),
    read=read_results,
)


def geometric_mean_recall(y_true, y_pred):
    """Return the geometric mean of the recalls of all labels."""
    recalls = [float(np.mean(y_pred[y_true == label] == label)) for label in np.unique(y_true)]
    return float(np.prod(recalls) ** (1 / len(recalls)))


GEOMETRIC_MEAN_RECALL = ExternalMetric(
    compute=geometric_mean_recall, needs="labels", greater_is_better=True, range=(0.0, 1.0)
)


def outline(document):
    """Return the title of a report and the headings of its sections."""
    return "\n".join([document.title, *(f"- {section.heading}" for section in document.sections)]) + "\n"
