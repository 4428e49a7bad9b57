"""Groups of options in the help of a command."""

from __future__ import annotations

__all__ = ["HEADINGS", "HeadedCommand", "StrictCommand", "grouped_options"]

from typing import Any

import click

# groups by the names of the parameters; options without a group are shown last, under "Other options"
HEADINGS = {
    "Comparison options": """
        metric lower_is_better higher_is_better control aggregate undefined pos_label n_folds n_canonical
        ceiling adjust_for scores mean_ranks decimals baseline_name candidate_name policy average intersect
        allow_missing allow_unequal_samples accept_scores
    """,
    "Experiment options": """
        datasets instances classifiers data folds repeats train test_size effect tie_rate accuracy difference
        discordance correlation sd auc prevalence sd_within questions battles cluster_size
        intraclass_correlation pilot samples
    """,
    "Published claims": """
        test cd chi2 f_statistic pvalue rejects best different not_different
    """,
    "Test options": """
        posthoc omnibus adjust method alpha margin equivalence rope calibration decisions thresholds subgroup
        bins robustness stability consensus orders variation distance normalize seed parametric null shift
        shifted_classifier simulations power alternative comparisons small_sample strong_weight sampled n_test
        n_instances anytime until_decided live stored fuzz seconds
    """,
    "Output options": """
        format part latex_width output bib plot plot_kind junit directory width font_size dpi no_caption
    """,
    "Input options": """
        format_in layout rows_are same_order dataset classifier score repeat fold instance reader train_size
        y_true y_pred y_score question cluster stratum missing drop keep transpose delimiter decimal thousands
        encoding sheet rows header_rows
    """,
}
OTHERS = "Other options"
# options whose value may be empty, because names of columns, rows and labels may be empty
MAY_BE_EMPTY = (
    *("dataset", "classifier", "score", "repeat", "fold", "instance", "y_true", "y_pred", "y_score"),
    *("question", "cluster", "stratum", "drop", "keep", "pos_label"),
)


class StrictCommand(click.Command):
    """Command that rejects repetitions of single-value options and empty values."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Reject repeated, contradictory and empty options. Without this check, click would use the last value."""
        values, _, given = self.make_parser(ctx).parse_args(args=list(args))
        for one in given:
            if isinstance(one, click.Option) and not ctx.resilient_parsing:
                fault = _fault_of(one, values.get(str(one.name)), given.count(one), args)
                if fault:
                    raise click.UsageError(fault, ctx)
        return super().parse_args(ctx, args)


def _fault_of(one: click.Option, value: Any, n: int, args: list[str]) -> str:
    """Return the reason why an option given `n` times is invalid, or '' if it is valid."""
    name = max(one.opts, key=len)
    if not (one.multiple or one.is_flag) and n > 1:
        return f"{name} is given {_times(n)}, but it accepts one value"
    if one.is_flag and n > 1 and not set(one.opts).isdisjoint(args) and not set(one.secondary_opts).isdisjoint(args):
        return f"{name} and {one.secondary_opts[0]} cannot be combined"
    if one.name not in MAY_BE_EMPTY and (value == "" or (isinstance(value, list) and "" in value)):
        return f"the value of {name} is empty; omit {name}"
    return ""


class HeadedCommand(StrictCommand):
    """Command whose help shows its options in groups."""

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the groups of options in their order."""
        for heading, records in grouped_options(self, ctx).items():
            with formatter.section(heading):
                formatter.write_dl(records)


def _times(n: int) -> str:
    return "twice" if n == 2 else f"{n} times"


def grouped_options(command: click.Command, context: click.Context) -> dict[str, list[tuple[str, str]]]:
    """Return the options of a command with their help texts, grouped by heading."""
    options = [param for param in command.get_params(context) if isinstance(param, click.Option)]
    shown = {option.name: option.get_help_record(context) for option in options}
    # click keeps the names of the help option from the first context
    asking = command.get_help_option(context)
    if asking is not None and (told_help := shown[asking.name]):
        shown[asking.name] = ", ".join(context.help_option_names), told_help[1]
    groups = {heading: [shown.pop(name, None) for name in names.split()] for heading, names in HEADINGS.items()}
    groups[OTHERS] = list(shown.values())
    told = {heading: [record for record in records if record is not None] for heading, records in groups.items()}
    return {heading: records for heading, records in told.items() if records}
