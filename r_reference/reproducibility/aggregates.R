interquartile_mean <- function(runs) list(estimate = mean(as.vector(runs), trim = 0.25), n_datasets = ncol(runs))

optimality_gap <- function(runs, target = 1) {
  list(estimate = mean(pmax(target - as.vector(runs), 0)), n_datasets = ncol(runs))
}

# W counts the pairs in which x is larger, ties half
probability_of_improvement <- function(x, y) {
  of_dataset <- function(j) {
    suppressWarnings(stats::wilcox.test(x[, j], y[, j], exact = FALSE))$statistic / (nrow(x) * nrow(y))
  }
  list(estimate = mean(vapply(seq_len(ncol(x)), of_dataset, 0)), n_datasets = ncol(x))
}
