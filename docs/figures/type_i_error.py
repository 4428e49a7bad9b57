"""Draw the figure of docs/type-i-error.md, and write its table: ``python docs/figures/type_i_error.py``.

Both come from docs/error-rates/type-i-error.csv, which scripts/simulate_type_i_error.py makes.
"""

from __future__ import annotations

import hashlib
import runpy
from pathlib import Path
from typing import TYPE_CHECKING

import matplotlib as mpl
import matplotlib.pyplot as plt
from matplotlib.ticker import FixedFormatter, FixedLocator, NullLocator

from evalstats.metrics import proportion_interval

if TYPE_CHECKING:
    from matplotlib.figure import Figure

HERE = Path(__file__).parent
DATA = HERE.parent / "error-rates" / "type-i-error.csv"
PAGE = HERE.parent / "type-i-error.md"
FIGURE = HERE / "type-i-error.svg"
TABLES = runpy.run_path(str(HERE.parents[1] / "scripts" / "generated_tables.py"))

# colours of Okabe & Ito (2008), which colour-blind readers can tell apart; the markers tell them apart as well
STYLES = ({"color": "#0072B2", "marker": "o"}, {"color": "#D55E00", "marker": "s"}, {"color": "black", "marker": "^"})
LEVEL = "0.05"
BEYOND_CHANCE = 0.999  # confidence: the table has hundreds of rates, and some 95% intervals miss by chance

Row = dict[str, str]


def read() -> list[Row]:
    """Return the rows of the data."""
    return TABLES["read_rows"](DATA)


def settings(rows: list[Row]) -> list[str]:
    """Return the null designs, in their order."""
    return list(dict.fromkeys(row["setting"] for row in rows))


def tests(rows: list[Row]) -> list[tuple[str, str]]:
    """Return scores and test, in the order of the scores."""
    found = dict.fromkeys((row["scores"], row["test"]) for row in rows)
    schemes = list(dict.fromkeys(("30 resamples", "10 folds", *(scores for scores, _ in found))))
    return sorted(found, key=lambda pair: schemes.index(pair[0]))


def rate(text: str) -> str:
    """Return a rate without the leading zero."""
    return f"{float(text):.3f}".removeprefix("0")


def table(rows: list[Row]) -> str:
    """Return a table of the rates at all levels, bold if they exceed the level by more than simulation error."""
    at = {(r["setting"], r["scores"], r["test"], r["alpha"]): r for r in rows}
    alphas = list(dict.fromkeys(row["alpha"] for row in rows))
    words = " / ".join(f"{float(alpha):.2f}".removeprefix("0") for alpha in alphas)
    lines = [
        f"| scores | test | {' | '.join(settings(rows))} |",
        "| --- | --- |" + " --- |" * len(settings(rows)),
        f"| | *level* |{f' *{words}* |' * len(settings(rows))}",
    ]
    for scores, test in tests(rows):
        cells = []
        for setting in settings(rows):
            of_test = [at[setting, scores, test, alpha] for alpha in alphas]
            shown = [f"**{rate(r['rate'])}**" if is_above(r) else rate(r["rate"]) for r in of_test]
            cells.append(" / ".join(shown))
        lines.append(f"| {scores} | {test} | {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def is_above(row: Row) -> bool:
    """Return whether the simulation shows that the test exceeds its level."""
    low, _ = proportion_interval(int(row["n_rejections"]), int(row["n_experiments"]), confidence_level=BEYOND_CHANCE)
    return low > float(row["alpha"])


def origin() -> str:
    """Return what the figure says about the data it was drawn from."""
    return f"drawn from {DATA.name}, SHA-256 {hashlib.sha256(DATA.read_bytes()).hexdigest()}"


def page(text: str, rows: list[Row]) -> str:
    """Return the page with the table of these rows."""
    return TABLES["filled"](text, {"table": table(rows)})


def draw(rows: list[Row], file: Path) -> None:
    """Draw the rates at level .05 with their intervals."""
    with mpl.rc_context({"svg.fonttype": "none", "svg.hashsalt": "type-i-error", "font.size": 9}):
        figure = dot_plot(rows)
        # without the date, so that the same numbers give the same file
        figure.savefig(file, metadata={"Date": None, "Description": origin()})
        plt.close(figure)


def dot_plot(rows: list[Row]) -> Figure:
    """Return the figure: a line for each test, a marker for each setting."""
    figure, axes = plt.subplots(figsize=(8.4, 8.2), layout="constrained")
    places, labels, titles, y = {}, [], [], 0.0
    for i, (scores, test) in enumerate(tests(rows)):
        if not i or scores != tests(rows)[i - 1][0]:
            y += 1.6 if i else 0
            titles.append((y, scores))
            y += 1
        places[scores, test] = y
        labels.append(test)
        y += 1
    for j, setting in enumerate(settings(rows)):
        shown = [r for r in rows if r["setting"] == setting and r["alpha"] == LEVEL]
        x, low, high = ([float(r[name]) for r in shown] for name in ("rate", "low", "high"))
        errors = [[a - b for a, b in zip(x, low, strict=True)], [b - a for a, b in zip(x, high, strict=True)]]
        at = [places[r["scores"], r["test"]] + 0.22 * (j - 1) for r in shown]
        axes.errorbar(x, at, xerr=errors, linestyle="", markersize=4, elinewidth=1, label=setting, **STYLES[j])
    axes.axvline(float(LEVEL), color="grey", linewidth=0.8, zorder=0)
    for height, scores in titles:
        axes.annotate(
            scores, (-0.01, height), xycoords=("axes fraction", "data"), ha="right", va="center", weight="bold"
        )
    ticks = (0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1)
    axes.set(
        xscale="log", xlim=(0.0075, 1.05), ylim=(y, -1), xlabel="rejections of a true null hypothesis at level .05"
    )
    axes.xaxis.set_major_locator(FixedLocator(ticks))
    axes.xaxis.set_major_formatter(FixedFormatter([f"{t:.2f}".removeprefix("0") if t < 1 else "1" for t in ticks]))
    axes.xaxis.set_minor_locator(NullLocator())
    axes.set_yticks(list(places.values()), labels)
    axes.tick_params(axis="y", length=0)
    axes.grid(axis="y", linewidth=0.3)
    axes.spines[["top", "right", "left"]].set_visible(False)
    handles, names = axes.get_legend_handles_labels()
    figure.legend(handles, names, loc="outside upper center", ncols=3, frameon=False, fontsize=8)
    return figure


if __name__ == "__main__":
    data = read()
    PAGE.write_text(page(PAGE.read_text(encoding="utf-8"), data), encoding="utf-8")
    draw(data, FIGURE)
