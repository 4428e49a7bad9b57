auc_estimate <- function(y_true, y_score, confidence_level = 0.95, scale = "logit") {
  curve <- roc_of(y_true, y_score)
  auc <- as.numeric(pROC::auc(curve))
  standard_error <- sqrt(pROC::var(curve, method = "delong"))
  answer <- list(estimate = auc, standard_error = standard_error)
  if (scale == "plain") {
    limits <- pROC::ci.auc(curve, conf.level = confidence_level, method = "delong")
    answer$confidence_interval <- as.numeric(limits)[c(1, 3)]
  } else if (auc > 0 && auc < 1) { # the logit of 0 and of 1 is infinite: R has no interval
    answer$confidence_interval <- stats::plogis(stats::qnorm(c(1 - confidence_level, 1 + confidence_level) / 2,
                                                             stats::qlogis(auc), standard_error / (auc * (1 - auc))))
  }
  answer
}

delong_covariance <- function(y_true, y_score) {
  curves <- apply(y_score, 1, function(row) roc_of(y_true, row), simplify = FALSE)
  list(auc = sapply(curves, function(curve) as.numeric(pROC::auc(curve))), covariance = covariances_of(curves),
       n_positive = sum(y_true == 1), n_negative = sum(y_true == 0))
}
