# The statistic by friedman.test(), W by effectsize, F from the statistic and pf(). R has no exact distribution with
# ties, and SuppDists reports P(Q > q) without q itself; see exact_pvalue.

friedman_test <- function(scores, method = "auto", n_resamples = 9999, rng = NULL, greater_is_better = TRUE,
                          tie_tolerance = 1e-12) {
  scores <- without_noise(scores, tie_tolerance)
  ranks <- ranks_of(scores, greater_is_better)
  n <- nrow(ranks)
  k <- ncol(ranks)
  answer <- list(
    alternative = "two-sided",
    df = if (method == "f") c(k - 1, (k - 1) * (n - 1)) else k - 1,
    mean_ranks = colMeans(ranks),
    n_datasets = n,
    n_classifiers = k,
    chi2_uncorrected = 12 / (n * k * (k + 1)) * sum((colSums(ranks) - n * (k + 1) / 2)^2)
  )
  # friedman.test() stops at one dataset and has NaN where all is tied
  if (n == 1 || all(ranks == ranks[1])) return(answer)

  test <- friedman.test(scores)
  chi2 <- unname(test$statistic)
  answer$chi2 <- chi2
  answer$chi2_pvalue <- test$p.value
  answer$kendall_w <- effectsize::kendalls_w(scores, ci = NULL, verbose = FALSE)$Kendalls_W
  # where all datasets agree F is infinite, and chi2 equals n (k - 1) but for rounding
  if (!all(ranks == rep(ranks[1, ], each = n))) {
    answer$f <- (n - 1) * chi2 / (n * (k - 1) - chi2)
    answer$f_pvalue <- pf(answer$f, k - 1, (k - 1) * (n - 1), lower.tail = FALSE)
  }

  untied <- all(apply(ranks, 1, function(row) length(unique(row)) == k))
  if (method == "chi2") {
    answer$statistic <- chi2
    answer$pvalue <- test$p.value
    if (untied) answer$min_attainable_pvalue <- pchisq(n * (k - 1), k - 1, lower.tail = FALSE)
  } else if (method == "f") {
    answer$statistic <- answer$f
    answer$pvalue <- answer$f_pvalue
  } else {
    answer$statistic <- chi2
    answer$pvalue <- exact_pvalue(ranks, untied)
    if (untied) answer$min_attainable_pvalue <- factorial(k)^(1 - n)
  }
  answer$method <- if (method == "auto") "exact" else method
  answer
}

# Two classifiers: the sign test. Small tables: friedman.test() of every arrangement of the ranks. Others, without ties:
# SuppDists at one step of the statistic below the observed value.
exact_pvalue <- function(ranks, untied) {
  n <- nrow(ranks)
  k <- ncol(ranks)
  if (k == 2) {
    return(binom.test(sum(ranks[, 1] < ranks[, 2]), sum(ranks[, 1] != ranks[, 2]))$p.value)
  }
  observed <- friedman.test(ranks)$statistic
  if (factorial(k)^(n - 1) > 1000) {
    stopifnot(untied)
    step <- 24 / (n * k * (k + 1))
    return(SuppDists::pFriedman(observed - step, r = k, N = n, lower.tail = FALSE))
  }
  mean(over_all_orders(ranks, function(ranks) friedman.test(ranks)$statistic) > observed - 1e-9)
}
