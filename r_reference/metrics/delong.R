# levels and direction are fixed: left to itself, roc() turns a curve around that lies below the diagonal
roc_of <- function(y_true, y_score) {
  pROC::roc(y_true, y_score, levels = c(0, 1), direction = "<", quiet = TRUE)
}

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
  covariance <- outer(seq_along(curves), seq_along(curves), Vectorize(function(i, j) {
    if (i == j) pROC::var(curves[[i]], method = "delong") else pROC::cov(curves[[i]], curves[[j]], method = "delong")
  }))
  list(auc = sapply(curves, function(curve) as.numeric(pROC::auc(curve))), covariance = covariance,
       n_positive = sum(y_true == 1), n_negative = sum(y_true == 0))
}
