# Each pair by sandwich::vcovCL of the differences in each stratum, adjusted by stats::p.adjust.

pairwise_clustered_ttest <- function(scores, clusters = NULL, strata = NULL, average = "micro", control = NULL,
                                     adjust = "holm", alternative = "two-sided") {
  if (is.null(clusters)) clusters <- seq_len(nrow(scores))
  if (is.null(strata)) strata <- rep(1, nrow(scores))
  one <- function(i, j) {
    size <- max(abs(scores[, c(i, j)]))
    parts <- clustered_strata(scores[, i] - scores[, j], clusters, strata, average, size)$answer
    mean <- if (parts$standard_error == 0 && abs(parts$estimate) <= 1e-12 * size) 0 else parts$estimate
    t <- if (mean == 0) 0 else mean / parts$standard_error
    p <- if (parts$standard_error > 0) t_pvalue(t, parts$df, alternative) else if (mean == 0) 1 else NaN
    c(statistic = t, unadjusted_pvalue = p, mean_difference = mean, standard_error = parts$standard_error)
  }
  answer <- family_of(each_pair(ncol(scores), one), control, adjust)
  c(answer, list(n_instances = nrow(scores), n_clusters = length(unique(clusters)), n_classifiers = ncol(scores)))
}
