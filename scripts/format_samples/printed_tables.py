"""One table of scores as libraries of Python and R print it, and as other libraries test it.

pip install great_tables prettytable texttable pingouin autorank; apt-get install r-cran-xtable r-cran-knitr
python scripts/format_samples/printed_tables.py tests/data/formats/printed-tables
"""

from __future__ import annotations

import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

import pandas as pd
import pingouin
import prettytable
import texttable
from autorank import autorank
from great_tables import GT

PACKAGES = ("great_tables", "prettytable", "texttable", "pingouin", "autorank")
TRUTH = pd.DataFrame(
    {
        "dataset": ["breast cancer", "german", "iris", "sonar", "vehicle", "wine"],
        "LR": [0.9807, 0.7075, 0.9600, 0.7058, 0.5233, 0.9832],
        "NB": [0.9385, 0.7175, 0.9533, 0.7398, 0.5033, 0.9663],
        "kNN": [0.9279, 0.6725, 0.9733, 0.7403, 0.6133, 0.6913],
        "tree": [0.9156, 0.6975, 0.9667, 0.7878, 0.5100, 0.9160],
    }
)
R_CODE = """
w <- read.csv("truth.csv"); m <- as.matrix(w[, -1]); rownames(m) <- w$dataset
library(xtable); library(knitr)
print(xtable(w, digits = 4, caption = "Accuracy"), file = "xtable.tex")
print(xtable(w, digits = 4), type = "html", file = "xtable.html")
for (how in c("pipe", "simple", "latex", "html", "rst", "jira")) writeLines(kable(w, how, digits = 4), paste0("kable_", how, ".txt"))
writeLines(kable(m, "latex", booktabs = TRUE, digits = 4), "kable_booktabs.tex")
writeLines(kable(m, "pipe", digits = 4, caption = "Accuracy of four classifiers"), "kable_caption.md")
cat(paste0("R ", getRversion(), ", xtable ", packageVersion("xtable"), ", knitr ", packageVersion("knitr")))
"""


def main(out: Path) -> None:
    """Write the table by each library."""
    out.mkdir(parents=True, exist_ok=True)
    TRUTH.to_csv(out / "truth.csv", index=False)
    names = [name for name in TRUTH if name != "dataset"]

    pretty = prettytable.PrettyTable(list(TRUTH))
    pretty.add_rows(TRUTH.to_numpy().tolist())
    (out / "prettytable.txt").write_text(pretty.get_string())
    (out / "prettytable.html").write_text(pretty.get_html_string())
    (out / "prettytable.tex").write_text(pretty.get_latex_string())
    pretty.set_style(prettytable.TableStyle.MARKDOWN)
    (out / "prettytable.md").write_text(pretty.get_string())
    drawn = texttable.Texttable()
    drawn.set_precision(4)
    drawn.add_rows([list(TRUTH), *TRUTH.to_numpy().tolist()])
    (out / "texttable.txt").write_text(str(drawn.draw()))

    great = GT(TRUTH).tab_header(title="Accuracy", subtitle="of four classifiers")
    (out / "great_tables.html").write_text(great.as_raw_html())
    (out / "great_tables.tex").write_text(great.as_latex())
    great = great.tab_spanner(label="simple", columns=names[:2]).tab_spanner(label="flexible", columns=names[2:])
    great = great.fmt_number(columns=names, decimals=4).tab_source_note("Mean over five folds.")
    (out / "great_tables_spanner.html").write_text(great.as_raw_html())
    great = GT(TRUTH, rowname_col="dataset").fmt_percent(columns=names, decimals=2)
    (out / "great_tables_percent.html").write_text(great.as_raw_html())

    long = TRUTH.melt("dataset", var_name="model", value_name="acc")
    how = {"data": long, "dv": "acc", "within": "model", "subject": "dataset"}
    pingouin.friedman(**how).to_csv(out / "test_pingouin_friedman.csv")
    pingouin.pairwise_tests(**how, parametric=False, padjust="holm").to_csv(
        out / "test_pingouin_pairs.csv", index=False
    )
    autorank(TRUTH.set_index("dataset"), verbose=False).rankdf.to_csv(out / "test_autorank.csv")

    done = subprocess.run(["Rscript", "--vanilla", "-e", R_CODE], cwd=out, check=True, capture_output=True, text=True)
    words = ", ".join([*(f"{name} {version(name)}" for name in PACKAGES), done.stdout])
    (out / "VERSION").write_text(f"{words}; scripts/format_samples/printed_tables.py\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
