# multtest's mt.maxT() of paired t statistics, with all exchanges within pairs: one pair of columns for each dataset, one
# row for each pair of classifiers. Single-step by the largest of all statistics under all signs. Signed ranks stand in the
# place of differences: t grows with their sum over the root of the sum of their squares, which no sign changes

pairwise_max_t_test <- function(scores, control = NULL, ranks = FALSE, step_down = TRUE, alternative = "two-sided",
                                method = "auto") {
  n <- nrow(scores)
  k <- ncol(scores)
  if (method == "range") return(range_test(scores))
  pairs <- if (is.null(control)) utils::combn(k, 2) else rbind(setdiff(seq_len(k), control + 1), control + 1)
  d <- apply(pairs, 2, function(pair) round(scores[, pair[1]] - scores[, pair[2]], 9))
  if (ranks) {
    d <- apply(d, 2, function(x) replace(x, x != 0, sign(x[x != 0]) * rank(abs(x[x != 0]))))
    x <- t(apply(d, 2, function(column) c(rbind(0, column))))
  } else {
    x <- t(apply(pairs, 2, function(pair) c(rbind(scores[, pair[2]], scores[, pair[1]]))))
  }
  side <- c("two-sided" = "abs", greater = "upper", less = "lower")[[alternative]]
  sink(nullfile())
  on.exit(sink())
  table <- multtest::mt.maxT(x, rep(0:1, n), test = "pairt", side = side, B = 0)
  table <- table[order(table$index), ]
  adjusted <- if (step_down) table$adjp else single_step(d, table$teststat, alternative)
  statistic <- if (ranks) apply(d, 2, function(r) sum(r) / sqrt(sum(r^2))) else table$teststat
  mean <- apply(pairs, 2, function(pair) mean(scores[, pair[1]] - scores[, pair[2]]))
  sides <- if (alternative == "two-sided") 2 else 1
  c(
    placed(list(statistic = statistic, mean_difference = mean), pairs, k, control, -1, 0),
    placed(list(pvalue = adjusted, unadjusted_pvalue = table$rawp), pairs, k, control, 1, 1),
    list(n_datasets = n, n_classifiers = k, method = "exact", min_attainable_pvalue = sides / 2^n)
  )
}

# All permutations within each row, as sums of columns; the range of the sums, and the difference of the first two
range_test <- function(scores) {
  n <- nrow(scores)
  k <- ncol(scores)
  pairs <- utils::combn(k, 2)
  orders <- as.matrix(expand.grid(rep(list(seq_len(k)), k)))
  orders <- orders[apply(orders, 1, function(row) !anyDuplicated(row)), , drop = FALSE]
  sums <- matrix(0, 1, k)
  for (i in seq_len(n)) {
    moved <- matrix(scores[i, orders], ncol = k)
    sums <- sums[rep(seq_len(nrow(sums)), each = nrow(moved)), ] + moved[rep(seq_len(nrow(moved)), nrow(sums)), ]
  }
  ranges <- apply(sums, 1, max) - apply(sums, 1, min)
  total <- colSums(scores)
  difference <- total[pairs[1, ]] - total[pairs[2, ]]
  reached <- function(drawn) vapply(abs(difference), function(d) mean(drawn >= d - 1e-9), 0)
  c(
    placed(list(statistic = difference / n, mean_difference = difference / n), pairs, k, NULL, -1, 0),
    placed(list(pvalue = reached(ranges), unadjusted_pvalue = reached(abs(sums[, 1] - sums[, 2]))), pairs, k, NULL, 1, 1),
    list(n_datasets = n, n_classifiers = k, method = "range", min_attainable_pvalue = (k * (k - 1))^(1 - n))
  )
}

single_step <- function(d, observed, alternative) {
  signs <- as.matrix(expand.grid(rep(list(c(-1, 1)), nrow(d))))
  towards <- function(t) switch(alternative, "two-sided" = abs(t), greater = t, less = -t)
  largest <- apply(signs, 1, function(s) {
    max(towards(apply(s * d, 2, function(column) mean(column) / stats::sd(column) * sqrt(length(column)))))
  })
  vapply(towards(observed), function(t) mean(largest >= t * (1 - sign(t) * 1e-9)), 0)
}

# A matrix of each of the vectors over pairs, times `mirror` below the diagonal; or a row, with NaN at the control
placed <- function(vectors, pairs, k, control, mirror, diagonal) {
  lapply(vectors, function(values) {
    if (!is.null(control)) return(replace(rep(NaN, k), pairs[1, ], values))
    matrix <- diag(diagonal, k)
    matrix[t(pairs)] <- values
    matrix[t(pairs)[, 2:1, drop = FALSE]] <- mirror * values
    matrix
  })
}
