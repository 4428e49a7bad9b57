# scmamp, which has it, is not in Debian: stats::median of the differences of each pair, and means of the medians

contrast_estimation <- function(scores) {
  k <- ncol(scores)
  medians <- all_pairs(k, function(u, v) stats::median(scores[, u] - scores[, v]))
  effects <- rowMeans(medians)
  list(
    medians = medians, effects = effects, contrasts = outer(effects, effects, "-"), n_datasets = nrow(scores),
    n_classifiers = k
  )
}
