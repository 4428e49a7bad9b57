# no package of Debian has these tests; R computes the variances and the t and F distributions

refuse_no_variance <- function(x, y, variances) {
  if (any(x != y) && is_noise(sqrt(max(variances)), x, y)) stop("the differences have no variance")
}

ttest_5x2cv <- function(x, y, alternative = "two-sided") {
  d <- x - y
  variances <- apply(d, 1, stats::var)
  refuse_no_variance(x, y, variances)
  standard_error <- sqrt(mean(variances))
  t <- if (all(d == 0)) d else d / standard_error
  pvalue <- if (all(d == 0)) 1 + d else t_pvalue(t, 5, alternative)
  list(
    statistic = t[1, 1],
    pvalue = pvalue[1, 1],
    df = 5,
    first_difference = d[1, 1],
    mean_difference = mean(d),
    standard_error = standard_error,
    statistics_of_all_orderings = t,
    pvalues_of_all_orderings = pvalue
  )
}

ftest_5x2cv <- function(x, y) {
  d <- x - y
  variances <- apply(d, 1, stats::var)
  refuse_no_variance(x, y, variances)
  f <- if (all(d == 0)) 0 else sum(d^2) / (2 * sum(variances))
  list(
    statistic = f,
    pvalue = stats::pf(f, 10, 5, lower.tail = FALSE),
    df = c(10, 5),
    mean_difference = mean(d)
  )
}
