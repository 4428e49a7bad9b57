# no package of Debian has this test; R takes pair by pair, stats::var, stats::pt and stats::p.adjust

pairwise_corrected_ttest <- function(scores, n_train, n_test, control = NULL, adjust = "holm",
                                     alternative = "two-sided") {
  n <- nrow(scores)
  one <- function(i, j) {
    d <- scores[, i] - scores[, j]
    if (any(d != 0) && is_noise(stats::sd(d), scores[, c(i, j)])) stop("the differences have no variance")
    standard_error <- sqrt((1 / n + n_test / n_train) * stats::var(d))
    t <- if (all(d == 0)) 0 else mean(d) / standard_error
    unadjusted <- if (all(d == 0)) 1 else t_pvalue(t, n - 1, alternative)
    c(statistic = t, pvalue = NaN, unadjusted_pvalue = unadjusted, mean_difference = mean(d),
      standard_error = standard_error)
  }
  c(list(df = n - 1, n_scores = n, n_classifiers = ncol(scores), correlation = n_test / (n_train + n_test),
         adjustment = adjust),
    family_of(each_pair(ncol(scores), one), control, adjust))
}
