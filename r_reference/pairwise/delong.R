# roc.test of each pair of curves, adjusted by p.adjust

pairwise_delong_test <- function(y_true, scores, control = NULL, adjust = "holm", df = "auto") {
  df <- usual_degrees(y_true, df)
  k <- ncol(scores)
  curves <- lapply(seq_len(k), function(j) roc_of(y_true, scores[, j]))
  auc <- vapply(curves, function(curve) as.numeric(pROC::auc(curve)), 0)
  covariance <- covariances_of(curves)
  answer <- list(
    auc = auc, covariance = covariance, n_positive = sum(y_true == 1), n_negative = sum(y_true == 0), n_classifiers = k
  )
  total <- outer(diag(covariance), diag(covariance), "+")
  variance <- total - 2 * covariance
  # of two curves that vary alike, what is left of their variances is rounding noise
  if (any((variance <= 1e-3 * total)[upper.tri(total)])) return(answer)

  one <- function(i, j) {
    if (i == j) return(c(statistic = 0, pvalue = 1, unadjusted_pvalue = 1, difference = 0, standard_error = 0, df = NaN))
    test <- pROC::roc.test(curves[[i]], curves[[j]], method = "delong", paired = TRUE)
    found <- c(statistic = unname(test$statistic), pvalue = NaN, unadjusted_pvalue = as.numeric(test$p.value),
               difference = auc[i] - auc[j], standard_error = sqrt(variance[i, j]), df = Inf)
    if (df == "infinite") return(found)
    estimated <- variance_of_areas(y_true, scores[, i], scores[, j], df)
    if (df == "adjusted") {
      found["standard_error"] <- sqrt(estimated$variance)
      found["statistic"] <- found[["difference"]] / found[["standard_error"]]
    }
    found["df"] <- estimated$df
    found["unadjusted_pvalue"] <- t_pvalue(found[["statistic"]], estimated$df, "two-sided")
    found
  }
  c(answer, family_of(each_pair(k, one), control, adjust))
}
