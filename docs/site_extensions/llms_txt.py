"""Write llms.txt (llmstxt.org): the pages of the site with their first sentences, for programs that read."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

from docutils import nodes

if TYPE_CHECKING:
    from sphinx.application import Sphinx


def keep_first_sentence(app: Sphinx, tree: nodes.document) -> None:
    """Keep the first sentence of a page that has one."""
    for paragraph in tree.findall(nodes.paragraph):
        text = " ".join(paragraph.astext().split())
        if text and not isinstance(paragraph.parent, nodes.list_item | nodes.entry):
            app.env.metadata[app.env.docname]["first_sentence"] = re.split(r"(?<=[.?!])\s", text)[0]
            return


def write(app: Sphinx, error: Exception | None) -> None:
    """List all pages in the order of the table of contents, a section for each entry of the first level."""
    if error or app.builder.format != "html":
        return
    env = app.env
    lines = [f"# {app.config.project}", "", f"> {env.metadata[app.config.root_doc]['first_sentence']}"]

    def below(docname: str, depth: int) -> None:
        for child in env.toctree_includes.get(docname, []):
            title = env.titles[child].astext()
            if depth == 0:
                lines.extend(["", f"## {title}", ""])
            sentence = env.metadata[child].get("first_sentence")
            lines.append(f"- [{title}]({app.builder.get_target_uri(child)})" + (f": {sentence}" if sentence else ""))
            below(child, depth + 1)

    below(app.config.root_doc, 0)
    (Path(app.outdir) / "llms.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")


def setup(app: Sphinx) -> dict[str, bool]:
    """Connect."""
    app.connect("doctree-read", keep_first_sentence)
    app.connect("build-finished", write)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
