"""Under which heading does the help of a command show each option?"""

from __future__ import annotations

__all__ = ["HEADINGS", "HeadedCommand"]

import click

# by the names of the parameters; what stands nowhere is shown last, under "Other options"
HEADINGS = {
    "What is compared": (
        *("like", "metric", "lower_is_better", "higher_is_better", "control", "aggregate", "undefined", "pos_label"),
        *("n_folds", "canonical", "ceiling", "datasets", "scores", "mean_ranks", "decimals"),
    ),
    "What is claimed": (
        *("test", "cd", "chi2", "f_statistic", "pvalue", "rejects", "best", "different", "not_different"),
    ),
    "How it is tested": (
        *(
            "posthoc",
            "omnibus",
            "adjust",
            "method",
            "alpha",
            "margin",
            "rope",
            "robustness",
            "orders",
            "seed",
            "parametric",
            "null",
            "shift",
            "shifted",
            "simulations",
            "seconds",
        ),
    ),
    "What is written": (
        *("format", "part", "latex_width", "output", "bib", "plot", "picture"),
        *("width", "font_size", "dpi", "no_caption"),
    ),
    "How the file is read": (
        *("format_in", "layout", "dataset", "classifier", "score", "repeat", "fold", "row", "y_true", "y_pred"),
        *("y_score", "missing", "drop", "keep", "transpose", "delimiter", "decimal", "encoding", "sheet", "rows"),
        "header_rows",
    ),
}
OTHERS = "Other options"


class HeadedCommand(click.Command):
    """A command whose help shows every option, in groups."""

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the groups in their order."""
        options = [param for param in self.get_params(ctx) if isinstance(param, click.Option)]
        shown = {option.name: option.get_help_record(ctx) for option in options}
        groups = {heading: [shown.pop(name, None) for name in names] for heading, names in HEADINGS.items()}
        groups[OTHERS] = list(shown.values())
        for heading, records in groups.items():
            if told := [record for record in records if record is not None]:
                with formatter.section(heading):
                    formatter.write_dl(told)
