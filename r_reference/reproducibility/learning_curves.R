# Corrected t statistics, and the largest absolute value of the multivariate t distribution by mvtnorm. The scores of a
# classifier come as one vector, size by size.

learning_curve_test <- function(scores, n_train, n_test, n_pool = NULL, confidence_level = 0.95) {
  sizes <- sort(n_train)
  curves <- lapply(scores, function(one) t(matrix(one, nrow = length(n_train), byrow = TRUE)[order(n_train), , drop = FALSE]))
  n_repeats <- nrow(curves[[1]])
  correction <- sqrt(1 / n_repeats + n_test / (if (is.null(n_pool)) sizes else rep(n_pool, length(sizes))))
  pairs <- combn(length(curves), 2, simplify = FALSE)
  differences <- do.call(cbind, lapply(pairs, function(pair) curves[[pair[1]]] - curves[[pair[2]]]))
  of_pairs <- family_of_means(differences, correction, confidence_level)
  of_curves <- family_of_means(do.call(cbind, curves), correction, confidence_level)
  rows <- function(values) matrix(values, ncol = length(sizes), byrow = TRUE)
  list(
    mean = rows(of_curves$mean),
    standard_error = rows(of_curves$error),
    lower = rows(of_curves$mean - of_curves$critical * of_curves$error),
    upper = rows(of_curves$mean + of_curves$critical * of_curves$error),
    difference = rows(of_pairs$mean),
    difference_error = rows(of_pairs$error),
    difference_lower = rows(of_pairs$mean - of_pairs$critical * of_pairs$error),
    difference_upper = rows(of_pairs$mean + of_pairs$critical * of_pairs$error),
    statistic = rows(of_pairs$statistic),
    unadjusted_pvalue = rows(2 * pt(-abs(of_pairs$statistic), n_repeats - 1)),
    pvalue = rows(of_pairs$pvalue),
    critical_value = of_pairs$critical,
    df = n_repeats - 1,
    n_repeats = n_repeats
  )
}

family_of_means <- function(values, correction, level) {
  df <- nrow(values) - 1
  error <- apply(values, 2, sd) * rep_len(correction, ncol(values))
  if (any(error <= 1e-12 * max(abs(values)))) stop("the scores have no variance")
  statistic <- colMeans(values) / error
  exceeded <- function(limit) {
    if (ncol(values) == 1) return(2 * pt(-limit, df))
    set.seed(1)
    limits <- rep(limit, ncol(values))
    inside <- mvtnorm::pmvt(-limits, limits, df = df, corr = cor(values), algorithm = mvtnorm::GenzBretz(2e6, 1e-7, 0))
    1 - as.vector(inside)
  }
  range <- qt(1 - (1 - level) / 2 / c(0.9, 1.1 * ncol(values)), df)
  list(
    mean = colMeans(values),
    error = error,
    statistic = statistic,
    pvalue = vapply(abs(statistic), exceeded, 0),
    critical = uniroot(function(limit) exceeded(limit) - (1 - level), range, tol = 1e-7)$root
  )
}
