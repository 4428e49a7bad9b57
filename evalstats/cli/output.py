"""Output of records by a command."""

from __future__ import annotations

__all__ = ["FormatName", "part_of_report", "print_text", "show", "shown_progress", "written"]

import io
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from evalstats._result import Record


FORMATS = {"text": ".txt", "markdown": ".md", "latex": ".tex", "html": ".html", "json": ".json", "r": ".R"}
PARTED = ("text", "markdown", "latex", "html")
REPORTS = ("text", "markdown", "latex", "html", "json")
TABLES = (*REPORTS, "csv")


class FormatName(click.Choice[str]):
    """Name of an output format of evalstats or of another package."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Return the name of the format. If evalstats has no such format, search the plug-ins."""
        if value not in self.choices:
            from evalstats._plugins import RENDERERS, plugin_named

            if plugin_named(RENDERERS, value) is not None:
                return str(value)
        return super().convert(value, param, ctx)


def written(record: Record, style: str, **layout: Any) -> str:
    """Return a record as text in an output format."""
    from evalstats import report

    if style == "csv":
        from evalstats.report.documents import seen

        table: Any = record
        return "\n".join(map(seen, table.to_csv().split("\n")))
    if style not in FORMATS:
        return report.render(record, style)
    write: Callable[..., str] = getattr(report, "r_script" if style == "r" else style)
    return write(record, **layout)


def part_of_report(style: str, options: dict[str, Any]) -> dict[str, Any]:
    """Return the requested part and width of a report. Raise an error if the format does not support them."""
    part, width = options["part"], options["latex_width"]
    if part is not None and style not in PARTED:
        raise click.UsageError(f"--part requires --format {', '.join(PARTED[:-1])} or {PARTED[-1]}, not {style}")
    if width is not None and style != "latex":
        raise click.UsageError("--latex-width requires --format latex")
    return {name: value for name, value in (("part", part), ("width", width)) if value is not None}


def show(record: Record, style: str, **chosen: Any) -> None:
    """Print a record. Text has the encoding of the terminal, and other formats are in UTF-8."""
    if style != "text":
        if isinstance(sys.stdout, io.TextIOWrapper):
            sys.stdout.reconfigure(encoding="utf-8")
        print_text(written(record, style, **chosen))
        return
    layout = _layout() | chosen
    text = written(record, style, **layout)
    try:
        text.encode(getattr(sys.stdout, "encoding", None) or "utf-8")
    except UnicodeEncodeError:
        text = written(record, style, **layout, ascii=True)
    print_text(text)


def _layout() -> dict[str, Any]:
    """Return the width of the terminal as a keyword argument, or no argument if there is no terminal."""
    import shutil

    return {"width": min(max(shutil.get_terminal_size().columns, 40), 100)} if _is_terminal(sys.stdout) else {}


def print_text(text: str) -> None:
    """Print a string with a final line break. Characters that the output cannot encode are replaced."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")
    click.echo(text, nl=not text.endswith("\n"))


@contextmanager
def shown_progress(*, bar: bool = False) -> Iterator[Callable[[int, int, str], None] | None]:
    """Return a context with a function that shows the progress, or with None if there is no terminal."""
    if not _is_terminal(sys.stderr):
        yield None
        return

    def show(done: int, total: int, name: str) -> None:
        drawn = f"[{'#' * (20 * done // max(total, 1)):20}] " if bar else ""
        click.echo(f"\r\033[K{drawn}{done}/{total} {name}", nl=False, err=True)

    try:
        yield show
    finally:
        click.echo("\r\033[K", nl=False, err=True)


def _is_terminal(stream: Any) -> bool:
    return stream is not None and stream.isatty()
