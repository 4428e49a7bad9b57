# W by effectsize's kendalls_w(), with its correction for ties; chi-squared by friedman.test(), correlations by cor()

kendall_w <- function(scores, n_resamples = 9999, rng = 0, tie_tolerance = 1e-12) {
  scores <- without_noise(scores, tie_tolerance)
  n <- nrow(scores)
  k <- ncol(scores)
  answer <- list(n_datasets = n, n_classifiers = k, df = k - 1, df_f = c(k - 1, (k - 1) * (n - 1)))
  varies <- apply(scores, 1, function(row) length(unique(row)) > 1)
  if (n == 1 || !any(varies)) return(answer)
  test <- friedman.test(scores)
  answer$chi2 <- unname(test$statistic)
  answer$chi2_pvalue <- test$p.value
  answer$estimate <- answer$chi2 / (n * (k - 1))
  if (all(varies)) answer$estimate <- effectsize::kendalls_w(scores, ci = NULL, verbose = FALSE)[["Kendalls_W"]]
  if (answer$estimate < 1 - 1e-12) {
    answer$f <- (n - 1) * answer$chi2 / (n * (k - 1) - answer$chi2)
    answer$f_pvalue <- pf(answer$f, k - 1, (k - 1) * (n - 1), lower.tail = FALSE)
  }
  if (sum(varies) > 1) {
    correlations <- cor(t(scores[varies, ]), method = "spearman")
    answer$mean_spearman <- mean(correlations[upper.tri(correlations)])
  }
  answer
}
