.smallest <- function(test, n, k, alternative, method) {
  side <- dotted(alternative)
  switch(test,
    "sign" = stats::binom.test(if (alternative == "less") 0 else n, n, alternative = side)$p.value,
    "wilcoxon" = , "permutation" =
      stats::wilcox.test((if (alternative == "less") -1 else 1) * seq_len(n), alternative = side, exact = TRUE)$p.value,
    "mcnemar" = if (method == "asymptotic") {
      if (n == 1) 1 else stats::mcnemar.test(matrix(c(1, 0, n, 1), 2))$p.value
    } else {
      stats::binom.test(n, n, alternative = if (alternative == "two-sided") side else "greater")$p.value
    },
    "friedman" = {
      agreeing <- matrix(seq_len(k), n, k, byrow = TRUE)
      # friedman.test needs two rows
      if (method == "chi2") {
        if (n == 1) stats::pchisq(k - 1, k - 1, lower.tail = FALSE) else stats::friedman.test(agreeing)$p.value
      } else .exact_friedman(agreeing)
    },
    "nemenyi" = stats::ptukey(sqrt(2) * (k - 1) / sqrt(k * (k + 1) / (6 * n)), k, Inf, lower.tail = FALSE),
    "bonferroni-dunn" = min(1, (k - 1) * 2 * stats::pnorm((k - 1) / sqrt(k * (k + 1) / (6 * n)), lower.tail = FALSE)),
    "steel" = .steel(n, k)
  )
}

# all orders of every dataset, of which only those matter in which the control, the first, is above or below another
.steel <- function(n, k) {
  orders <- if (k == 2) rbind(1:2, 2:1) else as.matrix(expand.grid(rep(list(seq_len(k)), k)))
  orders <- orders[apply(orders, 1, function(o) length(unique(o)) == k), , drop = FALSE]
  signs <- sign(orders[, -1, drop = FALSE] - orders[, 1])
  chosen <- as.matrix(expand.grid(rep(list(seq_len(nrow(orders))), n)))
  mean(apply(chosen, 1, function(rows) max(abs(colSums(signs[rows, , drop = FALSE]))) == n))
}

# all orders of all datasets but the first, whose statistic is R's own
.exact_friedman <- function(table) {
  if (nrow(table) == 1) return(1)
  statistic <- function(table) stats::friedman.test(table)$statistic
  mean(over_all_orders(table, statistic) >= statistic(table) - 1e-9)
}

minimum_attainable_pvalue <- function(test, n, n_classifiers = NULL, alternative = "two-sided", adjust = "none",
                                       n_comparisons = 1, method = "exact") {
  p <- .smallest(test, n, n_classifiers, alternative, method)
  list(
    n = n,
    pvalue = p,
    adjusted_pvalue = adjusted_pvalues(rep(p, n_comparisons), adjust)[1],
    adjusted_pvalue_alone = adjusted_pvalues(c(p, rep(1, n_comparisons - 1)), adjust)[1]
  )
}

minimum_sample_size <- function(test, alpha = 0.05, n_classifiers = NULL, alternative = "two-sided", adjust = "none", n_comparisons = 1,
                       method = "exact") {
  n <- 1
  while (minimum_attainable_pvalue(test, n, n_classifiers, alternative, adjust, n_comparisons, method)$adjusted_pvalue > alpha) {
    n <- n + 1
  }
  list(n = n)
}
