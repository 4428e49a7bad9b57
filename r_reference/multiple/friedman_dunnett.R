# Ranks by rank(); the largest of k - 1 normal variables with correlation 1/2 by integrate() of its definition, and
# uniroot() for its quantile

friedman_dunnett_test <- function(scores, control, greater_is_better = TRUE, tie_tolerance = 1e-12, alpha = 0.05) {
  ranks <- ranks_of(scores, greater_is_better, tie_tolerance)
  n <- nrow(ranks)
  k <- ncol(ranks)
  column <- control + 1  # Python counts from 0
  standard_error <- sqrt(k * (k + 1) / (6 * n))
  statistic <- (colSums(ranks) - colSums(ranks)[column]) / n / standard_error
  statistic[column] <- NaN
  tail <- function(t) if (is.nan(t)) NaN else largest_of(t, k - 1)
  list(
    statistic = statistic,
    pvalue = vapply(statistic, tail, 0),
    unadjusted_pvalue = 2 * pnorm(-abs(statistic)),
    control = control,
    mean_ranks = colMeans(ranks),
    n_classifiers = k,
    min_attainable_pvalue = tail((k - 1) / standard_error),
    critical_difference = standard_error *
      uniroot(function(t) log(tail(t)) - log(alpha), c(1e-3, 20), tol = 1e-14)$root
  )
}

largest_of <- function(t, m) {
  t <- abs(t)
  integrand <- function(z) {
    outside <- pnorm(sqrt(2) * t + z, lower.tail = FALSE) + pnorm(sqrt(2) * t - z, lower.tail = FALSE)
    dnorm(z) * -expm1(m * log1p(-pmin(outside, 1)))
  }
  ends <- c(0, t / sqrt(2), sqrt(2) * t, sqrt(2) * t + 12)
  pieces <- mapply(function(from, to) {
    if (to > from) integrate(integrand, from, to, rel.tol = 1e-13, abs.tol = 0, subdivisions = 500)$value else 0
  }, ends[-4], ends[-1])
  min(1, 2 * sum(pieces))
}
