# R has Student's interval, which is that of method "t"
long_run_mean <- function(scores, n_canonical = 1, confidence_level = 0.95, method = "hall") {
  answer <- list(
    estimate = mean(scores),
    standard_error = stats::sd(scores) / sqrt(length(scores)),
    standard_deviation = stats::sd(scores),
    canonical = mean(scores[seq_len(n_canonical)]),
    n_runs = length(scores)
  )
  # R refuses runs that are all equal
  if (method == "t" && stats::sd(scores) > 0) {
    answer$confidence_interval <- as.vector(stats::t.test(scores, conf.level = confidence_level)$conf.int)
  }
  answer
}

run_distribution <- function(scores) {
  answer <- list(
    mean = mean(scores),
    median = stats::median(scores),
    standard_deviation = stats::sd(scores),
    maximum = max(scores),
    proportion_at_maximum = mean(scores == max(scores)),
    n_runs = length(scores)
  )
  if (stats::sd(scores) > 0) {
    test <- stats::shapiro.test(scores)
    answer$normality_statistic <- unname(test$statistic)
    answer$normality_pvalue <- test$p.value
  }
  answer
}

running_means <- function(runs) {
  list(means = apply(runs, 2, cumsum) / seq_len(nrow(runs)), n_runs = nrow(runs))
}

run_histogram <- function(runs, bins) {
  # a bin holds its lower limit, as numpy has it
  count <- function(column) graphics::hist(column, breaks = bins, right = FALSE, plot = FALSE)$counts
  counts <- matrix(apply(runs, 2, count), ncol = ncol(runs))
  list(edges = bins, counts = counts, proportions = counts / nrow(runs))
}

estimation_bias <- function(estimates, truth) {
  errors <- estimates - truth
  list(
    bias = mean(errors),
    mean_absolute_error = mean(abs(errors)),
    mean_squared_error = mean(errors^2),
    root_mean_squared_error = sqrt(mean(errors^2)),
    n_datasets = length(truth)
  )
}
