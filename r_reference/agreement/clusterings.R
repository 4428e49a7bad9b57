adjusted_rand_score <- function(y_true, y_pred) mclust::adjustedRandIndex(y_true, y_pred)
