# Cochran's Q is friedman.test() of 0 and 1. The exact p-value: of two classifiers by binom.test(), of small tables by
# friedman.test() of every arrangement of the right answers; R has none for the others. Groups: coin.

cochran_q_test <- function(correct, method = "auto", clusters = NULL) {
  storage.mode(correct) <- "double"
  k <- ncol(correct)
  if (!is.null(clusters)) return(cochran_of_groups(correct, clusters, k))
  informative <- correct[rowSums(correct) %% k != 0, , drop = FALSE]
  answer <- list(
    alternative = "two-sided", df = k - 1, n_instances = nrow(correct), n_classifiers = k,
    n_informative = nrow(informative), accuracies = colMeans(correct)
  )
  # friedman.test() stops at one sample and has NaN where none is informative
  if (nrow(correct) == 1 || nrow(informative) == 0) return(answer)

  test <- friedman.test(correct)
  answer$statistic <- unname(test$statistic)
  most_unequal <- t(apply(correct, 1, sort))
  if (method == "chi2") {
    answer$pvalue <- test$p.value
    answer$min_attainable_pvalue <- friedman.test(most_unequal)$p.value
    answer$method <- "chi2"
  } else if (k == 2) {
    n <- nrow(informative)
    answer$pvalue <- binom.test(sum(informative[, 1]), n)$p.value
    answer$min_attainable_pvalue <- binom.test(n, n)$p.value
    answer$method <- "exact"
  } else if (nrow(informative) > 1 && prod(choose(k, rowSums(informative)[-1])) <= 250) {
    statistics <- every_statistic(informative)
    answer$pvalue <- mean(statistics > friedman.test(informative)$statistic - 1e-9)
    answer$min_attainable_pvalue <- mean(statistics > max(statistics) - 1e-9)
    answer$method <- "exact"
  }
  answer
}

# coin's symmetry_test of the right answers of each classifier in each group.
cochran_of_groups <- function(correct, clusters, k) {
  sums <- rowsum(correct, clusters)
  scores <- function(sums) {
    data <- data.frame(right = as.vector(t(sums)), classifier = gl(k, 1, length(sums)), group = gl(nrow(sums), k))
    test <- coin::symmetry_test(right ~ classifier | group, data = data, teststat = "quadratic")
    as.numeric(coin::statistic(test))
  }
  # coin takes the p-value from 1, and loses its digits
  tail <- function(q) stats::pchisq(q, k - 1, lower.tail = FALSE)
  q <- scores(sums)
  list(
    alternative = "two-sided", method = "chi2", df = k - 1, n_instances = nrow(correct), n_classifiers = k,
    n_clusters = nrow(sums), accuracies = colMeans(correct), statistic = q, pvalue = tail(q),
    min_attainable_pvalue = tail(scores(t(apply(sums, 1, sort))))
  )
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
