"""The source of a module as a tree, which is parsed once for all tests of the source."""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path

__all__ = ["source_tree"]


@cache
def source_tree(path: Path) -> ast.Module:
    """Return the tree of a module; who asks may read it, but not change it."""
    return ast.parse(path.read_text(encoding="utf-8"))
