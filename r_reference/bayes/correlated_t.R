# no package of Debian has this posterior; R computes the variance of the differences and the t distribution

bayes_correlated_ttest <- function(x, y, rope = 0, n_train = NULL, n_test = NULL, correlation = NULL, grid = NULL) {
  d <- x - y
  n <- length(d)
  if (is.null(correlation)) correlation <- n_test / (n_train + n_test)
  answer <- list(df = n - 1, n_scores = n, mean = mean(d), correlation = correlation, rope = rope)
  if (all(d == 0)) return(c(answer, list(scale = 0, p_less = 0, p_rope = 1, p_greater = 0)))
  if (is_noise(stats::sd(d), x, y)) stop("the differences have no variance")
  scale <- sqrt((1 / n + correlation / (1 - correlation)) * stats::var(d))
  p_less <- stats::pt((-rope - mean(d)) / scale, n - 1)
  p_greater <- stats::pt((rope - mean(d)) / scale, n - 1, lower.tail = FALSE)
  if (!is.null(grid)) answer$density <- stats::dt((grid - mean(d)) / scale, n - 1) / scale
  c(answer, list(
    scale = scale,
    p_less = p_less,
    p_rope = 1 - p_less - p_greater,
    p_greater = p_greater
  ))
}

bayes_pairwise_correlated_ttest <- function(scores, rope = 0, n_train = NULL, n_test = NULL, correlation = NULL) {
  one <- function(name) {
    all_pairs(ncol(scores), function(i, j) {
      bayes_correlated_ttest(scores[, i], scores[, j], rope, n_train, n_test, correlation)[[name]]
    })
  }
  names <- c("mean", "scale", "p_less", "p_rope", "p_greater")
  c(stats::setNames(lapply(names, one), names), list(df = nrow(scores) - 1, n_scores = nrow(scores)))
}
