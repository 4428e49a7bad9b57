"""A script of a user of the public functions, which mypy and pyright accept in strict mode."""

from __future__ import annotations

import numpy as np
import pandas as pd

from evalstats import (
    cohen_kappa,
    compare,
    equivalence_test,
    friedman_test,
    mcnemar_test,
    nemenyi_test,
    noninferiority_test,
    read_table,
    report,
    required_sample_size,
    statistical_power,
    wilcoxon_test,
)
from evalstats.adjustment import adjust_pvalues
from evalstats.pairwise import pairwise_wilcoxon_test

rng = np.random.default_rng(0)
frame = pd.DataFrame(rng.random((12, 3)), columns=["a", "b", "c"], index=[f"d{i}" for i in range(12)])

first = noninferiority_test(frame["a"], frame["b"], margin=0.1)
second = noninferiority_test(counts=[[350, 3], [4, 43]], margin=0.02, test="accuracy")
third = equivalence_test(frame["a"], frame["b"], margin=0.1)
print(first.pvalue, second.difference, third.pvalue)

result = friedman_test(frame)
print(result.statistic, result.pvalue)
posthoc = nemenyi_test(frame)
print(posthoc.classifiers, posthoc["a", "b"].pvalue, posthoc.pair("a", "c").pvalue)
print(posthoc.to_frame())
pairs = pairwise_wilcoxon_test(frame)
print(pairs["a", "b"].pvalue)
for one in wilcoxon_test(frame["a"], frame["b"]).all_conventions().conventions:
    print(one.program, one.pvalue)
statistic, pvalue = mcnemar_test(counts=[[59, 6], [16, 80]])
for method in mcnemar_test(counts=[[59, 6], [16, 80]]).all_methods().methods:
    print(method.method, method.pvalue)
print(cohen_kappa([0, 1, 1], [0, 1, 0]).statistic)
print(adjust_pvalues([0.01, 0.04], "holm"))
table = read_table(frame.rename_axis("dataset").reset_index())
comparison = compare(table)
print(report.text(comparison), comparison.verdict)
print(statistical_power("mcnemar", n=200, difference=0.05, discordance=0.2).power)
print(required_sample_size("mcnemar", power=0.8, difference=0.05, discordance=0.2).n)
