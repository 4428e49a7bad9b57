"""A format of another program is added by three files that are written by hand."""

from __future__ import annotations

import filecmp
import os
import shutil
import subprocess
import sys
from pathlib import Path

import format_index

ROOT = Path(__file__).parents[3]
COPIED = ("evalstats", "scripts", "docs/reference/tables", "tests/data/formats/ucr-summary", "CHANGELOG.md")
MODULE = '''"""Results of Acme: its table of jobs."""

from __future__ import annotations

__all__ = ["FORMATS"]

from evalstats.io.formats.format import Format, Found, Sign, scores_found
from evalstats.io.formats.format import rows_of
from evalstats.io.options import Asked
from evalstats.io.sources.source import Seen


def _read(seen: Seen, asked: Asked) -> Found:
    rows = rows_of(seen, ("task", "learner", "loss"), "Acme")
    columns = {"dataset": rows.texts("task"), "classifier": rows.texts("learner"), "score": rows["loss"]}
    return scores_found(seen, columns, metric="loss", greater_is_better=False, numbers=rows.numbers)


FORMATS = (
    Format(
        name="acme",
        title="Acme, its table of jobs",
        description="The losses of learners on tasks.",
        example="acme_job,task,learner,loss\\n1,iris,tree,0.08\\n",
        recognises=(Sign("columns", ("acme_job", "loss")),),
        read=_read,
    ),
)
'''
SAMPLE = "acme_job,task,learner,loss\n1,iris,tree,.3\n2,iris,svm,.1\n3,wine,tree,.4\n4,wine,svm,.2\n"
READ = """
import sys, evalstats
table = evalstats.read_table(sys.argv[1])
print(table.format, table.classifiers, table.scores.tolist(), evalstats.io.known_formats()[0].name)
"""


def run(root: Path, *arguments: str) -> str:
    environment = {**os.environ, "PYTHONPATH": str(root)}
    command = [sys.executable, *arguments]
    return subprocess.run(command, cwd=root, env=environment, check=True, capture_output=True, text=True).stdout


def changed(before: Path, after: Path) -> set[str]:
    """Return the files that are new or not the same."""
    files = {path.relative_to(after).as_posix() for path in after.rglob("*") if path.is_file()}
    files = {name for name in files if "__pycache__" not in name}
    return {n for n in files if not (before / n).exists() or not filecmp.cmp(before / n, after / n, shallow=False)}


def test_format_takes_three_files_by_hand(tmp_path) -> None:
    for name in COPIED:
        source = ROOT / name
        copy = shutil.copy2 if source.is_file() else shutil.copytree
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        copy(source, tmp_path / name)
    module, sample = "evalstats/io/formats/experiments/acme.py", "tests/data/formats/acme/jobs.csv"
    for name, text in ((module, MODULE), (sample, SAMPLE)):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    changelog = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    (tmp_path / "CHANGELOG.md").write_text(f"{changelog}- Results of Acme are read.\n", encoding="utf-8")

    run(tmp_path, "scripts/format_index.py")

    made = {path.relative_to(ROOT).as_posix() for path in (format_index.INDEX, format_index.OF_PAGES["experiments"])}
    assert changed(ROOT, tmp_path) == {module, sample, "CHANGELOG.md"} | made
    assert run(tmp_path, "-c", READ, sample) == "acme ('svm', 'tree') [[0.1, 0.3], [0.2, 0.4]] acme\n"
    page = (tmp_path / "docs/reference/tables/formats.md").read_text(encoding="utf-8")
    assert "| `acme` | Acme, its table of jobs | The losses of learners on tasks. |" in page
