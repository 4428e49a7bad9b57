# stats::t.test of the losses of each pair, adjusted by stats::p.adjust

pairwise_proper_score_test <- function(y_true, scores, score = "brier", control = NULL, adjust = "holm", alternative = "two-sided") {
  losses <- if (score == "brier") (scores - y_true)^2 else -log(abs(1 - y_true - scores))
  one <- function(i, j) {
    if (all(losses[, i] == losses[, j])) return(c(statistic = 0, unadjusted_pvalue = 1, mean_difference = 0, standard_error = 0))
    test <- stats::t.test(losses[, i], losses[, j], paired = TRUE, alternative = dotted(alternative))
    c(statistic = unname(test$statistic), unadjusted_pvalue = test$p.value, mean_difference = unname(test$estimate),
      standard_error = test$stderr)
  }
  answer <- family_of(each_pair(ncol(scores), one), control, adjust)
  c(answer, list(scores = colMeans(losses), n_instances = nrow(scores), n_classifiers = ncol(scores)))
}
