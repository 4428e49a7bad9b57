"""What did WEKA's Experimenter write as CSV?"""

from __future__ import annotations

__all__ = ["FORMAT"]

from evalstats.io.formats.format import Format, Found
from evalstats.io.formats.weka_experiment import experiment_found
from evalstats.io.options import Asked
from evalstats.io.sources.arff import fields_of, unquoted
from evalstats.io.sources.source import Seen
from evalstats.tables.errors import TableError
from evalstats.tables.names import text_of

EXAMPLE = r"""
Key_Dataset,Key_Run,Key_Fold,Key_Scheme,Key_Scheme_options,Number_of_training_instances,Number_of_testing_instances,Percent_correct
'toy one',1,1,weka.classifiers.trees.J48,'-C 0.25 -M 2',40.0,20.0,75.0
'toy one',1,1,weka.classifiers.functions.SMO,'-K \"supportVector.PolyKernel -E 1.0\"',40.0,20.0,82.5
""".lstrip()


def _recognises(seen: Seen) -> bool:
    return {"Key_Dataset", "Key_Scheme"} <= set(seen.header)


def _read(seen: Seen, asked: Asked) -> Found:
    if seen.kind == "frame":
        grid = seen.grid
        cells = [[unquoted(cell) if isinstance(cell, str) else cell for cell in column] for column in grid.columns]
        return experiment_found(seen, asked, dict(zip(grid.header, cells, strict=True)), grid.numbers)
    lines = ((number, line) for number, line in seen.lines() if line.strip())
    header = next((line for _, line in lines), "").split(",")
    header = [text_of(name) for name in header]
    rows: list[list[str]] = []
    numbers: list[int] = []
    for number, line in lines:
        fields = fields_of(line)
        if fields is None:
            raise TableError(f"{seen.name}, line {number}: a quotation mark of WEKA is opened and never closed")
        if fields == header:  # of a second experiment that was appended
            continue
        if len(fields) != len(header):
            raise TableError(f"{seen.name}, line {number} has {len(fields)} fields, but the header has {len(header)}")
        rows.append([unquoted(field) for field in fields])
        numbers.append(number)
    columns = {name: [row[j] for row in rows] for j, name in enumerate(header)}
    return experiment_found(seen, asked, columns, numbers)


FORMAT = Format(
    name="weka-csv",
    title="WEKA Experimenter, CSV",
    description="Scores of runs and folds; a scheme with its options is a classifier, Percent_correct is compared.",
    example=EXAMPLE,
    recognises=_recognises,
    read=_read,
)
