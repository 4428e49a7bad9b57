# sandwich::vcovCL of a regression on a constant, in each stratum: HC3 is the jackknife over clusters. Its degrees of
# freedom are the definition of Bell & McCaffrey in matrices.

clustered_mean <- function(scores, clusters = NULL, strata = NULL, average = "micro", confidence_level = 0.95,
                           method = "t") {
  if (is.null(clusters)) clusters <- seq_along(scores)
  if (is.null(strata)) strata <- rep(1, length(scores))
  parts <- clustered_strata(scores, clusters, strata, average)
  parts$answer$confidence_interval <- parts$answer$estimate +
    c(-1, 1) * stats::qt((1 + confidence_level) / 2, parts$answer$df) * parts$answer$standard_error
  if (parts$answer$standard_error == 0) parts$answer$confidence_interval <- NULL # the t interval needs a variance
  c(parts$answer, list(n_instances = length(scores), n_clusters = length(unique(clusters)), stratum_means = parts$means))
}
