"""What did a run of OpenML predict? Its predictions.arff, one file for each run."""

from __future__ import annotations

__all__ = ["FORMAT"]

from typing import Any

from evalstats._findings import note
from evalstats.io.formats.format import Format, Found, predictions_found
from evalstats.io.formats.positive_class_scores import positive_scores
from evalstats.io.formats.tabular import file_stem
from evalstats.io.options import Asked
from evalstats.io.sources.arff import Arff, arff_of
from evalstats.io.sources.source import Seen
from evalstats.tables.errors import TableError

EXAMPLE = """
@relation openml_task_7_predictions
@attribute repeat numeric
@attribute fold numeric
@attribute row_id numeric
@attribute prediction {good,bad}
@attribute correct {good,bad}
@attribute confidence.good numeric
@attribute confidence.bad numeric
@data
0,0,4,good,bad,0.6,0.4
""".lstrip()

REQUIRED = ("row_id", "prediction", "correct")
STEM = "predictions"


def _recognises(seen: Seen) -> bool:
    if seen.members:
        files = _files(seen)
        return bool(files) and _recognises(seen.member(files[0]))
    start = seen.start.casefold()
    return "@attribute" in start and all(f"@attribute {name} " in start for name in REQUIRED)


def _files(seen: Seen) -> list[str]:
    arffs = [member for member in seen.members if member.casefold().endswith(".arff")]
    return arffs if seen.kind == "files" else [name for name in arffs if name.rpartition("/")[2] == f"{STEM}.arff"]


def _read(seen: Seen, asked: Asked) -> Found:
    names = ("dataset", "classifier", "repeat", "fold", "row", "y_true", "y_pred")
    columns: dict[str, list[Any]] = {name: [] for name in names}
    probabilities: list[dict[str, list[str]]] = []
    for file, run in _runs(seen):
        arff = arff_of(file.name, file.lines())
        table = _table(file, arff)
        n = len(arff.numbers)
        columns["dataset"] += [arff.relation.removeprefix("openml_").removesuffix("_predictions") or "dataset"] * n
        columns["classifier"] += [run] * n
        sources = {"repeat": "repeat", "fold": "fold", "row": "row_id", "y_true": "correct", "y_pred": "prediction"}
        for name, source in sources.items():
            columns[name] += table.get(source, ["0"] * n)
        told = {name.removeprefix("confidence."): own for name, own in table.items() if name.startswith("confidence.")}
        probabilities.append(told)
    labels = set.intersection(*(set(told) for told in probabilities)) if probabilities else set()
    joined = {label: [cell for told in probabilities for cell in told[label]] for label in labels}
    if scores := positive_scores(asked, columns["dataset"], columns["y_true"], joined):
        columns["y_score"] = scores
    findings = [note("true-labels", "The column correct holds the true labels, not whether the prediction is right.")]
    return predictions_found(seen, columns, findings=findings)


def _runs(seen: Seen) -> list[tuple[Seen, str]]:
    """Return each file with the name of its run: that of the file, or of its folder."""
    if not seen.members:
        return [(seen, _name(file_stem(seen, "run"), seen.path or ""))]
    return [(file := seen.member(name), _name(file_stem(file, "run"), name)) for name in _files(seen)]


def _name(stem: str, path: str) -> str:
    above = path.replace("\\", "/").split("/")[-2:-1]
    return above[0] if stem == STEM and above and above[0] else stem


def _table(file: Seen, arff: Arff) -> dict[str, list[str]]:
    table = dict(zip(arff.names, arff.columns, strict=True))
    if lacking := [name for name in REQUIRED if name not in table]:
        hint = ": numbers were predicted, which are no labels" if "truth" in table else ""
        raise TableError(f"{file.name} lacks the attribute {lacking[0]!r} of predictions of OpenML{hint}")
    if len(set(table.get("sample", ()))) > 1:
        raise TableError(f"{file.name} holds a learning curve, several samples of each fold: keep the rows of one")
    return table


FORMAT = Format(
    name="openml-predictions",
    title="OpenML, predictions.arff of runs",
    description="Labels and confidences of a run a file, which is called as its folder; a directory compares runs.",
    example=EXAMPLE,
    recognises=_recognises,
    read=_read,
)
