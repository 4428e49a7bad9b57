"""Exit statuses of the commands."""

from __future__ import annotations

__all__ = ["OF_ALL", "OF_COMMANDS", "statuses"]

OF_ALL = {
    0: "Done. The status does not depend on whether classifiers differ.",
    2: "A mistake in the options, the table or the file system, printed as one line on standard error.",
    130: "Interrupted by Ctrl-C.",
    141: "The reader of the output has ended; nothing is printed.",
}
# meanings of the exit status of a command
OF_COMMANDS: dict[str, dict[int, str]] = {
    "audit": {1: "The published numbers contradict each other or a claim."},
    "gate": {
        0: "The candidate passes.",
        1: "The candidate fails.",
        3: "There are too few instances for a decision.",
    },
    "serve": {0: "Ended by Ctrl-C or a signal to terminate."},
    "validate": {1: "A mismatch was found, or not everything could be checked."},
    "verify": {
        0: "Verified: every value is reproduced, and the report is as evalstats wrote it.",
        1: "Not verified: a value differs or was not recomputed, or the report was edited.",
        3: "Cannot be verified: another version of evalstats wrote a report that this version cannot reproduce.",
    },
}
NEVER = {"serve": (130,)}


def statuses(command: str) -> dict[int, str]:
    """Return the meaning of each exit status of a command, in their order."""
    told = OF_ALL | OF_COMMANDS.get(command, {})
    return {status: told[status] for status in sorted(told) if status not in NEVER.get(command, ())}
