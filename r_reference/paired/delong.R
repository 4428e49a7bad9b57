delong_test <- function(y_true, x, y, df = "auto", alternative = "two-sided", confidence_level = 0.95) {
  df <- usual_degrees(y_true, df)
  of_x <- roc_of(y_true, x)
  of_y <- roc_of(y_true, y)
  answer <- list(
    auc_x = as.numeric(pROC::auc(of_x)), auc_y = as.numeric(pROC::auc(of_y)),
    difference = as.numeric(pROC::auc(of_x)) - as.numeric(pROC::auc(of_y)),
    n_positive = sum(y_true == 1), n_negative = sum(y_true == 0)
  )
  if (min(answer$n_positive, answer$n_negative) < 2) return(answer) # no variance

  together <- pROC::cov(of_x, of_y, method = "delong")
  variances <- c(pROC::var(of_x, method = "delong"), pROC::var(of_y, method = "delong"))
  answer$covariance <- matrix(c(variances[1], together, together, variances[2]), 2)
  variance <- sum(variances) - 2 * together
  # of two curves that vary alike, what is left of their variances is rounding noise
  if (variance <= 1e-3 * sum(variances)) return(answer)

  # its interval is always two-sided: the limit of a one-sided one belongs to a lower level
  level <- if (alternative == "two-sided") confidence_level else 2 * confidence_level - 1
  test <- pROC::roc.test(of_x, of_y, method = "delong", paired = TRUE, conf.level = level,
                         alternative = dotted(alternative))
  answer$standard_error <- sqrt(variance)
  answer$statistic <- unname(test$statistic)
  if (df != "infinite") {
    estimated <- variance_of_areas(y_true, x, y, df)
    answer$df <- estimated$df
    if (df == "adjusted") {
      answer$standard_error <- sqrt(estimated$variance)
      answer$statistic <- answer$difference / answer$standard_error
    }
    answer$pvalue <- t_pvalue(answer$statistic, answer$df, alternative)
    share <- if (alternative == "two-sided") (1 + confidence_level) / 2 else confidence_level
    limits <- answer$difference + c(-1, 1) * stats::qt(share, answer$df) * answer$standard_error
  } else {
    answer$df <- Inf
    answer$pvalue <- as.numeric(test$p.value)
    limits <- as.numeric(test$conf.int)
  }
  answer$confidence_interval <- limits_of_areas(limits, alternative)
  answer
}

delong_unpaired_test <- function(y_true_x, x, y_true_y, y, df = "welch", alternative = "two-sided",
                                 confidence_level = 0.95) {
  of_x <- roc_of(y_true_x, x)
  of_y <- roc_of(y_true_y, y)
  answer <- list(auc_x = as.numeric(pROC::auc(of_x)), auc_y = as.numeric(pROC::auc(of_y)))
  answer$difference <- answer$auc_x - answer$auc_y
  if (min(table(y_true_x), table(y_true_y)) < 2) return(answer) # no variance
  variance <- pROC::var(of_x, method = "delong") + pROC::var(of_y, method = "delong")
  answer$standard_error <- sqrt(variance)
  if (variance == 0) return(answer) # R would divide by zero

  # its interval is two-sided, and from the normal distribution
  test <- pROC::roc.test(of_x, of_y, method = "delong", paired = FALSE,
                         alternative = dotted(alternative))
  answer$statistic <- unname(test$statistic)
  degrees <- if (df == "welch") unname(test$parameter) else Inf
  if (df == "welch") {
    answer$df <- degrees
    answer$pvalue <- as.numeric(test$p.value)
  } else {
    answer$pvalue <- switch(alternative,
      "two-sided" = 2 * pnorm(-abs(answer$statistic)),
      "greater" = pnorm(answer$statistic, lower.tail = FALSE),
      "less" = pnorm(answer$statistic)
    )
  }
  share <- if (alternative == "two-sided") (1 + confidence_level) / 2 else confidence_level
  limits <- answer$difference + c(-1, 1) * qt(share, degrees) * answer$standard_error
  answer$confidence_interval <- limits_of_areas(limits, alternative)
  answer
}

# between -1 and 1, and to the end on the side that is not asked for
limits_of_areas <- function(limits, alternative) {
  limits <- pmin(pmax(limits, -1), 1)
  if (alternative == "less") limits[1] <- -1
  if (alternative == "greater") limits[2] <- 1
  limits
}
