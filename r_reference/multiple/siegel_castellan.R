# Ranks by rank(), the null distributions by pnorm() and pchisq(), the adjustment by p.adjust()

siegel_castellan_test <- function(scores, control = NULL, adjust = "holm", greater_is_better = TRUE,
                                  tie_tolerance = 1e-12) {
  z <- standardized(scores, greater_is_better, tie_tolerance)
  answer <- family_of_ranks(z$statistic, 2 * pnorm(-abs(z$statistic)), adjust, control)
  answer$mean_ranks <- z$mean_ranks
  answer$min_attainable_pvalue <- 2 * pnorm(-z$largest)
  answer
}

miller_test <- function(scores, control = NULL, greater_is_better = TRUE, tie_tolerance = 1e-12) {
  z <- standardized(scores, greater_is_better, tie_tolerance)
  df <- ncol(scores) - 1
  answer <- family_of_ranks(z$statistic^2, pchisq(z$statistic^2, df, lower.tail = FALSE), "none", control)
  answer$unadjusted_pvalue <- family_of_ranks(z$statistic^2, 2 * pnorm(-abs(z$statistic)), "none", control)$pvalue
  answer$mean_ranks <- z$mean_ranks
  answer$df <- df
  answer$min_attainable_pvalue <- pchisq(z$largest^2, df, lower.tail = FALSE)
  answer
}

standardized <- function(scores, greater_is_better, tie_tolerance) {
  ranks <- ranks_of(scores, greater_is_better, tie_tolerance)
  n <- nrow(ranks)
  k <- ncol(ranks)
  standard_error <- sqrt(k * (k + 1) / (6 * n))
  list(
    mean_ranks = colMeans(ranks),
    # rank sums are exact, so that equal mean ranks differ by 0
    statistic = outer(colSums(ranks), colSums(ranks), "-") / n / standard_error,
    largest = (k - 1) / standard_error
  )
}
