"""Ask R about the statistics, and write the page of the docs: ``python docs/figures/parity_report.py``."""

from __future__ import annotations

import sys
from pathlib import Path

from evalstats import report
from evalstats._checks import EvalstatsError
from evalstats.parity import validate

FOOT = "\nWritten by `python docs/figures/parity_report.py`; [how to read it](reference/parity/validation.md).\n"


def main() -> int:
    """Ask R everything and write docs/parity-report.md; return the exit status."""
    try:
        checked = validate(live=True)
    except EvalstatsError as error:
        sys.stderr.write(f"{error}\n")
        return 1
    page = Path(__file__).parents[1] / "parity-report.md"
    page.write_text(report.markdown(checked) + FOOT, encoding="utf-8", newline="\n")
    sys.stdout.write(f"{checked.verdict}\n")
    return 0 if checked.ok else 1


if __name__ == "__main__":
    raise SystemExit(main())
