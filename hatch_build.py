"""What is put into the wheel beside the package? Pages of the manual, and what shells read to complete the command."""

from __future__ import annotations

import sys
import tempfile
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class Manual(BuildHookInterface):
    """Make them from the commands themselves, so that they are never older than the program."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Write the files, and tell where each is installed below share/."""
        if version == "editable":
            return
        sys.path.insert(0, self.root)
        from evalstats.cli.man_pages import main

        self.folder = tempfile.TemporaryDirectory()
        main(self.folder.name)
        build_data["shared_data"][self.folder.name] = "share"

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Take the files away."""
        if version != "editable":
            self.folder.cleanup()
