"""Check that the files of a release agree with its tag: ``python scripts/release_check.py v1.2.3``.

The version, the changelog and the citation must have the same version and date. No file may contain the placeholder of
the GitHub account.
"""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
PLACEHOLDER = "OWN" + "ER"  # in two parts, so this file does not contain it


def faults(root: Path, tag: str) -> list[str]:
    """Return the necessary changes before the release, or an empty list."""
    version = _found(r'__version__ = "(.+)"', root / "evalstats" / "_version.py")
    day = _found(rf"## {re.escape(version)} \((\d{{4}}-\d\d-\d\d)\)", root / "CHANGELOG.md")
    cited = _found(r"version: (.+)", root / "CITATION.cff"), _found(r"date-released: (.+)", root / "CITATION.cff")
    holders = [path for path in _tracked(root) if re.search(rf"\b{PLACEHOLDER}\b", _text(root / path))]
    found = []
    if tag != f"v{version}":
        found.append(f"the tag is {tag}, and evalstats/_version.py has {version}: the tag must be v{version}")
    if not day:
        found.append(f"CHANGELOG.md has no heading '## {version} (YEAR-MONTH-DAY)'")
    if cited != (version, day):
        found.append(f"CITATION.cff must have 'version: {version}' and 'date-released: {day or 'YEAR-MONTH-DAY'}'")
    if holders:
        found.append(f"{PLACEHOLDER} must be replaced by the account on GitHub in {', '.join(holders)}")
    return found


def _found(pattern: str, path: Path) -> str:
    match = re.search(f"^{pattern}$", _text(path), re.MULTILINE)
    return match[1] if match else ""


def _tracked(root: Path) -> list[str]:
    listed = subprocess.run(["git", "ls-files"], cwd=root, capture_output=True, text=True, check=True).stdout
    return [path for path in listed.splitlines() if (root / path).is_file()]


def _text(path: Path) -> str:
    return path.read_text(encoding="utf-8", errors="replace")


if __name__ == "__main__":
    sys.exit("\n".join(faults(ROOT, sys.argv[1])) or 0)
