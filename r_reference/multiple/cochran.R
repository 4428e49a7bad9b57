# Cochran's Q is friedman.test() of 0 and 1. The exact p-value: of two classifiers by binom.test(), of small tables by
# friedman.test() of every arrangement of the right answers; R has none for the others.

cochran_q_test <- function(correct, method = "auto") {
  storage.mode(correct) <- "double"
  k <- ncol(correct)
  informative <- correct[rowSums(correct) %% k != 0, , drop = FALSE]
  answer <- list(
    alternative = "two-sided", df = k - 1, n_samples = nrow(correct), n_classifiers = k,
    n_informative = nrow(informative), accuracies = colMeans(correct)
  )
  # friedman.test() stops at one sample and has NaN where none is informative
  if (nrow(correct) == 1 || nrow(informative) == 0) return(answer)

  test <- friedman.test(correct)
  answer$statistic <- unname(test$statistic)
  most_unequal <- t(apply(correct, 1, sort))
  if (method == "chi2") {
    answer$pvalue <- test$p.value
    answer$smallest_pvalue <- friedman.test(most_unequal)$p.value
    answer$method <- "chi2"
  } else if (k == 2) {
    n <- nrow(informative)
    answer$pvalue <- binom.test(sum(informative[, 1]), n)$p.value
    answer$smallest_pvalue <- binom.test(n, n)$p.value
    answer$method <- "exact"
  } else if (nrow(informative) > 1 && prod(choose(k, rowSums(informative)[-1])) <= 250) {
    statistics <- every_statistic(informative)
    answer$pvalue <- mean(statistics > friedman.test(informative)$statistic - 1e-9)
    answer$smallest_pvalue <- mean(statistics > max(statistics) - 1e-9)
    answer$method <- "exact"
  }
  answer
}

# Every choice of the classifiers that are right on each sample but the first, which may stay as it is.
every_statistic <- function(correct) {
  k <- ncol(correct)
  choices <- lapply(rowSums(correct)[-1], function(r) combn(k, r, simplify = FALSE))
  index <- as.matrix(expand.grid(lapply(choices, seq_along)))
  apply(index, 1, function(row) {
    for (i in seq_along(row)) correct[i + 1, ] <- seq_len(k) %in% choices[[i]][[row[i]]]
    friedman.test(correct)$statistic
  })
}
