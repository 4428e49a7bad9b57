"""The module zipfile with the compression of Zstandard, which Python has since 3.14."""

from __future__ import annotations

import sys
import zipfile
from importlib import import_module

__all__ = ["zstd"]

zstd = import_module("backports.zstd.zipfile") if sys.version_info < (3, 14) else zipfile
