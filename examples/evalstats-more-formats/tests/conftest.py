"""The package as an installer leaves it, and its samples."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from sample_tables import content, means, rows  # noqa: F401 - pytest finds fixtures by their names here

from evalstats._plugins import plugins

PACKAGE = Path(__file__).parents[1]
SAMPLES = Path(__file__).parent / "samples"


@pytest.fixture(scope="session")
def sample() -> Callable[[str], Path]:
    """Return the path of a sample."""
    return SAMPLES.joinpath


@pytest.fixture(scope="module", autouse=True)
def _installed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Register the entry points of the package, for one module of tests alone."""
    project = tomllib.loads((PACKAGE / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    folder = tmp_path_factory.mktemp("packages")
    info = folder / f"evalstats_more_formats-{project['version']}.dist-info"
    info.mkdir()
    words = f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: {project['version']}\n"
    info.joinpath("METADATA").write_text(words, encoding="utf-8")
    lines = [f"{name} = {value}" for name, value in project["entry-points"]["evalstats.formats"].items()]
    info.joinpath("entry_points.txt").write_text("\n".join(["[evalstats.formats]", *lines, ""]), encoding="utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(folder))
        plugins.cache_clear()
        yield
    plugins.cache_clear()
