# Ranks by rank(); the law of a rank-sum difference as a table of all sums of the differences of each dataset, built with
# outer() and tapply(); for two classifiers binom.test()

friedman_exact_posthoc_test <- function(scores, control = NULL, adjust = "holm", method = "auto", greater_is_better = TRUE,
                                     tie_tolerance = 1e-12) {
  ranks <- ranks_of(scores, greater_is_better, tie_tolerance)
  k <- ncol(ranks)
  statistic <- outer(colSums(ranks), colSums(ranks), "-")
  if (method == "normal") {
    standard_error <- sqrt(2 * sum(apply(ranks, 1, var)))
    tail <- function(d) if (standard_error > 0) 2 * pnorm(-abs(d) / standard_error) else 1
  } else if (k == 2) {
    untied <- sum(ranks[, 1] != ranks[, 2])
    tail <- function(d) if (d == 0) 1 else binom.test((untied + abs(d)) / 2, untied)$p.value
  } else {
    law <- law_of_difference(ranks)
    tail <- function(d) sum(law$probability[abs(law$value) >= abs(d)])
  }
  answer <- family_of_ranks(statistic, apply(statistic, c(1, 2), tail), adjust, control)
  answer$mean_ranks <- colMeans(ranks)
  answer$min_attainable_pvalue <- tail(sum(apply(ranks, 1, max) - apply(ranks, 1, min)))
  answer
}

law_of_difference <- function(ranks) {
  k <- ncol(ranks)
  law <- list(value = 0, probability = 1)
  for (i in seq_len(nrow(ranks))) {
    differences <- outer(ranks[i, ], ranks[i, ], "-")[!diag(k)]
    one <- table(differences) / length(differences)
    value <- outer(law$value, as.numeric(names(one)), "+")
    sums <- tapply(outer(law$probability, as.numeric(one)), value, sum)
    law <- list(value = as.numeric(names(sums)), probability = as.numeric(sums))
  }
  law
}
