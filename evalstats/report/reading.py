"""What was read of a source, in which format, and what was left out?"""

from __future__ import annotations

__all__ = ["NAMELESS", "what_was_read"]

from collections.abc import Iterable, Sequence

from evalstats._findings import Finding
from evalstats.tables.recognition import format_named
from evalstats.tables.roles import LeftOut
from evalstats.wording import written_list

# what a dataset is called where nobody named it
NAMELESS = ("", "dataset", "dataset 1")

# of more rows or columns, only the first are named
_LISTED = 8


def what_was_read(format_name: str, findings: Iterable[Finding], left_out: Sequence[LeftOut] = ()) -> list[str]:
    """Say in which format a source was read, how it was understood, what looks wrong, and what is not compared."""
    items = [f"Read as {format_named(format_name).title} ({format_name})."] if format_name else []
    items += [finding.sentence for finding in findings]
    left: dict[tuple[str, str], list[str]] = {}
    for one in left_out:
        left.setdefault((one.what, one.reason), []).append(one.name)
    for (what, reason), names in left.items():
        several = len(names) > 1
        rows = f"{what}{'s' if several else ''} {written_list(names, at_most=_LISTED)}"
        items.append(f"Left out: the {rows}{'; each' if several else ', which'} {reason}.")
    return items
