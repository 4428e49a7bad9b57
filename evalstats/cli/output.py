"""Output of records by a command: to the terminal and to files."""

from __future__ import annotations

__all__ = [
    "FormatName",
    "makers_of_files",
    "makers_of_plot",
    "part_of_report",
    "print_text",
    "refuse_places",
    "show",
    "shown_progress",
    "write_files",
    "written",
]

import glob
import io
import os
import stat
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any

import click

from evalstats.cli.options import SUFFIXES, drawn_picture, refuse_without_picture

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


def makers_of_files(read: tuple[str, ...], options: dict[str, Any]) -> dict[str, Callable[[Any], bytes]]:
    """Return a function for the content of each output file. Raise an error for contradictory options."""
    output, plot, bib, style = (options[name] for name in ("output", "plot", "bib", "format"))
    refuse_places(read, {f"--{name}": options[name] for name in ("output", "plot", "bib") if options[name]})
    if output is not None and _suffix(output) not in SUFFIXES:
        style = style or _style_of(output)
    layout = part_of_report(style or "text", options)
    has_picture = plot is not None or (output is not None and _suffix(output) in SUFFIXES)
    refuse_without_picture(options, has_picture=has_picture)
    makers: dict[str, Callable[[Any], bytes]] = {}
    if output is not None and _suffix(output) in SUFFIXES:
        if style is not None:
            raise click.UsageError(f"--output {output} is a plot; with --format, use --plot instead")
        makers[output] = lambda comparison: drawn_picture(comparison, _suffix(output), options)
    elif output is not None:
        makers[output] = lambda comparison: written(comparison, str(style), **layout).encode()
    if plot is not None:
        if _suffix(plot) not in SUFFIXES:
            raise click.UsageError(f"--plot must end in {' or '.join(SUFFIXES)}, not {plot}")
        makers[plot] = lambda comparison: drawn_picture(comparison, _suffix(plot), options)
    if bib is not None:
        if style != "latex":
            raise click.UsageError("--bib requires --format latex")
        makers[bib] = lambda _: _bibliography().encode()
    return makers


# options of commands with more output files and pictures, which a command with --plot alone lacks
_NO_CHOICES: dict[str, Any] = {
    **dict.fromkeys(("output", "bib", "plot_kind", "width", "font_size", "dpi", "part", "latex_width")),
    "no_caption": False,
}


def makers_of_plot(read: tuple[str, ...], options: dict[str, Any]) -> dict[str, Callable[[Any], bytes]]:
    """Return the function for the plot of a command whose only output file is the plot."""
    return makers_of_files(read, _NO_CHOICES | {"plot": options["plot"], "format": options["format"]})


def refuse_places(read: tuple[str, ...], paths: Mapping[str, str]) -> None:
    """Raise an error for an output path that is an input, is in an input directory, or occurs twice."""
    for option, path in paths.items():
        _refuse_name(option, path)
        for file in [name for given in read for name in _named_by(given)]:
            if _is_input(path, file):
                raise click.UsageError(f"{path} is the input file, which would be overwritten")
            if os.path.isdir(file) and os.path.realpath(path).startswith(os.path.join(os.path.realpath(file), "")):
                raise click.UsageError(f"{path} is in the input directory {file}; choose another directory")
        if study := _study_around(path):
            raise click.UsageError(f"{path} is in the study directory {study}; choose another directory")
    names = list(paths)
    for i, first in enumerate(names):
        for second in names[i + 1 :]:
            if _is_same(paths[first], paths[second]):
                raise click.UsageError(f"{first} and {second} name the same file, {paths[second]}")


def _refuse_name(option: str, path: str) -> None:
    """Reject a path that cannot name a file."""
    if path.endswith(("/", os.sep)):
        raise click.UsageError(f"{option} must be a file, but {path} is the name of a directory")
    if "\0" in path:
        raise click.UsageError("{option} must not contain a NUL character")


def _named_by(given: str) -> list[str]:
    """Return the files that match a pattern, or the argument itself if it is not a pattern."""
    return glob.glob(given, recursive=True) if glob.has_magic(given) and not os.path.exists(given) else [given]


def _study_around(path: str) -> str:
    """Return the directory of the study that contains a path, or '' if there is none."""
    from evalstats.study.store import is_study

    folder = os.path.realpath(path)
    while (above := os.path.dirname(folder)) != folder:
        folder = above
        if is_study(folder):
            return folder
    return ""


def _is_input(path: str, file: str) -> bool:
    if not os.path.exists(path) or not os.path.isfile(path):
        return False
    if file == "-":  # the table may come from a file by redirection
        with suppress(OSError, ValueError, AttributeError):
            return os.path.samestat(os.stat(path), os.fstat(sys.stdin.fileno()))
        return False
    return os.path.exists(file) and os.path.samefile(path, file)


def _is_same(first: str, second: str) -> bool:
    if os.path.exists(first) and os.path.exists(second):
        return os.path.isfile(first) and os.path.samefile(first, second)
    return os.path.realpath(first) == os.path.realpath(second)


def _suffix(path: str) -> str:
    return os.path.splitext(path)[1].lower()


def _style_of(path: str) -> str:
    for style, suffix in FORMATS.items():
        if _suffix(path) == suffix.lower():
            return style
    known = " ".join([*FORMATS.values(), *SUFFIXES])
    raise click.UsageError(f"--output {path} has none of the suffixes {known}; pass --format")


def _bibliography() -> str:
    from evalstats import report

    return report.bibliography()


def write_files(files: Mapping[str, bytes]) -> None:
    """Write all files or no file. Temporary files replace the targets after all of them are written."""
    waiting: list[tuple[str, str]] = []
    try:
        for path, content in files.items():
            with _told_by_path(path):
                if (beside := _written_beside(os.path.realpath(path), content)) is not None:
                    waiting.append((beside, path))
        for path, content in files.items():
            if _is_device(path):
                with _told_by_path(path), open(path, "wb") as file:
                    file.write(content)
        while waiting:
            beside, path = waiting[0]
            with _told_by_path(path):
                os.replace(beside, os.path.realpath(path))
            waiting.pop(0)
    finally:
        for beside, _ in waiting:
            with suppress(OSError):
                os.unlink(beside)


def _is_device(path: str) -> bool:
    """Return whether a path is a device or a pipe, which must not be replaced."""
    return os.path.exists(path) and not os.path.isfile(path)


def _written_beside(target: str, content: bytes) -> str | None:
    """Write a temporary file next to the target, with its permissions. Return None for a device."""
    if _is_device(target):
        return None
    import tempfile  # nothing is written by most commands

    handle, beside = tempfile.mkstemp(dir=os.path.dirname(target), prefix=".evalstats-", suffix=".tmp")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
        os.chmod(beside, stat.S_IMODE(os.stat(target).st_mode) if os.path.exists(target) else 0o666 & ~_umask())
    except BaseException:
        os.unlink(beside)
        raise
    return beside


def _umask() -> int:
    """Return the umask of the process. The umask is set for a moment, because it cannot be read without being set."""
    mask = os.umask(0o077)
    os.umask(mask)
    return mask


@contextmanager
def _told_by_path(path: str) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise click.ClickException(f"cannot write {path}: {error.strerror}") from None
