# no package of Debian has this test; R computes the variances of the differences, the t distribution and, for max-t, the
# multivariate t distribution by mvtnorm

learning_curve_test <- function(x, y, n_train, n_test, n_instances = NULL, adjust = "sidak", alternative = "two-sided",
                                confidence_level = 0.95) {
  x <- as.matrix(x)
  y <- as.matrix(y)
  d <- x - y
  m <- ncol(d)
  n <- nrow(d)
  used <- if (is.null(n_instances)) n_train + n_test else rep(n_instances, m)
  rho <- n_test / used
  factor <- 1 / n + rho / (1 - rho)
  # exactly 0 without a variance: the mean of equal scores may differ from them by rounding
  errors <- function(scores) {
    sqrt(factor * apply(scores, 2, function(s) if (all(s == s[1])) 0 else stats::var(s)))
  }
  for (j in seq_len(m)) {
    if (any(d[, j] != 0) && is_noise(stats::sd(d[, j]), x[, j], y[, j])) stop("the differences have no variance")
  }
  standard_error <- errors(d)
  t <- ifelse(standard_error == 0, 0, colMeans(d) / standard_error)
  raw <- ifelse(standard_error == 0, 1, mapply(t_pvalue, t, n - 1, alternative))
  sides <- if (alternative == "two-sided") 2 else 1
  answer <- list(
    df = n - 1,
    n_repeats = n,
    correlation = rho,
    mean_x = colMeans(x),
    mean_y = colMeans(y),
    mean_difference = colMeans(d),
    standard_error_x = errors(x),
    standard_error_y = errors(y),
    standard_error = standard_error,
    statistic = t,
    unadjusted_pvalue = raw
  )
  if (adjust == "sidak") {
    quantile <- stats::qt(-expm1(log(confidence_level) / m) / sides, n - 1, lower.tail = FALSE)
    answer$pvalue <- -expm1(m * log1p(-raw))
  } else {
    # more points than by default: see learning_curves.toml
    set.seed(1)
    how <- mvtnorm::GenzBretz(maxpts = 5e6, abseps = 1e-6)
    correlation <- stats::cor(d)
    sign <- if (alternative == "less") -1 else 1
    answer$pvalue <- vapply(t, function(limit) {
      upper <- rep(if (sides == 2) abs(limit) else sign * limit, m)
      lower <- if (sides == 2) -upper else rep(-Inf, m)
      1 - c(mvtnorm::pmvt(lower, upper, df = n - 1, corr = correlation, algorithm = how))
    }, 0)
    return(answer)
  }
  limits <- mapply(function(centre, error) {
    if (error == 0) return(c(NaN, NaN))
    c(if (alternative == "less") -Inf else centre - quantile * error,
      if (alternative == "greater") Inf else centre + quantile * error)
  }, colMeans(d), standard_error)
  answer$confidence_interval <- matrix(limits, 2)
  answer
}
