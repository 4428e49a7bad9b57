paired_ttest <- function(x, y, alternative = "two-sided", confidence_level = 0.95) {
  test <- stats::t.test(x, y, paired = TRUE, alternative = sub("-", ".", alternative, fixed = TRUE),
                        conf.level = confidence_level)
  answer <- list(
    df = unname(test$parameter),
    n_pairs = length(x),
    mean_difference = unname(test$estimate),
    standard_error = test$stderr,
    confidence_interval = as.numeric(test$conf.int)
  )
  # where there is no difference, t.test says NaN
  if (test$stderr == 0) return(answer)
  c(answer, list(
    statistic = unname(test$statistic),
    pvalue = test$p.value,
    cohen_dz = suppressWarnings(effectsize::cohens_d(x, y, paired = TRUE, ci = NULL))$Cohens_d
  ))
}
