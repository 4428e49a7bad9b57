naive_resampled_ttest <- function(x, y, alternative = "two-sided") {
  test <- stats::t.test(x, y, paired = TRUE, alternative = dotted(alternative))
  answer <- list(
    df = unname(test$parameter),
    n_scores = length(x),
    mean_difference = unname(test$estimate),
    standard_error = test$stderr
  )
  # where there is no difference, t.test says NaN
  if (test$stderr == 0) return(answer)
  c(answer, list(statistic = unname(test$statistic), pvalue = test$p.value))
}
