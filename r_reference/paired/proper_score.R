# stats::t.test of the losses of the instances; for the normal distribution, its statistic with stats::pnorm

proper_score_test <- function(y_true, x, y, score = "brier", method = "t", alternative = "two-sided", confidence_level = 0.95) {
  loss <- if (score == "brier") function(p) (p - y_true)^2 else function(p) -log(ifelse(y_true == 1, p, 1 - p))
  test <- stats::t.test(loss(x), loss(y), paired = TRUE, alternative = dotted(alternative), conf.level = confidence_level)
  z <- unname(test$statistic)
  answer <- list(
    statistic = z, score_x = mean(loss(x)), score_y = mean(loss(y)), difference = unname(test$estimate),
    standard_error = test$stderr, df = unname(test$parameter), n_instances = length(y_true)
  )
  if (method == "t") return(c(answer, list(pvalue = test$p.value, confidence_interval = as.numeric(test$conf.int))))
  c(answer, list(pvalue = t_pvalue(z, Inf, alternative),
                 confidence_interval = t_limits(answer$difference, test$stderr, Inf, alternative, confidence_level)))
}
