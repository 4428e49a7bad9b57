# for accuracy, cases that only one classifier gets right are exchanged by the toss of a coin: McNemar's exact test
metric_permutation_test <- function(y_true, x, y, metric = "accuracy", alternative = "two-sided", method = "auto") {
  stopifnot(metric == "accuracy")
  only_x <- sum(x == y_true & y != y_true)
  only_y <- sum(x != y_true & y == y_true)
  pvalue <- 1
  if (only_x + only_y > 0) {
    side <- dotted(alternative)
    pvalue <- binom.test(only_x, only_x + only_y, alternative = side)$p.value
  }
  list(
    statistic = mean(x == y_true) - mean(y == y_true), difference = mean(x == y_true) - mean(y == y_true),
    score_x = mean(x == y_true), score_y = mean(y == y_true), pvalue = pvalue, n_instances = length(y_true),
    n_exchangeable = sum(x != y)
  )
}
