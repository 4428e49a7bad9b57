"""Draw the errors of docs/numerical-accuracy.md, and write its table: ``python docs/figures/numerical_accuracy.py``.

Both come from docs/numerical-accuracy/references.json, which scripts/numerical_accuracy.py makes.
"""

from __future__ import annotations

import json
import runpy
from decimal import Decimal
from pathlib import Path
from typing import Any

import matplotlib as mpl
import matplotlib.pyplot as plt

HERE = Path(__file__).parent
DATA = HERE.parent / "numerical-accuracy" / "references.json"
PAGE = HERE.parent / "numerical-accuracy.md"
TABLES = runpy.run_path(str(HERE.parents[1] / "scripts" / "generated_tables.py"))
EXACT = 1e-17  # where an error of 0 is drawn
ROUNDING = 2.0**-53  # of a float
QUANTILES = {"erfc-inverse", "noncentrality-limit", "studentized-range-quantile", "t-quantile"}

Content = dict[str, Any]


def read() -> Content:
    """Return the file."""
    return json.loads(DATA.read_text(encoding="utf-8"))


def regions(content: Content) -> list[str]:
    """Return the names of the regions, from the largest probabilities to the smallest."""
    found = {name for at in content["distributions"].values() for name in at["errors"]}
    return sorted(
        found, key=lambda name: -float(name.split()[-1]) - 10 * name.startswith("above") + name.startswith("below")
    )


def is_probability(name: str) -> bool:
    """Return whether the values of a distribution are probabilities and not quantiles."""
    return name not in QUANTILES


def table(content: Content) -> str:
    """Return a table of the largest errors, in each region."""
    columns = regions(content)
    lines = [
        f"| distribution | function | references | {' | '.join(columns)} | stated |",
        "| --- | --- | --- |" + " --- |" * (len(columns) + 1),
    ]
    for name, at in content["distributions"].items():
        shown = at["errors"]
        if is_probability(name):
            cells = [f"{shown[c]['largest_error']:.1e}" if c in shown else "" for c in columns]
        else:  # all in one column: a quantile lies in no region
            cells = [f"{max(e['largest_error'] for e in shown.values()):.1e}", *[""] * (len(columns) - 1)]
        kind = " (absolute)" if at["kind"] == "absolute" else ""
        n = sum(e["n"] for e in shown.values())
        lines.append(f"| {at['says']} | `{at['function']}` | {n} | {' | '.join(cells)} | {at['stated']:.0e}{kind} |")
    return "\n".join(lines) + "\n"


def origin(content: Content) -> str:
    """Return the sentence about the origin of the numbers."""
    versions = ", ".join(f"{name} {version}" for name, version in content["versions"].items())
    n = sum(len(at["cases"]) for at in content["distributions"].values())
    return f"{n:,} references, made on {content['made']} with the seed {content['seed']} ({versions}).\n"


def pictures(content: Content) -> str:
    """Return the figures with their descriptions."""
    return "\n".join(
        f"![{at['says']}: error by probability](figures/numerical-accuracy-{name}.svg)\n"
        for name, at in content["distributions"].items()
        if is_probability(name)
    )


def page(text: str, content: Content) -> str:
    """Return the page with the table of this file."""
    tables = f"{origin(content)}\n{table(content)}\n{pictures(content)}"
    return TABLES["filled"](text, {"table": tables})


def draw(content: Content, folder: Path) -> None:
    """Plot the errors of every distribution without the date, so the same numbers give the same file."""
    style = {"svg.fonttype": "none", "svg.hashsalt": "numerical-accuracy", "font.size": 9, "figure.facecolor": "white"}
    with mpl.rc_context({**mpl.rcParamsDefault, "backend": "agg", **style}):
        for name, at in content["distributions"].items():
            if is_probability(name):
                figure = dots(at)
                figure.savefig(folder / f"numerical-accuracy-{name}.svg", metadata={"Date": None})
                plt.close(figure)


def dots(at: Content) -> Any:
    """Return the figure of one distribution: a dot for each reference, and the stated error."""
    figure, axes = plt.subplots(figsize=(6.4, 2.2), layout="constrained")
    cases = [case for case in at["cases"] if Decimal(case["value"]) > 0]
    x = [float(Decimal(case["value"]).log10()) for case in cases]
    axes.plot(x, [max(case["error"], EXACT) for case in cases], "o", color="#0072B2", markersize=2.5)
    axes.axhline(at["stated"], color="#D55E00", linewidth=1, linestyle="--")
    axes.axhline(ROUNDING, color="grey", linewidth=0.6)
    axes.annotate(
        "stated", (0.995, at["stated"]), xycoords=("axes fraction", "data"), ha="right", va="bottom", color="#D55E00"
    )
    axes.annotate(
        "half a last digit",
        (0.995, ROUNDING),
        xycoords=("axes fraction", "data"),
        ha="right",
        va="bottom",
        color="grey",
    )
    smallest = min([*x, -3.0])
    axes.set(
        yscale="log", ylim=(EXACT / 2, 1e-10), xlim=(0.03 * -smallest, smallest * 1.03), ylabel=f"{at['kind']} error"
    )
    axes.set_xlabel("probability, as a power of ten")
    axes.set_title(f"{at['says']}: {at['function']}", loc="left", fontsize=9)
    axes.spines[["top", "right"]].set_visible(False)
    return figure


if __name__ == "__main__":
    data = read()
    PAGE.write_text(page(PAGE.read_text(encoding="utf-8"), data), encoding="utf-8")
    draw(data, HERE)
