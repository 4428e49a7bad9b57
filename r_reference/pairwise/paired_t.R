# Each pair by stats::t.test(paired = TRUE), adjusted by stats::p.adjust; Cohen's d_z by its definition.

pairwise_paired_ttest <- function(scores, control = NULL, adjust = "holm", alternative = "two-sided") {
  one <- function(i, j) {
    d <- scores[, i] - scores[, j]
    if (all(differences_without_noise(scores[, i], scores[, j]) == 0)) {
      return(c(statistic = 0, unadjusted_pvalue = 1, mean_difference = 0, standard_error = 0, cohen_dz = 0))
    }
    test <- stats::t.test(scores[, i], scores[, j], paired = TRUE, alternative = dotted(alternative))
    c(statistic = unname(test$statistic), unadjusted_pvalue = test$p.value, mean_difference = unname(test$estimate),
      standard_error = test$stderr, cohen_dz = mean(d) / stats::sd(d))
  }
  c(family_of_pairs(scores, one, control, adjust), list(df = nrow(scores) - 1))
}
