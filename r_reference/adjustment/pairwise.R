# multcomp's "Shaffer" takes, at each step, the largest set of hypotheses that can be true together, holds the one at
# hand and none with a smaller p-value, found by linear algebra over all subsets. Its running maximum makes that Bergmann
# and Hommel's procedure with a running maximum. Its p-values come from z values as 1 - (1 - p), without digits for small
# p: its sets are taken with p-values that have all their digits, and the two must agree.

adjust_pairwise <- function(pvalues, method = "holm", mean_ranks = NULL, enforce_monotonicity = FALSE) {
  pairs <- upper.tri(pvalues)
  adjusted <- switch(method,
    `bergmann-hommel` = {
      stopifnot(enforce_monotonicity)
      closed_testing(pvalues)
    },
    adjusted_pvalues(pvalues[pairs], method)
  )
  value <- diag(nrow(pvalues))
  value[pairs] <- adjusted
  value[lower.tri(value)] <- t(value)[lower.tri(value)]
  list(value = value)
}

closed_testing <- function(pvalues) {
  at <- which(upper.tri(pvalues), arr.ind = TRUE)
  k <- nrow(pvalues)
  contrasts <- t(apply(at, 1, function(pair) (seq_len(k) == pair[1]) - (seq_len(k) == pair[2])))
  rownames(contrasts) <- paste0("pair", seq_len(nrow(at)))
  p <- pvalues[upper.tri(pvalues)]
  model <- multcomp::parm(stats::setNames(rep(0, k), paste0("c", seq_len(k))), diag(k))
  tests <- multcomp::glht(model, linfct = contrasts, rhs = -stats::qnorm(p / 2) * sqrt(2))
  theirs <- as.numeric(summary(tests, test = multcomp::adjusted("Shaffer"))$test$pvalues)

  ordered <- sort(p)
  sets <- multcomp:::maxsets(contrasts[order(p), , drop = FALSE])
  steps <- mapply(function(sets_of_step, smallest) max(lengths(sets_of_step)) * smallest, sets, ordered)
  value <- pmin(1, cummax(steps))[rank(p)]
  stopifnot(abs(value - theirs) <= 1e-14)
  value
}
