# Each pair by binom.test (exact) or mcnemar.test (asymptotic; prop.test where one-sided), adjusted by p.adjust.

pairwise_mcnemar_test <- function(correct, control = NULL, adjust = "holm", method = "exact", correction = TRUE,
                                  alternative = "two-sided") {
  storage.mode(correct) <- "double"
  k <- ncol(correct)
  only <- t(correct) %*% (1 - correct)
  discordant <- only + t(only)
  difference <- outer(colMeans(correct), colMeans(correct), "-")
  pvalue <- matrix(1, k, k)
  statistic <- if (method == "exact") only else matrix(0, k, k)
  for (i in seq_len(k)) for (j in seq_len(k)) if (discordant[i, j] > 0) {
    pvalue[i, j] <- mcnemar_pvalue(only[i, j], only[j, i], alternative, method, correction)
    if (method == "asymptotic") {
      statistic[i, j] <- stats::mcnemar.test(matrix(c(0, only[j, i], only[i, j], 0), 2), correct = correction)$statistic
    }
  }
  matrices <- list(statistic = statistic, pvalue = pvalue, unadjusted_pvalue = pvalue, n_only = only,
                   n_discordant = discordant, difference = difference)
  c(list(accuracies = colMeans(correct), n_instances = nrow(correct), n_classifiers = k, method = method,
         adjustment = adjust),
    family_of(matrices, control, adjust, c("n_only", "n_discordant")))
}
