"""Run R for all cases and store its results: ``python -m evalstats.parity.record_reference [MODULE ...]``."""

from __future__ import annotations

__all__ = ["main"]

import sys
from collections.abc import Sequence
from pathlib import Path

from evalstats._errors import EvalstatsError
from evalstats.parity.live_r import R, RFailedError, start
from evalstats.parity.reference_cases import Stem, read_stem, reference_directory, stem_names
from evalstats.parity.reference_values import Frozen, render_answers


def freeze(stem: Stem, r: R) -> Frozen:
    """Return the R results of all cases of a module.

    Raises
    ------
    RFailedError
        If a package is missing or R raises an error. The message names every such case.
    """
    packages = {package: r.package_version(package) for ref in stem.references.values() for package in ref.packages}
    if missing := [package for package, version in packages.items() if version is None]:
        raise RFailedError(f"{stem.name}: R package {', '.join(missing)} is missing")
    answers, digests, failures = {}, {}, []
    for case in stem.cases:
        try:
            answers[case.function, case.name] = r.ask(stem, case.function, case.arguments)
            digests[case.function, case.name] = case.digest
        except RFailedError as error:
            failures.append(f"{case.identity}: R error: {error}")
    if failures:
        raise RFailedError("\n".join(failures))
    return Frozen(
        r=r.version,
        packages={package: version for package, version in packages.items() if version is not None},
        adapter=stem.adapter_digest,
        answers=answers,
        digests=digests,
    )


def main(names: Sequence[str], directory: Path | None = None) -> int:
    """Write the stored results of some modules, by default of all; return the exit status."""
    directory = directory or Path(str(reference_directory()))
    status = 0
    try:
        r = start()
        for name in names or stem_names(directory):
            try:
                stem = read_stem(name, directory)
                text = render_answers(freeze(stem, r))
            except EvalstatsError as error:
                sys.stderr.write(f"{error}\n{name}: nothing written\n")
                status = 1
                continue
            file = directory / f"{name}.json"
            changed = not file.exists() or file.read_text(encoding="utf-8") != text
            if changed:
                file.write_text(text, encoding="utf-8", newline="\n")
            sys.stdout.write(f"{name}: {len(stem.cases)} results {'written' if changed else 'unchanged'}\n")
    except EvalstatsError as error:
        sys.stderr.write(f"{error}\n")
        return 1
    return status


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
