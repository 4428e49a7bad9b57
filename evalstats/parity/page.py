"""What does the documentation show of the agreement with R? ``python -m evalstats.parity.page`` writes the page."""

from __future__ import annotations

__all__ = ["main"]

import sys
from pathlib import Path

from evalstats._checks import EvalstatsError
from evalstats.parity.cases import reference_directory
from evalstats.parity.validation import validate

_HEAD = """# Every statistic against R

Written by `python -m evalstats.parity.page`; [how to read it](reference/parity.md).

"""


def main() -> int:
    """Ask R everything and write docs/parity-report.md of this checkout; return the exit status."""
    docs = Path(str(reference_directory())).parent / "docs"
    try:
        report = validate(live=True)
    except EvalstatsError as error:
        sys.stderr.write(f"{error}\n")
        return 1
    (docs / "parity-report.md").write_text(_HEAD + report.to_markdown(), encoding="utf-8", newline="\n")
    sys.stdout.write(f"{report.verdict}\n")
    return 0 if report.ok else 1


if __name__ == "__main__":
    raise SystemExit(main())
