# Ranks by rank(), the t-test by the analysis of variance of the ranks, aov(), the adjustment by p.adjust()

conover_test <- function(scores, control = NULL, adjust = "holm", greater_is_better = TRUE, tie_tolerance = 1e-12) {
  ranks <- ranks_of(scores, greater_is_better, tie_tolerance)
  n <- nrow(ranks)
  answer <- list(mean_ranks = colMeans(ranks), n_datasets = n, df = (n - 1) * (ncol(ranks) - 1))
  # where all datasets agree nothing is left, and aov() would leave its rounding errors
  if (all(ranks == rep(ranks[1, ], each = n))) return(answer)
  residual <- aov(c(ranks) ~ factor(col(ranks)) + factor(row(ranks)))
  mean_ranks <- colMeans(ranks)
  statistic <- outer(mean_ranks, mean_ranks, "-") / sqrt(2 * deviance(residual) / df.residual(residual) / n)
  unadjusted <- 2 * pt(-abs(statistic), df.residual(residual))
  c(answer, family_of_ranks(statistic, unadjusted, adjust, control))
}
