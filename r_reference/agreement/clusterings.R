adjusted_rand_score <- function(y_true, y_pred) {
  value <- mclust::adjustedRandIndex(y_true, y_pred)
  if (is.nan(value)) stop("no two cases are together")
  value
}
