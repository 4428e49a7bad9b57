"""Files of the wheel that are made when it is built: manual pages, completions of shells, and the cases for R."""

from __future__ import annotations

import ast
import io
import json
import lzma
import re
import sys
import tempfile
import tokenize
import tomllib
import zipfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


def without_comments(path: Path) -> bytes:
    """Return the content of a file of TOML or R; comments stay in the repository."""
    lines = path.read_bytes().splitlines(keepends=True)
    return b"".join(line for line in lines if line.strip() and not line.lstrip().startswith(b"#"))


def without_spaces(path: Path, content: bytes) -> bytes:
    """Return the content of a file of TOML or JSON without the spaces between numbers, if its values stay the same."""
    if path.suffix == ".R":
        return content
    dense = re.sub(rb"(?<=[\d\]]),\s+(?=[-\d\[])", b",", content)
    values = tomllib.loads if path.suffix == ".toml" else json.loads
    return dense if values(dense.decode()) == values(content.decode()) else content


def python_without_comments(path: Path) -> bytes:
    """Return a file of Python without comments and without docstrings of private names. Lines keep their numbers."""
    text = path.read_text("utf-8")
    lines = text.split("\n")
    for one in tokenize.generate_tokens(io.StringIO(text).readline):
        if one.type == tokenize.COMMENT:
            row, column = one.start
            lines[row - 1] = lines[row - 1][:column].rstrip()
    for node in ast.walk(ast.parse(text)):
        is_private = isinstance(node, ast.FunctionDef | ast.ClassDef) and re.match("_[^_]", node.name)
        if is_private and ast.get_docstring(node):
            said = node.body[0]
            rest = [""] * (said.end_lineno - said.lineno)
            lines[said.lineno - 1 : said.end_lineno] = [" " * said.col_offset + '""', *rest]
    return "\n".join(lines).encode()


class BuiltFiles(BuildHookInterface):
    """Make the pages from the commands themselves, so that they are never older than the program."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Write the files, and tell where each is installed."""
        if version == "editable":
            return
        sys.path.insert(0, self.root)
        from evalstats.cli.man_pages import main

        self.folder = tempfile.TemporaryDirectory()
        share, cases = Path(self.folder.name, "share"), Path(self.folder.name, "r_reference.zip.xz")
        main(str(share))
        build_data["shared_data"][str(share)] = "share"
        # compressed as a whole, like files together, which is smaller than 270 files that are compressed one by one
        filters = [{"id": lzma.FILTER_LZMA2, "preset": 9 | lzma.PRESET_EXTREME, "lc": 4, "lp": 0, "pb": 0}]  # for text
        with lzma.open(cases, "wb", filters=filters) as file, zipfile.ZipFile(file, "w") as archive:
            # without the instructions for contributors
            paths = Path(self.root, "r_reference").rglob("*.[Rtj]*")
            for one in sorted(paths, key=lambda path: (path.suffix, path)):
                # the same time and permissions on every machine, so that the same source gives the same bits
                content = one.read_bytes() if one.suffix == ".json" else without_comments(one)
                name = zipfile.ZipInfo(one.relative_to(self.root).as_posix())
                archive.writestr(name, without_spaces(one, content))
        build_data["force_include"][str(cases)] = "evalstats/r_reference.zip.xz"
        lexicon = Path(self.folder.name, "lexicon.toml")
        lexicon.write_bytes(without_comments(Path(self.root, "evalstats", "lexicon.toml")))
        build_data["force_include"][str(lexicon)] = "evalstats/lexicon.toml"
        for one in Path(self.root, "evalstats").rglob("*.py"):
            place = one.relative_to(self.root).as_posix()
            module = Path(self.folder.name, place)
            module.parent.mkdir(parents=True, exist_ok=True)
            module.write_bytes(python_without_comments(one))
            build_data["force_include"][str(module)] = place

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Delete the files, and compress the wheel as far as its format can."""
        if version == "editable":
            return
        self.folder.cleanup()
        wheel, smaller = Path(artifact_path), Path(f"{artifact_path}.smaller")
        with zipfile.ZipFile(wheel) as old, zipfile.ZipFile(smaller, "w", zipfile.ZIP_DEFLATED) as new:
            for one in old.infolist():
                new.writestr(one, old.read(one), compresslevel=9)
        smaller.replace(wheel)
