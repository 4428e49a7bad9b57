# pROC has DeLong's variance of the difference, and no margin: that is added to the difference. method is 'normal'

noninferiority_test <- function(x, y, margin, test, y_true, method, confidence_level = 0.95) {
  found <- difference_of_areas(y_true, x, y)
  if (is.null(found$error)) return(list(difference = found$difference))
  z <- (found$difference + margin) / found$error
  list(
    difference = found$difference, statistic = z, pvalue = stats::pnorm(z, lower.tail = FALSE),
    confidence_interval = c(max(found$difference - stats::qnorm(confidence_level) * found$error, -1), Inf)
  )
}

equivalence_test <- function(x, y, margin, test, y_true, method, confidence_level = 0.9) {
  found <- difference_of_areas(y_true, x, y)
  if (is.null(found$error)) return(list(difference = found$difference))
  reach <- stats::qnorm((1 + confidence_level) / 2) * found$error
  low <- stats::pnorm((found$difference + margin) / found$error, lower.tail = FALSE)
  high <- stats::pnorm((found$difference - margin) / found$error)
  list(
    difference = found$difference, pvalue_low = low, pvalue_high = high, pvalue = max(low, high),
    confidence_interval = c(max(found$difference - reach, -1), min(found$difference + reach, 1))
  )
}

difference_of_areas <- function(y_true, x, y) {
  of_x <- roc_of(y_true, x)
  of_y <- roc_of(y_true, y)
  difference <- as.numeric(pROC::auc(of_x)) - as.numeric(pROC::auc(of_y))
  if (min(sum(y_true == 1), sum(y_true == 0)) < 2) return(list(difference = difference)) # no variance
  variances <- c(pROC::var(of_x, method = "delong"), pROC::var(of_y, method = "delong"))
  variance <- sum(variances) - 2 * pROC::cov(of_x, of_y, method = "delong")
  # of two curves that vary alike, what is left of their variances is rounding noise
  if (variance <= 1e-3 * sum(variances)) return(list(difference = difference))
  list(difference = difference, error = sqrt(variance))
}
